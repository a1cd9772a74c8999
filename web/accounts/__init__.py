"""People: accounts, guests, tokens, and who asks."""
