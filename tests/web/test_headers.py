"""Security headers, and templates that comply with them."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient
from pages import opened

from companion import create_app
from companion.folders import paths
from companion.web.http.files import assets, compression

ANSWERS = [
    ("GET", "/", 200),
    ("GET", "/settle/knock", 200),
    ("POST", "/settle/knock", 200),
    ("GET", "/help/", 200),
    ("GET", "/help/dompe", 200),
    ("GET", "/static/pictures/dompe.svg", 200),
    ("GET", "/worker.js", 200),
    ("GET", "/api/games", 200),
    ("GET", "/api/openapi.json", 200),
    ("POST", "/api/settle", 415),
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
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.headers["X-Frame-Options"] == "DENY"
        may_photograph = path.startswith("/settle/")  # see test_camera_policy.py
        assert f"camera={'(self)' if may_photograph else '()'}" in response.headers["Permissions-Policy"]
        assert "Strict-Transport-Security" not in response.headers


@pytest.mark.parametrize("path", ["/static/styles/site.css", "/static/scripts/entry.js"])
def test_a_part_of_a_page_has_only_the_headers_that_say_something_of_it(client: FlaskClient, path: str) -> None:
    with client.get(path) as response:
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert {"Content-Security-Policy", "Permissions-Policy", "X-Frame-Options"}.isdisjoint(response.headers.keys())


def test_not_modified_does_not_repeat_the_headers(client: FlaskClient) -> None:
    with client.get("/static/styles/site.css") as first:
        tag = {"If-None-Match": first.headers["ETag"]}
    with client.get("/static/styles/site.css", headers=tag) as again:
        assert again.status_code == 304
        assert "Content-Security-Policy" not in again.headers


def test_session_cookie_is_out_of_reach(client: FlaskClient) -> None:
    cookie = client.get("/settle/knock").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


TEMPLATES = sorted(paths().templates.rglob("*.html"))
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
    link = re.compile(r"<a\b[^>]*>")  # asks nothing until it is tapped
    assert [path.name for path in files if foreign.search(link.sub("", path.read_text()))] == []


PRIVATE = ["/groups/new", "/phone", "/nothing", "/settle/nothing", "/api/nothing", "/static/nothing.css"]


@pytest.mark.parametrize("path", PRIVATE)
def test_private_pages_are_not_kept(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("path", ["/", "/settle/knock"])
def test_what_a_stranger_may_look_for_is_found_and_not_kept(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["Cache-Control"] == "no-store"
    assert "X-Robots-Tag" not in response.headers


@pytest.mark.parametrize("path", ["/help/", "/help/knock", "/api/games", "/api/openapi.json"])
def test_what_is_the_same_for_everybody_is_asked_for_again(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in response.headers


def test_a_static_file_is_kept_for_a_year_under_the_hash_of_its_content(app: Flask, client: FlaskClient) -> None:
    page = client.get("/settle/knock").text
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(addresses) > 3
    for address in addresses:
        with client.get(address) as response:
            assert response.status_code == 200
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            digest = hashlib.sha256(response.data).hexdigest()
        path, _, query = address.partition("?v=")
        assert digest.startswith(query)
        assert len(query) >= 12
        for other in (path, f"{path}?v=", f"{path}?v={'0' * 12}"):
            with client.get(other) as response:
                assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache")
                tag = {"If-None-Match": response.headers["ETag"]}
            with client.get(other, headers=tag) as again:
                assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-cache")
    with app.test_request_context():
        assert url_for("static", filename="nothing.css") == "/static/nothing.css"


def test_names_that_somebody_makes_up_are_not_remembered(client: FlaskClient) -> None:
    client.get("/static/styles/site.css").close()
    before = assets._read.cache_info().currsize
    for at in range(20):
        assert client.get(f"/static/styles/{at}.css").status_code == 404
    assert assets._read.cache_info().currsize == before


def test_a_style_sheet_brings_what_it_imports(client: FlaskClient) -> None:
    names = ("site", "components/tokens", "components/dock")
    whole, first, last = (client.get(f"/static/styles/{name}.css").text for name in names)
    assert whole.startswith(first) and whole.endswith(last)
    assert "@import" not in whole and "/*" not in whole


def test_a_static_file_is_compressed_once_and_a_page_each_time(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app({"INSTANCE": instance, "TESTING": True}).test_client()
    made: list[bytes] = []

    def compress(data: bytes, _level: int) -> bytes:
        made.append(data)
        return gzip.compress(data)

    monkeypatch.setitem(compression._ALGORITHMS, "gzip", (compress, 9))
    sheets = [f"/static/styles/{name}" for name in ("site.css", "site.css?v=other", "print.css")]
    asked = [*sheets * 2, "/help/", "/help/"]
    for path in asked:
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.data) == client.get(path).data
    assert len(made) == 2 + 2


# the settings, whether the request came over HTTPS, and whether the answer is for HTTPS only
HTTPS = [
    ({}, False, False),
    ({}, True, True),
    ({"SESSION_COOKIE_SECURE": True}, False, True),
    ({"SESSION_COOKIE_SECURE": True}, True, True),
]


@pytest.mark.parametrize(("settings", "secure", "shut"), HTTPS)
def test_https_shuts_the_cookie_in(instance: Path, settings: dict[str, object], secure: bool, shut: bool) -> None:
    client = create_app({"INSTANCE": instance, **settings}).test_client()
    response = client.get("/settle/knock", base_url="https://localhost" if secure else "http://localhost")
    name, _, rest = response.headers["Set-Cookie"].partition("=")
    assert name == ("__Host-session" if shut else "session")
    assert ("Secure" in rest) is shut
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(rest.split("; "))
    assert response.headers.get("Strict-Transport-Security") == ("max-age=31536000" if shut else None)


def test_a_cookie_below_a_path_has_no_host_s_name(instance: Path) -> None:
    client = create_app({"INSTANCE": instance, "APPLICATION_ROOT": "/table"}).test_client()
    cookie = client.get("/settle/knock", base_url="https://localhost/table").headers["Set-Cookie"]
    assert cookie.startswith("session=")


@pytest.mark.parametrize("path", ["/", "/settle/knock", "/groups/new", "/help/", "/api/games", "/nothing"])
def test_head_is_answered_like_get_without_a_body(client: FlaskClient, path: str) -> None:
    full, head = client.get(path), client.head(path)
    assert (head.status_code, head.data) == (full.status_code, b"")
    assert set(head.headers.keys()) - {"Set-Cookie"} == set(full.headers.keys()) - {"Set-Cookie"}


def test_head_of_a_round_s_form_is_no_post(app: Flask, client: FlaskClient) -> None:
    token = opened(client, "/groups/new").fields
    group = client.post("/groups/new", data=token | {"name": ["Friday"], "player": ["Ana", "Beto"]}).location
    players = re.findall(r'name="player" value="([0-9]+)"', client.get(group).text)
    start = token | {"do": ["start"], "game": ["knock"], "player": players}
    night = client.post(f"{group}/tonight", data=start).location
    assert client.head(f"{night}/round").status_code == 200
