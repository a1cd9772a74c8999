"""Commands in which bots play many games."""
