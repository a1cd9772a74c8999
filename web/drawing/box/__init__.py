"""What lies in the box, drawn: pieces, tokens and cards."""
