"""Entering a round: its form, the document made from it, its live reading, the draft that phones share."""
