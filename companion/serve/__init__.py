"""Starts and serves the app: the `companion` command, its server with HTTPS, and gunicorn's settings."""
