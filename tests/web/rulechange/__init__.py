"""The review of a rule change on a page."""
