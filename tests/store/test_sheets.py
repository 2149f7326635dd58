"""A group's CSV sheets, read with the standard library: every figure matches the ledger, and no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from copies import kept
from flask import Flask
from nights import PlayedNight, eventful, summed_transfers
from sqlalchemy import text
from test_night import play_the_night

from companion.contract import settle
from companion.contract.naming import renamed
from companion.store.groups import groups
from companion.store.log import ledger
from companion.store.log.typed import with_texts
from companion.store.models import db
from companion.store.night import play
from companion.store.portable import rounds_sheet, transfers_sheet

Row = dict[str, str]


def read(content: bytes) -> list[Row]:
    """Read a sheet, removing the apostrophes that prevent formulas."""
    assert content.startswith(b"\xef\xbb\xbf")
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return [{key: value.removeprefix("'") for key, value in row.items()} for row in rows]


def cells(content: bytes) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")) for cell in row]


def test_every_transfer_is_the_ledgers(app: Flask) -> None:
    night = kept("sixty rounds", lambda: play_the_night().night)
    group = night.group.public_id
    rows = read(transfers_sheet(group))
    query = """
        SELECT l.number, g.key, t.key, x.amount, x.reason, x.rule FROM line l
        JOIN transfer x ON x.revision_id = l.current_id
        JOIN account g ON g.id = x.giver_id JOIN account t ON t.id = x.taker_id ORDER BY l.number, x.position
    """
    names = {key: name for name, key in night.ids.items()}
    stored = [
        (str(number), names[giver], names[taker], str(amount), reason, rule)
        for number, giver, taker, amount, reason, rule in db.session.execute(text(query))
    ]
    told = [(r["line"], r["from"], r["to"], r["amount"], r["reason"], r["rule"]) for r in rows]
    assert told == stored
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row["from"]] -= int(row["amount"])
        sums[row["to"]] += int(row["amount"])
    ledger = {names[key]: total for key, total in summed_transfers(night.public_id).items()}
    assert {name: total for name, total in sums.items() if total} == ledger


def test_times_are_those_of_the_nights_clock(app: Flask) -> None:
    night = kept("sixty rounds", lambda: play_the_night().night)
    session = night.night
    session.opened_at, session.utc_offset = datetime(2026, 11, 21, 3, 30, tzinfo=UTC), -6 * 3600
    db.session.commit()
    group = night.group.public_id
    sheets = [*read(rounds_sheet(group)), *read(transfers_sheet(group))]
    assert {row["opened_at"] for row in sheets} == {"2026-11-20 21:30:00"}
    lines = {str(line.number): line.current for line in night.night.lines}
    for row in sheets:
        revision = lines[row["line"]]
        assert revision is not None
        assert row["at"] == f"{revision.change.at - timedelta(hours=6):%Y-%m-%d %H:%M:%S}"


def test_every_round_is_what_its_document_settles_to(app: Flask) -> None:
    night = kept("sixty rounds", lambda: play_the_night().night)
    rows = read(rounds_sheet(night.group.public_id))
    names = {key: name for name, key in night.ids.items()}
    sums: Counter[str] = Counter()
    at = 0
    for line in night.night.lines:
        assert line.current is not None
        if "movement" in line.current.document:
            continue
        (stored,) = with_texts(night.night.group_id, [line.current.document])
        document = renamed(stored, names)
        part = rows[at : at + len(document["players"])]
        at += len(part)
        assert [row["player"] for row in part] == document["players"]
        assert {row["line"] for row in part} == {str(line.number)}
        assert [row["player"] for row in part if row["dealt"] == "yes"] == [document["dealer"]]
        assert {row["voided"] for row in part} == {"yes" if line.current.voided else "no"}
        assert {(row["game"], row["called"], row["stake"], row["pot_before"]) for row in part} == {
            (document["game"], document.get("called", ""), str(document.get("stake", 1)), str(document["pot"]))
        }
        status, answer = settle(document)
        assert status == 200
        settled: dict[str, object] = answer if not line.current.voided else {"net": {}, "winners": [], "hands": []}
        net: dict[str, int] = settled["net"]  # type: ignore[assignment]
        assert [int(row["net"]) for row in part] == [net.get(name, 0) for name in document["players"]]
        assert [row["player"] for row in part if row["won"] == "yes"] == sorted(
            settled["winners"],  # type: ignore[call-overload]
            key=document["players"].index,
        )
        shown = {(h["player"], str(h["place"]), h["category"]) for h in settled["hands"]}  # type: ignore[attr-defined]
        assert {(row["player"], row["place"], row["category"]) for row in part if row["place"]} == shown
        left = document["pot"] if line.current.voided else answer["pot"]["closing"]  # type: ignore[index]
        assert {row["pot_after"] for row in part} == {str(left)}
        for row in part:
            sums[row["player"]] += int(row["net"])
    assert at == len(rows)
    # with the other movements these are the standings
    for row in read(transfers_sheet(night.group.public_id)):
        if row["movement"]:
            sums[row["from"]] -= int(row["amount"])
            sums[row["to"]] += int(row["amount"])
    del sums["pot"]  # the rounds' rows are of players
    balances = {names[key]: total for key, total in ledger.balances(night.night).items() if total}
    assert {name: total for name, total in sums.items() if total} == balances


# a round in short, and what is told of Ana, Beto and Caro
ANSWERS = [
    ("won Ana", ["knocker", "", ""]),
    ("lost Beto Caro", ["", "knocker", ""]),
]


@pytest.mark.parametrize(("step", "answers"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_what_was_asked_of_a_player_is_told(night: PlayedNight, step: str, answers: list[str]) -> None:
    night.do(step)
    assert [row["answers"] for row in read(rounds_sheet(night.group.public_id))] == answers


BETS = [
    {"player": "Ana", "action": "bet", "amount": 2},
    {"player": "Beto", "action": "call"},
    {"player": "Caro", "action": "fold"},
]
HANDS = {"Ana": "2-2 3-3 4-4 5-5 6-6", "Beto": "1-6 2-6 3-6 4-6 5-6"}


def test_bets_are_told_by_what_they_come_to(night: PlayedNight) -> None:
    players = ["Ana", "Beto", "Caro"]
    document = {"game": "domino-poker", "players": players, "dealer": "Caro", "round": {"bets": BETS, "hands": HANDS}}
    night.save(night.named(document))
    rows = read(rounds_sheet(night.group.public_id))
    assert [row["answers"] for row in rows] == ["paid 3", "paid 3", "paid 1; folded"]
    assert [row["cards"] for row in rows] == [*HANDS.values(), ""]


def test_a_flag_is_told_of_everybody(night: PlayedNight) -> None:
    document = {
        "game": "knock-poker",
        "players": ["Ana", "Beto", "Caro"],
        "dealer": "Caro",
        "round": {
            "knocker": "Ana",
            "dropped": ["Beto", "Caro"],
            "knocked_before_drawing": True,
            "draws": {"Beto": 1},
            "hands": {},
        },
    }
    night.save(night.named(document))
    rows = read(rounds_sheet(night.group.public_id))
    assert [row["answers"] for row in rows] == [
        "knocker; knocked_before_drawing",
        "dropped; knocked_before_drawing; draws 1",
        "dropped; knocked_before_drawing",
    ]


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "'quoted", "''", "  =1", "＝1", "a=1", 'a "b", c; d', "Ñ 李 😀"]


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_is_a_formula_and_every_text_comes_back(night: PlayedNight, name: str) -> None:
    group = night.group
    groups.rename_player(group.players[0], name)
    note = f"{name}\n{name}"
    night.save(night.movement("loan", "Ana", "Beto", 3) | {"note": note})
    night.do("won Ana")
    play.write_remark(night.public_id, 2, f"\t{name}", night.sent())
    rounds, transfers = rounds_sheet(group.public_id), transfers_sheet(group.public_id)
    for cell in cells(rounds) + cells(transfers):
        is_number = cell.removeprefix("-").isdecimal()
        assert is_number or not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝")), cell
    assert {row["note"] for row in read(transfers) if row["movement"]} == {note}
    assert {row["player"] for row in read(rounds) if row["player_key"] == "p1"} == {name.strip()}
    assert {row["remark"] for row in read(rounds)} == {f"\t{name}"}


def test_a_player_called_bank_is_not_the_bank(night: PlayedNight) -> None:
    groups.rename_player(night.group.players[0], "bank")
    night.save(night.movement("buy-in", "bank", "Ana", 3))
    (row,) = read(transfers_sheet(night.group.public_id))
    assert (row["from"], row["from_key"], row["to"], row["to_key"]) == ("bank", "bank", "bank", "p1")


def test_sheets_of_a_group_are_its_own(app: Flask) -> None:
    public_id = eventful().group.public_id
    before = rounds_sheet(public_id), transfers_sheet(public_id)
    PlayedNight("Zoe", "Yan").do("won Zoe")
    assert (rounds_sheet(public_id), transfers_sheet(public_id)) == before
    assert {row["currency"] for row in read(before[0])} == {""}
