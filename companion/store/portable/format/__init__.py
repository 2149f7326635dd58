"""What a group's file looks like: its tables and what their rows hold, and what is checked before a row is believed."""
