"""Turns values into words and drawings: languages, money, labels, cards, charts."""
