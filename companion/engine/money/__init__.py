"""Money in whole units: the settlement of a round, pots, payments, odd units."""
