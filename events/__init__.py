"""The event types of a game, their encoding, and the file format of one game. No rule of the game."""
