"""A session's entries in words: one line, two versions side by side, the order of the seats."""
