"""What a round asks of the table besides the hands, declared once like an option.

A game declares its questions as fields of a frozen dataclass; from them the JSON reader, the form, the OpenAPI schema
and the help page are made. This module reads one answer; it knows no game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from .declared import read_once
from .messages import Message, quoted
from .problems import Code, Problem

MOST_UNITS = 10**12  # a pot, or what somebody paid. Rule: C-1
Kind = Literal["player", "players", "flag", "amounts", "counts"]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing the table is asked about a round.

    `kind`: "player" (a name or None), "players" (names), "flag" (yes or no), "amounts" (units by name), "counts"
    (whole numbers up to `maximum` by name). `label` stands in a player's own block where the answer is by player
    ("knocked"), else it is a sentence. `nobody` says what no player at all means, where that is an answer.
    A required question needs an answer of every player; an explicit one is not answered by silence in the form, as
    "nobody" must be said. `only_with` is the option without which the answer changes nothing, so a form need not ask.
    `decides_who_shows`: while the answer is wrong, nothing can be said about whose hand is missing.
    `instead_of` names the question that has no answer when this one has.
    """

    key: str
    kind: Kind
    label: str
    help: str
    rule: str
    nobody: str = ""
    required: bool = False
    explicit: bool = False
    only_with: str = ""
    decides_who_shows: bool = False
    instead_of: str = ""
    maximum: int = MOST_UNITS

    @property
    def names_players(self) -> bool:
        """Tell whether the answer is one player or several."""
        return self.kind in ("player", "players")

    def read(self, given: object, field: str, players: Collection[str]) -> tuple[Any, list[Problem]]:
        """Read the answer out of a document; with problems the value holds what could be read."""
        found = list(_READERS[self.kind](self, given, field, players))
        problems = [item for item in found if isinstance(item, Problem)]
        answers = [item for item in found if not isinstance(item, Problem)]
        match self.kind:
            case "player":
                return (answers[0] if answers else None), problems
            case "players":
                return tuple(answers), problems
            case "flag":
                return bool(answers and answers[0]), problems
            case _:
                return MappingProxyType(dict(answers)), problems


Reader = Callable[[Question, object, str, Collection[str]], Iterator[Any]]


def _bad(field: str, template: str, code: Code = "bad-value", **values: object) -> Problem:
    return Problem(field, code, Message(template, **values))


def unknown_player(field: str, name: object) -> Problem:
    """Say that a name is none of the round's players."""
    return _bad(
        field,
        "{name} does not play this round; take a name from the list of players",
        "unknown-player",
        name=quoted(name),
    )


def _named(name: object, players: Collection[str]) -> str | None:
    trimmed = name.strip() if isinstance(name, str) else None
    return trimmed if trimmed in players else None


def _player(_question: Question, given: object, field: str, players: Collection[str]) -> Iterator[Any]:
    if given is None:
        return
    if not isinstance(given, str):
        yield _bad(field, "This must be the name of a player, or null for nobody")
        return
    yield _named(given, players) or unknown_player(field, given)


def _players(_question: Question, given: object, field: str, players: Collection[str]) -> Iterator[Any]:
    if not isinstance(given, list):
        yield _bad(field, "This must be a list of players' names")
        return
    seen: set[str] = set()
    for at, name in enumerate(given):
        where = f"{field}.{at}"
        player = _named(name, players)
        if not isinstance(name, str):
            yield _bad(where, "This must be the name of a player")
        elif player is None:
            yield unknown_player(where, name)
        elif player in seen:
            yield _bad(where, "{player} stands twice in this list; once is enough", "duplicate-player", player=player)
        else:
            seen.add(player)
            yield player


def _flag(_question: Question, given: object, field: str, _players: Collection[str]) -> Iterator[Any]:
    if isinstance(given, bool):
        yield given
    else:
        yield _bad(field, "This must be true or false")


def _numbers(question: Question, given: object, field: str, players: Collection[str]) -> Iterator[Any]:
    if not isinstance(given, Mapping):
        yield _bad(field, "This must give a whole number for each player's name")
        return
    seen: set[str] = set()
    for name, number in given.items():
        player = _named(name, players)
        where = f"{field}.{player or name}"
        if player is None:
            yield unknown_player(where, name)
        elif player in seen:
            yield _bad(where, "{player} stands twice here; give one number", player=player)
        elif type(number) is not int or not 0 <= number <= question.maximum:
            seen.add(player)
            yield _bad(
                where,
                "{given} is not a whole number from 0 to {most}; correct {player}'s number",
                given=quoted(number),
                most=f"{question.maximum:,}",
                player=player,
            )
        else:
            seen.add(player)
            yield player, number


_READERS: Mapping[Kind, Reader] = {
    "player": _player,
    "players": _players,
    "flag": _flag,
    "amounts": _numbers,
    "counts": _numbers,
}


def _declared(kind: Kind, default: Callable[[], object], **about: object) -> Any:
    return dataclasses.field(default_factory=default, metadata={"question": {"kind": kind, **about}})


def _no_numbers() -> Mapping[str, int]:
    return MappingProxyType({})


def one_player(label: str, *, help: str, rule: str, nobody: str, **more: bool | str) -> Any:
    """Declare a question whose answer is one player, or nobody; `more`: other attributes of a Question."""
    return _declared("player", lambda: None, label=label, help=help, rule=rule, nobody=nobody, **more)


def some_players(label: str, *, help: str, rule: str) -> Any:
    """Declare a question whose answer is any number of players; none by default."""
    return _declared("players", tuple, label=label, help=help, rule=rule, decides_who_shows=True)


def flag(label: str, *, help: str, rule: str, only_with: str = "") -> Any:
    """Declare a question that is answered by yes or no; no by default."""
    return _declared("flag", bool, label=label, help=help, rule=rule, only_with=only_with)


def amounts(label: str, *, help: str, rule: str) -> Any:
    """Declare a question that every player answers with units of money."""
    return _declared("amounts", _no_numbers, label=label, help=help, rule=rule, required=True)


def counts(label: str, *, help: str, rule: str, maximum: int, only_with: str = "") -> Any:
    """Declare a question that players may answer with a number; who is not named has none."""
    return _declared("counts", _no_numbers, label=label, help=help, rule=rule, maximum=maximum, only_with=only_with)


@read_once
def questions_of(declaration: type[Any]) -> tuple[Question, ...]:
    """List the questions of a game's rounds, in the order in which they are declared."""
    return tuple(Question(key=field.name, **field.metadata["question"]) for field in dataclasses.fields(declaration))
