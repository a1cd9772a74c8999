"""The game: its material as data, the state, the fold, the rules, the dealer and bots."""
