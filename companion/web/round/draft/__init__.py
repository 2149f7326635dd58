"""The draft that all phones share: mapped to the form, as a phone may see it, and its hands revealed."""
