"""Judging a change of the rules: one cause at a time, with who decided what about it and why."""
