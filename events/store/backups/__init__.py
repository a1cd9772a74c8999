"""Backups, and everything of one store carried over into another."""
