"""Every error is a page of the app with a way out, and under /api a JSON problem."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from every_page import Site
from flask import Flask, abort
from flask.testing import FlaskClient
from pages import Page, opened
from sqlalchemy import event
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion import create_app
from companion.platform import Platform
from companion.store.models import db
from companion.web.access.forms import protection

WAYS_OUT = {
    400: "Go back and try again",
    403: "Ask the scorekeeper",
    404: "Start again from the games",
    405: "Start again from the games",
    409: "This has changed in the meantime",
    413: "too big",
    415: "doesn't accept",
    418: "Go back and try again",
    429: "Wait a minute",
    500: "nothing was changed",
    503: "in a moment",
}


OF_API = {413: "Send less", 415: "only accepts JSON"}


@pytest.fixture
def app(instance: Path) -> Iterator[Flask]:
    app = create_app({"INSTANCE": instance})

    def fail(status: int) -> str:
        if status == 500:
            raise ZeroDivisionError("a secret of ours")
        if status == 503:
            raise PoolTimeout("a secret of ours")
        abort(status)

    protection.exempt(fail)  # a post without a token fails in its own way
    app.add_url_rule("/fail/<int:status>", "fail", fail, methods=["GET", "POST"])
    app.add_url_rule("/api/fail/<int:status>", "fail_api", fail, methods=["GET", "POST"])
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.mark.parametrize("status", WAYS_OUT)
def test_an_error_is_a_page_with_a_way_out(client: FlaskClient, status: int) -> None:
    for response in (client.get(f"/fail/{status}"), client.post(f"/fail/{status}")):
        assert (response.status_code, response.mimetype) == (status, "text/html")
        page = Page(response.text)
        assert WAYS_OUT[status] in page.text
        assert "/" in page.all("a", "href")
        assert any(href.startswith("/static/styles/site.css") for href in page.all("link", "href"))
        assert "secret" not in response.text
        assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("status", WAYS_OUT)
def test_an_error_of_the_api_is_json(client: FlaskClient, status: int) -> None:
    response = client.get(f"/api/fail/{status}")
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")
    found = json.loads(response.data)
    assert found["status"] == status
    assert OF_API.get(status, WAYS_OUT[status]) in found["errors"][0]["message"]
    assert "secret" not in response.text


@pytest.mark.parametrize(
    ("status", "method", "buttons"),
    [
        (409, "GET", ["Try again", "Home"]),
        (429, "GET", ["Try again", "Home"]),
        (500, "GET", ["Try again", "Home"]),
        (503, "GET", ["Try again", "Home"]),
        (503, "POST", ["Go back", "Home"]),  # a reload would ask whether to send the form again
        (413, "POST", ["Go back", "Home"]),
        (405, "GET", ["Go back", "Home"]),
    ],
)
def test_what_may_work_later_can_be_tried_again(
    client: FlaskClient, status: int, method: str, buttons: list[str]
) -> None:
    html = client.open(f"/fail/{status}", method=method, headers={"Referer": "http://localhost/help/"}).text
    found = re.findall(r'<a class="button( primary)?" href="[^"]*">([^<]*)</a>', html)
    assert [words for _, words in found] == buttons
    assert [bool(primary) for primary, _ in found] == [True, False]


def test_unavailable_says_when_to_come_again(client: FlaskClient) -> None:
    assert int(client.get("/fail/503").headers["Retry-After"]) > 0


def test_the_page_of_an_error_leads_back_on_this_site_only(client: FlaskClient) -> None:
    for referrer, links in [
        ("http://localhost/help/?a=b", ["/help/?a=b"]),
        ("http://evil.example/help/", []),
        ("http://localhost//evil.example", []),
        ("http://[", []),
        ("", []),
    ]:
        page = Page(client.post("/fail/429", headers={"Referer": referrer}).text)
        usual = ("/", "#main", "?language=es", "/phone")
        assert [href for href in page.all("a", "href") if href not in usual] == links, referrer


def test_an_address_that_only_takes_forms_leads_to_the_page_above_it(used_site: Site) -> None:
    led, routes = {}, used_site.app.url_map.bind("localhost")
    known = {"public_id": "x", "key": "dompe"}
    for rule in used_site.app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or rule.rule.startswith("/api/"):
            continue
        _, path = rule.build({**dict.fromkeys(rule.arguments, 1), **known}, append_unknown=False) or ("", "")
        if not routes.test(path, "GET"):
            answer = used_site.app.test_client().get(path)
            assert answer.status_code == 303, path
            led[path] = answer.location
    assert led["/g/x/tonight"] == "/g/x"
    assert led["/settle/dompe/photo"] == "/settle/dompe"
    assert led["/s/x/round/photo"] == "/s/x/round"
    assert led["/demo"] == "/"
    assert [page for page in led.values() if not routes.test(page, "GET")] == []


class Table:
    """A group with a night, on a phone, with a database that can be broken."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()
        fields = opened(self.client, "/groups/new").fields | {"name": ["Friday"], "player": ["Ana", "Beto"]}
        self.group = self.client.post("/groups/new", data=fields).location
        self.add = {"csrf_token": fields["csrf_token"], "do": ["add"], "name": ["Caro"]}

    @property
    def page(self) -> str:
        response = self.client.get(self.group)
        assert response.status_code == 200
        return response.text

    def broken(self, pragma: str) -> None:
        with self.app.app_context():
            db.engine.dispose()
            event.listen(db.engine, "connect", lambda connection, _: connection.execute(pragma))


FULL, READ_ONLY = "PRAGMA max_page_count=1", "PRAGMA query_only=ON"
ALONE = Platform(phones=False)


@pytest.mark.parametrize(
    ("pragma", "said", "platform"),
    [
        (FULL, "disk with the database is full", Platform()),
        (FULL, "This phone&#39;s storage is full, so nothing was saved. Delete photos, videos or apps", ALONE),
        (READ_ONLY, "read-only", Platform()),
        (READ_ONLY, "read-only", ALONE),
    ],
)
def test_a_disk_that_takes_nothing_is_503_and_nothing_is_half(
    app: Flask, pragma: str, said: str, platform: Platform
) -> None:
    app.config["PLATFORM"] = app.jinja_env.globals["platform"] = platform
    table = Table(app)
    table.broken(pragma)
    # many players, so that a full disk is noticed
    statuses = set()
    for number in range(300):
        response = table.client.post(
            f"{table.group}/players", data=table.add | {"name": [f"Nobody {number} " + "x" * 30]}
        )
        statuses.add(response.status_code)
        if response.status_code == 503:
            break
    assert 503 in statuses
    assert said in response.text
    assert "nothing was saved" in response.text
    assert platform.phones or "runs this app" not in response.text or pragma == READ_ONLY
    assert response.headers["Retry-After"]
    # reading goes on
    assert f"Nobody {number} " not in table.page


def test_a_database_that_is_away_is_503(app: Flask, instance: Path, caplog: pytest.LogCaptureFixture) -> None:
    table = Table(app)
    with app.app_context():
        db.engine.dispose()
    for file in instance.glob("companion.db*"):
        file.unlink()
    (instance / "companion.db").mkdir()
    for answer in (table.client.get(table.group), table.client.post(f"{table.group}/players", data=table.add)):
        assert answer.status_code == 503
        assert "The database isn&#39;t responding" in answer.text
    assert table.client.get("/healthz").status_code == 200
    ready = table.client.get("/readyz")
    assert (ready.status_code, ready.text) == (503, "not ready\n")
    assert "Friday" not in caplog.text


def test_a_wrong_statement_is_an_error_of_ours(app: Flask, client: FlaskClient) -> None:
    view: Callable[[], str] = lambda: str(db.session.execute(db.text("SELECT nonsense")))  # noqa: E731
    app.add_url_rule("/wrong", view_func=view)
    response = client.get("/wrong")
    assert response.status_code == 500
    assert "nonsense" not in response.text
