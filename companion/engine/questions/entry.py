"""The questions a round asks the table, besides the hands.

A game declares its questions as fields of a frozen dataclass. The JSON reader, the form, the OpenAPI schema and the
help page are all derived from them. `answers` parses the answers; nothing here depends on a particular game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from ..declared import read_once
from ..money.pots import MAX_UNITS
from ..problems import Problem
from .answers import (
    Reader,
    format_halves,
    read_actions,
    read_flag,
    read_halves,
    read_numbers,
    read_player,
    read_players,
    read_winners,
)

Kind = Literal["player", "players", "flag", "amounts", "counts", "bets", "winners", "points", "halves", "kept"]
Meaning = Literal["", "knocked", "outright", "left", "lost"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a round.

    `kind` says what the answer is: "player" (a name or None), "players" (names), "flag" (yes or no), "amounts" (units
    by name), "counts" (whole numbers up to `maximum` by name), "bets" (betting actions in order) or
    "kept" (points by name from the rounds before, which a night knows by itself). Three kinds can replace the hands,
    when the table simply tells the result (C-13): "winners" (up to `maximum` names), "points" (whole numbers up to
    `maximum` by name) and "halves" (points in steps of ½ by name, stored as half points).

    `label` is shown in each player's block if the answer is by player ("knocked"); otherwise it is a whole sentence.
    `nobody` is the label for answering "nobody", where that is possible.

    A `required` question needs an answer for every player. An `explicit` one must be answered in the form, even with
    "nobody". `only_with` is the option without which the answer has no effect, so that the form can leave the question
    out. `decides_who_shows`: while this answer is invalid, missing hands can't be reported. `instead_of` are the
    questions this answer replaces. `spares` are the questions that needn't be answered if this one is yes.

    `not_of` and `only_of` are the key of a question that names players: those it names aren't asked this one, or
    alone are. `meaning` is set where all games mean the same: "knocked" (ended play in the hope of having the best
    hand), "outright" (showed a hand that wins at once, so that nobody else shows one), "left" (dropped out before the
    hands were shown) or "lost" (stayed in, but shows no hand that could win).
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
    maximum: int = MAX_UNITS
    meaning: Meaning = ""
    not_of: str = ""
    only_of: str = ""

    @property
    def names_players(self) -> bool:
        """Whether the answer says what particular players did, so that other answers could contradict it."""
        return self.kind in ("player", "players", "bets")

    @property
    def replaces_hands(self) -> bool:
        """Whether the answer states the result directly, in place of hands (the "table's word"). Rule: C-13."""
        return self.kind in ("winners", "points", "halves")

    def number_of(self, answer: Mapping[str, int], player: str) -> str | None:
        """Return a player's number as a document writes it; None if there is none."""
        number = answer.get(player)
        return None if number is None else format_halves(number) if self.kind == "halves" else str(number)

    def read(self, answer: object, field: str, players: Collection[str]) -> tuple[Any, list[Problem]]:
        """Parse the answer; returns its valid part, and the problems."""
        items = list(_READERS[self.kind](answer, field, players, self.maximum))
        problems = [item for item in items if isinstance(item, Problem)]
        answers = [item for item in items if not isinstance(item, Problem)]
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
    "kept": read_numbers,
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
    """Declare a question whose answer is one player or nobody; `more` are other attributes of Question."""
    return _declared("player", lambda: None, label=label, help=help, rule=rule, nobody=nobody, **more)


def some_players(label: str, *, help: str, rule: str, meaning: Meaning = "", only_with: str = "") -> Any:
    """Declare a question whose answer is any number of players; by default none."""
    more = {"meaning": meaning, "only_with": only_with}
    return _declared("players", tuple, label=label, help=help, rule=rule, decides_who_shows=True, **more)


def flag(label: str, *, help: str, rule: str, only_with: str = "", **more: bool | tuple[str, ...]) -> Any:
    """Declare a yes-or-no question; by default no. `more` are other attributes of Question."""
    return _declared("flag", bool, label=label, help=help, rule=rule, only_with=only_with, **more)


def amounts(label: str, *, help: str, rule: str, not_of: str = "", only_of: str = "") -> Any:
    """Declare a question that every player answers with an amount of money, in units.

    With `not_of` or `only_of` (see Question), who isn't named has none.
    """
    more = {"not_of": not_of, "only_of": only_of, "required": not (not_of or only_of)}
    return _declared("amounts", _no_numbers, label=label, help=help, rule=rule, **more)


def counts(label: str, *, help: str, rule: str, maximum: int, only_with: str = "") -> Any:
    """Declare a question that players may answer with a number; a player who isn't named has none."""
    return _declared("counts", _no_numbers, label=label, help=help, rule=rule, maximum=maximum, only_with=only_with)


def kept(rule: str) -> Any:
    """Declare the points that players have kept from earlier rounds. Rule: KR-14."""
    text = "How many points did each have before this round? In a night, the app knows."
    return _declared("kept", _no_numbers, label="points before", help=text, rule=rule, only_with="total")


def betting(label: str, *, help: str, rule: str) -> Any:
    """Declare a question answered with the actions of a betting round, which imply who paid what and who folded."""
    return _declared(
        "bets", tuple, label=label, help=help, rule=rule, decides_who_shows=True, instead_of=("paid", "folded")
    )


# Questions that several games ask are worded once, here. The game says which of its rules they come from.


def paid(rule: str) -> Any:
    """Declare the total that each player paid into the pot, the ante included. Rule: DP-1."""
    return amounts("total paid (incl. ante)", help="What each put into the pot, the ante included.", rule=rule)


def folded(rule: str) -> Any:
    """Declare who folded. Rule: DP-1."""
    return some_players("folded", help="Who folded?", rule=rule, meaning="left")


def foul() -> Any:
    """Declare who stayed in with a foul hand, which loses. Rule: C-15."""
    text = "Whose hand has too few or too many cards or tiles? It loses, and isn't entered."
    return some_players("foul hand", help=text, rule="C-15", meaning="lost")


def mucked() -> Any:
    """Declare who stayed in but didn't show, and so has lost. Rule: C-15."""
    text = "Who stayed in but didn't show? That player has lost, but hasn't folded."
    return some_players("mucked", help=text, rule="C-15", meaning="lost")


def bets(rule: str) -> Any:
    """Declare the first round of betting, action by action. Rule: DP-8."""
    text = "What each did in turn; who paid what and who folded follow from it."
    return betting("The bets", help=text, rule=rule)


# The questions that replace hands are worded here, once for all games. Rule: C-13.


def won_by(*, ties: bool = True) -> Any:
    """Declare that the table may name who has the best hand; more than one player only if `ties` are possible."""
    text = "Who has the best hand, as the table saw it? Then nobody needs to enter a hand."
    most = {} if ties else {"maximum": 1}
    return _declared("winners", tuple, label="has the best hand", help=text, rule="C-13", **most)


def winners(rule: str) -> Any:
    """Declare that the table names the winners, in a game without hands."""
    return _declared("winners", tuple, label="won", help="Who won? Tap one player or several.", rule=rule)


def points(*, maximum: int, in_halves: bool = False) -> Any:
    """Declare that the table may enter what the hands count; with `in_halves`, `maximum` is in half points."""
    text = "What does each hand count, as the table counted it? Then nobody needs to enter that hand."
    kind: Kind = "halves" if in_halves else "points"
    return _declared(kind, _no_numbers, label="points", help=text, rule="C-13", maximum=maximum)


@read_once
def questions_of(declaration: type[Any]) -> tuple[Question, ...]:
    """List a game's questions in the order they are declared."""
    return tuple(Question(key=field.name, **field.metadata["question"]) for field in dataclasses.fields(declaration))


def players_who(entry: Any, meaning: Meaning) -> frozenset[str]:
    """Return the players who "knocked", "left" or "lost" without showing, according to the answers."""
    questions = [question for question in questions_of(type(entry)) if question.meaning == meaning]
    named = {getattr(entry, question.key) for question in questions if question.kind == "player"} - {None}
    listed = {p for question in questions if question.kind == "players" for p in getattr(entry, question.key)}
    return frozenset(named | listed)
