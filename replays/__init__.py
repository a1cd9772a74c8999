"""Recorded games: whole games made, kept and stepped through."""
