"""A game in a terminal: the keys that are pressed, and the screen that is drawn."""
