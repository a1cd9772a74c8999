"""Games on the server: live ones, cursors through past moments, bots at the tables."""
