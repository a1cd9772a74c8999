"""A person's own notepad beside a game."""
