"""Web Push: messages that a device shows with the app closed, encrypted for it alone."""
