"""Notes and what-if lines on the pages and in the API."""
