"""Loads a table's own games: the files of a folder, each like one of `companion.games`.

A file that can't be used is left out, and nothing else stops for it; `Refused` says why, with the file and its line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from companion.engine.game import EXAMPLE_PLAYERS, AnyGame, Game, seated
from companion.engine.guard import GameFailed, guard, guarding
from companion.engine.names import name_key
from companion.games import built_in_games, is_key, use_own

from .catalogue import example_document, game_document
from .reading.round_document import read_round

_LONGEST_REASON, _LONGEST_RULE = 20, 10  # as the database keeps them


@dataclass(frozen=True, slots=True)
class OwnGames:
    """What was found in the folder: the games in use, and a sentence for each file that was left out."""

    games: tuple[AnyGame, ...]
    left_out: tuple[str, ...]


def load_own(folder: Path) -> OwnGames:
    """Use the games of a folder from now on, in place of earlier ones; tests lie next to them as `test_….py`."""
    use_own(())
    games: list[AnyGame] = []
    left_out = []
    for file in sorted(folder.glob("*.py")):
        if file.name.startswith("test_"):
            continue
        try:
            games.append(_load(file, games))
        except (GameFailed, OSError) as why:
            left_out.append(f"{why}. This game is left out.")
        use_own(games)
    return OwnGames(tuple(games), tuple(left_out))


def module_of(file: Path) -> ModuleType:
    """Execute a file as a module; raises GameFailed for whatever goes wrong in it, OSError if it can't be read."""
    source, path = file.read_bytes(), str(file)
    module = ModuleType(f"companion_own_games.{file.stem}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look there
    with guarding(path):
        exec(compile(source, path, "exec", dont_inherit=True), vars(module))
    return module


def _load(file: Path, earlier: list[AnyGame]) -> AnyGame:
    game = getattr(module_of(file), "GAME", None)
    if not isinstance(game, Game):
        raise GameFailed(str(file), 0, "it doesn't end with GAME = …, an instance of its game")
    guard(game, str(file))
    type(game).is_own = True
    with guarding(str(file)):
        wrong = next(_flaws(game, file, earlier), "")
    if wrong:
        raise GameFailed(str(file), 0, wrong)
    return game


def _flaws(game: AnyGame, file: Path, earlier: list[AnyGame]) -> Iterator[str]:
    """Yield what is wrong with a game's declarations, then with its examples."""
    known = {**built_in_games(), **{other.key: other for other in earlier}}
    if game.key in known:
        yield f"the key {game.key} is that of {known[game.key].name} already; choose another"
    if not is_key(game.key) or file.stem != game.key.replace("-", "_"):
        yield f"the key {game.key} must be the file's name, in small letters, with - for _"
    if any(name_key(game.name) == name_key(other.name) for other in known.values()):
        yield f"there is a game called {game.name} already; choose another name"
    if game.is_named:
        yield "a table's own game has a name, so it needs no example_name"
    if not game.text:
        yield "it needs a docstring with its rules; that is its help page"
    if any(not is_key(reason.key) or len(reason.key) > _LONGEST_REASON for reason in game.reasons):
        yield f"a reason must be in small letters, {_LONGEST_REASON} at most"
    if not game.examples:
        yield "it needs at least one example"
    for example in game.examples:
        yield from _flaws_of_example(game, example)
    players = EXAMPLE_PLAYERS[: game.seats[1]]
    round = seated(game, game.options(), players, players[-1])
    game.deal(round), game.last_turns(round), game.ladder(round.options), game_document(game)


def _flaws_of_example(game: AnyGame, example: object) -> Iterator[str]:
    document = example_document(game, example)  # type: ignore[arg-type]  # whatever the file has
    use_own([game])
    entered = read_round(document)
    if entered.round is None:
        yield f"its example {example} can't be settled: {entered.problems[0].message}"
    settlement = entered.settlement()
    for transfer in settlement.transfers if settlement is not None else ():
        if transfer.reason not in game.reasons:
            yield f"its reasons lack {transfer.reason.key}"
        if len(transfer.rule) > _LONGEST_RULE:
            yield f"the rule id {transfer.rule} is longer than {_LONGEST_RULE} characters"
