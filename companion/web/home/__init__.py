"""The home page, the demo, this phone's settings, and the app without a connection."""
