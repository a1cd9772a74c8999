"""Time: a table's pace, clocks, rest, absence, votes, and the referee."""
