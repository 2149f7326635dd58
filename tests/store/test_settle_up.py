"""Settling up: what is owed, fixed plans, and payments ticked and unticked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import event
from waiting import MAX_SECONDS

from companion.engine.money.payments import Payment
from companion.store.groups import groups
from companion.store.history import recording
from companion.store.log import ledger
from companion.store.log.ledger import Written
from companion.store.models import Night, SettleUp, db, now
from companion.store.money import debts, leaving, settle_up
from companion.store.money.paid import paid_before
from companion.store.money.unpaid import unpaid_in
from companion.store.night import play
from companion.store.refusals import Conflict, Refused

Lines = list[tuple[str, str, int, int]]


def lines(night: PlayedNight, plan: SettleUp) -> Lines:
    return [(night.names[line.payer], night.names[line.payee], line.amount, line.sum_paid) for line in plan.payments]


def plan(night: PlayedNight, banker: str | None = None, *, whole: bool = False, key: str | None = None) -> SettleUp:
    session = None if whole else night.night
    through = night.ids[banker] if banker else None
    return settle_up.make_plan(night.group, session, None, through, night.sent(key))


def tick(night: PlayedNight, made: SettleUp, position: int, amount: int | None, key: str | None = None) -> None:
    settle_up.pay(made.public_id, position, amount, night.sent(key))


def test_what_is_owed_is_the_balance_less_what_was_paid(night: PlayedNight) -> None:
    night.do("won Ana")
    assert night.told(debts.owed_in_night(night.night)) == "Ana 2, Beto -1, Caro -1"
    made = plan(night)
    assert lines(night, made) == [("Beto", "Ana", 1, 0), ("Caro", "Ana", 1, 0)]
    tick(night, made, 0, 1)
    assert night.told(debts.owed_in_night(night.night)) == "Ana 1, Caro -1"
    tick(night, made, 1, 1)
    assert debts.owed_in_night(night.night) == {}


@pytest.mark.parametrize("days", [-366, -1, 1, 366], ids=lambda days: f"{days}-days")
def test_a_plan_for_all_nights_covers_what_was_before_it_whatever_the_clock_shows(
    night: PlayedNight, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    def clock(**ahead: int) -> None:
        for module in (ledger, settle_up, groups):
            monkeypatch.setattr(module, "now", lambda: now() + timedelta(**ahead))

    clock(days=days)
    night.do("won Ana")
    clock()
    made = plan(night, whole=True)
    assert debts.owed_in_night(night.night) == {}
    clock(days=-days)
    assert settle_up.plan_or_owed(night.night)[0] is made
    night.do("won Beto")
    assert night.told(debts.owed_in_night(night.night)) == "Ana -1, Beto 2, Caro -1"
    again = plan(night, whole=True)
    assert debts.owed_in_night(night.night) == {}
    clock()
    night.do("fix 1 won Caro")
    assert night.told(debts.owed_in_night(night.night)) == "Ana -3, Caro 3"
    assert again.at > made.at
    # a new night owes nothing, and shows no plan from before it
    assert settle_up.plan_or_owed(night.another()) == (None, [])


# what is paid of 3, or back, under which key | what is paid then; None takes back all
PARTS = [
    *((1, "a", 1), (1, "a", 1), (2, "b", 3), (-3, "minus", 0), (3, "all", 3)),
    *((None, "back", 0), (None, "back", 0), (2, "c", 2), (None, "back", 2)),
]


def test_a_payment_is_made_in_parts_and_taken_back_once_by_each_key(night: PlayedNight) -> None:
    night.do("won Ana; won Ana; won Ana")
    made = plan(night)
    for amount, key, paid in PARTS:
        tick(night, made, 0, amount, key)
        assert lines(night, made) == [("Beto", "Ana", 3, paid), ("Caro", "Ana", 3, 0)]
    # a key pays one line, one that paid takes nothing back, and one that took back pays nothing
    for position, amount, key in ((1, 1, "a"), (0, None, "c"), (0, 2, "back"), (1, None, "back")):
        with pytest.raises(Conflict):
            tick(night, made, position, amount, key)


# the position of a payment, and what of its 3 is paid; None takes back all
@pytest.mark.parametrize(
    ("position", "amount"),
    [(0, 4), (0, 0), (0, -1), (0, None), (9, 1), (9, None)],
    ids=["too much", "nothing", "back too much", "nothing to take back", "no line", "no line to take back"],
)
def test_what_does_not_fit_a_payment_is_refused(night: PlayedNight, position: int, amount: int) -> None:
    night.do("won Ana; won Ana; won Ana")
    made = plan(night)
    with pytest.raises(Refused):
        tick(night, made, position, amount)
    assert [line[3] for line in lines(night, made)] == [0, 0]


def test_all_goes_through_a_banker(night: PlayedNight) -> None:
    night.do("won Ana; won Beto; side-bet Caro Beto 2")
    assert night.told(debts.owed_in_night(night.night)) == "Ana 1, Beto 3, Caro -4"
    assert lines(night, plan(night, "Caro")) == [("Caro", "Ana", 1, 0), ("Caro", "Beto", 3, 0)]


# what is owed | the banker | payments: payer, payee, units
BANKERS = [
    ("Ana 3, Beto -1, Caro -2", "Ana", "Beto Ana 1, Caro Ana 2"),
    ("Ana 3, Beto -1, Caro -2", "Beto", "Caro Beto 2, Beto Ana 3"),
    ("Ana 3, Beto -1, Caro -2", "Dani", "Beto Dani 1, Caro Dani 2, Dani Ana 3"),
    ("Ana -3, Beto 1, Caro 2", "Ana", "Ana Beto 1, Ana Caro 2"),
    ("Ana -3, Beto 1, pot 2", "Beto", "Ana Beto 3, Beto pot 2"),
]


@pytest.mark.parametrize(("owed", "banker", "payments"), BANKERS)
def test_who_owes_pays_the_banker_who_pays_the_others(owed: str, banker: str, payments: str) -> None:
    accounts = {name: int(units) for name, units in (pair.split() for pair in owed.split(", "))}
    planned = settle_up.planned(accounts, banker)
    assert ", ".join(f"{one.payer} {one.payee} {one.amount}" for one in planned) == payments


def test_a_newer_plan_takes_the_place_of_the_older(night: PlayedNight) -> None:
    night.do("won Ana")
    first = plan(night)
    tick(night, first, 0, 1)
    night.do("won Ana")
    second = plan(night)
    assert lines(night, second) == [("Beto", "Ana", 1, 0), ("Caro", "Ana", 2, 0)]
    assert first.replaced_by is second
    assert settle_up.plan_for(night.night, debts.owed_in_night(night.night)) is second
    with pytest.raises(Refused, match="newer plan"):
        tick(night, first, 1, 1)


def test_a_plan_that_no_longer_fits_gives_way_to_what_is_owed(night: PlayedNight) -> None:
    night.do("won Ana")
    assert settle_up.plan_or_owed(night.night) == (
        None,
        [Payment(night.ids[name], night.ids["Ana"], 1) for name in ("Beto", "Caro")],
    )
    made = plan(night)
    tick(night, made, 0, 1)
    assert settle_up.plan_or_owed(night.night) == (made, [])
    assert paid_before(night.night, made) == []
    for amount in (1, None):
        tick(night, made, 1, amount)
    night.do("won Beto")
    owed = Payment(night.ids["Caro"], night.ids["Beto"], 2)
    assert settle_up.plan_or_owed(night.night) == (None, [owed])
    paid = [Payment(night.ids["Beto"], night.ids["Ana"], 1)]
    assert paid_before(night.night, None) == paid
    assert paid_before(night.night, plan(night)) == paid


def test_a_plan_of_all_nights_stays_the_closed_nights_plan(night: PlayedNight) -> None:
    night.do("won Ana; close")
    made = plan(night, whole=True)
    tick(night, made, 0, 1)
    closed = night.night
    assert settle_up.plan_or_owed(night.another()) == (None, [])
    assert settle_up.plan_or_owed(closed) == (made, [])
    assert settle_up.plan_for(closed, debts.owed_in_night(closed)) is made


def test_nothing_is_planned_where_nobody_owes_anything(night: PlayedNight) -> None:
    with pytest.raises(Refused, match="Nobody owes"):
        plan(night)


def test_a_key_of_another_group_is_refused(night: PlayedNight) -> None:
    night.do("won Ana")
    plan(night, key="plan")
    other = PlayedNight("Xavi", "Yoli")
    other.do("won Xavi")
    with pytest.raises(Conflict):
        plan(other, key="plan")


def another_session(night: PlayedNight, currency: str | None) -> Night:
    first = night.public_id
    made = night.another(currency=currency)
    night.do("won Caro")
    night.public_id = first
    return made


def test_nights_of_the_same_currency_are_settled_together(night: PlayedNight) -> None:
    night.do("won Ana")
    another_session(night, None)
    in_money = another_session(night, "EUR")
    group = night.group
    assert settle_up.currencies_of(group) == [None, "EUR"]
    assert night.told(debts.owed_in_group(group, None)) == "Ana 1, Beto -2, Caro 1"
    assert night.told(debts.owed_in_group(group, "EUR")) == "Ana -1, Beto -1, Caro 2"
    of_night = plan(night)
    assert lines(night, of_night) == [("Beto", "Ana", 1, 0), ("Caro", "Ana", 1, 0)]
    whole = plan(night, whole=True)
    assert lines(night, whole) == [("Beto", "Ana", 1, 0), ("Beto", "Caro", 1, 0)]
    assert of_night.replaced_by is whole
    assert [settle_up.plan_for_group(group, currency) for currency in (None, "EUR")] == [whole, None]
    assert settle_up.plan_for(in_money, debts.owed_in_night(in_money)) is None
    euros = settle_up.make_plan(group, in_money, "EUR", None, night.sent())
    assert settle_up.find_plan(euros.public_id) is euros
    assert settle_up.plan_for(in_money, debts.owed_in_night(in_money)) is euros


# a plan that stands, the plan that is made after it, and whether that takes its place: by session (0 and 1 are of the
# same currency, None: the whole group) and currency
COVERED = [
    ("all chips, then all chips", (None, None), (None, None), True),
    ("all chips, then all euros", (None, None), (None, "EUR"), False),
    ("all euros, then all chips", (None, "EUR"), (None, None), False),
    ("a night of euros, then all chips", (2, "EUR"), (None, None), False),
    ("a night of euros, then all euros", (2, "EUR"), (None, "EUR"), True),
    ("a night, then the same night", (0, None), (0, None), True),
    ("a night, then another", (0, None), (1, None), False),
]
Scope = tuple[int | None, str | None]


@pytest.mark.parametrize(("old", "new", "is_replaced"), [row[1:] for row in COVERED], ids=[row[0] for row in COVERED])
def test_a_plan_takes_the_place_of_those_it_covers(
    night: PlayedNight, old: Scope, new: Scope, is_replaced: bool
) -> None:
    night.do("won Ana")
    sessions = [night.night, another_session(night, None), another_session(night, "EUR")]

    def made(scope: Scope) -> SettleUp:
        at, currency = scope
        session = None if at is None else sessions[at]
        return settle_up.make_plan(night.group, session, currency, None, night.sent())

    first, second = made(old), made(new)
    assert (first.replaced_by is second) is is_replaced
    assert second.replaced_by is None


def test_a_plan_of_another_group_stays(night: PlayedNight) -> None:
    other = PlayedNight("Xavi", "Yoli")
    for table in (night, other):
        table.do("won " + table.present()[0])
    first = plan(night, whole=True)
    plan(other, whole=True, key="plan of the others")
    assert first.replaced_by is None


def test_nothing_is_unpaid_where_there_is_no_group(app: object) -> None:
    assert unpaid_in([]) == []


def unpaid(night: PlayedNight) -> list[tuple[str, str, int]]:
    return [(night.names[one.payer], night.names[one.payee], one.rest) for one in unpaid_in([night.group])]


# what was played after the plan was made | is it for all nights | what is unpaid
AFTER_THE_PLAN = [
    ("close", False, [("Beto", "Ana", 1), ("Caro", "Ana", 1)]),
    ("close; reopen", False, [("Beto", "Ana", 1), ("Caro", "Ana", 1)]),
    ("close; reopen; void 1; close", False, []),
    ("close; reopen; won Ana; close", False, []),
    ("close; reopen; won Ana; void 2; close", False, [("Beto", "Ana", 1), ("Caro", "Ana", 1)]),
    ("close; reopen; void 1; close", True, [("Beto", "Ana", 1), ("Caro", "Ana", 1)]),
]


@pytest.mark.parametrize(("after", "whole", "left"), AFTER_THE_PLAN)
def test_a_plan_of_a_night_that_was_played_on_is_not_unpaid(
    night: PlayedNight, after: str, whole: bool, left: list[tuple[str, str, int]]
) -> None:
    night.do("won Ana")
    plan(night, whole=whole)
    night.do(after)
    assert unpaid(night) == left


def test_each_night_s_plan_is_checked_against_its_own_night(night: PlayedNight) -> None:
    night.do("won Ana")
    plan(night)
    night.do("close; reopen; won Ana; close")
    night.another()
    night.do("won Beto")
    plan(night)
    assert unpaid(night) == [("Ana", "Beto", 1), ("Caro", "Beto", 1)]


def test_a_second_plan_counts_what_was_paid_by_the_first(night: PlayedNight) -> None:
    night.do("won Ana")
    first = plan(night)
    tick(night, first, 0, 1)
    assert unpaid(night) == [("Caro", "Ana", 1)]
    night.do("close; reopen; won Ana; close")
    plan(night)
    assert unpaid(night) == [("Beto", "Ana", 1), ("Caro", "Ana", 2)]
    tick(night, plan(night), 1, 2)
    assert unpaid(night) == [("Beto", "Ana", 1)]


def test_a_plan_for_all_nights_leaves_costs_apart_where_they_are(night: PlayedNight) -> None:
    night.do("won Ana")
    shares = [[night.ids["Caro"], 1]]
    entry = {"movement": "cost", "by": night.ids["Beto"], "amount": 7, "shares": shares, "note": "", "currency": "EUR"}
    play.move(night.night.public_id, play.next_number(night.night), entry, night.sent())
    whole = plan(night, whole=True)
    assert debts.owed_in_night(night.night) == {}
    assert settle_up.plan_or_owed(night.night) == (whole, [])
    assert night.told(debts.owed_apart(night.night)["EUR"]) == "Beto 7, Caro -7"
    with pytest.raises(Refused):
        plan(night)


# what was done after a plan for all nights was made and paid | what the night owes
AFTER_ALL_WAS_PAID = [
    ("", ""),
    ("close", ""),
    ("close; reopen; close", ""),
    ("close; reopen; won Beto; close", "Ana -1, Beto 2, Caro -1"),
    ("close; reopen; void 1; close", "Ana -2, Beto 1, Caro 1"),
    ("close; reopen; void 1; undo 1; close", ""),
    ("fix 1 won Beto; loan Caro Beto 1", "Ana -3, Beto 4, Caro -1"),
]


@pytest.mark.parametrize(("after", "owed"), AFTER_ALL_WAS_PAID)
def test_what_a_plan_for_all_nights_settled_is_not_owed_again(night: PlayedNight, after: str, owed: str) -> None:
    night.do("won Ana")
    own = plan(night)
    tick(night, own, 0, 1)
    whole = plan(night, whole=True)
    tick(night, whole, 0, 1)
    night.do(after)
    assert night.told(debts.owed_in_night(night.night)) == owed
    assert night.told(debts.owed_in_group(night.group, None)) == owed
    if owed:
        made = plan(night)
        assert settle_up.plan_or_owed(night.night) == (made, [])
        assert len(unpaid(night)) == len(made.payments)
        for position, payment in enumerate(made.payments):
            tick(night, made, position, payment.amount)
        assert debts.owed_in_night(night.night) == debts.owed_in_group(night.group, None) == {}
    elif night.night.closed_at:
        assert settle_up.plan_or_owed(night.night) == (whole, [])


def test_a_plan_waits_for_a_round_that_is_being_saved(
    night: PlayedNight, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.do("won Ana")
    record, is_written, may_end, has_asked = recording.record, Event(), Event(), Event()

    def slowly(session: Night, written: list[Written]) -> None:
        is_written.set()
        assert may_end.wait(MAX_SECONDS)
        record(session, written)

    def save() -> None:
        with app.app_context():
            night.do("won Ana")

    def planned() -> Lines:
        with app.app_context():
            event.listen(db.engine, "before_cursor_execute", lambda *_: has_asked.set(), once=True)
            return lines(night, plan(night, whole=True))

    monkeypatch.setattr(recording, "record", slowly)
    with ThreadPoolExecutor(2) as pool:
        saving = pool.submit(save)
        assert is_written.wait(MAX_SECONDS)
        planning = pool.submit(planned)
        assert has_asked.wait(MAX_SECONDS)
        assert not planning.done()
        may_end.set()
        saving.result()
        assert planning.result() == [("Beto", "Ana", 2, 0), ("Caro", "Ana", 2, 0)]


def test_the_plan_of_a_second_leaver_keeps_what_the_first_has_not_paid(night: PlayedNight) -> None:
    def leaves(name: str) -> SettleUp:
        return settle_up.make_plan(night.group, night.night, None, None, night.sent(), player=night.ids[name])

    night.do("won Ana; won Ana; won Ana")
    first = leaves("Beto")
    tick(night, first, 0, 1)
    made = leaves("Caro")
    assert first.replaced_by is made
    assert lines(night, made) == [("Beto", "Ana", 2, 0), ("Caro", "Ana", 3, 0)]
    for name in ("Beto", "Caro"):
        (due,) = leaving.dues_of(night.night, night.ids[name])
        assert due.plan is made
        assert [(line.payer, line.amount) for line in due.payments] == [(night.ids[name], -due.units)]
    # a round later the first plan's rest is no longer all that Beto owes
    night.do("won Ana")
    (due,) = leaving.dues_of(night.night, night.ids["Caro"])
    assert (due.plan, night.told(debts.owed_in_night(night.night))) == (None, "Ana 7, Beto -3, Caro -4")
    assert lines(night, leaves("Caro")) == [("Caro", "Ana", 4, 0)]
