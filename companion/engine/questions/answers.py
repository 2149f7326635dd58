"""Parses the answers in a round document. Each kind of answer has a reader, which yields the values and the problems.

Readers check one answer by itself; callers know the question and check answers against each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from ..allowed import ACTIONS, BY_ANTE, WITH_AMOUNT, Action
from ..messages import Message, quoted
from ..names import find_name
from ..problems import Code, Problem

Reader = Callable[[object, str, Collection[str], int], Iterator[Any]]
_POINTS = re.compile(r"(?=[0-9½])([0-9]{0,4})(½|\.5|\.0)?", re.ASCII)


def _bad(field: str, template: str, code: Code = "bad-value", **values: object) -> Problem:
    return Problem(field, code, Message(template, **values))


def unknown_player(field: str, name: object) -> Problem:
    """Report a name that isn't one of the round's players."""
    return _bad(
        field,
        "{name} isn't in this round; use a name from the list of players",
        "unknown-player",
        name=quoted(name),
    )


def _named(name: object, players: Collection[str]) -> str | None:
    return find_name(name, players) if isinstance(name, str) else None


def read_player(answer: object, field: str, players: Collection[str], _most: int) -> Iterator[Any]:
    """Yield the player's name; nothing for null."""
    if answer is None:
        return
    if not isinstance(answer, str):
        yield _bad(field, "This must be the name of a player, or null for nobody")
        return
    yield _named(answer, players) or unknown_player(field, answer)


def read_players(answer: object, field: str, players: Collection[str], _most: int) -> Iterator[Any]:
    """Yield each name of a list."""
    if not isinstance(answer, list):
        yield _bad(field, "This must be a list of players' names")
        return
    seen: set[str] = set()
    for at, name in enumerate(answer):
        where = f"{field}.{at}"
        player = _named(name, players)
        if not isinstance(name, str):
            yield _bad(where, "This must be the name of a player")
        elif player is None:
            yield unknown_player(where, name)
        elif player in seen:
            yield _bad(where, "{player} is in this list twice; once is enough", "duplicate-player", player=player)
        else:
            seen.add(player)
            yield player


def read_flag(answer: object, field: str, _players: Collection[str], _most: int) -> Iterator[Any]:
    """Yield the answer."""
    if isinstance(answer, bool):
        yield answer
    else:
        yield _bad(field, "This must be true or false")


def read_winners(answer: object, field: str, players: Collection[str], most: int) -> Iterator[Any]:
    """Yield the winners' names, `most` at most; nothing for null. Problems are reported for the answer as a whole."""
    if answer is None:
        return
    items = list(read_players(answer, field, players, most))
    yield from (replace(item, field=field) if isinstance(item, Problem) else item for item in items)
    if len([item for item in items if not isinstance(item, Problem)]) > most:
        yield _bad(field, "Hands never tie in this game; name only one winner")


def read_numbers(answer: object, field: str, players: Collection[str], most: int) -> Iterator[Any]:
    """Yield (name, number) for whole numbers from 0 to `most`."""
    return _by_name(answer, field, players, most, in_halves=False)


def read_halves(answer: object, field: str, players: Collection[str], most: int) -> Iterator[Any]:
    """Yield (name, half points) for points in steps of ½; `most` is in half points."""
    return _by_name(answer, field, players, most, in_halves=True)


def _parse_halves(points: object) -> int | None:
    """Parse points ("7.5", 7.5, "7½") into half points; None if they aren't points."""
    if type(points) is int:
        return 2 * points
    text = points.strip() if isinstance(points, str) else str(points) if isinstance(points, Real) else ""
    written = _POINTS.fullmatch(text)
    return 2 * int(written[1] or 0) + (written[2] in ("½", ".5")) if written else None


def format_halves(halves: int) -> str:
    """Write half points as points: 15 is "7.5", 20 is "10"."""
    return f"{halves >> 1}.5" if halves & 1 else str(halves >> 1)


def _by_name(
    answer: object, field: str, players: Collection[str], most: int, *, in_halves: bool
) -> Iterator[tuple[str, int] | Problem]:
    if not isinstance(answer, Mapping):
        yield _bad(field, "This must give a number for each player's name")
        return
    seen: set[str] = set()
    for name, item in answer.items():
        player = _named(name, players)
        number = _parse_halves(item) if in_halves else item
        where = f"{field}.{player or name}"
        if player is None:
            yield unknown_player(where, name)
        elif player in seen:
            yield _bad(where, "{player} is here twice; give one number", player=player)
        elif type(number) is not int or not 0 <= number <= most:
            seen.add(player)
            text, shown = "{given} is not a whole number from 0 to {most}; fix {player}'s number", most
            if in_halves:
                text = "{given} is not a number of points from 0 to {most}, in steps of ½; fix {player}'s points"
                shown = most >> 1
            yield _bad(where, text, given=quoted(item), most=f"{shown:,}", player=player)
        else:
            seen.add(player)
            yield player, number


def read_actions(answer: object, field: str, players: Collection[str], most: int) -> Iterator[Any]:
    """Yield each Action of a betting round, in the order given; amounts are from 1 to `most`."""
    if not isinstance(answer, list):
        yield _bad(field, "This must be a list of actions, in the order in which they were made")
        return
    for at, item in enumerate(answer):
        where = f"{field}.{at}"
        if not isinstance(item, Mapping):
            yield _bad(where, "An action must be an object with player, action and, where it has one, amount")
            continue
        parts = list(_action(item, where, players, most))
        problems = [problem for problem in parts if isinstance(problem, Problem)]
        yield from problems or (Action(*parts),)


def _action(item: Mapping[str, object], where: str, players: Collection[str], most: int) -> Iterator[Any]:
    """Yield the player, kind and units of one action, or the problems in their place."""
    for key in item:
        if key not in ("player", "action", "amount"):
            yield _bad(f"{where}.{key}", "{key} isn't part of an action", "unknown-field", key=quoted(key))
    name, kind, amount = item.get("player"), item.get("action"), item.get("amount")
    if name is None:
        yield _bad(f"{where}.player", "Say whose action this is", "missing-field")
    elif not isinstance(name, str):
        yield _bad(f"{where}.player", "This must be the name of a player")
    else:
        yield _named(name, players) or unknown_player(f"{where}.player", name)
    if kind is None:
        yield _bad(f"{where}.action", "Say what was done: {actions}", "missing-field", actions=ACTIONS)
    elif kind not in (*ACTIONS, BY_ANTE):
        text = "{given} isn't an action; choose one of {actions}"
        yield _bad(f"{where}.action", text, given=quoted(kind), actions=ACTIONS)
    else:
        yield kind
        yield _amount(kind, amount, f"{where}.amount", most)


def _amount(kind: str, amount: object, field: str, most: int) -> int | Problem:
    if kind not in WITH_AMOUNT:
        text = "A {action} has no amount of its own; leave it out"
        return 0 if amount is None else _bad(field, text, action=Message(kind))
    if amount is None:
        return _bad(field, "Say how many units this {action} puts in", "missing-field", action=Message(kind))
    if type(amount) is int and 1 <= amount <= most:
        return amount
    text = "{given} is not a whole number from 1 to {most}; say how many units this {action} puts in"
    return _bad(field, text, given=quoted(amount), most=f"{most:,}", action=Message(kind))
