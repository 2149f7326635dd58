"""The server: its port, its certificate, its connections, and the text printed at the start."""
