"""Checkpoints over all games: made, published, compared and proved."""
