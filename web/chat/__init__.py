"""Talk at a table, for those who sit there."""
