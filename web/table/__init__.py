"""The table of a running game: its page, its API, hints, take-backs, the tour."""
