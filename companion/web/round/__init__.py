"""Entering a round: its form, the document made from it, the live reading, and the draft that phones share."""
