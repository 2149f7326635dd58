"""Forms that are sent again: the same one is answered like the first time, one with other contents is told so.

After a lost answer, or a tap too many, a browser sends a form twice under the same key. With the browser's way back, or
from a script that waits for a signal, the second may say something else, which must not be dropped silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from html import unescape
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from devices import WHOLE, PlayedNight, problem
from flask import Flask
from pages import Page

DIFFERENT = "This was already saved, with different contents; look at what was saved"
# the endpoints that take a form which is carried out once by its key, each with a row below
# the others: nothing is stored; or what is sent last holds, so that nothing is dropped
OTHERS = {
    "api.settle_round",
    "api.play_bets",
    "api.progress_of_round",
    "demo.make",  # a device has one demo
    "delete_group.delete",  # says nothing but its key
    "groups.renew",
    "groups.change_webhooks",  # answered by the page that shows the secret: see test_webhook_pages.py
    "groups.change_tokens",  # answered by the page that shows the token: see test_token_pages.py
    "group_rules.new",  # another name makes another set, another set of this name is refused
    "group_rules.change",
    "import_export.upload",  # the same group is compared as a whole
    "correction.live",
    "phone_settings.phone",
    "phones.by_typed_code",
    "draft.enter",
    "reminders.choose",
    "photo.of_single_round",
    "photo.of_next_round",
    "photo.of_correction",
    "single_round.settle",
    "single_round.live_reading",
}


class Form(NamedTuple):
    """A form of a night with three players: where it is sent, what it says, and what it says the second time."""

    id: str
    endpoint: str
    path: str
    says: dict[str, Any]
    instead: dict[str, Any]
    tonight: Mapping[str, Any] = MappingProxyType({})


TONIGHT = {"player": "{all}", "order": "{all}", "game": "knock", "currency": "", "do": "start"}
DOMPE = {**TONIGHT, "game": "dompe"}
LOAN = {"movement": "loan", "from": "{ana}", "to": "{beto}", "amount": "5"}
COST = {"what": "Pizza", "payer": "{ana}", "for": "{all}", "amount": "5", "currency": "MXN"}
CASH = {"player": "{ana}", "kind": "cash", "text": "after the game"}
GROUP = {"name": "Sunday", "player": ["Dani", "Eva"], "secret": "another-secret", "do": "make"}
RULES = {"game": "knock", "rules-ante": "2", "do": "set"}
COUNT = {"number": "2", "do": "book", "count-{ana}": "25", "count-{beto}": "18", "count-{caro}": "17"}
COUNTED = {"count-{ana}": "26", "count-{beto}": "17"}
KNOCK = {"do": "knocks-{ana}", "number": "2", "game": "knock-poker", "sure": "yes"}
DEALER = {"do": "dealer-{ana}", "number": "2", "game": "knock-poker"}
NEXT = {"day": f"{date.today()}", "time": "23:59", "do": "set"}
SEASON = {"name": "Spring", "decides": "net", "until": "{month}", "do": "close"}
STACKS = {"buy-in": "20"}
FORMS = [
    Form("new-group", "groups.new", "/groups/new", GROUP, {"player": ["Dani", "Fede"]}),
    Form("tonight", "groups.tonight", "{group}/tonight", TONIGHT, {"game": "dompe"}),
    Form("tonight-seats", "groups.tonight", "{group}/tonight", TONIGHT, {"player": "{two}"}),
    Form("tonight-money", "groups.tonight", "{group}/tonight", TONIGHT, {"currency": "EUR", "stake": "1"}),
    Form("like-last-time", "groups.tonight", "{group}/tonight", {"do": "again"}, DOMPE),
    Form("new-player", "groups.players", "{group}/players", {"name": "Dani", "do": "add"}, {"name": "Eva"}),
    Form("newcomer", "night.seats", "{night}/seats", {"newcomer": "Dani", "do": "new"}, {"newcomer": "Eva"}),
    Form("sits-out", "night.seats", "{night}/seats", {"order": "{all}", "do": "out-{ana}"}, {"do": "out-{beto}"}),
    Form("moves-up", "night.seats", "{night}/seats", {"order": "{all}", "do": "down-{ana}"}, {"do": "down-{beto}"}),
    Form("loan", "night.move", "{night}/move", LOAN, {"amount": "6"}),
    Form("loan-to", "night.move", "{night}/move", LOAN, {"to": "{caro}"}),
    Form("side-bet", "night.move", "{night}/move", LOAN, {"movement": "side-bet"}),
    Form("loan-note", "night.move", "{night}/move", LOAN, {"note": "taxi"}),
    Form("cost", "night.cost", "{night}/cost", COST, {"amount": "6"}),
    Form("cost-for", "night.cost", "{night}/cost", COST, {"for": "{two}"}),
    Form("leave", "night.leave", "{night}/leave", {"player": "{beto}", "do": "later"}, {"do": "out"}),
    Form("paid-by", "paying.handles", "{night}/paid-by", CASH, {"text": "tomorrow"}),
    Form("note", "night.note", "{night}/note", {"place": "Home", "note": ""}, {"place": "Bar"}),
    Form("remark", "night.remark", "{night}/lines/1/remark", {"remark": "close"}, {"remark": "far"}),
    Form("void", "night.change_line", "{night}/lines/1", {"do": "void", "seen": "1"}, {"do": "undo"}),
    Form("rules", "night.rules", "{night}/rules?game=knock", RULES, {"rules-ante": "3"}),
    Form("stakes", "night.stakes", "{night}/stakes", {"do": "double", "seen": ""}, {"do": "all", "stake": "5"}),
    Form("dealers-choice", "night.dealers_choice", "{night}/dealers-choice", {"do": "on"}, {"do": "off"}),
    Form("payments", "night.payments_by", "{night}/payments-by", {"moves": "chips"}, {"moves": "score"}),
    Form("buy-in", "night.buy_in", "{night}/buy-in", {"buy-in": "30"}, {"buy-in": "40"}, STACKS),
    Form("rebuy", "night.rebuy", "{night}/rebuy", {"player": "{ana}", "chips": "5"}, {"chips": "6"}, STACKS),
    Form("count", "night.count", "{night}/count", COUNT, COUNTED, STACKS),
    Form("seat-of-a-phone", "phones.me", "{night}/me", {"player": "{ana}"}, {"player": "{beto}"}),
    Form("code", "phones.manage", "{night}/phones", {"do": "renew"}, {"do": "free-{ana}"}),
    Form("close", "night.close", "{night}/close", {"do": "leave"}, {"do": "split"}),
    Form("plan", "settle_up.of_night", "{night}/settle", {"banker": ""}, {"banker": "{beto}"}),
    Form("plan-of-the-group", "settle_up.of_group", "{group}/settle", {"banker": "{beto}"}, {"banker": "{ana}"}),
    Form("next-night", "next_night.plan", "{group}/next", NEXT, {"time": "23:58"}),
    Form("chips", "chips.chips", "{group}/chips", {"value-red": "5", "number-red": "9"}, {"number-red": "8"}),
    Form("season", "seasons.listed", "{group}/seasons", SEASON, {"decides": "wins"}),
    Form("hand-over", "turns.turn", "{group}/hand-over", {"do": "hand-over"}, {"do": "write-here"}),
    Form("knock", "night.play", "{night}/play", KNOCK, {"do": "knocks-{beto}"}),
    Form("round", "night_round.enter", "{night}/round", {"do": "save"}, {"asked-knocker": "1"}),
    Form(
        "correction",
        "correction.correct",
        "{night}/lines/1/correct",
        {"do": "save", "asked-knocker": "1"},
        {"asked-knocker": "2"},
    ),
    Form("payment", "settle_up.pay", "{plan}", {"do": "pay-0", "amount-0": "1"}, {"amount-0": "2"}),
    Form("payment-back", "settle_up.pay", "{plan}", {"do": "pay-0", "amount-0": "1"}, {"do": "unpay-0"}),
    Form("dealer", "night.play", "{night}/play", DEALER, {"do": "dealer-{beto}"}),
]


def filled_in(night: PlayedNight, given: Any, plan: str) -> Any:
    """Replace the names in braces by addresses and ids."""
    ids = {name.lower(): key for name, key in night.players.items()}
    every = list(night.players.values())
    if given in ("{all}", "{two}"):
        return every if given == "{all}" else every[:2]
    if isinstance(given, dict):
        return {filled_in(night, key, plan): filled_in(night, value, plan) for key, value in given.items()}
    if not isinstance(given, str):
        return given
    month = night.page("{group}/seasons").fields["until"][0] if given == "{month}" else ""
    return given.format(night=night.night, group=night.group, plan=plan, month=month, **ids)


def form_of(night: PlayedNight, form: Form) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the form's address, what it says, and what it says the second time."""
    plan = night.plays("close").plan("/end") if form.path == "{plan}" else ""
    path = filled_in(night, form.path, plan)
    says, instead = (filled_in(night, fields, plan) for fields in (form.says, form.instead))
    if form.endpoint == "night_round.enter":
        says = night.round_fields(night.keeper) | WHOLE | says
    elif form.endpoint == "correction.correct":
        says = night.keeper.page(path).fields | says
    elif form.id == "knock":
        says["mark"] = night.page().fields["mark"]
    return path, {name: value for name, value in says.items() if name not in ("csrf_token", "key")}, instead


@pytest.mark.parametrize("form", FORMS, ids=[form.id for form in FORMS])
def test_a_form_that_is_sent_again(app: Flask, form: Form) -> None:
    night = PlayedNight(app, begins="round", **form.tonight)
    path, says, instead = form_of(night, form)
    first, again = (night.keeper.post(path, **says, key="the form's key") for _ in range(2))
    assert first.status_code == 303, problem(first.text) or first.text
    assert (again.status_code, again.location) == (303, first.location)
    other = night.keeper.post(path, **says | instead, key="the form's key")
    assert other.status_code == 409, (other.status_code, other.location)
    assert DIFFERENT in unescape(other.text)
    # pressed again on the page that says so, it is a form of its own
    keys = Page(other.text).fields["key"]
    assert keys and "the form's key" not in keys
    assert says.get("secret") not in Page(other.text).fields.get("secret", [])


def test_every_form_is_in_the_table(app: Flask) -> None:
    taking = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    of_programs = {name for name in taking if name.startswith("api_v1.")}  # see test_keeping_score_by_api.py
    assert taking - of_programs == {form.endpoint for form in FORMS} | OTHERS
