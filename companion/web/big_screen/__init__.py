"""The table view, a screen for the whole room."""
