"""A group's pages: opening it, tonight, its people and settings, import and export, deleting."""
