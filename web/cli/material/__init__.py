"""Commands that check and explain rulesets, boards and boxes."""
