"""News that is pushed to open pages: how far their game is, and how many games wait for the
reader."""
