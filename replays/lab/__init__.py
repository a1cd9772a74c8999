"""The lab: many games by bots, measured, kept and compared."""
