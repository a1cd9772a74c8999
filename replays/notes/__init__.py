"""What people write beside games: annotations, and the notebook they fold to."""
