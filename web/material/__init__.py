"""Boards and boxes of one's own: checked, drawn, and played with."""
