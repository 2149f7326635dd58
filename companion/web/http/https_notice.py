"""With a certificate of our own: what is asked for over HTTP is answered with what the browser will ask over HTTPS."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, current_app, render_template, request


def init_app(app: Flask) -> None:
    """Answer so, where the settings name a certificate: its fingerprint, and the port of HTTPS."""
    if app.config["CERTIFICATE"]:
        app.before_request(_explain)


def _explain() -> str | None:
    if request.is_secure or request.endpoint == "static" or request.blueprint == "health":
        return None
    fingerprint, port = current_app.config["CERTIFICATE"]
    host = urlsplit(request.host_url).hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    address = f"https://{host}:{port}{request.full_path.rstrip('?')}"
    return render_template("warning.html", address=address, host=host, fingerprint=fingerprint)
