"""Who sits where: tables before and during a game, and the names that are shown."""
