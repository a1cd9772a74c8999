"""Read models beside the log, kept up with it and made anew from it."""
