"""Our own drawings of the board, the pieces and the cards."""
