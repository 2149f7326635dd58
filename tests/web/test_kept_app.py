"""The app for one phone, served from beside the database and offered where it can be kept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from flask import Flask

from companion import create_app
from companion.store.models import db

OFFER = "Keep it on this phone"


def put(app: Flask, scope: str = "/pocket/") -> Path:
    folder = Path(app.instance_path) / "pocket"
    (folder / "pocket").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>the shell")
    (folder / "pocket" / "app.webmanifest").write_text(json.dumps({"scope": scope}))
    (folder / "pocket" / "engine.wasm").write_bytes(b"whole")
    (folder / "pocket" / "engine.wasm.gz").write_bytes(gzip.compress(b"whole"))
    return folder


def test_its_files_are_sent_with_policies_of_their_own(instance: Path) -> None:
    app = create_app({"INSTANCE": instance, "TESTING": True})
    client = app.test_client()
    assert client.get("/pocket/").status_code == 404
    put(app)
    page = client.get("/pocket/")
    assert (page.text, page.mimetype) == ("<!doctype html>the shell", "text/html")
    assert "Content-Security-Policy" not in page.headers  # it stands in the page, and allows less or more
    assert page.headers["X-Frame-Options"] == "DENY"
    assert client.get("/pocket/", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304
    for accepted, encoding in (("br, gzip", "gzip"), ("br", None), ("", None), ("gzip;q=0", None)):
        sent = client.get("/pocket/pocket/engine.wasm", headers={"Accept-Encoding": accepted})
        assert (sent.headers.get("Content-Encoding"), sent.mimetype) == (encoding, "application/wasm")
        assert (gzip.decompress(sent.data) if encoding else sent.data) == b"whole"
    for path in ("/pocket/nothing", "/pocket/../secret_key", "/pocket/%2e%2e/secret_key", "/pocket/pocket"):
        assert client.get(path).status_code == 404
    assert client.post("/pocket/").status_code == 404
    assert "frame-ancestors 'none'" in client.get("/").headers["Content-Security-Policy"]
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize(
    ("address", "scope", "certificate", "is_offered"),
    [
        ("https://cards.example.org", "/pocket/", None, True),
        ("http://cards.example.org", "/pocket/", None, False),
        ("https://cards.example.org", "/table/", None, False),
        ("https://cards.example.org", "/pocket/", ("AB:CD", 8443), False),
        ("https://cards.example.org", None, None, False),
    ],
)
def test_it_is_offered_where_it_can_be_kept(
    instance: Path, address: str, scope: str | None, certificate: tuple[str, int] | None, is_offered: bool
) -> None:
    app = create_app({"INSTANCE": instance, "TESTING": True, "CERTIFICATE": certificate})
    if scope:
        put(app, scope)
    for path in ("/", "/phone"):
        assert (OFFER in app.test_client().get(path, base_url=address).text) is is_offered, path
    with app.app_context():
        db.engine.dispose()
