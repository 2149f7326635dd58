"""The commands of `companion`, and the files that they write."""
