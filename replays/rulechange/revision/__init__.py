"""Two versions of the code: where one lies, what it does otherwise, both on the same logs."""
