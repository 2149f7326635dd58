"""A night: its changes, the round being entered, its phones, and what is read of it."""
