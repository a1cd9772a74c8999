"""The replay viewer: any moment of any game, why its numbers are so, and other rules."""
