"""A copy of the SQLite file elsewhere, kept up to the second by Litestream."""
