"""What was entered of the round at hand, as data: {owner: {question: [value, writer]}}.

The owner is the player whom a question is about, or the table, for what concerns no player alone. A question is one of
the game's, by its key, or one of those below. The writer is the device, and which of its pages, that wrote the value
last; values are texts, or bools where something is ticked. "" means that nothing is there (any more).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Cells = Mapping[str, Mapping[str, Any]]  # with their writers, as stored
Values = Mapping[str, Mapping[str, Any]]  # without

# owners who aren't players, whose keys are numbers
TABLE = "table"
RULES = "rules"  # the house rules changed for this round, by their keys
EVERYONE = "everyone"  # amounts that are the same for all, by their questions' keys

# owners who aren't players
NO_PLAYERS = frozenset({TABLE, RULES, EVERYONE})

# of a player
HAND = "hand"
KIND = "kind"  # of cards or tiles in which the hand was typed
TURN = "turn"  # after a knock: "<who knocked> <what the player did>", which is "stay", "drop" or "done"
BY_HAND = " hand"  # how a turn ends that a complete hand made
SECRET = "secret"  # entered in a game where all decide at once: "yes", then the keys of what was entered openly since
IS_IN = "is-in"  # where all decide at once: "said", or BY_HAND if a complete hand said so

# of the table
GAME = "game"  # the key of the game that is entered
CALLED = "called"  # what the table calls a game without a name
DEALER = "dealer"
BETTING = "betting"  # how bets are entered
BETS = "bets"  # the line of bets that were entered one by one
ORDER = "order"  # the players when the hand began, in seat order, separated by dots
BETS_ORDER = "bets-order"  # the same, when the first bet was entered on the round's own page
ASKED_BACK = "asked-back"  # the player who asks the table to undo the last action
LOT = "lot"  # the dealer, if drawn by lot
STAKE = "stake"  # "<game> <units>": of the hand that was being played when the table set another stake
TURNED = "turned"  # whose hands were turned over: after each a "."
DEALT = "dealt"  # "<game> <players>", separated by dots, once somebody has said that the cards are dealt
PLAYERS = "players"  # who plays, where more are present than the game allows, separated by dots; chosen last comes last
KEEPER_SEAT = "keeper"  # the player whose phone keeps score
SENT = "done"  # the forms that were carried out, newest last: the key, and a digest of what it asked for

# what the table settles before a hand: while there is nothing else, nothing is lost with it
_BEFORE_A_HAND = {GAME, CALLED, DEALER, BETTING, LOT, STAKE, PLAYERS, KEEPER_SEAT, SENT}


def values_in(cells: Cells) -> dict[str, dict[str, Any]]:
    """Return the cells' values, whoever wrote them."""
    return {owner: {key: value for key, (value, _) in asked.items()} for owner, asked in cells.items()}


def has_begun(cells: Cells) -> bool:
    """Return whether anything of a hand was entered: more than its game, its rules, who deals and who keeps score."""
    return any(
        value and owner != RULES and not (owner == TABLE and key in _BEFORE_A_HAND)
        for owner, key, value in each(values_in(cells))
    )


def writer_of(device: str, *, is_own: bool) -> str:
    """Return as whom a device writes: on the page of its player's own hand as another than on that of all hands."""
    return f"{device} own" if is_own else device


def written(cells: Cells, changes: Values, writer: str) -> dict[str, dict[str, Any]]:
    """Return the cells after some were written; the last one to write a cell wins."""
    after = {owner: dict(asked) for owner, asked in cells.items()}
    for owner, key, value in each(changes):
        after.setdefault(owner, {})[key] = [value, writer]
    return after


def each(values: Values) -> Iterator[tuple[str, str, Any]]:
    """Yield (owner, question, value) of every cell."""
    return ((owner, key, value) for owner, asked in values.items() for key, value in asked.items())


def value(values: Values, owner: str, question: str, default: Any = "") -> Any:
    """Return one cell's value."""
    return values.get(owner, {}).get(question, default)


def joined(all_changes: Iterable[Values]) -> dict[str, dict[str, Any]]:
    """Join changes; the later ones count."""
    cells: dict[str, dict[str, Any]] = {}
    for changes in all_changes:
        for owner, asked in changes.items():
            cells.setdefault(owner, {}).update(asked)
    return cells


def hash_of(cells: Iterable[tuple[str, str, Any]]) -> str:
    """Return a short hash of cells; empty ones don't count."""
    said = sorted(([owner, question, value] for owner, question, value in cells if value), key=lambda cell: cell[:2])
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]
