"""What every answer tells the browser: no foreign, inline or framed content, nothing private kept, cookies shut in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, current_app, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import URLSafeTimedSerializer

from . import assets

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_UNUSED = ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
_HEADERS = [
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    # not no-referrer: over HTTPS the CSRF check needs it on this site
    ("Referrer-Policy", "same-origin"),
    ("Permissions-Policy", ", ".join(f"{feature}=()" for feature in _UNUSED)),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
]
_HSTS = "max-age=31536000"
# the same for everybody; all other pages hold a group, a form's token, or the names of a table
_PUBLIC_BLUEPRINTS = ("help", "api", "pwa")
# not kept either, as they hold a form's token, but whoever looks for such an app may find them
_FOUND_BLUEPRINTS = ("home", "single_round")


class Cookies(SecureCookieSessionInterface):
    """The session's cookie: over HTTPS it is sent over nothing else, and no other host of the domain can set it."""

    def __init__(self) -> None:
        self._serializer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Give what signs the cookie, and keep it: Flask would make it anew for each request."""
        if self._serializer is None:
            self._serializer = super().get_signing_serializer(app)
        return self._serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        """Tell whether the cookie may go over HTTPS only."""
        return is_https()

    def get_cookie_name(self, app: Flask) -> str:
        """Give the cookie's name; browsers hold one with this prefix to the host itself."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if is_https() and self.get_cookie_path(app) == "/" else name

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Tell whether to send the cookie: with something new in it, and with each page, so that it lasts longer.

        A form leads to such a page. Polling, every second or so, does not refresh the cookie.
        """
        is_poll = request.endpoint == "phones.state" or (request.endpoint == "session.table" and request.if_none_match)
        is_page = request.method == "GET" and not is_poll
        return session.modified or (is_page and super().should_set_cookie(app, session))


def is_https() -> bool:
    """Tell whether the browser came over HTTPS: by this request, or because the public address says so."""
    return request.is_secure or bool(current_app.config["SESSION_COOKIE_SECURE"])


def init_app(app: Flask) -> None:
    """Add the headers to every answer, and the hashes to the addresses of static files."""
    app.session_interface = Cookies()
    assets.init_app(app)
    app.after_request(_add)
    app.wsgi_app = _Strict(app.wsgi_app)  # type: ignore[method-assign]


class _Strict:
    """Puts what is the same for every answer behind its headers: Flask would look at each of them one by one."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
            return start_response(status, headers + _HEADERS, error)

        return self._app(environ, start)


def _add(response: Response) -> Response:
    # with a certificate of our own a browser that was told so would let nobody go on past its warning
    if is_https() and not current_app.config["CERTIFICATE"]:
        response.headers.setdefault("Strict-Transport-Security", _HSTS)
    kept = assets.cache_control(response)
    if kept:
        response.headers["Cache-Control"] = kept
    elif request.blueprint in _PUBLIC_BLUEPRINTS and response.status_code == 200:
        response.headers.setdefault("Cache-Control", "no-cache")
    else:
        response.headers.setdefault("Cache-Control", "no-store")
        if request.blueprint not in _FOUND_BLUEPRINTS or response.status_code != 200:
            response.headers.setdefault("X-Robots-Tag", "noindex")
    return response
