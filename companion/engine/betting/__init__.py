"""Betting rounds: what may be done, and who wins which part of the pot."""
