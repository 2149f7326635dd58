"""A night's ledger in words: its lines, what a change altered, payments, the best hands, a night's end."""
