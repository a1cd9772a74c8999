"""Why a number is what it is: ledgers whose entries add up to it."""
