"""Points that are kept over a night's rounds until somebody has the total: saved, corrected, voided, undone. KR-14."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import text
from tampering import tampering

from companion.store.audit import audit
from companion.store.log import ledger
from companion.store.models import db
from companion.store.night import revising
from companion.store.night.before_round import BeforeRound
from companion.store.portable import export_group, import_group
from companion.store.refusals import Refused

GAME = "knock-rummy"
TOTAL = 30
Points = Mapping[str, int]


def rummy(night: PlayedNight, counted: Points, knocker: str | None = None, total: int = TOTAL) -> dict[str, Any]:
    """Write a round whose hands the table counted; the last player deals."""
    round = {"knocker": knocker, "points": dict(counted), "hands": {}}
    written = {"game": GAME, "rules": {"total": total}, "players": [*counted], "dealer": [*counted][-1], "round": round}
    return night.named(written)


def kept_in(night: PlayedNight) -> list[dict[str, int]]:
    """Return the points before each round, as stored."""
    documents = (line.current.document for line in night.night.lines if line.current.document.get("game") == GAME)
    return [{night.names[key]: points for key, points in one["round"].get("kept", {}).items()} for one in documents]


def kept_now(night: PlayedNight) -> dict[str, int]:
    found = BeforeRound(night.night).kept(GAME)
    return {night.names[key]: points for key, points in found.items() if points}


def test_points_are_carried_from_round_to_round_until_somebody_has_the_total(night: PlayedNight) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    night.do("won Ana")  # another game in between
    night.save(rummy(night, {"Ana": 9, "Beto": 4, "Caro": 8}, knocker="Beto"))
    assert kept_in(night) == [{}, {"Ana": 12}]
    assert kept_now(night) == {"Ana": 12, "Beto": 9}
    assert night.standings() == "Ana 2, Beto -1, Caro -1"
    night.save(rummy(night, {"Ana": 1, "Beto": 9, "Caro": 11}))
    assert night.standings() == "Ana 53, Beto -22, Caro -31"
    assert kept_now(night) == {}


def test_who_sits_out_keeps_the_points_until_the_others_have_the_total(night: PlayedNight) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    night.save(rummy(night, {"Beto": 3, "Caro": 10}))
    assert kept_now(night) == {"Ana": 12, "Beto": 7}
    night.save(rummy(night, {"Beto": 0, "Caro": 40}))
    assert night.standings() == "Beto 47, Caro -47"
    assert kept_now(night) == {}


def test_a_round_that_is_paid_at_once_leaves_the_points(night: PlayedNight) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    night.save(rummy(night, {"Ana": 8, "Beto": 8, "Caro": 9}, total=0))
    assert kept_now(night) == {"Ana": 12}
    assert night.standings() == "Ana 1, Caro -1"


def test_a_phone_that_showed_other_points_saves_those_of_the_night(night: PlayedNight) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    sent = rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8})
    sent["round"]["kept"] = {night.ids["Caro"]: 29}
    night.save(sent)
    assert kept_in(night) == [{}, {"Ana": 12}]


@pytest.mark.parametrize("change", ["correct", "void"])
def test_a_change_of_an_earlier_round_is_followed(night: PlayedNight, change: str) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    night.save(rummy(night, {"Ana": 1, "Beto": 9, "Caro": 11}))
    assert night.standings() == "Ana 60, Beto -30, Caro -30"
    if change == "void":
        night.do("void 1")
    else:
        document = rummy(night, {"Ana": 10, "Beto": 3, "Caro": 8})
        revising.correct(night.public_id, 1, document, night.seen(1), night.sent())
    assert night.standings() == ""
    assert kept_in(night)[1] == ({} if change == "void" else {"Beto": 12})
    assert kept_now(night) == {"Ana": 18} | ({} if change == "void" else {"Beto": 12})
    assert night.revisions() == [2, 2]
    night.do("undo 1")
    assert night.standings() == "Ana 60, Beto -30, Caro -30"
    assert list(audit()) == []


def plain(rounds: list[tuple[Points, bool] | None]) -> tuple[dict[str, int], dict[str, int]]:
    """Keep a sheet of paper: the points written down, and what was paid; each voided round is struck through."""
    paper, paid = dict.fromkeys(("Ana", "Beto", "Caro"), 0), dict.fromkeys(("Ana", "Beto", "Caro"), 0)
    for round in rounds:
        if round is None:
            continue
        counted, is_void = round
        if is_void:
            continue
        least = min(counted.values())
        first = [name for name in counted if counted[name] == least]
        for point in range(sum(points - least for points in counted.values())):
            paper[first[point % len(first)]] += 1
        most = max(paper[name] for name in counted)
        if most >= TOTAL:
            tops = [name for name in counted if paper[name] == most]
            owed = {name: most - paper[name] for name in counted}
            for name, chips in owed.items():
                paid[name] -= chips
            for chip in range(sum(owed.values())):
                paid[tops[chip % len(tops)]] += 1
            paper = dict.fromkeys(paper, 0)
    return paper, paid


@pytest.mark.parametrize("seed", range(4))
def test_any_night_is_as_on_paper(sqlite: Flask, seed: int) -> None:
    random = Random(seed)
    night = PlayedNight("Ana", "Beto", "Caro")
    rounds: list[tuple[Points, bool] | None] = []
    for _ in range(25):
        players = random.choice([["Ana", "Beto", "Caro"], ["Ana", "Beto", "Caro"], ["Ana", "Caro"]])
        counted = {name: random.randint(0, 14) for name in players}
        at = random.randrange(len(rounds)) if rounds else 0
        old = rounds[at] if rounds else None
        what = random.choice(["save", "save", "other", "correct", "void"])
        if what in ("correct", "void") and old is not None and old[1]:
            what = "save"
        if what == "other":
            night.do("loan Ana Beto 5")
            night.do(f"void {len(rounds) + 1}")
            rounds.append(None)
        elif what == "correct" and old is not None:
            revising.correct(night.public_id, at + 1, rummy(night, counted), night.seen(at + 1), night.sent())
            rounds[at] = counted, False
        elif what == "void" and old is not None:
            night.do(f"void {at + 1}")
            rounds[at] = old[0], True
        else:
            night.save(rummy(night, counted))
            rounds.append((counted, False))
        paper, paid = plain(rounds)
        assert kept_now(night) == {name: points for name, points in paper.items() if points}
        assert night.told(ledger.balances(night.night)) == night.told({night.ids[name]: n for name, n in paid.items()})
    assert list(audit()) == []
    assert import_group(export_group(night.group.public_id), "another secret", is_copy=True)[1]
    assert list(audit()) == []


def test_the_audit_finds_points_that_do_not_follow(night: PlayedNight) -> None:
    night.save(rummy(night, {"Ana": 3, "Beto": 10, "Caro": 8}))
    night.save(rummy(night, {"Ana": 9, "Beto": 4, "Caro": 8}))
    changed = night.line(2).current
    document = {**changed.document, "round": {**changed.document["round"], "kept": {night.ids["Caro"]: 5}}}
    with tampering():
        statement = text("UPDATE revision SET document = :document WHERE id = :id")
        db.session.execute(statement, {"document": json.dumps(document), "id": changed.id})
    (found,) = audit()
    assert found == f"night {night.public_id}, line 2: the points before it are {{'{night.ids['Ana']}': 12}}"
    with pytest.raises(Refused, match="line 2, revision 1: its points aren't those that the lines before it leave"):
        import_group(export_group(night.group.public_id), "another secret", is_copy=True)
