"""Cards and domino tiles: sets of them, and how they are written."""
