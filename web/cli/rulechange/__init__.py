"""Commands that try a change of the rules on recorded games, and judge it."""
