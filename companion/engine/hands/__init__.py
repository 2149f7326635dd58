"""Hands: how they are read, compared and ranked, and how rare they are."""
