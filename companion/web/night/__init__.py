"""A night's pages; they share the blueprint and the frame in `frame`. What is about money lies in `money`."""
