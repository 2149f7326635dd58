"""A digest of the settlements of 60,000 random rounds: a refactoring must change none, in any word or amount.

    .venv/bin/python tests/digest.py            settles them all; exit 1 where an answer isn't as it was
    .venv/bin/python tests/digest.py accept     takes today's answers as those from now on, and new rules at the end
    .venv/bin/python tests/digest.py list GAME RULE   writes the rounds and their answers, to compare two versions

Each line of digests.txt is a game and a rule that is set in all of the rounds, while the rules above it may be set;
"-" is the usual rules. So a new rule is a new line, and changes no other. A line has two digests: of the first rounds,
which each run of the tests settles, and of all.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from companion.contract import settle  # noqa: E402
from companion.contract.random_rounds import MORE_SEATS, random_round, rules, spoiled  # noqa: E402
from companion.games import all_games  # noqa: E402

FILE = TESTS / "digests.txt"
# by game: the values of a rule and the questions that came after its first digests, and aren't in older lines
_ODD = ("odd_chips=highest-card", "odd_chips=suit")
_LOST = ("foul", "mucked")
LATER = {
    "knock-poker": ("losing_knocker_pays=winner", "drew_after_knocking", *_ODD, *_LOST),
    "domino-poker": _LOST,
    **dict.fromkeys(("draw-poker", "five-card-draw"), (*_ODD, *_LOST, "false_openers")),
    **dict.fromkeys(("straight-poker", "guts"), (*_ODD, *_LOST)),
    **dict.fromkeys(("knock", "thirty-one"), (*_ODD, *_LOST)),
    **dict.fromkeys(("whisky-poker", "dompe"), _LOST),
    "gin-rummy": ("kept",),
    "knock-rummy": (*_ODD, "cards=fewer", MORE_SEATS, "kept"),
}
OF_A_GAME = 5_000
FIRST = 20
USUAL = "-"


class Line(NamedTuple):
    """A line of the file: what is varied in how many rounds, and the digests of the first and of all."""

    game: str
    rule: str
    rounds: int
    first: str = ""
    all: str = ""


def read() -> list[Line]:
    """Read the file."""
    words = (row.split() for row in FILE.read_text().splitlines()) if FILE.exists() else ()
    return [Line(game, rule, int(rounds), first, all) for game, rule, rounds, first, all in words]


def with_new(lines: list[Line]) -> list[Line]:
    """Add lines for games and rules that have none."""
    whole = []
    for game in all_games().values():
        mine = [line for line in lines if line.game == game.key]
        keys = [USUAL, *(option.key for option in game.house_rules), *LATER.get(game.key, ())]
        rounds = mine[0].rounds if mine else -(-OF_A_GAME // len(keys))
        known = {line.rule for line in mine}
        whole += [*mine, *(Line(game.key, key, rounds) for key in keys if key not in known)]
    return whole


def answers(lines: list[Line], line: Line) -> Iterator[str]:
    """Settle the rounds of a line; yields each round with its answer, as canonical JSON."""
    game, may = all_games()[line.game], {one.rule for one in lines[: lines.index(line) + 1] if one.game == line.game}
    without = {*LATER.get(line.game, ())} - may
    for number in range(line.rounds):

        def source(what: str, number: int = number) -> Random:
            return Random(f"{line.game} {line.rule} {number} {what}")

        chosen = rules(source, game, may, line.rule, without)
        document = random_round(source, game, chosen, without=without)
        if number % 4 == 3:
            document = spoiled(source("spoiled"), document)
        status, answer = settle(document)
        for error in answer.get("errors", ()):
            if error["code"] == "unknown-game":
                error["message"] = error["message"].rpartition(";")[0]  # the list of games, which may grow
        yield json.dumps([document, [status, answer]], sort_keys=True, separators=(",", ":"))


def digest(answered: Iterator[str]) -> str:
    """Return a short hash of answers."""
    whole = hashlib.sha256()
    for one in answered:
        whole.update(one.encode())
    return whole.hexdigest()[:12]


def first(lines: list[Line], line: Line) -> str:
    """Return today's digest of the first rounds of a line."""
    return digest(islice(answers(lines, line), FIRST))


def today(lines: list[Line]) -> Iterator[Line]:
    """Settle everything; yields the lines as they are today."""
    for line in lines:
        yield line._replace(first=first(lines, line), all=digest(answers(lines, line)))


def main(arguments: list[str]) -> None:
    """Run the requested command."""
    lines = read()
    match arguments:
        case []:
            now = list(today(with_new(lines)))
            for key in all_games():
                of_game = "".join(line.all for line in now if line.game == key)
                print(f"{key}: {hashlib.sha256(of_game.encode()).hexdigest()[:12]}")
            changed = sorted({*lines} ^ {*now})
            print(*(f"changed: {game} {rule}" for game, rule in sorted({line[:2] for line in changed})), sep="\n")
            sys.exit(bool(changed))
        case ["accept"]:
            FILE.write_text("".join(f"{' '.join(map(str, line))}\n" for line in today(with_new(lines))))
        case ["list", game, rule]:
            print(*(one for line in lines if line[:2] == (game, rule) for one in answers(lines, line)), sep="\n")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
