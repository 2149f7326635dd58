"""No page and no save scans a whole growing table, according to the databases' query plans, or asks for rows without
saying of which group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight, enter
from sqlalchemy import select, text
from statements import heard
from werkzeug.routing import Rule

from companion.store.db import attempts
from companion.store.groups import deleting, groups, links, next_night, rule_sets, seasons
from companion.store.history import results as history
from companion.store.history.results import Span
from companion.store.log import ledger
from companion.store.log.replay import LineEntry
from companion.store.models import SettleUp, db, now
from companion.store.money import debts, settle_up
from companion.store.night import chips, drafts, phones, play, revising
from companion.store.night import reading as night
from companion.store.night.before_round import BeforeRound
from companion.store.night.change import changes_of
from companion.table.cells import TABLE

Asked = list[tuple[str, Any]]
FIRST_COLUMNS = """
    SELECT indexrelid::regclass::text AS name, attname FROM pg_index
    JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
"""
# of few nights PostgreSQL looks up a player's seats first, of many the group's nights
BY_SIZE = {"pk_seat"}
SPAN = Span("knock", "2020-01", "2099-12")


@pytest.fixture(autouse=True)
def new_tables(app: Flask) -> None:
    """Shrink PostgreSQL's tables: it plans by their length, in which rows of earlier tests count though deleted."""
    if db.engine.dialect.name == "postgresql":
        tables = ", ".join(f'"{table}"' for table in db.metadata.tables)
        db.session.execute(text(f"TRUNCATE {tables}"))
        db.session.commit()


@contextmanager
def asked() -> Iterator[Asked]:
    """List the statements that search for rows, with their parameters."""
    found: Asked = []

    def note(statement: str, given: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and given is not None:
            found.append((statement, given))

    with heard(db.engine, note):
        yield found


# That a joined row is of the same group leads PostgreSQL astray where there are so few rows that a group's id is as
# rare as a night's. Of the two tables whose keys begin with the group, some statements need it.
SAME_GROUP = re.compile(r"\w+\.group_id = \w+\.group_id\b")
SAME_GROUP_LAST = re.compile(r"\b(?!night|settle_up)\w+\.group_id = (?!night|settle_up)\w+\.group_id\b")
# these grow with each night of a group, so its key alone finds too many of them
OF_NIGHTS = ("seat", "account", "change", "line", "revision", "transfer", "result", "planned_payment", "paid")
WHOLE_GROUP = re.compile(rf"SEARCH (?:{'|'.join(OF_NIGHTS)})(?:_\d+)? USING .*\(group_id=\?\)$")


def long_ways(statement: str, given: Any) -> list[str]:
    """List a query plan's steps that grow with a table: full scans, or sorting everything to take a few rows."""
    connection = db.session.connection()
    if db.engine.dialect.name == "sqlite":
        steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)]
        scans = [step for step in steps if step.startswith("SCAN") and step != "SCAN CONSTANT ROW"]
        scans += [step for step in steps if WHOLE_GROUP.match(step)]
        return scans + [step for step in steps if "LIMIT" in statement and "FOR ORDER BY" in step]
    # on tables of a few rows these are the quickest; on long ones they are not
    for quick in ("seqscan", "mergejoin", "hashjoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{quick} = off")
    first = {row.name: row.attname for row in connection.exec_driver_sql(FIRST_COLUMNS)}
    ways = []
    for sql in (statement, SAME_GROUP.sub("true", statement), SAME_GROUP_LAST.sub("true", statement)):
        (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {sql}", given).scalar_one()
        ways.append([node["Node Type"] for node in nodes(plan["Plan"]) if is_long(node, first)])
    return min(ways, key=len)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def is_long(node: dict[str, Any], first: Mapping[str, str]) -> bool:
    """Tell whether a step reads all of a table or of an index, given the first column of each index."""
    kind = node["Node Type"]
    if kind not in ("Index Scan", "Index Only Scan", "Bitmap Index Scan"):
        return bool(kind == "Seq Scan")
    if node["Index Name"] in BY_SIZE:
        return "Index Cond" not in node
    return not re.search(rf"\b{first[node['Index Name']]}\b", node.get("Index Cond", ""))


# statements that find a group's rows by what is unique in all groups: an address, a code, a secret, a form's key
BY_ADDRESS = re.compile(r"\b(public_id|join_code|secret_hash|submission_key|deletion_key) (?:= |IN )")
OF_GROUPS = {name for name, table in db.metadata.tables.items() if "group_id" in table.c}
IN_FROM = re.compile(r'(?:FROM|JOIN|UPDATE) "?(\w+)"?(?: AS (\w+))?')


def without_group(statement: str) -> set[str]:
    """Return the tables whose rows a statement asks for without saying, itself or by a join, of which group."""
    if BY_ADDRESS.search(statement):
        return set()
    tables = {alias or name: name for name, alias in IN_FROM.findall(statement)}
    keys = statement.replace('"', "").replace("player_group.id", "player_group.group_id")
    joined = re.findall(r"(\w+)\.group_id = (\w+)\.group_id", keys)
    told = set(re.findall(r"(\w+)\.group_id (?:= (?!\w+\.group_id)|IN \()", keys))
    told |= set(re.findall(r"[?)\w] = (\w+)\.group_id", re.sub(r"\w+\.\w+ = \w+\.group_id", "", keys)))
    while more := {one for pair in joined if told & {*pair} for one in pair} - told:
        told |= more
    return {name for alias, name in tables.items() if name in OF_GROUPS and alias not in told}


def a_plan_is_paid(played: PlayedNight) -> None:
    night = played.night
    made = settle_up.make_plan(night.group, night, None, None, played.sent())
    settle_up.pay(made.public_id, 0, 1, played.sent())
    assert settle_up.find_plan(made.public_id)
    assert settle_up.plan_for(night, debts.owed_in_night(night))


def start_a_night(played: PlayedNight) -> None:
    players = [int(played.ids[name]) for name in ("Ana", "Beto")]
    groups.start_night(played.group, players, "knock", {}, links.new_secret())


HOT: list[tuple[str, Callable[[PlayedNight], object]]] = [
    ("save", lambda played: played.do("won Ana")),
    ("correct", lambda played: played.do("fix 2 won Caro")),
    ("undo", lambda played: played.do("undo 2")),
    ("night", lambda played: play.find_night(played.public_id)),
    ("glance", lambda played: links.glance_at(played.public_id)),
    ("link", lambda _: links.find_link("a secret")),
    ("joined", lambda played: night.nights_joined({played.public_id: "CODE", "gone": "CODE"})),
    ("line", lambda played: play.find_line(played.night, 2)),
    ("next line", lambda played: play.next_number(played.night)),
    ("next dealer", lambda played: BeforeRound(played.night).dealer),
    ("newest lines", lambda played: night.lines_of(played.night, most=2)),
    ("older rounds", lambda played: night.rounds_of(played.night, 3, 2)),
    ("revisions", lambda played: [len(revision.transfers) for revision in played.line(2).revisions]),
    ("what follows", lambda played: revising.recalculated(played.night, LineEntry(1, played.round("won Beto")))),
    ("newest change", lambda played: changes_of(played.night, 1)),
    ("night in numbers", lambda played: night.sums_of(played.night)),
    ("best hand", lambda played: history.best_of(played.night)),
    ("newest night", lambda played: groups.last_night(played.group)),
    ("older nights", lambda played: groups.nights_of(played.group, 99, 20)),
    ("balances", lambda played: ledger.balances_of({played.night.id: played.group_id})),
    ("standings", lambda played: history.standings(played.group, SPAN)),
    ("games of a player", lambda played: history.by_game(played.night.seats[0].player, SPAN)),
    ("months of a player", lambda played: history.by_month(played.night.seats[0].player, SPAN)),
    ("head to head", lambda played: history.head_to_head(played.night.seats[0].player, SPAN)),
    ("lines of hands", lambda played: history.lines_of_hands(played.group_id, [1, 2])),
    ("owed in all", lambda played: settle_up.owed_in_group(played.group, None)),
    ("plan", a_plan_is_paid),
    ("plan for all nights", lambda played: settle_up.plan_for_group(played.group, None)),
    ("attempt", lambda _: attempts.take([attempts.Counter("a key", 60, 9)])),
    ("tap", lambda played: enter(played.public_id, "a key", 5, {TABLE: {"a": "9s"}}, "a phone")),
    ("hands turned up", lambda played: drafts.reveal(played.public_id, "a key")),
    ("seat", lambda played: phones.take_seat(played.night, int(played.ids["Ana"]), "f", (), played.sent())),
    ("code", lambda played: phones.renew_code(played.public_id, played.sent())),
    ("new group", lambda _: groups.make_group("Friday", ["Ana", "Beto"], "another secret")),
    ("new night", start_a_night),
    ("renewed link", lambda played: links.renew(played.group, "keep", "a secret")),
    ("deleted group", lambda played: deleting.delete_group(played.group, "a key")),
]


@pytest.mark.parametrize("act", [row[1] for row in HOT], ids=[row[0] for row in HOT])
def test_the_way_to_the_rows_is_short(night: PlayedNight, act: Callable[[PlayedNight], object]) -> None:
    night.do("won Ana; lost Ana Beto; won Beto; loan Ana Beto 1")
    with asked() as statements:
        act(night)
    db.session.rollback()
    assert statements
    assert [(ways, sql) for sql, given in statements if (ways := long_ways(sql, given))] == []
    assert [(tables, sql) for sql, _ in statements if (tables := without_group(sql))] == []
    db.session.rollback()


def test_a_save_reads_none_of_the_months_earlier_results(night: PlayedNight) -> None:
    night.do("won Ana; won Beto")
    with asked() as statements:
        night.do("won Caro")
    ((sql, given),) = [(sql, given) for sql, given in statements if sql.startswith("SELECT EXISTS")]
    connection = db.session.connection()
    if db.engine.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given).all()
    else:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plan = connection.exec_driver_sql(f"EXPLAIN {sql}", given).all()
    assert re.search(r"night_id, ?number\) ?>", str(plan)), plan
    db.session.rollback()


# what is added to an address: searches, older rows, another game
ASKED = {
    "groups.show": ["?before=99", "?game=knock", "?since=2020-01-01&until=2099-12-31", "?player={player}"],
    "history.leaderboard": ["?game=knock", "?since=2020-01&until=2099-12"],
    "night.leave": ["?player={player}"],
    "history.player": ["?game=knock", "?since=2020-01&until=2099-12"],
}
DOWNLOADS = ("group.json", "rounds.csv", "transfers.csv")


def addresses(app: Flask, played: PlayedNight) -> Iterator[str]:
    """Yield the address of every page of a group and a night."""
    yield from ("/", "/join/XXXXXX", "/groups/new")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and "public_id" in rule.arguments:
            yield from (f"{address(rule, played, what)}{more}" for what, more in variants(rule, played))


def variants(rule: Rule, played: PlayedNight) -> Iterator[tuple[str, str]]:
    if "what" in rule.arguments:
        yield from ((what, "") for what in DOWNLOADS)
    else:
        yield from (("", more.format(player=played.ids["Ana"])) for more in ("", *ASKED.get(rule.endpoint, ())))


def address(rule: Rule, played: PlayedNight, what: str) -> str:
    group = played.group
    numbers = {"players": played.ids["Ana"], "rules": str(rule_sets.sets_of(group)[0].id), "lines": "2", "seasons": "1"}
    public_id = group.public_id if rule.rule.startswith("/g/") else played.public_id
    if rule.rule.startswith("/plans/"):
        public_id = db.session.scalars(select(SettleUp.public_id).where(SettleUp.night_id.is_not(None))).first() or ""
    found = rule.rule.replace("<int:position>", "0").replace("<what>", what).replace("<public_id>", public_id)
    return found.replace("<int:number>", next((n for kind, n in numbers.items() if f"/{kind}/" in found), ""))


def test_no_page_reads_a_whole_table(app: Flask, night: PlayedNight) -> None:
    night.do("won Ana; lost Ana Beto; won Beto; loan Ana Beto 1")
    a_plan_is_paid(night)
    seats = [int(night.ids[name]) for name in night.present()]
    for _ in range(3):  # a list of one is looked up in another way than a list of several
        night.public_id = groups.start_night(night.group, seats, "knock", {}, links.new_secret()).public_id
        night.do("won Ana; lost Ana Beto; won Beto; loan Ana Beto 1")
    rule_sets.add_set(night.group, "knock", "At Ana's", {})
    chips.set_buy_in(night.public_id, 100, night.sent())
    next_night.plan_night(night.group, next_night.Planned(now(), 0), night.sent())
    month = night.night.month
    seasons.close_season(night.group, "Spring", "net", month, month, night.sent())
    client = app.test_client()
    assert client.get(f"/open/{links.renew(night.group, 'keep', '')}").status_code == 303
    pages = list(addresses(app, night))
    assert len(pages) > 30
    db.session.rollback()
    long: dict[str, list[str]] = {}
    for page in pages:
        with asked() as statements:
            assert client.get(page).status_code in (200, 302, 303), page
        for sql, given in statements:
            if sql not in long:
                long[sql] = long_ways(sql, given)
                db.session.rollback()
    assert len(long) > 40
    assert {sql: ways for sql, ways in long.items() if ways} == {}
    assert {sql: tables for sql in long if (tables := without_group(sql))} == {}
