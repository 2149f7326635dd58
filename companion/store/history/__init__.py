"""Results of rounds and their sums, which make a long history open fast."""
