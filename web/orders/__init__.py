"""Standing orders: what a player decides in advance, so that nobody waits."""
