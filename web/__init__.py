"""The ways in for people: the command line and, on top of it, the pages."""
