"""What a game is played with, as data: board, box, rulesets, and the numbers of the rules."""
