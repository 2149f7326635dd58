"""What every answer tells the browser, and templates that need no exception from it."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.config import paths

ANSWERS = [
    ("GET", "/", 200),
    ("GET", "/settle/knock", 200),
    ("POST", "/settle/knock", 200),
    ("GET", "/help/", 200),
    ("GET", "/help/dompe", 200),
    ("GET", "/static/base.css", 200),
    ("GET", "/api/games", 200),
    ("GET", "/api/openapi.json", 200),
    ("POST", "/api/settle", 400),
    ("PUT", "/api/settle", 405),
    ("GET", "/nothing", 404),
    ("GET", "/static/nothing.css", 404),
    ("GET", "/api/nothing", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), ANSWERS)
def test_every_answer_has_the_headers(client: FlaskClient, method: str, path: str, status: int) -> None:
    with client.open(path, method=method) as response:
        assert response.status_code == status
        policy = response.headers["Content-Security-Policy"]
        directives = {words[0]: words[1:] for words in (part.split() for part in policy.split(";"))}
        assert directives["default-src"] == ["'none'"]
        assert directives["frame-ancestors"] == ["'none'"]
        assert directives["base-uri"] == ["'none'"]
        assert directives["form-action"] == ["'self'"]
        allowed = {source for sources in directives.values() for source in sources}
        assert allowed == {"'none'", "'self'"}
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        # not no-referrer: the CSRF check would refuse every form over HTTPS
        assert response.headers["Referrer-Policy"] == "same-origin"


def test_session_cookie_is_out_of_reach(client: FlaskClient) -> None:
    cookie = client.get("/settle/knock").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


TEMPLATES = sorted(paths().templates.glob("*.html"))
INLINE = {
    "style": r"\sstyle\s*=",
    "style element": r"<style",
    "script": r"<script(?![^>]*\ssrc=)",
    "handler": r"\son[a-z]+\s*=",
    "javascript address": r"javascript:",
    "unescaped": r"\|\s*safe\b",
}


@pytest.mark.parametrize("pattern", INLINE.values(), ids=INLINE)
def test_no_template_holds_anything_inline(pattern: str) -> None:
    assert TEMPLATES
    assert [path.name for path in TEMPLATES if re.search(pattern, path.read_text(), re.IGNORECASE)] == []


def test_pages_ask_no_other_host(app: Flask) -> None:
    files = [*TEMPLATES, *(f for f in Path(str(app.static_folder)).rglob("*") if f.suffix in (".css", ".js", ".svg"))]
    foreign = re.compile(r"""(?:src|href|url|import)\s*[=(]?\s*["']?(?:https?:)?//""")
    assert [path.name for path in files if foreign.search(path.read_text())] == []
