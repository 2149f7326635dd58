"""A form without a CSRF token, as another site would post it, changes nothing at any address."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from devices import HANDS, Device, PlayedNight
from flask import Flask
from pages import Page, as_posted, typed
from sample_rounds import ROUNDS
from sqlalchemy import text
from test_web_push import AUTH, PUBLIC
from werkzeug.test import TestResponse

from companion.store.models import db

# they change nothing for anybody
STATELESS = {"single_round.live_reading", "correction.live"}
# answered by the page or JSON itself, not by the way to another page
IN_PLACE = {
    *("single_round.settle", "draft.enter", "reminders.choose", "groups.change_tokens", "groups.change_webhooks"),
    *("photo.of_single_round", "photo.of_next_round", "photo.of_correction"),
}


def forms(night: PlayedNight, plan: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return, for each endpoint that takes a form, an address and fields it would accept with a token."""
    ana, beto, _ = order = list(night.players.values())
    here, group, keeper = night.night, night.group, night.keeper
    hands = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())}
    rounds = {**night.round_fields(keeper), **hands, "asked-knocker": "0", "do": "save"}
    correction = {**keeper.page(f"{here}/lines/1/correct").fields, "asked-knocker": "1", "do": "save"}
    names = {f"players-{seat}-name": name for seat, name in enumerate(HANDS)}
    draft = {"number": rounds["number"], "game": "knock-poker", "seat": order, "touched": list(hands), **names, **hands}
    other = PlayedNight(night.app, secret="of another group")
    file = other.keeper.get(f"{other.group}/export/group.json").data
    other.keeper.does(f"{other.group}/delete")
    photo = {"do": "photo-0", "photo": (io.BytesIO(b"no picture"), "hand.jpg")}
    with_stacks = PlayedNight(night.app, secret="of a night with stacks", **{"buy-in": "3"})
    with_stacks.books()
    assert keeper.open(with_stacks.links()["keep"]) == 303
    chips, beto_there = with_stacks.night, with_stacks.players["Beto"]
    units = dict(zip(with_stacks.players.values(), ("9", "0", "0"), strict=True))
    counted = {f"count-{player}": count for player, count in units.items()}
    tonight = {"order": order, "player": order, "game": "knock", "currency": "", "do": "start"}
    loan = {"movement": "loan", "from": ana, "to": beto, "amount": "5", "note": ""}
    (month, *_) = keeper.page(f"{group}/seasons").fields["until"]
    cost = {"what": "Pizza", "payer": ana, "for": [ana, beto], "amount": "48", "currency": "EUR"}
    settled = {**as_posted(keeper.client, ROUNDS["knock"]), **typed(ROUNDS["knock"]), "do": "settle"}
    return {
        "single_round.settle": ("/settle/knock", settled),
        "groups.new": ("/groups/new", {"name": "New", "player": ["X", "Y"], "secret": "n" * 30, "do": "make"}),
        "groups.players": (f"{group}/players", {"do": "add", "name": "Zoe"}),
        "group_rules.new": (f"{group}/rules/new?game=knock", {"name": "Friday rules", "rules-ante": "2", "do": "save"}),
        "group_rules.change": (f"{group}/rules/1", {"name": "Monday rules", "rules-ante": "3", "do": "save"}),
        "groups.tonight": (f"{group}/tonight", tonight),
        "groups.change_tokens": (f"{group}/tokens", {"label": "Bot", "access": "keep", "do": "make"}),
        "groups.change_webhooks": (
            f"{group}/webhooks",
            {"url": "https://a.org/", "events": "round.saved", "do": "make"},
        ),
        "groups.renew": (f"{group}/links", {"do": "renew-look"}),
        "demo.make": ("/demo", {"secret": "d" * 30}),
        "import_export.upload": ("/groups/import", {"secret": "i" * 30, "file": (io.BytesIO(file), "group.json")}),
        "phone_settings.phone": ("/phone", {"theme": "dark", "suits": "two", "device": "mine"}),
        "phones.by_typed_code": ("/join", {"code": night.code()}),
        "phones.me": (f"{here}/me", {"player": ana}),
        "reminders.choose": (
            f"{here}/reminders",
            {"do": "on", "endpoint": "https://a.org/", "p256dh": PUBLIC, "auth": AUTH},
        ),
        "draft.enter": (f"{here}/draft", draft),
        "phones.manage": (f"{here}/phones", {"do": "renew"}),
        "night.play": (f"{here}/play", {"do": f"dealer-{ana}", "number": rounds["number"], "game": "knock-poker"}),
        "night_round.enter": (f"{here}/round", rounds),
        "correction.correct": (f"{here}/lines/1/correct", correction),
        "night.change_line": (f"{here}/lines/1", {"do": "void", "seen": "2"}),
        "night.seats": (f"{here}/seats", {"do": f"out-{beto}", "order": order}),
        "night.rules": (f"{here}/rules", {**keeper.page(f"{here}/rules").fields, "rules-ante": "3", "do": "set"}),
        "night.move": (f"{here}/move", loan),
        "night.cost": (f"{here}/cost", cost),
        "next_night.plan": (f"{group}/next", {"day": f"{date.today()}", "time": "23:59", "do": "set"}),
        "chips.chips": (f"{group}/chips", {"value-red": "5", "number-red": "50"}),
        "seasons.listed": (f"{group}/seasons", {"name": "Spring", "decides": "net", "until": month, "do": "close"}),
        "night.leave": (f"{here}/leave", {"player": ana, "do": "later"}),
        "paying.handles": (f"{here}/paid-by", {"player": ana, "kind": "cash", "text": "later"}),
        "night.note": (f"{here}/note", {"place": "Beto's", "note": "cake"}),
        "night.remark": (f"{here}/lines/1/remark", {"remark": "cake"}),
        "night.buy_in": (f"{here}/buy-in", {"buy-in": "30"}),
        "night.count": (f"{chips}/count", {**counted, "number": "2", "do": "book"}),
        "night.rebuy": (f"{chips}/rebuy", {"player": beto_there, "chips": "3", "back": "table"}),
        "photo.of_single_round": ("/settle/knock/photo", {**settled, **photo}),
        "photo.of_next_round": (f"{here}/round/photo", {**rounds, **photo}),
        "photo.of_correction": (f"{here}/lines/1/photo", {**correction, **photo}),
        "settle_up.pay": (plan, {"do": "pay-0", "amount-0": "1"}),
        "settle_up.of_night": (f"{here}/settle", {}),
        "settle_up.of_group": (f"{group}/settle", {}),  # leaves nothing to settle in the session
        "night.dealers_choice": (f"{here}/dealers-choice", {**keeper.page(f"{here}/rules").fields, "do": "on"}),
        "night.payments_by": (f"{here}/payments-by", {"moves": "chips"}),
        "night.stakes": (f"{here}/stakes", {**keeper.page(f"{here}/rules").fields, "do": "double"}),
        "night.close": (f"{here}/close", {"do": "leave"}),
        "turns.turn": (f"{group}/hand-over", {"do": "hand-over"}),
        "delete_group.delete": (f"{group}/delete", {}),
    }


def rows(app: Flask) -> dict[str, list[str]]:
    """Read the whole database, except the counters of attempts."""
    with app.app_context():
        tables = [name for name in db.metadata.tables if name != "attempt"]
        found = {name: db.session.execute(text(f'SELECT * FROM "{name}"')).all() for name in tables}
        return {name: sorted(map(repr, of)) for name, of in found.items()}


def posted(device: Device, path: str, fields: dict[str, Any], key: str, **token: str) -> TestResponse:
    sent = {name: value for name, value in fields.items() if name != "csrf_token"} | {"key": key}
    for name, value in sent.items():
        if isinstance(value, tuple):  # a file is read to its end once
            sent[name] = (io.BytesIO(value[0].getvalue()), value[1])
    return device.client.post(path, data=sent | token)


@pytest.fixture
def night(app: Flask) -> Iterator[tuple[PlayedNight, str]]:
    """Return a night with a round and a plan, and that plan's URL."""
    night = PlayedNight(app, begins="round")
    night.does("{group}/rules/new?game=knock", **{"name": "Tuesday rules", "rules-ante": "1", "do": "save"})
    night.does("/settle")
    (plan,) = {form for form in night.page("/settle").all("form", "action") if "/plans/" in form}
    yield night, plan


def test_every_form_without_its_token_is_refused(night: tuple[PlayedNight, str], app: Flask) -> None:
    here, plan = night
    table = forms(here, plan)
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    # the API takes no form, and stores nothing without a program's token
    assert {name for name in posts if not name.startswith(("api.", "api_v1."))} == set(table) | STATELESS

    def cookie() -> dict[str, Any]:
        with here.keeper.client.session_transaction() as session:
            return dict(session)

    before = rows(app), cookie()
    for name, (path, fields) in table.items():
        for at, token in enumerate(({}, {"csrf_token": ""}, {"csrf_token": "made up"})):
            answer = posted(here.keeper, path, fields, f"{name} {at}", **token)
            assert answer.status_code in (200, 400), name  # the page again, or a refusal
            assert answer.status_code == 400 or name != "single_round.settle" or not Page(answer.text).has_result
            assert (rows(app), cookie()) == before, name
    # and each of them would have been taken
    token = here.keeper.page("/join").fields["csrf_token"][0]
    for name, (path, fields) in table.items():
        answer = posted(here.keeper, path, fields, f"{name} good", csrf_token=token)
        assert answer.status_code == (200 if name in IN_PLACE else 303), (name, answer.status_code)
        assert name != "single_round.settle" or Page(answer.text).has_result
