"""Chips and money: stacks, what is owed, and payment plans."""
