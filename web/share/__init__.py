"""One game as one file: a page that steps through it without a server."""
