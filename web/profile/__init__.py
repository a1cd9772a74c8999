"""A person's own pages: logging in, the account page, registration and deletion."""
