"""A group's pages: its people, house rules, tonight, import and export, deleting."""
