"""What the commands of `lacitta` do, one module each."""
