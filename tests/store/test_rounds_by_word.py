"""Stored rounds whose result the table stated: booked, summed up, exported and audited. Rule: C-13."""

from __future__ import annotations

from typing import Any

import pytest
from copies import kept
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from games.rounds import document
from nights import PlayedNight
from sqlalchemy import text
from test_portable import is_the_same_elsewhere
from test_sheets import read

from companion.contract import settle
from companion.store.audit import audit
from companion.store.history import results as history
from companion.store.log import ledger
from companion.store.models import db
from companion.store.night import revising
from companion.store.portable import rounds_sheet

# game: a round, and what is told of Ana, Beto and Caro besides what they did and paid
ROUNDS = {
    "knock-poker": ("Ana knocked won; Beto; Caro dropped", ["won_by", "", ""]),
    "dompe": ("Ana called; Beto won; Caro", ["", "won_by", ""]),
    "domino-poker": ("Ana paid=3 won; Beto paid=3; Caro paid=1 folded", ["won_by", "", ""]),
    "draw-poker": ("Ana paid=2 won: As Ks Qs Js Ts; Beto paid=2; Caro paid=2", ["won_by", "", ""]),
    "knock": (
        'Ana counts="7.5"; Beto knocked counts=10; Caro counts="10.5"',
        ["points 7.5", "points 10", "points 10.5"],
    ),
    "knock-rummy": (
        "Ana: 4s 4h 4d 6c 7c 8c 2d; Beto counts=10; Caro knocked counts=20",
        ["", "points 10", "points 20"],
    ),
}


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """A night with a round of every game, each with a stated result."""
    return kept("rounds by word", play_every_game)


def play_every_game() -> PlayedNight:
    night = PlayedNight("Ana", "Beto", "Caro")
    for game, (seats, _) in ROUNDS.items():
        night.save(night.named(document(game, seats)))
    return night


def test_c_13_it_books_what_the_contract_says(night: PlayedNight) -> None:
    sums = dict.fromkeys(["Ana", "Beto", "Caro"], 0)
    pot = 0
    for game, (seats, _) in ROUNDS.items():
        status, settled = settle({**document(game, seats), "pot": pot})
        found: Any = settled
        assert status == 200
        pot = found["pot"]["closing"]
        for player, net in found["net"].items():
            sums[player] += net
    names = {key: name for name, key in night.ids.items()}
    assert {names[key]: units for key, units in ledger.balances(night.night).items()} == {**sums, "pot": pot}
    assert list(audit()) == []


def test_c_13_no_hand_of_it_is_the_best_of_a_night(night: PlayedNight) -> None:
    assert db.session.execute(text("SELECT count(*) FROM result WHERE hand_of IS NOT NULL")).scalar_one() == 0
    assert history.best_of(night.night) == []


def test_c_13_a_correction_with_the_cards_counts_them(night: PlayedNight) -> None:
    with_cards = document("knock-poker", "Ana knocked: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro dropped")
    before = ledger.balances(night.night)
    revising.correct(night.public_id, 1, night.named(with_cards), night.seen(1), night.sent())
    assert ledger.balances(night.night) == before
    assert history.best_of(night.night) != []
    revising.undo(night.public_id, 1, night.seen(1), night.sent())
    assert history.best_of(night.night) == []
    assert list(audit()) == []


def test_c_13_the_sheet_says_what_the_table_said(night: PlayedNight) -> None:
    rows = read(rounds_sheet(night.group.public_id))
    told = [[part for part in row["answers"].split("; ") if part.startswith(("won_by", "points"))] for row in rows]
    assert ["; ".join(parts) for parts in told] == [part for _, parts in ROUNDS.values() for part in parts]
    of_points = [row for row in rows if row["game"] == "knock-rummy"]
    assert [(row["cards"], row["category"], row["place"]) for row in of_points] == [
        ("4s 4h 4d 6c 7c 8c 2d", "deadwood", "1"),
        ("", "deadwood", "2"),
        ("", "deadwood", "3"),
    ]


def test_c_13_exported_and_imported_it_is_the_same(night: PlayedNight, made_database: EmptyDatabase) -> None:
    (other,) = {*DATABASES} - {db.engine.dialect.name}
    for elsewhere in opened(made_database(other)):
        is_the_same_elsewhere(night, elsewhere)
