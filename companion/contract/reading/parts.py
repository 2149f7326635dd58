"""Reads the parts of a round document other than the hands and answers: the game, players, money and house rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message, quoted
from companion.engine.names import find_name, has_control_characters, name_key
from companion.engine.players import PlayerKey
from companion.engine.problems import Code, Problem
from companion.engine.questions.answers import unknown_player
from companion.games import all_games

from .names import name_problems

MAX_PLAYERS = 20  # more than any game allows; longer lists aren't read
MAX_CALLED_LENGTH = 40  # of a game's name, so that it fits on a button
_ABSENT: Any = object()


class PartsReader:
    """Reads the parts of a document, and collects the problems in the order in which the parts are read."""

    def __init__(self, document: Mapping[str, object], are_keys: bool = False) -> None:
        self.document = document
        self.are_keys = are_keys
        self.problems: list[Problem] = []

    def report(self, field: str, code: Code, template: str, **values: object) -> None:
        """Report a problem at a field."""
        self.problems.append(Problem(field, code, Message(template, **values)))

    def report_unknown_keys(self, part: Mapping[str, object], known: Iterable[str], prefix: str) -> None:
        """Report every key that isn't known; `prefix` names the object it is in."""
        for key in part:
            if key not in known:
                self.report(f"{prefix}{key}", "unknown-field", "{key} isn't part of this document", key=quoted(key))

    def read_object(self, key: str, *, is_required: bool = False) -> Mapping[str, object]:
        """Read an object; returns an empty one if it is missing or invalid."""
        part = self.document.get(key, _ABSENT if is_required else {})
        if part is _ABSENT:
            self.report(key, "missing-field", "The document needs {key}", key=key)
        elif isinstance(part, Mapping):
            return part
        else:
            self.report(key, "bad-value", "{key} must be an object", key=key)
        return {}

    def read_whole_number(self, key: str, default: int, least: int, most: int) -> int:
        """Read a whole number of units: the stake or the pot."""
        number = self.document.get(key, default)
        if type(number) is int and least <= number <= most:
            return number
        values = {"given": quoted(number), "least": f"{least:,}", "most": f"{most:,}"}
        if key == "stake":
            text = "The stake must be a whole number from {least} to {most}, not “{given}”"
        else:
            text = "The pot must be a whole number from {least} to {most}, not “{given}”"
        self.report(key, "bad-value", text, **values)
        return default

    def read_game(self) -> AnyGame | None:
        """Find the game by its key."""
        key = self.document.get("game", _ABSENT)
        if key is _ABSENT:
            self.report("game", "missing-field", "Say which game was played")
            return None
        game = all_games().get(key) if isinstance(key, str) else None
        if game is None:
            text = "{given} isn't one of the games; choose one of {games}"
            self.report("game", "unknown-game", text, given=quoted(key), games=tuple(all_games()))
        return game

    def read_called(self, game: AnyGame | None) -> None:
        """Check what the table calls a game that has no name of its own; a stored one is a text's id."""
        called = self.document.get("called", "")
        if game is None or (self.are_keys and type(called) is int):
            return
        if not game.is_named:
            self.report_unknown_keys({"called": called} if "called" in self.document else {}, (), "")
        elif not isinstance(called, str) or has_control_characters(called):
            self.report("called", "bad-value", "This name has characters that can't be displayed; type it again")
        elif not called.strip():
            self.report("called", "missing-field", "What did you play?")
        elif len(called.strip()) > MAX_CALLED_LENGTH:
            text = "This name is longer than {most} characters; shorten it"
            self.report("called", "bad-value", text, most=MAX_CALLED_LENGTH)
        elif (known := _game_called(called)) is not None:
            text = "The app knows {game}: choose it among the games, and it is settled by its rules"
            self.report("called", "bad-value", text, game=Message(known.name))

    def read_players(self, game: AnyGame | None) -> list[PlayerKey]:
        """Read the players, who are names or keys; returns those that are valid, in seat order."""
        names = self.document.get("players", _ABSENT)
        if names is _ABSENT:
            self.report("players", "missing-field", "Say who plays, in seat order")
            return []
        if not isinstance(names, list):
            self.report("players", "bad-value", "The players must be a list of names, in seat order")
            return []
        if game is not None:
            self._seats(game, len(names))
        if len(names) > MAX_PLAYERS:
            return []
        problems = list(name_problems(names, is_stored=self.are_keys))
        self.problems.extend(problems)
        wrong = {problem.field for problem in problems}
        return [PlayerKey(name.strip()) for at, name in enumerate(names) if f"players.{at}" not in wrong]

    def _seats(self, game: AnyGame, number: int) -> None:
        least, most = game.seats
        values = {"game": Message(game.name), "least": least, "most": most, "given": number}
        if number < least:
            self.report("players", "too-few-players", "{game} needs {least} players or more; {given} given", **values)
        if number > most:
            self.report("players", "too-many-players", "{game} is for {most} players at most; {given} given", **values)

    def read_dealer(self, players: Sequence[PlayerKey]) -> str:
        """Read who dealt; returns the player in the last seat if there is no valid name."""
        last = players[-1] if players else ""
        name = self.document.get("dealer", _ABSENT)
        if name is _ABSENT or not players:
            return last
        if not isinstance(name, str):
            self.report("dealer", "bad-value", "The dealer must be the name of a player")
        else:
            named = find_name(name, players)
            if named is not None:
                return named
            self.problems.append(unknown_player("dealer", name))
        return last

    def read_options(self, game: AnyGame, rules: Mapping[str, object]) -> Any:
        """Read the house rules; invalid ones are left at their defaults."""
        options = {option.key: option for option in game.house_rules}
        chosen = {}
        for key, value in rules.items():
            field = f"rules.{key}"
            if key not in options:
                text = "{game} has no house rule {key}"
                self.report(field, "unknown-rule", text, game=Message(game.name), key=quoted(key))
            elif options[key].accepts(value):
                chosen[key] = value
            else:
                self.problems.append(Problem(field, "bad-rule-value", options[key].refusal(value)))
        read = game.options(**chosen)
        self.problems.extend(game.check_options(read))
        return read

    def has_problem(self, field: str) -> bool:
        """Return whether this field itself has a problem; fields in it don't count."""
        return bool(self.problems) and any(problem.field == field for problem in self.problems)

    def is_clear(self, *parts: str) -> bool:
        """Return whether the document has a "round" object and no problems in these parts."""
        is_there = isinstance(self.document.get("round"), Mapping)
        return is_there and not (self.problems and any(map(self.has_problem_in, parts)))

    def has_problem_in(self, part: str) -> bool:
        """Return whether a part of the document has a problem, at any depth."""
        return any(problem.field == part or problem.field.startswith(f"{part}.") for problem in self.problems)


def _game_called(name: str) -> AnyGame | None:
    """Return the game with this name, whatever its case; None if there is none."""
    return next((game for game in all_games().values() if name_key(game.name) == name_key(name)), None)
