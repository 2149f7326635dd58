"""No page and no save scans a whole growing table, according to the databases' query plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from nights import Night
from sqlalchemy import event

from companion.store import attempts, groups, history, links, night, play, settle_up
from companion.store.history import Span
from companion.store.models import db
from companion.store.replay import Entry

Asked = list[tuple[str, Any]]
SPAN = Span("knock", "2020-01", "2099-12")


@contextmanager
def asked() -> Iterator[Asked]:
    """List the statements that search for rows, with their parameters."""
    found: Asked = []

    def note(_c: object, _cursor: object, statement: str, given: Any, _context: object, executes_many: bool) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and not executes_many:
            found.append((statement, given))

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


def long_ways(statement: str, given: Any) -> list[str]:
    """List a query plan's steps that grow with a table: full scans, or sorting everything to take a few rows."""
    connection = db.session.connection()
    if db.engine.dialect.name == "sqlite":
        steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)]
        scans = [step for step in steps if step.startswith("SCAN") and step != "SCAN CONSTANT ROW"]
        return scans + [step for step in steps if "LIMIT" in statement and "FOR ORDER BY" in step]
    # on tables of a few rows these are the quickest; on long ones they are not
    for quick in ("seqscan", "mergejoin", "hashjoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{quick} = off")
    (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", given).scalar_one()
    return [node["Node Type"] for node in nodes(plan["Plan"]) if is_long(node)]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def is_long(node: dict[str, Any]) -> bool:
    kind = node["Node Type"]
    return kind == "Seq Scan" or (kind in ("Index Scan", "Index Only Scan") and "Index Cond" not in node)


def a_plan_is_paid(played: Night) -> None:
    session = played.session
    made = settle_up.make_plan(session.group, session, None, None, played.sent())
    settle_up.pay(made.public_id, 0, 1, played.sent())
    assert settle_up.find_plan(made.public_id)
    assert settle_up.plan_for(session)


HOT: list[tuple[str, Callable[[Night], object]]] = [
    ("save", lambda played: played.do("won Ana")),
    ("correct", lambda played: played.do("fix 2 won Caro")),
    ("undo", lambda played: played.do("undo 2")),
    ("session", lambda played: play.find_session(played.public_id)),
    ("glance", lambda played: links.poll(played.public_id)),
    ("link", lambda _: links.find_link("a secret")),
    ("line", lambda played: play.find_line(played.session, 2)),
    ("next line", lambda played: play.next_number(played.session)),
    ("next dealer", lambda played: play.next_dealer(played.session)),
    ("newest lines", lambda played: play.lines_of(played.session, None, 2)),
    ("older lines", lambda played: play.lines_of(played.session, 3, 2)),
    ("revisions", lambda played: [len(revision.transfers) for revision in played.line(2).revisions]),
    ("what follows", lambda played: play.changed_by(played.session, Entry(1, played.round("won Beto")))),
    ("newest change", lambda played: play.changes_of(played.session, 1)),
    ("night in numbers", lambda played: night.night_of(played.session)),
    ("best hand", lambda played: history.best_of(played.session)),
    ("newest session", lambda played: groups.last_session(played.session.group)),
    ("older sessions", lambda played: groups.sessions_of(played.session.group, 99, 20)),
    ("balances", lambda played: groups.balances_of([played.session])),
    ("standings", lambda played: history.standings(played.session.group, SPAN)),
    ("games of a player", lambda played: history.by_game(played.session.seats[0].player, SPAN)),
    ("months of a player", lambda played: history.by_month(played.session.seats[0].player, SPAN)),
    ("head to head", lambda played: history.head_to_head(played.session.seats[0].player, SPAN)),
    ("lines of hands", lambda _: history.lines_of_hands([1, 2])),
    ("owed in all", lambda played: settle_up.owed_in_group(played.session.group, None)),
    ("plan", a_plan_is_paid),
    ("plans", lambda played: settle_up.plans_of(played.session.group, 20)),
    ("attempt", lambda _: attempts.tried("a key", 60)),
]


@pytest.mark.parametrize("act", [row[1] for row in HOT], ids=[row[0] for row in HOT])
def test_the_way_to_the_rows_is_short(night: Night, act: Callable[[Night], object]) -> None:
    night.do("won Ana; lost Ana Beto; won Beto; loan Ana Beto 1")
    with asked() as statements:
        act(night)
    db.session.rollback()
    assert statements
    assert [(ways, sql) for sql, given in statements if (ways := long_ways(sql, given))] == []
    db.session.rollback()
