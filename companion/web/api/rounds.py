"""Operations on rounds: saving the night's next one, correcting and voiding one.

A round's document is what POST /settle takes. What it leaves out is as in the night: house rules, stake and dealer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort, url_for

from companion.contract import read_round
from companion.contract.naming import renamed
from companion.engine.messages import Message, quoted
from companion.engine.names import find_name
from companion.engine.problems import Problem
from companion.games import all_games
from companion.store.log.typed import with_texts
from companion.store.models import Line, Night
from companion.store.night import play, revising
from companion.store.night.before_round import BeforeRound
from companion.store.night.change import made_before

from ..http.monitoring import figures
from .operations import NIGHT, Answer, not_valid, operation, round_or_404, seen_revision, seen_version, sent
from .shown import round_documents

_ROUND = f"{NIGHT}/rounds/<int:number>"
Document = dict[str, Any]


class _Keys(dict[str, str]):
    """Players' keys by name, however that is written."""

    def __missing__(self, name: str) -> str:
        return self[find_name(name, self) or abort(400)]


@operation(
    "POST",
    f"{NIGHT}/rounds",
    "keep",
    "Save the night's next round",
    "SavedRound",
    body="Round",
    status=201,
    sees="night",
)
def save_round(night: Night, body: Document) -> Answer:
    made = sent(body, seen_version())
    change = made_before(night, "round", made)
    if change is None:
        before = BeforeRound(night).read()
        entry = _entry(night, body, _usual(before, body.get("game")), before.pot, is_new=True)
        change = play.save_round(night.public_id, before.number, entry, made, expected_pot=before.pot)
        figures.round_saved(entry["game"])
    return _revision(night, change)


@operation("PUT", _ROUND, "keep", "Correct a round; later ones follow", "SavedRound", body="Round", sees="line")
def correct_round(night: Night, number: int, body: Document) -> Answer:
    line, made = round_or_404(night, number), sent(body)
    seen = seen_revision(line)
    change = made_before(night, "correction", made)
    if change is None:
        stored = with_texts(night.group_id, [line.current.document])[0]
        usual = renamed(stored, night.group.names)
        if body.get("game", line.game) != line.game:
            why = f"A correction keeps the game {line.game}; void this round, and save another"
            not_valid([Problem("game", "bad-value", Message(why))])
        entry = _entry(night, {"game": line.game, **body}, usual, stored["pot"])
        change = revising.correct(night.public_id, number, entry, seen, made)
    return _revision(night, change)


@operation("POST", f"{_ROUND}/void", "keep", "Void a round; later ones follow", "SavedRound", sees="line")
def void_round(night: Night, number: int) -> Answer:
    return _revision(night, void(night, round_or_404(night, number)))


def void(night: Night, line: Line) -> int:
    """Void a line, as the request has seen it; returns the change."""
    made, seen = sent(), seen_revision(line)
    change = made_before(night, "void", made)
    if change is not None:
        return change
    return revising.correct(night.public_id, line.number, line.current.document, seen, made, voided=True)


def _revision(night: Night, change: int) -> Answer:
    """Answer with the revision that a change wrote, which stays the same whatever comes later."""
    line, revision = play.revision_by(night, change)
    address = url_for("api_v1.one_round", night=night.public_id, number=line.number)
    return round_documents(night, [(line, revision)])[0], revision.number, address


def _usual(before: BeforeRound, game: object) -> Document:
    """Return what the night's next round has unless it says otherwise."""
    if not isinstance(game, str) or game not in all_games():
        return {}
    names = before.night.names
    dealer = {"dealer": names[before.dealer]} if before.dealer else {}
    return {"rules": before.rules(game), "stake": before.stake(game), **dealer}


def _entry(night: Night, body: Document, usual: Mapping[str, Any], pot: int, *, is_new: bool = False) -> Document:
    """Return the entry to store, with players by key; ends the request if it can't be settled as entered."""
    names = night.names
    document, problems = {**body, "pot": pot}, []
    if isinstance(rules := body.get("rules", {}), Mapping):
        document["rules"] = {**usual.get("rules", {}), **rules}
    if isinstance(players := body.get("players"), list):
        seated = [find_name(player, names.values()) if isinstance(player, str) else None for player in players]
        document["players"] = [name or asked for name, asked in zip(seated, players, strict=True)]
        for at, (name, asked) in enumerate(zip(seated, players, strict=True)):
            if name is None and isinstance(asked, str):
                text = f"{quoted(asked)} has no seat in this night"
                problems.append(Problem(f"players.{at}", "unknown-player", Message(text)))
        if usual.get("dealer") in document["players"]:
            document.setdefault("dealer", usual["dealer"])
    if "stake" in usual:
        document.setdefault("stake", usual["stake"])
        if is_new and document["stake"] != usual["stake"]:
            text = f"The night's stake in this game is {usual['stake']}; leave it out"
            problems.append(Problem("stake", "bad-value", Message(text)))
    if body.get("pot", pot) != pot:
        problems.append(Problem("pot", "bad-value", Message(f"The night's pot is {pot}; leave it out")))
    entered = read_round(document)
    if problems or entered.round is None:
        not_valid([*problems, *entered.problems])
    document["dealer"] = entered.round.dealer
    keys = _Keys((name, str(key)) for key, name in names.items() if name in document["players"])
    entry = renamed(document, keys)
    del entry["pot"]
    return entry
