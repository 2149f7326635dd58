"""Answers plain HTTP with a page that explains the browser's warning about the self-signed HTTPS certificate."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, current_app, render_template, request

from .addresses import in_url


def init_app(app: Flask) -> None:
    """Enable the page if the settings have a certificate: its fingerprint and the HTTPS port."""
    if app.config["CERTIFICATE"]:
        app.before_request(_explain)


def _explain() -> str | None:
    if request.is_secure or request.endpoint == "static" or request.blueprint == "health":
        return None
    fingerprint, port = current_app.config["CERTIFICATE"]
    host = in_url(urlsplit(request.host_url).hostname or "localhost")
    address = f"https://{host}:{port}{request.full_path.rstrip('?')}"
    return render_template("warning.html", address=address, host=host, fingerprint=fingerprint)
