"""A game over its years: history, timeline, statistics."""
