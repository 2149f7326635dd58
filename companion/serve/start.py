"""Starts the app on a port and serves it until Ctrl+C, over HTTP or HTTPS."""

from __future__ import annotations

import contextlib
import socket
import sys
from pathlib import Path

from flask import Flask

from companion import create_app
from companion.config import BadSetting, must_be_installed, read_settings
from companion.web.http.hosts import network_address
from companion.web.http.request_log import serve_metrics

from .listening import listen
from .memory import tune_memory
from .server import Listener, run
from .welcome import welcome


def serve(host: str, port: int | None, https: bool = False) -> int:
    """Serve until interrupted; returns 1 when no port could be had."""
    if https:
        must_be_installed("cryptography", "https", "--https")
    with contextlib.ExitStack() as opened:
        try:
            listening = opened.enter_context(listen(host, port))
            plain = opened.enter_context(listen(host, None)) if https else None
        except OSError as error:
            sentence = f"Cannot listen on {host}: {error.strerror or error}. Choose another --host or --port."
            print(sentence, file=sys.stderr)
            return 1
        if plain is None:
            _serve_http(host, listening)
        else:
            _serve_https(host, listening, plain)
    return 0


def _serve_http(host: str, listening: socket.socket) -> None:
    app = make_app()
    print(welcome(host, listening.getsockname()[1]), flush=True)
    run(app, [Listener(listening)], bool(app.config["TRUSTED_PROXIES"]))


def _serve_https(host: str, listening: socket.socket, plain: socket.socket) -> None:
    """Serve over HTTPS, and on `plain` the page that explains the browser's warning."""
    from .certificate import certificate_for
    from .https import https_listener

    certificate = certificate_for(Path(str(read_settings()["INSTANCE"])), own_names(host))
    port = listening.getsockname()[1]
    app = make_app(CERTIFICATE=(certificate.fingerprint, port))
    print(welcome(host, port, plain.getsockname()[1]))
    print(f"The certificate is of this computer's own making. Its SHA-256 fingerprint:\n  {certificate.fingerprint}")
    print(flush=True)
    run(app, [https_listener(listening, certificate), Listener(plain)], bool(app.config["TRUSTED_PROXIES"]))


def own_names(host: str) -> list[str]:
    """List the names and addresses that phones may use for this computer."""
    name = socket.gethostname().lower()
    found = ["localhost", "127.0.0.1", "::1", name, f"{name}.local", network_address(), host]
    return [one for one in found if one and one.isascii() and one not in ("0.0.0.0", "::")]


def make_app(**settings: object) -> Flask:
    """Make the app as it is served: with its metrics, if they are asked for, and its memory tuned."""
    app = create_app(settings)
    address = app.config["METRICS"]
    if address:
        try:
            serve_metrics(address, app.extensions["companion_metrics"])
        except OSError as error:
            raise BadSetting(f"COMPANION_METRICS is {address}: {error.strerror}. Choose another address.") from error
    tune_memory()
    return app
