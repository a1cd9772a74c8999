"""Private plans: tried out on a table dealt anew, following the game."""
