"""The rules as in the rulebook: each module a part of the year or of the table."""
