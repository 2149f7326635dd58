"""Plays random rounds of a game, and finds what no rules may do: lose money, favour a name, or rank hands oddly.

The tests of the app ask more of its own games; this is what a table's own game must hold to.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.hands.strength import ShownHand

from . import settle
from .random_rounds import Document, random_round, rules
from .reading.round_document import read_round

ROUNDS, _LEAST_VALID = 300, 30


def faults(game: AnyGame, rounds: int = ROUNDS, seed: int = 1) -> Iterator[str]:
    """Yield a sentence for each fault that random rounds show, with the first round that shows it."""
    valid, known = 0, Counter[str]()
    for number in range(rounds):
        random = Random(f"{seed} {number}")
        document = _drawn(game, random)
        status, _ = settle(document)
        valid += status == 200
        for fault in faults_of(game, document):
            known[fault] += 1
            if known[fault] == 1:
                yield f"{fault}: {json.dumps(document)}"
    if valid * ROUNDS < _LEAST_VALID * rounds:
        yield f"of {rounds} random rounds only {valid} are valid"


def _drawn(game: AnyGame, random: Random) -> Document:
    chosen = rules(lambda what: random, game, {option.key for option in game.house_rules})
    return random_round(lambda what: random, game, chosen)


def faults_of(game: AnyGame, document: Document) -> Iterator[str]:
    """Yield a sentence for each fault that one round shows."""
    answered: Any
    status, answered = settle(document)
    if settle(document)[1] != answered:
        yield "settling the same round again comes to something else"
    if json.loads(_renamed(settle(json.loads(_renamed(document)))[1])) != json.loads(json.dumps(answered)):
        yield "other names come to something else"
    if status == 422:
        if any(error["field"] == "game" for error in answered["errors"]):
            yield str(answered["errors"][0]["message"])
        return
    round = read_round(document).round
    assert round is not None
    yield from _faults_of_money(game, document, answered)
    yield from _faults_of_order(game.settle(round).hands)


def _faults_of_money(game: AnyGame, document: Document, answered: Document) -> Iterator[str]:
    ids, reasons = {*re.findall(r"^([A-Z]{2}-\d+) ", game.text, re.MULTILINE)}, {reason.key for reason in game.reasons}
    for transfer in answered["transfers"]:
        if transfer["rule"] not in ids:
            yield f"a transfer follows rule {transfer['rule']}, which the docstring doesn't have"
        if transfer["reason"] not in reasons:
            yield f"a transfer has the reason {transfer['reason']}, which isn't one of the game's"
    change = answered["pot"]["closing"] - document["pot"]
    if sum(answered["net"].values()) + change:
        yield "the gains and losses and the pot don't sum to zero"


def _faults_of_order(hands: tuple[ShownHand, ...]) -> Iterator[str]:
    strengths = [hand.reading.strength for hand in hands]
    if sorted(strengths, reverse=True) != strengths:
        yield "the hands aren't sorted, best first"
    if any(hand.place != 1 + sum(other > hand.reading.strength for other in strengths) for hand in hands):
        yield "equal hands don't share a place, or others do"


def _renamed(what: object) -> str:
    """Swap names for others as long, that sort the other way round; done twice, it changes nothing."""
    return re.sub(r"Seat(\d)", lambda seat: f"Seat{9 - int(seat[1])}", json.dumps(what))
