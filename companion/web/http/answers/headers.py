"""Security headers: no foreign, inline or framed content, and no caching of private pages.

Also the session cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response, current_app, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from ..files import assets

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_UNUSED = ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
_PERMISSIONS = "Permissions-Policy"
_WITH_CAMERA = "companion.with_camera"
_FOR_PARTS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")  # of a page: its style sheets and scripts
_HEADERS = [
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    # not no-referrer: over HTTPS the CSRF check needs the referrer
    ("Referrer-Policy", "same-origin"),
    (_PERMISSIONS, ", ".join(f"{feature}=()" for feature in _UNUSED)),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
]
_HEADERS_WITH_CAMERA = [
    (name, value.replace("camera=()", "camera=(self)") if name == _PERMISSIONS else value) for name, value in _HEADERS
]
# the others say something only of documents and workers; on each part they would cost a first visit 4.6 kB in all
_HEADERS_OF_PARTS = [header for header in _HEADERS if header[0] in _FOR_PARTS]
_HSTS = "max-age=31536000"
# the same for everybody; all other pages contain a group, a form's token or players' names
_PUBLIC_BLUEPRINTS = ("help", "api", "pwa")
# not cached because they contain a form's token, but search engines may index them
_FOUND_BLUEPRINTS = ("home", "single_round")


class Cookies(SecureCookieSessionInterface):
    """The session cookie. Over HTTPS it is Secure and bound to this host.

    It lasts for Flask's default of 31 days, which the phone counts: it isn't told until when, but for how long.
    """

    def __init__(self) -> None:
        self._serializer: URLSafeTimedSerializer | None = None
        self._key: object = None  # the serializer's

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return the cookie's signer, created once for a key; Flask would create one per request."""
        if self._key != app.secret_key:
            self._serializer, self._key = super().get_signing_serializer(app), app.secret_key
        return self._serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read the cookie, whatever its age is by this computer's clock, which may be set back or be years wrong."""
        signer, sent = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if signer is None:
            return None
        try:
            return self.session_class(signer.loads(sent)) if sent else self.session_class()
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie, and say for how long it lasts."""
        super().save_session(app, session, response)
        start, cookies = f"{self.get_cookie_name(app)}=", response.headers.getlist("Set-Cookie")
        if session and session.permanent and cookies and cookies[-1].startswith(start):
            lasting = f"{cookies[-1]}; Max-Age={int(app.permanent_session_lifetime.total_seconds())}"
            response.headers.setlist("Set-Cookie", [*cookies[:-1], lasting])

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> None:
        """Return no time: by a clock that is behind, it would have passed for the phone."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the cookie may only be sent over HTTPS."""
        return is_https()

    def get_cookie_name(self, app: Flask) -> str:
        """Return the cookie's name; the `__Host-` prefix makes browsers bind it to this host."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if is_https() and self.get_cookie_path(app) == "/" else name

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Return whether to send the cookie: whenever it changed, and with each page, to extend its lifetime.

        It lasts for Flask's default of 31 days. Responses to forms lead to a page anyway; polling doesn't extend it.
        """
        is_poll = request.endpoint == "draft.state" or (
            request.endpoint == "night.big_screen" and request.if_none_match
        )
        is_page = request.method == "GET" and not is_poll
        return session.modified or (is_page and super().should_set_cookie(app, session))


def is_https() -> bool:
    """Return whether the browser uses HTTPS, judging by this request or the configured public URL."""
    return request.is_secure or bool(current_app.config["SESSION_COOKIE_SECURE"])


def allow_camera() -> None:
    """Let the page that answers this request use the phone's camera, if its player allows it."""
    request.environ[_WITH_CAMERA] = True


def init_app(app: Flask) -> None:
    """Add the headers to every response, and the hashes to URLs of static files."""
    app.session_interface = Cookies()
    assets.init_app(app)
    app.after_request(_add)
    app.wsgi_app = _Strict(app.wsgi_app)  # type: ignore[method-assign]


class _Strict:
    """Appends the constant headers as WSGI middleware, because Flask would process each of them per response."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
            # "not modified" has no content, and the browser keeps the headers of the response it has
            constant = [] if status.startswith("304") else _constant(environ, is_found=status.startswith("200"))
            return start_response(status, headers + constant, error)

        return self._app(environ, start)


def _constant(environ: WSGIEnvironment, *, is_found: bool) -> list[tuple[str, str]]:
    if is_found and assets.is_part(environ["PATH_INFO"]):
        return _HEADERS_OF_PARTS
    return _HEADERS_WITH_CAMERA if environ.get(_WITH_CAMERA) else _HEADERS


def _add(response: Response) -> Response:
    # not with a self-signed certificate: after HSTS, a browser wouldn't let anybody past its warning
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
