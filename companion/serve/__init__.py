"""Starts and serves the app: the `companion` command, its server with HTTPS, and gunicorn's settings.

- the command: `command`, `commands`; for administrators: `admin`, `group_files`, `maintenance`
- what is hosted elsewhere: `deploy_files`, `pocket_files`
- starting the server: `start`, `listening`, `welcome`, `firewall`, `mdns`; `warming` works ahead
- the server: `server`, `open_files`, `certificate`; for a club, `gunicorn_config` instead
"""
