"""Studies: several games in chapters, and turns to guess."""
