"""Exporting and importing a group: identical bytes, standings, history and audit on either database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nights import PlayedNight, eventful
from sqlalchemy import text
from tampering import empty
from test_night import play_the_night

from companion.store.audit import audit
from companion.store.groups import groups
from companion.store.models import Link, db
from companion.store.night import settings as night_changes
from companion.store.portable import export_group, import_group
from companion.store.portable.group_file import canonical_json, read
from companion.store.refusals import Conflict, Refused, Sent


@pytest.fixture(params=DATABASES)
def elsewhere(request: pytest.FixtureRequest, made_database: EmptyDatabase) -> Iterator[Flask]:
    """Return another, empty server."""
    yield from opened(made_database(request.param))


def standings(public_id: str) -> list[tuple[str, dict[str, int]]]:
    """List every night's balances by player name, with the tests' own SQL."""
    query = """
        SELECT s.public_id, COALESCE(p.name, a.key), a.balance FROM player_group g
        JOIN night s ON s.group_id = g.id JOIN account a ON a.night_id = s.id
        LEFT JOIN player p ON CAST(p.id AS TEXT) = a.key WHERE g.public_id = :group ORDER BY s.id, a.id
    """
    found: dict[str, dict[str, int]] = {}
    for night, name, balance in db.session.execute(text(query), {"group": public_id}):
        found.setdefault(night, {})[name] = balance
    return list(found.items())


def counts() -> dict[str, int]:
    """Count the rows of every exported table."""
    made_of = {
        "group": "player_group player night seat account",
        "lines": "change line revision transfer",
        "plans": "settle_up planned_payment paid",
    }
    tables = " ".join(made_of.values()).split()
    return {table: int(db.session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()) for table in tables}


def test_an_import_is_the_same_group_elsewhere(app: Flask, elsewhere: Flask) -> None:
    is_the_same_elsewhere(eventful(), elsewhere)


@pytest.mark.thorough
def test_a_night_of_sixty_rounds_is_the_same_on_the_other_database(app: Flask, made_database: EmptyDatabase) -> None:
    (other,) = {*DATABASES} - {db.engine.dialect.name}
    night = play_the_night().night
    for elsewhere in opened(made_database(other)):
        is_the_same_elsewhere(night, elsewhere)


def test_stakes_and_their_changes_are_kept(app: Flask, elsewhere: Flask) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("won Ana")
    night_changes.set_stakes(night.public_id, {"all": 20, "knock-rummy": 2}, {}, night.sent())
    is_the_same_elsewhere(night, elsewhere)


def test_two_names_that_count_as_the_same_today_are_kept(app: Flask, elsewhere: Flask) -> None:
    """They could be entered before names were compared without their punctuation."""
    night = PlayedNight("O'Neil", "Ana", "Beto")
    second = night.group.players[1]
    second.name = second.folded = "o\u2019neil"
    db.session.commit()
    night.ids["o\u2019neil"] = night.ids.pop("Ana")
    night.do("won O'Neil; won o\u2019neil; fix 1 won o\u2019neil; close")
    assert list(audit()) == []
    groups.rename_player(second, "o\u2019neil")  # by a form in which the name wasn't changed
    with pytest.raises(Refused, match="looks just like"):
        groups.rename_player(second, "O\u00b4Neil")
    is_the_same_elsewhere(night, elsewhere)


def is_the_same_elsewhere(night: PlayedNight, elsewhere: Flask) -> None:
    public_id = night.group.public_id
    content, before, rows = export_group(public_id), standings(public_id), counts()
    db.session.rollback()
    with elsewhere.app_context():
        # ids are other ones there
        PlayedNight("Zoe", "Yan").do("won Zoe")
        others = counts()
        made, is_new = import_group(content, "a new secret")
        assert (made.public_id, is_new) == (public_id, True)
        assert export_group(public_id) == content
        assert standings(public_id) == before
        assert {table: number - others[table] for table, number in counts().items()} == rows
        assert list(audit()) == []
        again, is_new = import_group(content, "another secret")
        assert (again.public_id, is_new) == (public_id, False)
        assert {table: number - others[table] for table, number in counts().items()} == rows
        assert groups.open_group("another secret") is None
        opened_group = groups.open_group("a new secret")
        assert opened_group is not None
        assert opened_group.public_id == public_id
        assert db.session.query(Link).filter_by(group_id=opened_group.id).count() == 3


class File:
    """An exported group with a change at a path such as "nights.0.lines.2.number"."""

    def __init__(self, content: bytes) -> None:
        self.document: dict[str, Any] = json.loads(content)

    def put(self, path: str, value: Any) -> None:
        *before, last = [int(part) if part.isdecimal() else part for part in path.split(".") if part]
        at: Any = self.document["group"]
        for part in before:
            at = at[part]
        if value is GONE:
            del at[last]
        elif value is TWICE:
            at.append(at[last])
        else:
            at[last] = value(at[last]) if callable(value) else value

    @property
    def content(self) -> bytes:
        return json.dumps(self.document).encode()


GONE, TWICE = object(), object()
NIGHT = "nights.0"
LINE_1, ROUND_1 = f"{NIGHT}.lines.0.revisions.0", f"{NIGHT}.lines.0.revisions.0.document"
BANK = f"{NIGHT}.lines.4.revisions.0.document"
SPLIT = f"{NIGHT}.lines.6.revisions.0"
KNOCK_PLAYERS = f"{ROUND_1}.players"


# path, what is put there, and what is said: the place, then what is wrong
def of_blind_rules(change: dict[str, Any]) -> dict[str, Any]:
    """Make a change that sets a house rule which the game doesn't have."""
    return change | {"kind": "rules", "content": {"game": "dompe", "rules": {"blind": 1}}}


MISFITS = [
    # shape
    ("players", "none", "the group, players: none isn't a list"),
    ("players.1", [], "the group, player 2: […] isn't an object"),
    ("players.1.retired", GONE, "the group, player 2: retired is missing"),
    ("players.1.colour", "red", "the group, player 2: colour isn't part of it"),
    ("links", [], "the group: links isn't part of it"),
    ("players.1", lambda row: {"name": row["name"], "b": 1, "a": 1}, "the group, player 2: a isn't part of it"),
    (f"{NIGHT}.seats", {}, "the group, night 1, seats: {…} isn't a list"),
    # values
    ("id", "a b", "the group, id: a b isn't allowed"),
    ("id", "x" * 17, "the group, id: xxxxxxxxxxxxxxxxx isn't text of 1 to 16"),
    ("name", "", "the group, name: This player has no name"),
    ("name", " Friday", "the group, name:  Friday has spaces around it"),
    ("name", 7, "the group, name: A player's name must be text"),
    ("made_at", "2026-11-21", "the group, made_at: 2026-11-21 isn't a time like"),
    ("made_at", "2026-13-21T19:30:00.000000Z", "the group, made_at: 2026-13-21T19:30:00.000000Z isn't a time"),
    ("made_at", None, "the group, made_at: null isn't a time"),
    ("players.0.player", "p2", "the group, player 1, player: it says p2 instead of 1"),
    ("players.0.name", "Pot", "the group, player 1, name: Pot is the name of the pot"),
    ("players.0.name", "a\u202eb", "the group, player 1, name: This name has characters"),
    ("players.0.name", "a" * 101, "the group, player 1, name: This name is longer"),
    ("players.0.retired", 0, "the group, player 1, retired: 0 is neither true nor false"),
    (f"{NIGHT}.stake", 0, "the group, night 1, stake: 0 isn't a whole number from 1 to 1000000"),
    (f"{NIGHT}.stake", True, "the group, night 1, stake: true isn't a whole number"),
    (f"{NIGHT}.currency", "eur", "the group, night 1, currency: eur isn't allowed"),
    (f"{NIGHT}.game", "Whist", "the group, night 1, game: Whist isn't the key of a game"),
    (f"{NIGHT}.rules", [], "the group, night 1, rules: […] isn't an object"),
    (f"{NIGHT}.stakes", [], "the group, night 1, stakes: […] isn't an object"),
    (f"{NIGHT}.stakes", {"Chess": 2}, "the group, night 1, stakes: there is no game Chess"),
    (f"{NIGHT}.stakes", {"all": 0}, "the group, night 1, stakes, all: 0 isn't a whole number from 1 to 1000000"),
    (f"{NIGHT}.rules", {"Whist": {}}, "the group, night 1, rules, Whist: Whist isn't one of the games"),
    (f"{NIGHT}.rules", {"knock": {"blind": 1}}, "the group, night 1, rules, knock: Knock has no house rule blind"),
    (f"{NIGHT}.rules", {"knock": {"ante": "1"}}, "the group, night 1, rules, knock: "),
    (f"{NIGHT}.rules", {"knock": 1}, "the group, night 1, rules, knock: rules must be an object"),
    (f"{NIGHT}.rules", {"x" * 200_000: {}}, "the group, night 1, rules: it is longer than 131,072 characters"),
    (f"{NIGHT}.seats.0.state", "up", "the group, night 1, seat 1, state: up isn't one of in, out and left"),
    (f"{NIGHT}.seats.0.state", {}, "the group, night 1, seat 1, state: {…} isn't one of in, out and left"),
    (f"{NIGHT}.seats.0.player", "p99", "the group, night 1, seat 1, player: there is no player p99 here"),
    (f"{NIGHT}.seats.0.player", ["p1"], "the group, night 1, seat 1, player: there is no player […] here"),
    (f"{NIGHT}.accounts.0.account", "p5", "the group, night 1, account 1, account: there is no seat p5 here"),
    (f"{NIGHT}.accounts.0.account", {}, "the group, night 1, account 1, account: there is no seat {…} here"),
    (f"{NIGHT}.changes.0.kind", "gift", "the group, night 1, change 1, kind: gift isn't one of"),
    (f"{NIGHT}.changes.0.change", True, "the group, night 1, change 1, change: it says true instead of 1"),
    (f"{BANK}.movement", "gift", "the group, night 1, line 5, revision 1, document, movement: gift isn't one of"),
    (f"{NIGHT}.lines.0.number", 2, "the group, night 1, line 1, number: it says 2 instead of 1"),
    (f"{NIGHT}.lines.1.revisions.0.number", 9, "the group, night 1, line 2, revision 1, number: it says 9"),
    (f"{NIGHT}.lines.0.game", None, "the group, night 1, line 1, revision 1: a line is a round of a game, or"),
    (f"{NIGHT}.lines.4.game", "knock", "the group, night 1, line 5, revision 1: a line is a round of a game, or"),
    (f"{LINE_1}.change", 99, "the group, night 1, line 1, revision 1, change: there is no change 99 here"),
    (f"{LINE_1}.change", True, "the group, night 1, line 1, revision 1, change: there is no change true here"),
    # what is used twice
    ("players.0.name", "CARO", "the group, player 3: name Caro is used twice"),
    ("nights.0", TWICE, "the group, night 3: id "),
    (f"{NIGHT}.changes.1.key", "key 1", "the group, night 1, change 2: key key 1 is used twice"),
    (f"{NIGHT}.seats.1.player", "p1", "the group, night 1, seat 2: player p1 is used twice"),
    (f"{NIGHT}.accounts.1.account", "p1", "the group, night 1, account 2: account p1 is used twice"),
    # what was sent
    (f"{NIGHT}.changes.0.content", 1, "the group, night 1, change 1, content: 1 isn't an object"),
    (f"{NIGHT}.changes.0.content.document", GONE, "the group, night 1, change 1, content: document is missing"),
    (f"{NIGHT}.changes.4.content.number", GONE, "the group, night 1, change 5, content: number is missing"),
    (f"{NIGHT}.changes.8.content.seats", GONE, "the group, night 1, change 9, content: seats is missing"),
    (f"{NIGHT}.changes.0.content.x", 1, "the group, night 1, change 1, content: x isn't part of it"),
    (f"{NIGHT}.changes.0.content.document", 1, "the group, night 1, change 1, content, document: 1 isn't an object"),
    (f"{NIGHT}.changes.0.content.document.game", "Whist", "the group, night 1, change 1, content, document, game: W"),
    (f"{NIGHT}.changes.0.content.document.round.hands", {}, "the group, night 1, change 1, content, document, rou"),
    (f"{NIGHT}.changes.0.content.document.dealer", "p3 ", "the group, night 1, change 1, content, document: there"),
    (f"{NIGHT}.changes.4.content.document.amount", 0, "the group, night 1, change 5, content, document, amount: 0"),
    (f"{NIGHT}.changes.0", of_blind_rules, "the group, night 1, change 1, content, rules.blind: Dompe has no house"),
    (f"{NIGHT}.changes.8.content.seats", 1, "the group, night 1, change 9, content, seats: 1 isn't a list of pairs"),
    (f"{NIGHT}.changes.8.content.seats.0", [1], "the group, night 1, change 9, content, seats: […] isn't a list of"),
    (f"{NIGHT}.changes.8.content.seats.0.0", "p9", "the group, night 1, change 9, content, seats, player: there is"),
    (f"{NIGHT}.changes.8.content.seats.0.1", "up", "the group, night 1, change 9, content, seats, state: up isn't"),
    (f"{NIGHT}.changes.0.content.rules", [], "the group, night 1, change 1, content, rules: […] isn't an object of"),
    (f"{NIGHT}.changes.0.content.rules", {"a": {}}, "the group, night 1, change 1, content, rules: {…} isn't an"),
    (f"{NIGHT}.changes.0.content.x", "x" * 200_000, "the group, night 1, change 1, content: it is longer than 131,"),
    # what the lines say
    (ROUND_1, [], "the group, night 1, line 1, revision 1, document: […] isn't an object"),
    (f"{ROUND_1}.stake", GONE, "the group, night 1, line 1, revision 1, document: a round has the parts game, rules"),
    (f"{ROUND_1}.game", "whist", "the group, night 1, line 1, revision 1: a line is a round of a game"),
    (f"{ROUND_1}.rules", {"blind": 1}, "the group, night 1, line 1, revision 1, rules.blind: Knock has no house"),
    (f"{ROUND_1}.dealer", "p9", "the group, night 1, line 1, revision 1, dealer: p9 "),
    (f"{ROUND_1}.dealer", " p3", "the group, night 1, line 1, revision 1: there is no player  p3 at this table"),
    (KNOCK_PLAYERS, ["p1", "p2", "p5"], "the group, night 1, line 1, revision 1, dealer: "),
    (f"{ROUND_1}.round.hands.p1", "5s 5h 5d Qc Qs", "the group, night 1, line 1, revision 1, round.hands.p"),
    (f"{ROUND_1}.pot", 7, "the group, night 1, line 1, revision 1: its transfers don't follow from"),
    (f"{ROUND_1}.round", {"hands": {"p1": "x" * 200_000}}, "the group, night 1, line 1, revision 1, document: it is"),
    (f"{NIGHT}.lines.3.revisions.0.document.pot", 7, "the group, night 1, line 4, revision"),
    (f"{NIGHT}.lines.5.revisions.0.document.pot", False, "the group, night 1, line 6, revision 1: its pot is false"),
    (f"{BANK}.movement", 1, "the group, night 1, line 5, revision 1, document, movement: 1 isn't one of"),
    (f"{BANK}.movement", "x" * 21, "the group, night 1, line 5, revision 1, document, movement: xxx"),
    (f"{BANK}.movement", "loan", "the group, night 1, line 5, revision 1: its transfers don't follow from"),
    (f"{BANK}.from", "p5", "the group, night 1, line 5, revision 1, document, from: there is no seat p5 here"),
    (f"{BANK}.to", "bank", "the group, night 1, line 5, revision 1, document: a movement has an amount"),
    (f"{BANK}.to", ["p1"], "the group, night 1, line 5, revision 1, document, to: there is no seat […] here"),
    (f"{BANK}.amount", 6, "the group, night 1, line 5, revision 1: its transfers don't follow from"),
    (f"{BANK}.amount", -5, "the group, night 1, line 5, revision 1, document, amount: -5 isn't a whole number"),
    (f"{BANK}.note", "x" * 201, "the group, night 1, line 5, revision 1, document, note: xxx"),
    (f"{BANK}.note", GONE, "the group, night 1, line 5, revision 1, document: a movement has an amount"),
    (f"{SPLIT}.document.movement", [], "the group, night 1, line 7, revision 1, document, movement: […] isn't one of"),
    (f"{SPLIT}.document.players", [], "the group, night 1, line 7, revision 1, document: a split pot needs the"),
    (f"{SPLIT}.document.players", ["p1", "p1"], "the group, night 1, line 7, revision 1, document: p1 shares"),
    (f"{SPLIT}.document.players", ["p1", "p5"], "the group, night 1, line 7, revision 1, document, players: there"),
    (f"{SPLIT}.document.players", ["p1", "p2"], "the group, night 1, line 7, revision 1: its transfers don't"),
    # what they move
    (f"{LINE_1}.transfers.0.amount", 0, "the group, night 1, line 1, revision 1, transfer 1, amount: 0 isn't"),
    (f"{LINE_1}.transfers.0.amount", 2, "the group, night 1, line 1, revision 1: its transfers don't follow from"),
    (f"{LINE_1}.transfers.0.from", "p5", "the group, night 1, line 1, revision 1, transfer 1, from: there is no acc"),
    (f"{LINE_1}.transfers.0.rule", "KN-9", "the group, night 1, line 1, revision 1: its transfers don't follow"),
    (f"{LINE_1}.transfers.0", TWICE, "the group, night 1, line 1, revision 1: its transfers don't follow from"),
    (f"{LINE_1}.transfers.0", GONE, "the group, night 1, line 1, revision 1: its transfers don't follow from"),
    (f"{LINE_1}.voided", True, "the group, night 1, line 1, revision 1: its transfers don't follow from"),
    (f"{NIGHT}.lines.0.revisions", [], "the group, night 1, line 1: it has no revision"),
    (f"{NIGHT}.lines.0.revisions.1.change", 1, "the group, night 1, line 1: its revisions are not in the order"),
    (f"{NIGHT}.lines.0.revisions.1", GONE, "the group, night 1, line 2, revision "),
    # a voided round is read too
    (f"{NIGHT}.lines.2.revisions.2.document.round", {}, "the group, night 1, line 3, revision 3, round.hands.p"),
    (f"{NIGHT}.lines.6", GONE, "the group, night 1: the balance of p"),
    (f"{NIGHT}.accounts.0.balance", 99, "the group, night 1: the balance of p1 is 99, its transfers sum to "),
    (f"{NIGHT}.accounts.3", GONE, "the group, night 1, line 1, revision 1, transfer 1, to: there is no account pot"),
    ("nights.1", lambda row: row | {"seats": [], "accounts": []}, "the group, night 2: it needs 2 players or more"),
    ("nights.1.accounts.2", GONE, "the group, night 2: pot has no account"),
    ("nights.1.accounts.1", GONE, "the group, night 2: p1 has no account"),
    (
        f"{NIGHT}.lines.4.revisions.0",
        lambda revision: revision
        | {
            "document": revision["document"] | {"from": "pot", "amount": 1},
            "transfers": [revision["transfers"][0] | {"from": "pot", "amount": 1}],
        },
        "the group, night 1, line 5: it takes more out of the pot than is in it",
    ),
    (f"{NIGHT}.stake", 25, "the group, night 1, line 2: its stake is 1, but the night never had that"),
    # chips that came from the bank, though no line says that they were bought
    (
        "nights.0",
        lambda night: json.loads(json.dumps(night).replace('"buy-in"', '"count"')) | {"buy_in": 100},
        "the group, night 1: the stacks and the pot hold 405, bought were 400",
    ),
    # plans
    ("plans.0.night", "xyz", "the group, plan 1, night: there is no night xyz here"),
    ("plans.0.replaced_by", "xyz", "the group, plan 1, replaced_by: there is no plan xyz here"),
    ("plans.1.id", GONE, "the group, plan 2: id is missing"),
    ("plans.1", lambda plan: plan | {"replaced_by": plan["id"]}, "the group, plan 2: it cannot be replaced by "),
    ("plans.0.payments.0.to", "p99", "the group, plan 1, payment 1, to: there is no player p99 here"),
    ("plans.0.payments.0", lambda row: row | {"to": row["from"]}, "the group, plan 1, payment 1: nobody pays"),
    ("plans.0.payments.0.paid.0.amount", 10**6, "the group, plan 1, payment 1: more is ticked than planned"),
    ("plans.0.payments.0.paid.0.amount", -1, "the group, plan 1, payment 1: more is ticked than planned, or taken"),
    ("plans.0.payments.0.paid.1.amount", 0, "the group, plan 1, payment 1: 0 is ticked off"),
    (
        "plans.0.payments.0.paid",
        lambda ticks: [tick | {"key": "again"} for tick in ticks],
        "the group, plan 1, payment 1, tick 2: key again is used twice",
    ),
    (
        "plans",
        lambda plans: [plans[0], plans[1] | {"payments": [plans[1]["payments"][0], *plans[0]["payments"]]}],
        "the group, plan 2, payment 2, tick 1: key key ",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "said"), MISFITS, ids=[f"{at}-{row[0]}" for at, row in enumerate(MISFITS)])
def test_what_does_not_fit_is_told_by_its_place(sqlite: Flask, sample: bytes, path: str, value: Any, said: str) -> None:
    file = File(sample)
    file.put(path, value)
    with pytest.raises(Refused) as refused:
        import_group(file.content, "a secret")
    assert str(refused.value).startswith(said), refused.value
    assert "Nothing was imported; choose a full backup" in str(refused.value)
    assert set(counts().values()) == {0}


# what is another group's matter than the form of the file's
FITS = [
    ("name", "pot"),
    ("nights.1.key", "of its own"),
    ("plans.1.payments.0.paid", []),
    (f"{NIGHT}.changes.0.content.rules", {"ante": 1}),
    (f"{NIGHT}.note", "a backslash and \\u0000, \u2028, 😀"),
    (f"{NIGHT}.changes.0.device", "<b>&"),
]


@pytest.mark.parametrize(("path", "value"), FITS, ids=[row[0] for row in FITS])
def test_what_fits_comes_back_as_it_is(sqlite: Flask, sample: bytes, path: str, value: Any) -> None:
    file = File(sample)
    file.put(path, value)
    made, _ = import_group(file.content, "a secret")
    assert json.loads(export_group(made.public_id)) == file.document
    # written otherwise it is the same file
    pretty = json.dumps(file.document, indent=2).encode("utf-8-sig")
    assert import_group(pretty, "a secret")[1] is False


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.sampled_from(["", "p1", "p9", "pot", "bank", "knock", "split", " p1", "2026-11-21T19:30:00.000000Z", "9s"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["p1", "from", "x"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(st.data())
@settings(max_examples=400, suppress_health_check=list(HealthCheck))
def test_whatever_stands_in_a_file_it_is_read_or_refused(sample: bytes, data: st.DataObject) -> None:
    document = json.loads(sample)
    at: Any = document
    while True:
        key = (
            data.draw(st.sampled_from(sorted(at)))
            if isinstance(at, dict)
            else data.draw(st.sampled_from(range(len(at))))
        )
        if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.integers(0, 9)) == 0:
            break
        at = at[key]
    at[key] = data.draw(VALUES | st.sampled_from([[at[key]], at[key], str(at[key])]))
    try:
        found = read(json.dumps(document).encode())
    except Refused as refused:
        assert str(refused)
    else:
        assert found.document == document


FILES = [
    ("empty", b"", "This isn't an exported group; choose the file"),
    ("picture", b"\x89PNG\r\n\x1a\n", "This isn't an exported group; choose the file"),
    ("cut", b'{"format": "companion-gro', "the file: it is damaged or cut off"),
    ("latin", '{"format": "ñ"}'.encode("latin-1"), "the file: it is damaged or cut off"),
    ("list", b"[]", "This isn't an exported group; choose the file whose"),
    ("text", b'"companion-group"', "This isn't an exported group"),
    ("other-format", b'{"format": "geojson"}', "This isn't an exported group"),
    ("no-version", b'{"format": "companion-group"}', "This file has version null"),
    ("version-as-text", b'{"format": "companion-group", "version": "1"}', "This file has version 1, but this app"),
    ("newer", b'{"format": "companion-group", "version": 2}', "This file has version 2, but this app reads version 1"),
    ("older", b'{"format": "companion-group", "version": 0, "group": {}}', "the file: it must have the parts"),
    ("no-group", b'{"format": "companion-group", "version": 1}', "the file: it must have the parts"),
    ("group-is-a-list", b'{"format": "companion-group", "version": 1, "group": []}', "the group: […] isn't an object"),
    ("key-twice", b'{"a": 1, "format": 1, "format": 2}', "the file: it is damaged or cut off (the key format st"),
    ("many-keys", json.dumps(dict.fromkeys(map(str, range(1_001)))).encode(), "the file: it is damaged or cut off (a"),
    ("deep", b"[" * 200_000, "the file: it is nested too deeply"),
    ("fraction", b'{"version": 1.0}', "the file: it is damaged or cut off (1.0 isn't a whole number)"),
    ("not-a-number", b'{"version": NaN}', "the file: it is damaged or cut off (NaN isn't a whole number)"),
    ("endless", b'{"version": 1e999}', "the file: it is damaged or cut off (1e999 isn't a whole number)"),
    ("many-digits", b'{"version": %s}' % (b"9" * 5_000), "the file: it is damaged or cut off (a number of 5000 digit"),
    ("nul", b'{"a": ["\\u0000"]}', "the file: ? has a character that isn't allowed"),
    ("half-a-pair", b'{"\\ud800": 1}', "the file: ? has a character that isn't allowed"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_what_is_no_exported_group_is_said(sqlite: Flask, content: bytes, said: str) -> None:
    with pytest.raises(Refused) as refused:
        import_group(content, "a secret")
    assert str(refused.value).startswith(said), refused.value


def test_another_version_of_a_group_is_refused(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto")
    night.do("won Ana")
    group = night.group
    earlier = export_group(group.public_id)
    night.do("won Beto")
    with pytest.raises(Conflict, match=r"The group Friday already exists here with different content\."):
        import_group(earlier, "a secret")
    assert groups.open_group("a secret") is None
    assert night.standings() == ""


def test_the_same_group_written_another_way_is_the_same(sqlite: Flask, sample: bytes) -> None:
    made, _ = import_group(sample, "a secret")

    def turned(value: Any) -> Any:
        if isinstance(value, list):
            return [turned(one) for one in value]
        return {key: turned(value[key]) for key in reversed(value)} if isinstance(value, dict) else value

    written = json.dumps(turned(json.loads(sample)), indent=1).encode()
    assert import_group(written, "another secret") == (made, False)


def test_a_night_of_another_group_is_refused(app: Flask, sample: bytes) -> None:
    import_group(sample, "a secret")
    before = counts()
    for change in ({"id": "another"}, {"id": "another", "nights": []}):
        file = File(sample)
        file.document["group"] |= change
        file.document["group"]["plans"] = [plan | {"night": None} for plan in file.document["group"]["plans"]]
        with pytest.raises(Conflict, match="A night, plan or link in this file already belongs to another group here"):
            import_group(file.content, "another secret")
        assert counts() == before
    assert groups.open_group("another secret") is None


def test_no_secret_leaves_the_database(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto")
    content = export_group(night.group.public_id).decode()
    kept = [link.secret_hash for link in db.session.query(Link)]
    assert kept
    assert night.night.join_code
    assert not [secret for secret in (*kept, night.night.join_code) if secret in content]


# when both nights began in UTC, the clocks that the file has, if any | their months and beginnings as pages show them
CLOCKS = [
    ("2026-12-01T02:00", None, [("2026-11", "2026-11-30 20:00")] * 2),  # as in files from before a night kept its clock
    ("2026-11-30T22:00", [0, 5 * 3600 + 1800], [("2026-11", "2026-11-30 22:00"), ("2026-12", "2026-12-01 03:30")]),
]


@pytest.mark.parametrize(("began", "offsets", "shown"), CLOCKS, ids=["none", "its own"])
def test_an_imported_night_keeps_its_clock(
    sqlite: Flask,
    sample: bytes,
    six_hours_behind: None,
    began: str,
    offsets: list[int] | None,
    shown: list[tuple[str, str]],
) -> None:
    file = File(sample)
    for at in range(2):
        file.put(f"nights.{at}.opened_at", f"{began}:00.000000Z")
        file.put(f"nights.{at}.utc_offset", offsets[at] if offsets else GONE)
    made, _ = import_group(file.content, "a secret")
    nights = groups.nights_of(made, None, 99)[::-1]
    assert [(night.month, f"{night.began:%Y-%m-%d %H:%M}") for night in nights] == shown
    exported = json.loads(export_group(made.public_id))["group"]["nights"]
    assert [night["utc_offset"] for night in exported] == (offsets or [-6 * 3600] * 2)
    assert list(audit()) == []


def test_an_imported_open_night_can_be_joined_and_played_on(sqlite: Flask, sample: bytes) -> None:
    made, _ = import_group(sample, "a secret")
    still_open, closed = groups.nights_of(made, None, 99)
    assert closed.join_code is None
    assert still_open.join_code
    reopened = night_changes.reopen(closed.public_id, Sent("a new key", "a phone"))
    groups.add_player(made, "Zoe", "key")
    assert list(audit()) == []
    # a form that was sent to the old server is known
    assert night_changes.reopen(closed.public_id, Sent("a new key", "a phone")) == reopened


@pytest.mark.parametrize("steps", ["buy-in 20; won Ana; buy-in none", "lost Ana Beto; close split; reopen; void 2"])
def test_a_night_that_gave_up_its_stacks_or_a_split_is_imported_too(sqlite: Flask, steps: str) -> None:
    night = PlayedNight("Ana", "Beto")
    night.do(steps)
    content = export_group(night.group.public_id)
    empty()
    made, _ = import_group(content, "a secret")
    assert export_group(made.public_id) == content


def test_a_file_is_encoded_night_by_night(monkeypatch: pytest.MonkeyPatch) -> None:
    nights = [{"lines": [{"number": number}], "id": f"ñ{number}", "seats": []} for number in range(50)]
    document = {"version": 1, "group": {"nights": nights, "players": [], "rules": {}}, "format": "companion-group"}
    dumps, parts = json.dumps, []

    def watched(value: Any, **how: Any) -> str:
        parts.append(dumps(value, **how))
        return str(parts[-1])

    monkeypatch.setattr("companion.store.portable.group_file.json.dumps", watched)
    content = canonical_json(document)
    assert content.decode() == dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
    # other phones wait while a part is encoded
    assert max(map(len, parts)) < len(content) / 40
