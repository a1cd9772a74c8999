"""Work that takes longer than a request may: worker processes, a fair queue, budgets of time."""
