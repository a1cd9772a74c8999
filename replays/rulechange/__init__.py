"""A rule change against recorded games: refold, first difference, cause, summary."""
