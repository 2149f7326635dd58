"""With a self-signed certificate: over HTTP only the page about the browser's warning, and no HSTS over HTTPS."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pages import opened

from companion import create_app

FINGERPRINT = "AB:CD"


@pytest.fixture
def client(instance: Path) -> FlaskClient:
    return create_app({"INSTANCE": instance, "TESTING": True, "CERTIFICATE": (FINGERPRINT, 8443)}).test_client()


# what is asked for, and where it leads on
ASKED = [
    ("http://192.0.2.7:8001/", "https://192.0.2.7:8443/"),
    ("http://192.0.2.7:8001/join/ABC?a=1", "https://192.0.2.7:8443/join/ABC?a=1"),
    ("http://[::1]:8001/nowhere", "https://[::1]:8443/nowhere"),
    ("http://kitchen.local/", "https://kitchen.local:8443/"),
]


@pytest.mark.parametrize(("asked", "leads_to"), ASKED, ids=[asked for asked, _ in ASKED])
def test_over_http_it_is_said_what_the_browser_will_ask(client: FlaskClient, asked: str, leads_to: str) -> None:
    page = opened(client, asked)
    assert page.all("a", "href")[1] == leads_to
    assert FINGERPRINT in page.text
    assert client.post(asked).status_code == 200  # and nothing is done


def test_it_is_said_in_the_phone_s_language(client: FlaskClient) -> None:
    assert "Antes de seguir" in client.get("/", headers={"Accept-Language": "es"}).text
    client.get("/?language=es")
    assert "Antes de seguir" in client.get("/").text


def test_over_https_it_is_the_app(client: FlaskClient) -> None:
    answer = client.get("/settle/knock", base_url="https://192.0.2.7:8443")
    assert FINGERPRINT not in answer.text
    assert answer.headers["Set-Cookie"].startswith("__Host-session=")
    assert "Strict-Transport-Security" not in answer.headers


def test_styles_and_the_health_are_given_over_http(client: FlaskClient) -> None:
    assert client.get("/static/styles/site.css").mimetype == "text/css"
    assert client.get("/healthz").text == "ok\n"
