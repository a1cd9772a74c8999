"""Chance: what it owes is dealt from a game's secret, or anew for who does not know that."""
