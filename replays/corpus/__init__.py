"""Recorded games: the built-in corpus, what it covers, its chronicles, the pytest plugin."""
