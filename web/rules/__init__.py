"""The rules at hand: a page that explains the game, rule by rule, with real positions drawn."""
