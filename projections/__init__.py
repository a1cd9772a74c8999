"""Read models: what people see of a game, folded from its log."""
