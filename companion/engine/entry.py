"""What a round asks of the table besides the hands, declared once like an option.

A game declares its questions as fields of a frozen dataclass; from them the JSON reader, the form, the OpenAPI schema
and the help page are made. It knows no game; how an answer is read stands in `answers`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from .answers import (
    Reader,
    read_actions,
    read_flag,
    read_halves,
    read_numbers,
    read_player,
    read_players,
    read_winners,
    written_halves,
)
from .declared import read_once
from .pots import MOST_UNITS
from .problems import Problem

Kind = Literal["player", "players", "flag", "amounts", "counts", "bets", "winners", "points", "halves"]
Meaning = Literal["", "knocked", "left"]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing the table is asked about a round.

    `kind`: "player" (a name or None), "players" (names), "flag" (yes or no), "amounts" (units by name), "counts"
    (whole numbers up to `maximum` by name), "bets" (actions in the order in which they were made). What the table may
    say instead of showing hands (C-13): "winners" (names, `maximum` at most), "points" (whole numbers up to `maximum`
    by name), "halves" (the same in steps of ½, held in half points). `label` stands in a player's own block where the
    answer is by player ("knocked"), else it is a sentence. `nobody` says what no player at all means, where that is an
    answer.
    A required question needs an answer of every player; an explicit one is not answered by silence in the form, as
    "nobody" must be said. `only_with` is the option without which the answer changes nothing, so a form need not ask.
    `decides_who_shows`: while the answer is wrong, nothing can be said about whose hand is missing.
    `instead_of` names the questions that have no answer when this one has, `spares` those that need none when this
    one is answered by yes.
    `meaning` is what the answer says of the players it names, whatever the game calls it: "knocked" (ended the play,
    trusting in the own hand; good if that player wins), "left" (gave the round up before the hands were shown).
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
    instead_of: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    maximum: int = MOST_UNITS
    meaning: Meaning = ""

    @property
    def names_players(self) -> bool:
        """Tell whether the answer says what single players did, so that it is checked against the other answers."""
        return self.kind in ("player", "players", "bets")

    @property
    def replaces_hands(self) -> bool:
        """Tell whether the answer is the table's word, which takes the place of hands. Rule: C-13."""
        return self.kind in ("winners", "points", "halves")

    def number_of(self, answer: Mapping[str, int], player: str) -> str | None:
        """Write a player's number as a document has it; None if there is none."""
        number = answer.get(player)
        return None if number is None else written_halves(number) if self.kind == "halves" else str(number)

    def read(self, given: object, field: str, players: Collection[str]) -> tuple[Any, list[Problem]]:
        """Read the answer out of a document; with problems the value holds what could be read."""
        found = list(_READERS[self.kind](given, field, players, self.maximum))
        problems = [item for item in found if isinstance(item, Problem)]
        answers = [item for item in found if not isinstance(item, Problem)]
        match self.kind:
            case "player":
                return (answers[0] if answers else None), problems
            case "players" | "bets" | "winners":
                return tuple(answers), problems
            case "flag":
                return bool(answers and answers[0]), problems
            case _:
                return MappingProxyType(dict(answers)), problems


_READERS: Mapping[Kind, Reader] = {
    "player": read_player,
    "players": read_players,
    "flag": read_flag,
    "amounts": read_numbers,
    "counts": read_numbers,
    "bets": read_actions,
    "winners": read_winners,
    "points": read_numbers,
    "halves": read_halves,
}


def _declared(kind: Kind, default: Callable[[], object], **about: object) -> Any:
    return dataclasses.field(default_factory=default, metadata={"question": {"kind": kind, **about}})


def _no_numbers() -> Mapping[str, int]:
    return MappingProxyType({})


def one_player(label: str, *, help: str, rule: str, nobody: str, **more: bool | str | tuple[str, ...]) -> Any:
    """Declare a question whose answer is one player, or nobody; `more`: other attributes of a Question."""
    return _declared("player", lambda: None, label=label, help=help, rule=rule, nobody=nobody, **more)


def some_players(label: str, *, help: str, rule: str, meaning: Meaning = "") -> Any:
    """Declare a question whose answer is any number of players; none by default."""
    return _declared("players", tuple, label=label, help=help, rule=rule, meaning=meaning, decides_who_shows=True)


def flag(label: str, *, help: str, rule: str, only_with: str = "", **more: bool | tuple[str, ...]) -> Any:
    """Declare a question that is answered by yes or no, no by default; `more`: other attributes of a Question."""
    return _declared("flag", bool, label=label, help=help, rule=rule, only_with=only_with, **more)


def amounts(label: str, *, help: str, rule: str) -> Any:
    """Declare a question that every player answers with units of money."""
    return _declared("amounts", _no_numbers, label=label, help=help, rule=rule, required=True)


def counts(label: str, *, help: str, rule: str, maximum: int, only_with: str = "") -> Any:
    """Declare a question that players may answer with a number; who is not named has none."""
    return _declared("counts", _no_numbers, label=label, help=help, rule=rule, maximum=maximum, only_with=only_with)


def betting(label: str, *, help: str, rule: str) -> Any:
    """Declare a question whose answer is what was done in a round of betting; it says who paid what and who folded."""
    return _declared(
        "bets", tuple, label=label, help=help, rule=rule, decides_who_shows=True, instead_of=("paid", "folded")
    )


# What the table may say instead of showing hands is worded once. Rule: C-13.


def won_by(*, ties: bool = True) -> Any:
    """Declare that the table may name who holds the best hand; several where hands can tie."""
    text = "Who has the best hand, as the table saw it? Then nobody needs to enter a hand."
    most = {} if ties else {"maximum": 1}
    return _declared("winners", tuple, label="has the best hand", help=text, rule="C-13", **most)


def points(*, maximum: int, in_halves: bool = False) -> Any:
    """Declare that the table may say what hands count; `maximum` in half points where they count in halves."""
    text = "What does each hand count, as the table counted it? Then nobody needs to enter that hand."
    kind: Kind = "halves" if in_halves else "points"
    return _declared(kind, _no_numbers, label="points", help=text, rule="C-13", maximum=maximum)


@read_once
def questions_of(declaration: type[Any]) -> tuple[Question, ...]:
    """List the questions of a game's rounds, in the order in which they are declared."""
    return tuple(Question(key=field.name, **field.metadata["question"]) for field in dataclasses.fields(declaration))


def named(entry: Any, meaning: Meaning) -> frozenset[str]:
    """Name the players of whom the answers of a round say something."""
    asked = [question for question in questions_of(type(entry)) if question.meaning == meaning]
    one = {getattr(entry, question.key) for question in asked if question.kind == "player"} - {None}
    several = {player for question in asked if question.kind == "players" for player in getattr(entry, question.key)}
    return frozenset(one | several)
