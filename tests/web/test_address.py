"""The host names the app accepts, and the URL it shares with other phones."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from companion import create_app
from companion.web.http.network import hosts

ODD = [
    "a b",
    "evil.example/x",
    "a:b:c",
    "[::1",
    "x" * 300,
    "a..b",
    "evil.example:99999",
    "evil.example:",
    "ä.example",
    "",
]
PATHS = [("/", "text/html"), ("/nothing", "text/html"), ("/static/styles/site.css", "text/html")]
PATHS += [("/api/games", "application/problem+json"), ("/settle/knock", "text/html")]


def client_of(folder: Path, **settings: object) -> FlaskClient:
    return create_app({"INSTANCE": folder, "TESTING": True, **settings}).test_client()


@pytest.mark.parametrize(("path", "kind"), PATHS, ids=[path for path, _ in PATHS])
def test_another_name_is_refused_with_a_page(instance: Path, path: str, kind: str) -> None:
    client = client_of(instance, HOST_NAMES=("cards.example", ".club.example"))
    for host in ("evil.example", "xcards.example", "cards.example.evil.example", "club.example.evil", *ODD):
        response = client.get(path, headers={"Host": host})
        assert (response.status_code, response.mimetype) == (400, kind), host
        assert "Use the address you were given" in response.text
        assert "evil" not in response.text + str(response.headers)
        assert "Content-Security-Policy" in response.headers
    for host in ("cards.example", "cards.example:8000", "a.club.example", "club.example"):
        with client.get(path, headers={"Host": host}) as response:
            assert response.status_code in (200, 404), host


@pytest.mark.parametrize("host", ODD[:-1])
def test_what_is_no_host_is_refused_everywhere(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_asked_under_any_name(instance: Path, path: str) -> None:
    client = client_of(instance, HOST_NAMES=("cards.example",))
    assert client.get(path, headers={"Host": "10.0.0.7:8000"}).status_code == 200


@pytest.mark.parametrize(("path", "status"), [("/", "200 OK"), ("/healthz", "200 OK")])
def test_a_request_without_a_host_is_for_this_server(app: Flask, path: str, status: str) -> None:
    environ = create_environ(path)
    del environ["HTTP_HOST"]
    assert run_wsgi_app(app.wsgi_app, environ)[1] == status


# the settings, the request's Host, and the address of the page of the games
SHARED = [
    ({}, "192.168.1.5:8000", "http://192.168.1.5:8000/help/"),
    ({}, "localhost:8000", "http://192.0.2.7:8000/help/"),
    ({}, "127.0.0.1", "http://192.0.2.7/help/"),
    ({}, "[fe80::1]:8000", "http://[fe80::1]:8000/help/"),
    ({}, "Laptop.local", "http://Laptop.local/help/"),
    ({}, "here", "http://here/help/"),
    ({}, "evil.example", "http://192.0.2.7:80/help/"),
    ({}, "8.8.8.8", "http://192.0.2.7:80/help/"),
    ({"HOST_NAMES": ("cards.example",)}, "cards.example", "http://cards.example/help/"),
    ({"PUBLIC_URL": "https://cards.example"}, "evil.example", "https://cards.example/help/"),
    ({"PUBLIC_URL": "https://cards.example/table"}, "localhost", "https://cards.example/table/help/"),
]


@pytest.mark.parametrize(("settings", "host", "shared"), SHARED, ids=[row[1] + "-" + row[2] for row in SHARED])
def test_shared_address(
    instance: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object], host: str, shared: str
) -> None:
    monkeypatch.setattr(hosts, "network_address", lambda: "192.0.2.7")
    monkeypatch.setattr("socket.gethostname", lambda: "here")
    app = create_app({"INSTANCE": instance, "TESTING": True, **settings})
    with app.test_request_context("/", headers={"Host": host}):
        assert hosts.public_url("help.common") == shared


def test_without_a_network_the_shared_address_is_this_computer_s(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "network_address", lambda: None)
    with app.test_request_context("/", headers={"Host": "evil.example"}):
        assert hosts.public_url("single_round.settle", key="knock") == "http://localhost:80/settle/knock"


FORWARDED = {"X-Forwarded-Host": "cards.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/table"}


@pytest.mark.parametrize(
    ("proxies", "shared"), [(0, "http://localhost/help/"), (1, "https://cards.example/table/help/")]
)
def test_proxies_are_heeded_where_they_are_trusted(instance: Path, proxies: int, shared: str) -> None:
    app = create_app({"INSTANCE": instance, "TRUSTED_PROXIES": proxies, "HOST_NAMES": ("cards.example", "localhost")})
    app.add_url_rule("/shared", view_func=lambda: hosts.public_url("help.common"))
    assert app.test_client().get("/shared", headers=FORWARDED).text == shared


def test_a_refused_name_may_come_from_a_proxy(instance: Path) -> None:
    client = client_of(instance, TRUSTED_PROXIES=1, HOST_NAMES=("localhost",))
    assert client.get("/", headers={"X-Forwarded-Host": "evil.example"}).status_code == 400
    assert client.get("/").status_code == 200
