"""The event types of a game, their encoding and their log. No rule of the game."""
