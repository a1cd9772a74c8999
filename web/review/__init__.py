"""The review of a game: asked for on its page, made by worker processes, and read there."""
