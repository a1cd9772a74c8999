"""The page that shows what a rule change does: one file that needs nothing else."""
