"""Serving over HTTPS with a certificate of our own, and beside it over HTTP what is said of that."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import waitress
from flask import Flask
from gunicorn.app.base import BaseApplication

from .certificate import Certificate

_THREADS = 8  # more than waitress has: a phone with a poor signal holds one while its request is read


class Secure(BaseApplication):  # type: ignore[misc]
    """One process that answers `listening` by HTTPS and `plain` by HTTP; the app is made in it."""

    def __init__(
        self, make: Callable[[], Flask], certificate: Certificate, listening: socket.socket, plain: socket.socket
    ) -> None:
        self._make, self._certificate, self._listening, self._plain = make, certificate, listening, plain
        super().__init__()

    def load_config(self) -> None:
        """Say how gunicorn serves."""
        settings: dict[str, Any] = {
            "bind": f"fd://{self._listening.detach()}",  # gunicorn closes it
            "certfile": str(self._certificate.file),
            "keyfile": str(self._certificate.file),
            "worker_class": "gthread",
            "workers": 1,
            "threads": _THREADS,
            "control_socket_disable": True,
            "loglevel": "warning",
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the app, and let it answer over HTTP as well."""
        app = self._make()
        serving = {"sockets": [self._plain], "threads": 2, "ident": None}
        threading.Thread(target=waitress.serve, args=(app,), kwargs=serving, daemon=True).start()
        return app
