"""Questions: every kind of answer read from a document, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from companion.engine.allowed import Action
from companion.engine.money.pots import MAX_UNITS
from companion.engine.questions.entry import (
    amounts,
    betting,
    counts,
    flag,
    one_player,
    players_who,
    questions_of,
    some_players,
)

PLAYERS = ("Ana", "Beto", "Caro")


@dataclass(frozen=True)
class Answers:
    """Questions of every kind."""

    knocker: str | None = one_player("knocked", help="Who?", rule="XX-1", nobody="Nobody", explicit=True)
    dropped: tuple[str, ...] = some_players("dropped", help="Who?", rule="XX-2")
    first: bool = flag("First?", help="Was it?", rule="XX-3", only_with="bonuses")
    paid: Mapping[str, int] = amounts("paid", help="How much?", rule="XX-4")
    draws: Mapping[str, int] = counts("drew", help="How many?", rule="XX-5", maximum=4, only_with="draw_fee")
    bets: tuple[Action, ...] = betting("The bets", help="What?", rule="XX-6")


QUESTIONS = {question.key: question for question in questions_of(Answers)}


def test_questions_are_listed_as_declared() -> None:
    assert [(q.key, q.kind, q.rule) for q in QUESTIONS.values()] == [
        ("knocker", "player", "XX-1"),
        ("dropped", "players", "XX-2"),
        ("first", "flag", "XX-3"),
        ("paid", "amounts", "XX-4"),
        ("draws", "counts", "XX-5"),
        ("bets", "bets", "XX-6"),
    ]
    assert [key for key, q in QUESTIONS.items() if q.names_players] == ["knocker", "dropped", "bets"]
    assert [key for key, q in QUESTIONS.items() if q.required] == ["paid"]
    assert [key for key, q in QUESTIONS.items() if q.explicit] == ["knocker"]
    assert [key for key, q in QUESTIONS.items() if q.decides_who_shows] == ["dropped", "bets"]
    assert {key: q.instead_of for key, q in QUESTIONS.items() if q.instead_of} == {"bets": ("paid", "folded")}
    assert {key: q.only_with for key, q in QUESTIONS.items() if q.only_with} == {
        "first": "bonuses",
        "draws": "draw_fee",
    }
    assert QUESTIONS["knocker"].nobody == "Nobody"


def test_unanswered_questions_have_empty_defaults() -> None:
    assert vars(Answers()) == {"knocker": None, "dropped": (), "first": False, "paid": {}, "draws": {}, "bets": ()}


def test_c_1_amounts_paid_are_at_most_10_to_the_12() -> None:
    assert QUESTIONS["paid"].maximum == MAX_UNITS == 1_000_000_000_000


# the question, what was given, what was read, then "field code" of each problem
READ: dict[str, tuple[str, object, object, str]] = {
    "nobody": ("knocker", None, None, ""),
    "a player": ("knocker", "Ana", "Ana", ""),
    "a player, trimmed": ("knocker", " Ana\t", "Ana", ""),
    "somebody else": ("knocker", "Zoe", None, "at unknown-player"),
    "other case": ("knocker", "ana", "Ana", ""),
    "no name": ("knocker", "", None, "at unknown-player"),
    "no players": ("dropped", [], (), ""),
    "players": ("dropped", ["Caro", "Ana"], ("Caro", "Ana"), ""),
    "players, trimmed": ("dropped", [" Caro "], ("Caro",), ""),
    "twice": ("dropped", ["Ana", "Beto", " Ana"], ("Ana", "Beto"), "at.2 duplicate-player"),
    "somebody else in a list": ("dropped", ["Zoe", "Ana"], ("Ana",), "at.0 unknown-player"),
    "no names in a list": (
        "dropped",
        [None, 1, ["Ana"], {"Ana": 1}, "Beto"],
        ("Beto",),
        "at.0 bad-value, at.1 bad-value, at.2 bad-value, at.3 bad-value",
    ),
    "all wrong at once": (
        "dropped",
        ["Zoe", "Ana", "Ana", 1],
        ("Ana",),
        "at.0 unknown-player, at.2 duplicate-player, at.3 bad-value",
    ),
    "yes": ("first", True, True, ""),
    "no": ("first", False, False, ""),
    "no amounts": ("paid", {}, {}, ""),
    "amounts": ("paid", {"Ana": 0, "Beto": 10**12}, {"Ana": 0, "Beto": 10**12}, ""),
    "amounts, trimmed": ("paid", {" Ana ": 5}, {"Ana": 5}, ""),
    "amount too high": ("paid", {"Ana": 10**12 + 1, "Beto": 1}, {"Beto": 1}, "at.Ana bad-value"),
    "no fractions": ("paid", {"Ana": 1.5, "Beto": 2.0}, {}, "at.Ana bad-value, at.Beto bad-value"),
    "amount of somebody else": ("paid", {"Zoe": 5, "Ana": 5}, {"Ana": 5}, "at.Zoe unknown-player"),
    "amount twice": ("paid", {"Ana": 5, "Ana ": 6}, {"Ana": 5}, "at.Ana bad-value"),
    "amount twice, the first bad": ("paid", {"Ana": -1, "Ana ": 6}, {}, "at.Ana bad-value, at.Ana bad-value"),
    "counts": ("draws", {"Caro": 4, "Ana": 0}, {"Caro": 4, "Ana": 0}, ""),
    "count too high": ("draws", {"Caro": 5}, {}, "at.Caro bad-value"),
}


def told(player: object = "Ana", action: object = "bet", **more: object) -> dict[str, object]:
    """Write one action; None omits a key."""
    given = {"player": player, "action": action, **more}
    return {key: value for key, value in given.items() if value is not None}


BET = Action("Ana", "bet", 4)
READ |= {
    "no actions": ("bets", [], (), ""),
    "actions": ("bets", [told(action="check"), told("Beto", amount=4)],
                (Action("Ana", "check"), Action("Beto", "bet", 4)), ""),
    "every kind": ("bets", [told(action=a) for a in ("call", "fold")] + [told(action=a, amount=2) for a in
                   ("raise", "all-in")], (Action("Ana", "call"), Action("Ana", "fold"), Action("Ana", "raise", 2),
                   Action("Ana", "all-in", 2)), ""),
    "all-in by the ante": ("bets", [told(action="all-in-by-ante")], (Action("Ana", "all-in-by-ante"),), ""),
    "player trimmed": ("bets", [told(" Ana ", amount=4)], (BET,), ""),
    "null for no amount": ("bets", [{"player": "Ana", "action": "fold", "amount": None}], (Action("Ana", "fold"),), ""),
    "the most": ("bets", [told(amount=10**12)], (Action("Ana", "bet", 10**12),), ""),
    "no objects": ("bets", [None, 4, "Ana", ["Ana"], told(amount=4)], (BET,),
                   "at.0 bad-value, at.1 bad-value, at.2 bad-value, at.3 bad-value"),
    "an empty object": ("bets", [{}], (), "at.0.player missing-field, at.0.action missing-field"),
    "no player": ("bets", [told(None, amount=4)], (), "at.0.player missing-field"),
    "somebody else acts": ("bets", [told("Zoe", amount=4)], (), "at.0.player unknown-player"),
    "NUL in a name": ("bets", [told("Ana\x00", amount=4)], (), "at.0.player unknown-player"),
    "no action": ("bets", [told(action=None, amount=4)], (), "at.0.action missing-field"),
    "no amount": ("bets", [told(action=a) for a in ("bet", "raise", "all-in")], (),
                  "at.0.amount missing-field, at.1.amount missing-field, at.2.amount missing-field"),
    "an amount too many": ("bets", [told(action=a, amount=4) for a in ("check", "call", "fold")], (),
                           "at.0.amount bad-value, at.1.amount bad-value, at.2.amount bad-value"),
    "odd amounts": ("bets", [told(amount=n) for n in (0, -1, 10**12 + 1, 10**400, 1.0, True, "4", [4])], (),
                    ", ".join(f"at.{n}.amount bad-value" for n in range(8))),
    "another key": ("bets", [told(amount=4, note="!")], (), "at.0.note unknown-field"),
    "all of an action at once": ("bets", [told("Zoe", "raise", amount=0, x=1)], (),
                                 "at.0.x unknown-field, at.0.player unknown-player, at.0.amount bad-value"),
}  # fmt: skip


# values of another kind: the question, what is read instead, where the problem is
READ |= {
    f"{given!r} for {key}": (key, given, empty, f"{place} bad-value")
    for key, empty, place, wrong in [
        ("knocker", None, "at", [1, False, ["Ana"], {"Ana": 1}]),
        ("dropped", (), "at", ["Ana", None, {"Ana": True}]),
        ("first", False, "at", [1, 0, "true", None]),
        ("paid", {}, "at", [[5, 5], 5, None]),
        ("paid", {}, "at.Ana", [{"Ana": amount} for amount in (-1, True, False, "5", None, [5])]),
        ("bets", (), "at", [{"Ana": "bet"}, None, "Ana bet 4"]),
        ("bets", (), "at.0.player", [[told(player, amount=4)] for player in (1, ["Ana"])]),
        ("bets", (), "at.0.action", [[told(action=action, amount=4)] for action in ("pass", "Bet", ["bet"])]),
    ]
    for given in wrong
}


@pytest.mark.parametrize(("key", "given", "answer", "problems"), READ.values(), ids=READ)
def test_read(key: str, given: object, answer: object, problems: str) -> None:
    found, wrong = QUESTIONS[key].read(given, "at", PLAYERS)
    assert found == answer
    assert type(found) is type(answer) or isinstance(found, Mapping)
    assert ", ".join(f"{problem.field} {problem.code}" for problem in wrong) == problems


@pytest.mark.parametrize(
    ("key", "given", "words"),
    [
        ("knocker", "Zoe", "Zoe isn't in this round; use a name from the list of players"),
        ("dropped", ["Ana", "Ana"], "Ana is in this list twice; once is enough"),
        ("paid", {"Ana": 1.5}, "1.5 is not a whole number from 0 to 1,000,000,000,000; fix Ana's number"),
        ("draws", {"Ana": 9}, "9 is not a whole number from 0 to 4; fix Ana's number"),
        ("bets", [told(action="pass")], "pass isn't an action; choose one of check, bet, call, raise, fold and all-in"),
        ("bets", [told()], "Say how many units this bet puts in"),
        (
            "bets",
            [told(amount=0)],
            "0 is not a whole number from 1 to 1,000,000,000,000; say how many units this bet puts in",
        ),
        ("bets", [told(action="call", amount=4)], "A call has no amount of its own; leave it out"),
        ("paid", {"Ana": 1, " Ana": 2}, "Ana is here twice; give one number"),
    ],
)
def test_a_problem_says_what_is_wrong_and_how_to_fix_it(key: str, given: object, words: str) -> None:
    _, (problem,) = QUESTIONS[key].read(given, "at", PLAYERS)
    assert str(problem.message) == words


def test_a_long_name_is_shortened_in_the_message() -> None:
    _, (problem,) = QUESTIONS["knocker"].read("Z" * 5000, "at", PLAYERS)
    assert len(str(problem.message)) < 150


def test_amounts_cannot_be_changed() -> None:
    given = {"Ana": 5}
    found, _ = QUESTIONS["paid"].read(given, "at", PLAYERS)
    with pytest.raises(TypeError):
        found["Ana"] = 6
    assert given == {"Ana": 5}


def test_players_who_finds_answers_by_meaning() -> None:
    @dataclass(frozen=True)
    class Told:
        caller: str | None = one_player("called", help="Who?", rule="XX-1", nobody="Nobody", meaning="knocked")
        winner: str | None = one_player("won", help="Who?", rule="XX-2", nobody="Nobody")
        folded: tuple[str, ...] = some_players("folded", help="Who?", rule="XX-3", meaning="left")
        away: tuple[str, ...] = some_players("away", help="Who?", rule="XX-4", meaning="left")

    told = Told("Ana", "Beto", ("Caro",), ("Dani", "Caro"))
    assert (players_who(told, "knocked"), players_who(told, "left")) == ({"Ana"}, {"Caro", "Dani"})
    assert (players_who(Told(), "knocked"), players_who(Told(), "left")) == (set(), set())
