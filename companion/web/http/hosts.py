"""Under which names the app answers, and the public address that shared links and QR codes are made of."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from flask import Flask, current_app, request, url_for
from werkzeug.exceptions import BadRequest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.sansio.utils import host_is_trusted

from companion.engine.messages import Message

from .addresses import in_url, network_address

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_REFUSED = "companion.refused_host"
_LONGEST_HOST = 300  # a name of 253 characters at most, and a port
_LOCAL_DOMAINS = (".local", ".lan", ".home.arpa", ".internal")


class UnknownHost(BadRequest):
    """The app was asked for under a name that is not its own."""

    name = "Not under this name"
    way_out = Message(
        "This app does not answer under that name. Use the address that you were given; "
        "whoever runs it adds further names to COMPANION_TRUSTED_HOSTS."
    )


def init_app(app: Flask) -> None:
    """Heed the proxies in front of the app, and refuse names that are not its own."""
    app.wsgi_app = _HostCheck(app.wsgi_app, app.config["HOST_NAMES"])  # type: ignore[method-assign]
    proxies = app.config["TRUSTED_PROXIES"]
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    app.before_request(_refuse)


class _HostCheck:
    """Marks a request for another host, or for what is no host at all, and takes that name out of it.

    Flask's own check leaves a request for which no address can be made, and so no page that says what is wrong.
    """

    def __init__(self, app: WSGIApplication, names: tuple[str, ...]) -> None:
        self._app = app
        self._names = names

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST") or environ["SERVER_NAME"]
        if len(host) > _LONGEST_HOST or not host_is_trusted(host, self._names) or not _has_labels(host):
            environ[_REFUSED] = True
            environ["HTTP_HOST"] = "localhost"
        query = environ.get("QUERY_STRING", "")
        if not query.isascii():  # bytes that are no text, as no browser sends them; Werkzeug would fail to read them
            environ["QUERY_STRING"] = quote(query.encode("latin-1"), safe="=&+%;")
        return self._app(environ, start_response)


def _has_labels(host: str) -> bool:
    """Tell whether the parts of a name are neither empty nor too long, as addresses are made of it."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def _refuse() -> None:
    # who looks after the process asks it by its address
    if request.environ.get(_REFUSED) and request.blueprint != "health":
        raise UnknownHost


def public_url(endpoint: str, **values: Any) -> str:
    """Make the full address of a page for somebody else's phone.

    It begins with the configured public address. Without one it begins with the request's host where that is a name of
    the app or of a local network, else with this computer's own address: a forged Host is in no shared link.
    """
    configured = current_app.config["PUBLIC_URL"]
    if configured:
        return str(configured) + url_for(endpoint, **values).removeprefix(request.script_root)
    return f"{request.scheme}://{_host()}{url_for(endpoint, **values)}"


def _host() -> str:
    if current_app.config["HOST_NAMES"]:
        return request.host
    if not is_local(request.host):
        return f"{in_url(network_address() or 'localhost')}:{request.environ['SERVER_PORT']}"
    # another phone does not reach this computer by the name that it has for itself
    elsewhere = network_address() if is_loopback(request.host) else None
    port = urlsplit(request.url).port
    if elsewhere is None:
        return request.host
    return f"{in_url(elsewhere)}:{port}" if port else in_url(elsewhere)


def is_local(host: str) -> bool:
    """Tell whether a host, with or without a port, can only be one of a local network."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return not ipaddress.ip_address(name).is_global
    except ValueError:
        return name in ("localhost", socket.gethostname().lower()) or name.endswith(_LOCAL_DOMAINS)


def is_loopback(host: str) -> bool:
    """Tell whether a host, with or without a port, is this computer for itself."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
