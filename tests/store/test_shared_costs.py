"""Shared costs in the store: parts, balances, what counts, what is owed apart, and the same elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import select
from statements import heard

from companion.engine.money.pots import share_by_weight
from companion.store.audit import audit
from companion.store.groups import groups
from companion.store.log import ledger
from companion.store.models import Result, SettleUp, db
from companion.store.money import debts, settle_up
from companion.store.money.paid import paid_before
from companion.store.money.stacks import stacks_of
from companion.store.money.unpaid import unpaid_in
from companion.store.night import chips, play
from companion.store.night.reading import newest_cost, sums_of
from companion.store.night.won import won_in
from companion.store.portable import export_group, import_group
from companion.store.portable.sheets import transfers_sheet
from companion.store.refusals import Refused


@pytest.mark.parametrize(
    ("amount", "weights", "first", "parts"),
    [
        (48, "a1 b1 c1 d1", "d", "a12 b12 c12 d12"),
        (37, "a1 b1 c1", "b", "a12 b13 c12"),  # the payer bears the odd unit first
        (38, "a1 b1 c1", "b", "a13 b13 c12"),  # then the others in order
        (38, "a1 b1 c1", "x", "a13 b13 c12"),
        (10, "a1 b2 c0", "c", "a4 b6 c0"),
        (1, "a1 b1", "b", "a0 b1"),
    ],
)
def test_parts_add_up_and_odd_units_have_a_rule(amount: int, weights: str, first: str, parts: str) -> None:
    given = {one[0]: int(one[1:]) for one in weights.split()}
    assert share_by_weight(amount, given, first) == {one[0]: int(one[1:]) for one in parts.split()}


def players(night: PlayedNight) -> list[str]:
    """List the players' accounts."""
    return [key for key in night.ids.values() if key not in ("pot", "bank")]


def pays(night: PlayedNight, amount: int = 36, **more: Any) -> dict[str, Any]:
    """Let Ana pay for a pizza for everybody; returns the entry."""
    shares = [[key, 1] for key in players(night)]
    entry = {"movement": "cost", "by": night.ids["Ana"], "amount": amount, "shares": shares, "note": "pizza", **more}
    number = play.next_number(night.night)
    play.move(night.night.public_id, number, entry, night.sent(f"cost {number}"))
    return entry


def test_a_cost_is_owed_but_neither_won_nor_in_chips(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("won Ana")
    found, before = night.night, sums_of(night.night).results
    chips.set_buy_in(found.public_id, 100, night.sent("stacks"))
    held, results = stacks_of(found), db.session.scalars(select(Result.net)).all()
    balances = ledger.balances(found)
    assert newest_cost(found.group_id) is None
    entry = pays(night)
    ana, beto, *_ = players(night)
    share = 36 // 3
    assert ledger.balances(found)[ana] == balances[ana] + 36 - share
    assert ledger.balances(found)[beto] == balances[beto] - share
    assert stacks_of(found) == held
    assert {key: sums[-1] for key, sums in sums_of(found).results.items()} == {k: s[-1] for k, s in before.items()}
    assert won_in({found.id: found.group_id})[found.id][ana] == before[ana][-1]
    assert db.session.scalars(select(Result.net)).all() == results
    assert newest_cost(found.group_id) is not None
    assert entry["movement"] == newest_cost(found.group_id)["movement"]  # type: ignore[index]
    assert list(audit()) == []


def test_costs_of_more_nights_cost_no_more_statements(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    seats = [int(player) for player in players(night)]
    asked: list[list[str]] = []
    for number in range(3):
        if number:
            night.public_id = groups.start_night(night.group, seats, "knock", {}, f"night {number}").public_id
        pays(night, currency="EUR")
        settle_up.make_plan(night.group, night.night, "EUR", None, night.sent(f"plan {number}"), is_apart=True)
        db.session.expire_all()
        found = [night.group]
        asked.append([])
        with heard(db.engine, lambda statement, _values: asked[-1].append(statement)):
            assert {one.costs for one in unpaid_in(found)} == {"EUR"}
            assert len({one.night for one in unpaid_in(found)}) == number + 1
    assert len({len(statements) for statements in asked}) == 1


def test_costs_apart_have_a_plan_of_their_own(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    found = night.night
    ana, beto, *_ = players(night)
    share = 36 // 3
    assert settle_up.apart_plans(found) == []
    pays(night, currency="EUR")
    assert ledger.balances(found).get(ana, 0) == 0
    assert debts.owed_in_night(found) == {} == debts.owed_in_group(night.group, found.currency)
    assert debts.owed_apart(found)["EUR"][beto] == -share
    (apart,) = settle_up.apart_plans(found)
    assert (apart.currency, apart.plan, apart.owed[0].amount) == ("EUR", None, share)
    plan = settle_up.make_plan(night.group, found, "EUR", None, night.sent("plan"), is_apart=True)
    assert settle_up.apart_plans(found)[0].plan is plan
    assert {one.costs for one in unpaid_in([night.group])} == {"EUR"}
    settle_up.pay(plan.public_id, 0, share, night.sent("tick"))
    assert paid_before(found, None) == []
    assert settle_up.plan_for(found, {}) is None
    left = {payment.payer for payment in plan.payments[1:]}
    assert {key for key, units in debts.owed_apart(found)["EUR"].items() if units < 0} == left
    pays(night, amount=4, currency="EUR")  # the plan no longer fits
    assert settle_up.apart_plans(found)[0].plan is None
    assert unpaid_in([night.group]) == []
    with pytest.raises(Refused, match="Nobody owes"):
        settle_up.make_plan(night.group, found, "MXN", None, night.sent("none"), is_apart=True)
    newer = settle_up.make_plan(night.group, found, "EUR", None, night.sent("newer"), is_apart=True)
    assert (plan.replaced_by, newer.is_apart) == (newer, True)
    assert list(audit()) == []


def test_costs_are_the_same_in_a_file_and_a_sheet(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("won Ana")
    pays(night)
    pays(night, currency="EUR", shares=[[night.ids["Beto"], 2], [night.ids["Ana"], 1]])
    settle_up.make_plan(night.group, night.night, "EUR", None, night.sent("plan"), is_apart=True)
    content = export_group(night.group.public_id)
    assert b'"shares":[["p2",2],["p1",1]]' in content
    assert b'"account":"p2/EUR"' in content
    assert content.count(b'"apart":true') == 1
    assert ',"EUR",' in transfers_sheet(night.group.public_id).decode()
    document = json.loads(content)
    for at, (change, problem) in enumerate(BAD):
        bad = json.loads(content)
        change(bad["group"]["nights"][0])
        with pytest.raises(Refused, match=problem):
            import_group(json.dumps(bad).encode(), f"secret {at}")
    document["group"]["id"] = "elsewhere"
    for rows in (document["group"]["nights"], document["group"]["plans"]):
        for row in rows:
            row["id"], row["key"] = f"x{row['id'][:8]}", f"x{row['key'][:8]}"
    if document["group"]["plans"][0]["night"]:
        document["group"]["plans"][0]["night"] = document["group"]["nights"][0]["id"]
    group, is_new = import_group(json.dumps(document).encode(), "another secret")
    assert is_new
    assert json.loads(export_group(group.public_id)) == document
    assert [plan.is_apart for plan in db.session.scalars(select(SettleUp)).all()] == [True, True]
    assert list(audit()) == []


def cost_in(night: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of the last line of a file's night."""
    entry: dict[str, Any] = night["lines"][-1]["revisions"][0]["document"]
    return entry


BAD = [
    (lambda night: cost_in(night).update(shares=[]), "who shares it"),
    (lambda night: cost_in(night).pop("note"), "who shares it"),
    (lambda night: cost_in(night).update(shares=[["p1", 1], ["p1", 1]]), "shares the cost twice"),
    (lambda night: cost_in(night).update(shares=[["p1", 0]]), "whole number from 1 to 99"),
    (lambda night: cost_in(night).update(currency="XXQ"), "isn't allowed"),
    (lambda night: cost_in(night).update(currency=None), "isn't"),
    (lambda night: cost_in(night).update(by="pot"), "there is no"),
    (lambda night: cost_in(night).update(amount=45), "transfers don't follow"),
    (lambda night: night["accounts"].append({"account": "p1/XXQ", "balance": 0}), "isn't allowed"),
    (lambda night: night["accounts"].append({"account": "pot/EUR", "balance": 0}), "there is no"),
]
