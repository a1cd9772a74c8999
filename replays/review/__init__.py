"""The review of a game: what every decision cost, what was luck, and how to play it better."""
