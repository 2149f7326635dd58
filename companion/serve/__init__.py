"""Starts and serves the app: the `companion` command, its server with HTTPS, and gunicorn's settings.

The rooms, from the bottom up; each imports only from those listed before it:

- `sending`: webhooks and reminders, sent from a thread of each process that serves the app
- `server`: starting it (`start`, `listening`, `welcome`, `firewall`, `mdns`), and the server itself (`server`,
  `open_files`, `certificate`)
- `commands`: the other commands: for administrators `admin`, `group_files`, `maintenance`, `own_games`; what is hosted
  elsewhere: `deploy_files`, `pocket_files`

Beside them: `command` is the entry, `existing` opens a database, `warming` works ahead; `gunicorn_config` is for clubs.
"""
