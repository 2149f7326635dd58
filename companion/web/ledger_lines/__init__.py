"""A session's entries in words: one line, the differences between two versions, the order of seats."""
