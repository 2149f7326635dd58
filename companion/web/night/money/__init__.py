"""A night's money: its tab, the chips, shared costs, a player who leaves, plans to settle up and their payments."""
