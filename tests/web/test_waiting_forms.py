"""What every form does while the server is away: it waits on the phone and counts once, or it stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from devices import HANDS, Device, PlayedNight
from every_page import Site, View
from flask import Flask
from sqlalchemy import func, select

from companion.store.models import db

# what is never stored on a phone: secrets, a file, and what another table would take it for
SECRET = {"pin", "new-pin", "passphrase", "file", "code"}
JSON = {"Accept": "application/json"}
# forms that make no sense later, by where they are sent, with the buttons that differ from their form. A new form wants
# a decision: "waits" if what it changes is still right when the server is back, or a place in this list
STAYS = {
    # they show something, and change nothing
    *("groups.show", "history.leaderboard", "history.player", "settle_up.of_night get", "settle_up.of_group get"),
    *("single_round.settle", "night.count", "groups.new add", "groups.new show"),
    # a round, unless it is saved: what is typed is stored, and sent as soon as possible
    *("night_round.enter", "correction.correct"),
    # at the table, and who is who: the others have gone on meanwhile
    "night.leave",  # its way to a payment's page
    *("seasons.listed", "chips.chips", "next_night.plan"),  # others may play, or plan, meanwhile
    *("night.play", "phones.me", "phones.by_typed_code", "phones.manage"),
    # with a secret or a file, or about this phone alone
    *("groups.renew", "groups.players of settings", "delete_group.delete", "import_export.upload", "demo.make"),
    *("phone_settings.phone", "night.close with PIN", "groups.change_tokens", "groups.change_webhooks"),
    *("turns.turn", "night.payments_by"),  # others may play, or choose, meanwhile
}
WAITS = {
    *("groups.new", "groups.tonight", "groups.players", "group_rules.new", "group_rules.change"),
    *(
        "night.rebuy",
        "night.buy_in",
        "paying.handles",
        "night.move",
        "night.cost",
        "night.leave",
        "next_night.plan",
        "night.count",
        "night.close",
        "night.note",
    ),
    *("night.rules", "night.stakes", "night.dealers_choice", "night.seats", "night.change_line", "night.remark"),
    *("settle_up.of_night", "settle_up.of_group", "settle_up.pay", "night_round.enter", "correction.correct"),
}


class Form(NamedTuple):
    """A form of a page: its attributes, fields, choices by field, and buttons with their attributes."""

    about: dict[str, str]
    fields: list[tuple[str, str]]
    choices: dict[str, list[str]]
    buttons: list[dict[str, str]]

    def way(self, button: dict[str, str]) -> str | None:
        return button.get("data-offline", self.about.get("data-offline"))


class _Forms(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in pairs}
        if tag == "form":
            self._form = Form(about, [], {}, [])
            self.forms.append(self._form)
        form = self._form or next((f for f in self.forms if about.get("form") == f.about.get("id", "-")), None)
        if form is None:
            return
        name, is_on = about.get("name", ""), "checked" in about or about.get("type") not in ("checkbox", "radio")
        if tag == "button" and about.get("type") != "button":
            form.buttons.append(about)
        elif tag in ("input", "textarea") and name and is_on:
            form.fields.append((name, about.get("value", "")))
        elif tag == "select":
            self._select, form.choices[name] = name, []
        elif tag == "option" and self._select:
            others = [pair for pair in form.fields if pair[0] != self._select]
            if "selected" in about or not form.choices[self._select]:
                form.fields[:] = [*others, (self._select, about["value"])]
            form.choices[self._select].append(about["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""


def pages(site: Site, first: Collection[str] = ()) -> Iterator[tuple[View, list[Form]]]:
    """Open every view of the app, some of them first; returns their forms."""
    for view in sorted(site.views, key=lambda view: view.name not in first):
        html = site.devices[view.phone].client.get(f"/{site.address(view)}").text
        yield view, [form for form in _Forms(html).forms if form.about.get("method") != "dialog"]


def target(site: Site, view: View, form: Form, button: dict[str, str]) -> str:
    """Return the path to which a form is sent."""
    return urldefrag(urljoin(view.path, button.get("formaction") or form.about.get("action") or view.path))[0]


def kind(site: Site, view: View, form: Form, button: dict[str, str]) -> str:
    """Return the endpoint to which a form is sent, with what tells its kinds apart."""
    method = form.about["method"].upper()
    endpoint = site.app.url_map.bind("localhost").match(urlsplit(target(site, view, form, button)).path, method)[0]
    more = {
        "settle_up.of_night": "get" if method == "GET" else "",
        "settle_up.of_group": "get" if method == "GET" else "",
        "groups.new": button["value"] if button.get("value") in ("add", "show") else "",
        "groups.players": "of settings" if {"device", "new-pin"} & {*dict(form.fields)} else "",
        "night.close": "with PIN" if "pin" in dict(form.fields) else "",
    }
    return f"{endpoint} {more.get(endpoint, '')}".strip()


@pytest.mark.thorough
def test_every_form_says_what_it_does_without_a_server(site: Site) -> None:
    """And what waits can be sent again and holds no secret."""
    found: dict[str, set[str]] = {"waits": set(), "stays": set()}
    for view, forms in pages(site):
        for form in forms:
            ways = [form.way(button) for button in form.buttons]
            assert set(ways) <= set(found), f"{view.name}: a form wants data-offline: {form.about}"
            for way, button in zip(ways, form.buttons, strict=True):
                found[str(way)].add(kind(site, view, form, button))
            if "waits" in ways:
                names = [name for name, _ in form.fields]
                assert (names.count("csrf_token"), names.count("key")) == (1, 1), view
                assert SECRET.isdisjoint(names), view
    assert found["waits"] == WAITS
    assert found["stays"] == STAYS


def rows(app: Flask) -> dict[str, int]:
    """Count the rows of every table."""
    with app.app_context():
        tables = db.metadata.tables.values()
        return {table.name: db.session.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


# what somebody types into the fields that are empty
TYPED = {"amount": "5", "note": "taxi", "newcomer": "Zoe", "name": "Yago", "chips": "7", "place": "here", "remark": "!"}
# answers with buttons that no page has that is just opened
COMPARED = {"count to record", "correction", "settled in the night"}


def filled(form: Form, button: dict[str, str]) -> dict[str, list[str]]:
    """Return what a form sends once somebody has filled it in and pressed a button."""
    fields: dict[str, list[str]] = {}
    for at, (name, value) in enumerate(form.fields):
        written = f"Player {at}" if name == "player" and "secret" in dict(form.fields) else TYPED.get(name, "")
        fields.setdefault(name, []).append(value or written)
    if "from" in form.choices:
        fields |= {"from": form.choices["from"][1:2], "to": form.choices["to"][2:3]}
    if "for" in fields:  # who paid, of those who share a cost
        fields["payer"] = fields["for"][:1]
    # each press is a page of its own
    fields["key"] = [f"{fields['key'][0]}-{form.buttons.index(button)}"]
    return fields | ({button["name"]: [button["value"]]} if "name" in button else {})


@pytest.mark.thorough
def test_each_form_that_waits_counts_once_however_often_it_is_sent(site: Site) -> None:
    counted: set[str] = set()
    for view, forms in pages(site, first=COMPARED):  # they would be overtaken by what else is sent
        client = site.devices[view.phone].client
        pressed = [(form, button) for form in forms for button in form.buttons if form.way(button) == "waits"]
        for form, button in pressed if not view.is_answer or view.name in COMPARED else ():
            path, data = target(site, view, form, button), filled(form, button)
            first = client.post(path, data=data, headers=JSON)
            before = rows(site.app)
            again = client.post(path, data=data, headers=JSON)
            assert rows(site.app) == before, (view, button)
            if first.status_code == 201:
                assert (again.status_code, again.text) == (201, first.text), (view, button)
                counted.add(kind(site, view, form, button))
    assert counted == WAITS


def test_a_form_that_waited_longer_than_its_phone_s_cookie_gets_a_new_token(night: PlayedNight) -> None:
    fields = night.page("/people").fields | {
        "note": ["brought cake"],
        "csrf_token": ["of before"],
    }
    answer = night.keeper.client.post(f"{night.night}/note", data=fields, headers=JSON)
    assert answer.status_code == 200
    fields["csrf_token"] = [answer.headers["Companion-Token"]]
    answer = night.keeper.client.post(f"{night.night}/note", data=fields, headers=JSON)
    assert (answer.status_code, "Companion-Token" in answer.headers) == (201, False)
    assert "brought cake" in night.html()


def test_a_round_waits_behind_a_loan_and_is_no_conflict(night: PlayedNight) -> None:
    ana, beto, _ = night.players.values()
    hands = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())}
    form = {**night.round_fields(night.keeper), **hands, "asked-knocker": "0", "do": "save"}  # of line 1
    night.does("/move", **{"movement": "loan", "from": ana, "to": beto, "amount": "5"})
    assert night.does("/round", **form).endswith("/lines/2?saved=yes")
    # sent again, as after a lost answer
    assert night.does("/round", **form).endswith("/lines/2?saved=yes")
    # another round was saved since: that is one
    assert night.post("/round", **{**form, "key": "another"}).status_code == 409


@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_a_browser_without_scripts_follows_the_way(night: PlayedNight, accept: str) -> None:
    fields = night.page("/people").fields
    answer = night.keeper.client.post(f"{night.night}/note", data=fields, headers={"Accept": accept})
    assert (answer.status_code, "Companion-Token" in answer.headers) == (303, False)


def test_a_stranger_s_form_gets_no_token(app: Flask) -> None:
    answer = Device(app).client.post("/api/settle", json={}, headers=JSON)
    assert "Companion-Token" not in answer.headers
