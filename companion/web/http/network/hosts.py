"""Which host names the app accepts, and the public URL used in shared links and QR codes."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import segno
from flask import Flask, current_app, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import BadRequest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.sansio.utils import host_is_trusted

from companion.engine.messages import Message

from .addresses import in_url, network_address

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_REFUSED = "companion.refused_host"
_MAX_HOST_LENGTH = 300  # at most 253 characters for the name, plus a port
_LOCAL_DOMAINS = (".local", ".lan", ".home.arpa", ".internal")


class UnknownHost(BadRequest):
    """The request was for a host name that isn't the app's."""

    name = "Not under this name"
    way_out = Message(
        "This app isn't available under that name. Use the address you were given; the person who runs the app can "
        "add names to COMPANION_TRUSTED_HOSTS."
    )


def init_app(app: Flask) -> None:
    """Trust the configured proxies, and reject foreign host names."""
    app.wsgi_app = _HostCheck(app.wsgi_app, app.config["HOST_NAMES"])  # type: ignore[method-assign]
    proxies = app.config["TRUSTED_PROXIES"]
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    app.before_request(_refuse)
    app.jinja_env.globals["platform"] = app.config["PLATFORM"]


class _HostCheck:
    """Marks requests for a foreign or malformed host, and replaces the host name.

    With Flask's own check, no URLs could be built for such a request, and so no page to explain the error.
    """

    def __init__(self, app: WSGIApplication, names: tuple[str, ...]) -> None:
        self._app = app
        self._names = names

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST") or environ["SERVER_NAME"]
        if len(host) > _MAX_HOST_LENGTH or not host_is_trusted(host, self._names) or not _has_labels(host):
            environ[_REFUSED] = True
            environ["HTTP_HOST"] = "localhost"
        query = environ.get("QUERY_STRING", "")
        if not query.isascii():  # raw bytes, which no browser sends; Werkzeug fails to decode them
            environ["QUERY_STRING"] = quote(query.encode("latin-1"), safe="=&+%;")
        return self._app(environ, start_response)


def _has_labels(host: str) -> bool:
    """Return whether no part of a host name is empty or too long, since URLs are built from it."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def _refuse() -> None:
    # health probes use the process's address instead of its host name
    if request.environ.get(_REFUSED) and request.blueprint != "health":
        raise UnknownHost


def public_url(endpoint: str, **values: Any) -> str:
    """Return a page's full URL for use on another phone.

    It starts with the configured public URL. Otherwise it uses the request's host, if that is one of the app's names or
    on a local network, or else this computer's address. So a forged Host header never ends up in a shared link.
    """
    configured = current_app.config["PUBLIC_URL"]
    if configured:
        return str(configured) + url_for(endpoint, **values).removeprefix(request.script_root)
    return f"{request.scheme}://{_host()}{url_for(endpoint, **values)}"


def _host() -> str:
    if current_app.config["HOST_NAMES"] or not current_app.config["PLATFORM"].phones:
        return request.host
    if not is_local(request.host):
        return f"{in_url(network_address() or 'localhost')}:{request.environ['SERVER_PORT']}"
    # "localhost" is no use to another phone
    elsewhere = network_address() if is_loopback(request.host) else None
    port = urlsplit(request.url).port
    if elsewhere is None:
        return request.host
    return f"{in_url(elsewhere)}:{port}" if port else in_url(elsewhere)


def is_local(host: str) -> bool:
    """Return whether a host, with or without port, can only be on a local network."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return not ipaddress.ip_address(name).is_global
    except ValueError:
        return name in ("localhost", socket.gethostname().lower()) or name.endswith(_LOCAL_DOMAINS)


def is_loopback(host: str) -> bool:
    """Return whether a host, with or without port, is this computer itself."""
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def qr_link(endpoint: str, **values: Any) -> tuple[str, Markup]:
    """Return a page's full URL and its QR code, which is white in dark mode too and scales with its box."""
    address = public_url(endpoint, **values)
    return address, _qr_code(address)


@lru_cache(maxsize=64)
def _qr_code(address: str) -> Markup:
    # `omitsize`: with a fixed size, a smaller box would cut off the right and lower edge
    code = segno.make(address, error="l")
    return Markup(code.svg_inline(border=2, light="#fff", omitsize=True))
