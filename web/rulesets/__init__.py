"""House rules put together on a page: chosen, explained, tried on recorded games, played."""
