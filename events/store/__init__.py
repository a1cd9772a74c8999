"""Where logs are kept: what a store is, its errors, and moving whole stores."""
