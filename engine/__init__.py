"""The game: board, box and rulesets as data, the state, the fold, the rules, the dealer and bots."""
