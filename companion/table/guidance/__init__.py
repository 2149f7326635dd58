"""What a table is told: what comes next for whoever looks, before the cards, after a knock, and what it is worth."""
