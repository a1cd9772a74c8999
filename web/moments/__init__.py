"""Moments of a game as data: one format for the live table, the viewer and the file to share."""
