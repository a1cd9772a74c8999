"""Clocks of a game, and when people rest: pure functions of recorded times."""
