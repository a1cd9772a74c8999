"""The pages around the table: the lobby, taking a seat, the waiting room."""
