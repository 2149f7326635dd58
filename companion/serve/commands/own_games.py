"""The commands for a table's own game: one writes its file and a test, the other tries it."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from string import Template

import click

from companion.config import read_settings
from companion.contract import settle
from companion.contract.conformance import ROUNDS, faults
from companion.contract.own_games import load_own, module_of
from companion.engine.game import EXAMPLE_PLAYERS
from companion.engine.guard import GameFailed
from companion.engine.pieces.cards import FRENCH
from companion.folders import command
from companion.games import all_games, is_key
from companion.store.db.startup import Unusable

_TEMPLATE = Path(__file__).with_name("own_game.txt")
_TEST = '''"""Rounds of {name}, and what they come to; `companion try-game {key}` settles them.

Each is what the table saw, under the usual house rules and for a stake of 1, then what each player wins or loses. The
players sit in this order, the last one deals. These were worked out by the file itself: check them by hand, then add
the rounds that your table argues about.
"""

ROUNDS = [
{rounds}
]
'''
_PLAYERS = re.compile(r"(\d+)(?:-(\d+))?")


def folder() -> Path:
    """Return the folder of a table's own games."""
    return Path(str(read_settings()["INSTANCE"])) / "games"


@click.command(name="new-game")
@click.argument("key")
@click.option("--name", prompt="What is the game called?", help="Its name.")
@click.option("--players", prompt="How many can play?", default="2-6", help="Fewest and most players, such as 2-6.")
@click.option("--cards", prompt="How many cards has a hand?", default=3, type=click.IntRange(1, 13), help="In a hand.")
@click.option(
    "--wins",
    prompt="Which total wins?",
    default="highest",
    type=click.Choice(["highest", "lowest"]),
    help="The winner.",
)
@click.option(
    "--ante", prompt="How many stakes is the ante?", default=1, type=click.IntRange(0, 1000), help="In stakes."
)
def new_game(key: str, name: str, players: str, cards: int, wins: str, ante: int) -> int:
    """Write a game of your own and its test to the instance folder.

    KEY is its name in addresses, such as our-game. The questions can be answered by options, too.
    """
    asked = _PLAYERS.fullmatch(players)
    least, most = (int(asked[1]), int(asked[2] or asked[1])) if asked else (0, 0)
    if not 2 <= least <= most <= 10 or most * cards > len(FRENCH):
        raise Unusable(f"{players} players with {cards} cards each can't play; write the players like 2-6.")
    if not is_key(key) or key in all_games():
        raise Unusable(f"The key {key} is another game's, or isn't in small letters like our-game; choose another.")
    if not name.strip() or len(name) > 40 or not name.isprintable() or set(name) & set('"\\{}'):
        raise Unusable('The name needs 1 to 40 characters, none of them " \\ { or }.')
    examples = _examples(min(most, len(EXAMPLE_PLAYERS)), cards)
    written = Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        key=key,
        name=name.strip(),
        quoted=json.dumps(name.strip(), ensure_ascii=False),
        prefix=re.sub("[^A-Z]", "", key.upper() + "XX")[:2],
        least=least,
        most=most,
        cards=cards,
        wins=wins,
        sign=1 if wins == "highest" else -1,
        ante=ante,
        example=next(iter(examples[0].values())),
        examples="\n".join(f'        {{"hands": {json.dumps(hands)}}},' for hands in examples),
    )
    stem = key.replace("-", "_")
    file, test = folder() / f"{stem}.py", folder() / f"test_{stem}.py"
    folder().mkdir(parents=True, exist_ok=True)
    for path, text in ((file, written), (test, "ROUNDS = []")):
        with path.open("x", encoding="utf-8") as opened:
            opened.write(text)
    try:
        _must_load(key)
    except Unusable:
        file.unlink()
        test.unlink()
        raise
    rounds = [(round := {"hands": hands}, _nets(key, round, [*hands])) for hands in examples]
    lines = "\n".join(f"    ({json.dumps(round)}, {json.dumps(nets)})," for round, nets in rounds)
    test.write_text(_TEST.format(name=name.strip(), key=key, rounds=lines), encoding="utf-8")
    print(f"{file} has the game and {test} its rounds. Change them, and try them: {command(f'try-game {key}')}")
    return 0


def _examples(players: int, cards: int) -> list[dict[str, str]]:
    """Deal three rounds."""
    examples = []
    for step in (5, 7, 11):  # none of them divides 52, so each card is dealt once
        dealt = (FRENCH.pieces[at * step % len(FRENCH)].text for at in range(len(FRENCH)))
        examples.append({player: " ".join(islice(dealt, cards)) for player in EXAMPLE_PLAYERS[:players]})
    return examples


@click.command(name="try-game")
@click.argument("key")
def try_game(key: str) -> int:
    """Try a game of your own: its examples, the rounds of its test, and random rounds.

    Exit status 1 if anything is wrong. A running app uses a changed file after its next start.
    """
    _must_load(key)
    test = folder() / f"test_{key.replace('-', '_')}.py"
    rounds = list(module_of(test).ROUNDS) if test.exists() else []
    wrong = [sentence for round, nets in rounds if (sentence := _differs(key, round, nets))]
    wrong += faults(all_games()[key])
    tried = f"{len(rounds)} rounds of the test and {ROUNDS} random rounds of {all_games()[key].name}"
    print(*wrong, f"{len(wrong)} faults in {tried}." if wrong else f"No fault in {tried}.", sep="\n")
    return 1 if wrong else 0


def _must_load(key: str) -> None:
    """Load the own games; raises Unusable if this one isn't among them, with the reason."""
    loaded = load_own(folder())
    if key not in {game.key for game in loaded.games}:
        why = [sentence for sentence in loaded.left_out if sentence.startswith(f"{key.replace('-', '_')}.py")]
        raise Unusable(
            "\n".join(why) or f"There is no game {key} in {folder()}; make one: {command(f'new-game {key}')}"
        )


def _nets(key: str, round: object, players: list[str]) -> dict[str, int]:
    """Return what each player wins or loses in a round; raises GameFailed if it can't be settled."""
    status, answered = settle({"game": key, "players": players, "round": round})
    if status != 200:
        errors: list[dict[str, str]] = answered["errors"]  # type: ignore[assignment]
        raise GameFailed(f"test_{key}.py", 0, errors[0]["message"])
    nets: dict[str, int] = answered["net"]  # type: ignore[assignment]
    return nets


def _differs(key: str, round: object, nets: dict[str, int]) -> str:
    """Say how a round of the test comes to something else than it says; empty if it doesn't."""
    try:
        computed = _nets(key, round, [*nets])
    except GameFailed as failed:
        return f"{round} can't be settled: {failed}"
    return "" if computed == nets else f"{round} comes to {computed}, not {nets}"
