"""The demo: its contents, that a secret creates it only once, and that it passes the audit."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.games import all_games
from companion.store.audit import audit
from companion.store.groups import groups, links
from companion.store.log import ledger
from companion.store.models import Change, Group, Line, Night, SettleUp, db
from companion.store.money import settle_up
from companion.store.night import demo
from companion.store.night.demo import make_demo

SECRET = "secret of a demo's link"


def nights_of(group: Group) -> list[Night]:
    return groups.nights_of(group, None, 99)[::-1]


def plans_of(group: Group) -> list[SettleUp]:
    return list(db.session.scalars(db.select(SettleUp).where(SettleUp.group_id == group.id).order_by(SettleUp.id)))


def counts(group: Group) -> tuple[int, int, int, int]:
    """Count nights, lines, changes and plans."""
    lines = [line for night in nights_of(group) for line in night.lines]
    changes = db.session.scalar(db.select(db.func.count(Change.id)))
    return len(nights_of(group)), len(lines), changes or 0, len(plans_of(group))


def test_there_is_something_of_everything(app: Flask) -> None:
    group = make_demo("Demo table", SECRET, "a phone")
    assert group.is_demo
    *ended, tonight = nights_of(group)
    lines = [line for night in nights_of(group) for line in night.lines]
    games = [line.game for line in lines]
    assert {game: games.count(game) >= 3 for game in all_games()} == dict.fromkeys(all_games(), True)
    assert len({f"{night.opened_at:%Y-%m}" for night in nights_of(group)}) > 1
    assert all(night.closed_at for night in ended)
    assert tonight.closed_at is None
    assert ledger.balances(tonight)["pot"] > 0
    assert [night.buy_in_units is None for night in nights_of(group)] == [*[True] * len(ended), False]
    said = [(len(line.revisions), line.current and line.current.voided) for line in tonight.lines]
    assert said[:3] == [(2, False), (2, True), (1, False)]
    rest = [sum(p.amount - p.sum_paid for p in plan.payments) for plan in plans_of(group)]
    assert rest[0] == 0
    assert all(left > 0 for left in rest[1:])
    assert list(audit()) == []


def test_it_counts_nowhere_else(app: Flask) -> None:
    other = groups.make_group("Friday", ["Ana", "Beto"], links.new_secret())
    make_demo("Demo table", SECRET, "a phone")
    assert groups.all_groups() == [other]
    assert nights_of(other) == []
    assert settle_up.owed_in_group(other, None) == {}


def test_the_same_secret_makes_one(app: Flask) -> None:
    group = make_demo("Demo table", SECRET, "a phone")
    before = counts(group)
    assert make_demo("Demo table", SECRET, "another phone") is group
    assert counts(group) == before


def test_what_was_left_undone_is_ended(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo.revising, "correct", killed)
        with pytest.raises(KeyboardInterrupt):
            make_demo("Demo table", SECRET, "a phone")
    group = make_demo("Demo table", SECRET, "a phone")
    alone = counts(group)[:2], len(plans_of(group))
    make_demo("Another", "another secret", "a phone")
    other = db.session.scalars(db.select(Group).order_by(Group.id.desc())).first()
    assert other is not None
    assert (counts(other)[:2], len(plans_of(other))) == alone
    assert db.session.scalar(db.select(db.func.count(Line.id)).where(Line.current_id.is_(None))) == 0
    assert list(audit()) == []
