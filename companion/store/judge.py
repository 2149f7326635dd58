"""Judges the log of a night: whether its transfers follow from its entries, and its balances from its transfers.

The rows are those of a file that is being imported, or the stored ones that `audit` looks at. Players are the file's
names or ids; they only have to be the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.contract import read_round
from companion.contract.reading.round_document import parts_problems
from companion.engine.messages import Message, quoted
from companion.engine.money.settlement import POT
from companion.engine.problems import Problem

from .log.replay import (
    Document,
    Kept,
    LineEntry,
    Move,
    Outcome,
    Settled,
    Unsettled,
    is_absent,
    is_round,
    keeps,
    nets,
    work_out,
)
from .money.stacks import stacks

Path = tuple[str | int, ...]
Balances = Mapping[str, int]


class Wrong(NamedTuple):
    """What is wrong, and where: keys and positions below the night. `details` say the same to who runs the app."""

    at: Path
    why: Message
    details: str = ""


class Version(NamedTuple):
    """A version of a line."""

    document: Document
    voided: bool
    moves: Sequence[Move]


class Logged(NamedTuple):
    """A line with its versions, of which the last is the current one."""

    number: int
    versions: Sequence[Version]


@dataclass(frozen=True, slots=True)
class Log:
    """All that was written of a night; `stakes` are those of its beginning, and those set since by game."""

    players: Sequence[str]
    stakes: Sequence[int]
    buy_in: int | None
    balances: Balances
    changes: Iterable[tuple[str, Mapping[str, Any]]]
    lines: Sequence[Logged]


def judge(log: Log, counts: Callable[[int, Settled], None] = lambda number, settled: None) -> Iterator[Wrong]:
    """Yield what is wrong with a night, line by line, then with its balances and chips.

    `counts` is called for each round that counts, with the number of its line.
    """
    had, corrected = _stakes(log)
    sums: Counter[str] = Counter()
    pot = 0
    kept: Kept = {}
    for at, line in enumerate(log.lines):
        document = line.versions[-1].document
        stake = document.get("stake", 1)
        if is_round(document) and stake not in had and (line.number, stake) not in corrected:
            text = "its stake is {stake}, but the night never had that"
            details = f"the stake is {stake}, the night's is {' or '.join(map(str, sorted(had)))}"
            yield Wrong(("lines", at), Message(text, stake=stake), details)
        for number, version in enumerate(line.versions):
            is_current = version is line.versions[-1]
            before = pot if is_current else _own_pot(version)
            points = kept if is_current else None
            outcome = yield from _version(("lines", at, "revisions", number), version, before, points)
        if outcome is not None:
            pot, kept = outcome.pot_after, outcome.kept_after
            if outcome.settled is not None:
                counts(line.number, outcome.settled)
        sums.update(nets(move[:3] for move in line.versions[-1].moves))
        if pot < 0:
            yield Wrong(("lines", at), Message("it takes more out of the pot than is in it"))
    yield from _balances(log, sums)


def _own_pot(version: Version) -> int:
    """Return the pot before a superseded version: the one in its document, or for a split all that it paid out."""
    document = version.document
    pot: int = document["pot"] if is_round(document) else sum(move.amount for move in version.moves)
    return pot


def _version(at: Path, version: Version, pot: int, points: Kept | None) -> Generator[Wrong, None, Outcome | None]:
    """Compare a version's transfers with what its document settles to, given the pot and the kept points before it."""
    document = version.document
    problems: Sequence[Problem] = ()
    booked_only = None
    if is_absent(document):
        booked_only = tuple(version.moves)
        problems = parts_problems(document, are_keys=True)
    try:
        outcome = None if problems else work_out(LineEntry(0, document, version.voided, booked_only), pot, points)
    except Unsettled as unsettled:
        problems = unsettled.problems
    else:
        if version.voided and booked_only is None and is_round(document):  # it isn't settled, but shown
            problems = read_round(document, are_keys=True).problems
    if problems or outcome is None:
        first = problems[0]
        yield Wrong((*at, first.field), first.message, f"cannot be settled again: {first.field}: {first.message}")
        return None
    if is_round(document) and (type(document["pot"]) is not int or document["pot"] != pot):
        values = {"pot": quoted(document["pot"]), "left": pot}
        text = "its pot is {pot}, but the lines before it leave {left}"
        yield Wrong(at, Message(text, **values), f"the pot before it is {pot}")
    if (key := keeps(document) if is_round(document) else None) is not None:
        had, due = document["round"].get(key, {}), outcome.entry.document["round"].get(key, {})
        if had != due:
            text = "its points aren't those that the lines before it leave"
            yield Wrong(at, Message(text), f"the points before it are {due}")
    if list(outcome.moves) != list(version.moves):
        booked, due = ([tuple(move) for move in moves] for moves in (version.moves, outcome.moves))
        details = f"the transfers are {booked}, the rules say {due}"
        yield Wrong(at, Message("its transfers don't follow from the rules"), details)
    return outcome


def _stakes(log: Log) -> tuple[set[int], set[tuple[int, int]]]:
    """Return the stakes that a night ever had, and those of its corrections, as (line, units)."""
    had, corrected = {*log.stakes}, set()
    for kind, content in log.changes:
        if kind == "stakes":
            had.update(content["stakes"].values(), content["was"].values())
        elif kind == "correction":
            corrected.add((content["number"], content["document"].get("stake", 1)))
    return had, corrected


def _balances(log: Log, sums: Balances) -> Iterator[Wrong]:
    for key, balance in log.balances.items():
        if balance != sums[key]:
            values = {"account": key, "balance": balance, "sum": sums[key]}
            yield Wrong((), Message("the balance of {account} is {balance}, its transfers sum to {sum}", **values))
    if sums[POT] < 0:
        yield Wrong((), Message("the pot holds {units}", units=sums[POT]))
    if log.buy_in is not None:
        current = (line.versions[-1] for line in log.lines)
        movements = (version.document for version in current if not version.voided and not is_round(version.document))
        chips = stacks(log.players, log.buy_in, log.balances, movements)
        there, bought = sum(chips.held.values()) + chips.pot, sum(chips.bought.values())
        if there != bought:
            values = {"there": there, "bought": bought}
            yield Wrong((), Message("the stacks and the pot hold {there}, bought were {bought}", **values))
