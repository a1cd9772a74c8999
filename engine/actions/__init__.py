"""What a seat may do: the check of an action with its reasons, and the list of all legal ones."""
