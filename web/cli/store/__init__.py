"""Commands on a store of games, and on what goes in and out of it."""
