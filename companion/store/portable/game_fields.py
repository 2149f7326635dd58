"""The fields of an export that depend on the games, such as entries and house rules, and lists of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from companion.contract.naming import renamed
from companion.contract.round_document import KEYS, MAX_STAKE_UNITS
from companion.engine.messages import Message, quoted
from companion.engine.pots import MAX_UNITS
from companion.engine.settlement import POT
from companion.games import all_games

from ..groups.rule_sets import rule_problems
from ..log.replay import BANK, MOVEMENTS, REBUY, Document, is_round
from ..models import EVERY_GAME
from .fields import AccountKey, Parts, TypedField, Value, Whole, Word, must_be_short, scope
from .misfits import Misfit


class Object(Value):
    """An object, read by a schema if the field has one, otherwise taken as it is."""

    def fits(self, given: Any) -> bool:
        if isinstance(given, dict):
            must_be_short(given)
        return isinstance(given, dict)


class Content(Object, fields.Nested):
    """An object with some of a schema's parts."""


class HouseRules(Object):
    """Option values by game; only those that the games know."""

    def fits(self, given: Any) -> bool:
        for game, rules in given.items() if super().fits(given) else ():
            problems = rule_problems(game, rules)
            if problems:
                raise Misfit("{problem}", quoted(game), problem=problems[0].message)
        return isinstance(given, dict)


class Stakes(Object):
    """Stakes in units by game, and of every game without one of its own; files from before there were any have none."""

    def fits(self, given: Any) -> bool:
        for game, units in given.items() if super().fits(given) else ():
            if game != EVERY_GAME and game not in all_games():
                raise Misfit("there is no game {game}", game=quoted(game))
            if type(units) is not int or not 1 <= units <= MAX_STAKE_UNITS:
                text = "{given} isn't a whole number from {least} to {most}"
                raise Misfit(text, quoted(game), given=quoted(units), least=1, most=MAX_STAKE_UNITS)
        return isinstance(given, dict)

    def restore(self, given: Any) -> Any:
        return given or {}


class OptionValues(Value):
    """The options of one game, as they were sent in a change: an object without lists or objects in it."""

    sentence = Message("{given} isn't an object of options")

    def fits(self, given: Any) -> bool:
        return isinstance(given, dict) and not any(isinstance(value, dict | list) for value in given.values())


class Pairs(Value):
    """A list of pairs; each is read like an object with two parts."""

    sentence = Message("{given} isn't a list of pairs")

    def __init__(self, **parts: Value) -> None:
        super().__init__()
        self._pair = Parts.from_dict(dict(parts))()

    def fits(self, given: Any) -> bool:
        return isinstance(given, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in given)

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return [list(self._pair.dump(dict(zip(self._pair.fields, pair, strict=True))).values()) for pair in value]

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return [list(self._pair.load(dict(zip(self._pair.fields, pair, strict=True))).values()) for pair in value]


class EntryField(Value):
    """A line's entry: a round document or another movement, between players in the list `of`.

    With `is_whole`, a round must have every part of the contract. `checks` validates the round itself.
    """

    def __init__(self, of: str = "players", *, is_whole: bool = False) -> None:
        super().__init__()
        self._is_whole = is_whole
        parts: dict[str, Value] = {"movement": Word(MOVEMENTS), "players": AccountKey(of, others=())}
        parts |= {"from": AccountKey(of), "to": AccountKey(of), "amount": Whole(1, MAX_UNITS), "note": TypedField(200)}
        self._parts = Parts.from_dict(dict(parts))(partial=True)

    def fits(self, given: Any) -> bool:
        return isinstance(given, dict)

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Document:
        """Replace ids by the file's names; a complete round gets its defaults written out."""
        if is_round(value):
            defaults = {"rules": {}, "stake": 1} if self._is_whole else {}
            return renamed({**defaults, **value}, scope().ids["players"])
        if "players" in value:
            return {**value, "players": [scope().ids["players"][player] for player in value["players"]]}
        return dict(self._parts.dump(value))

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Document:
        """Accept what can be settled and names only existing players."""
        if not is_round(value):
            self._parts.load({"movement": value["movement"]})
            return self._split(value) if value["movement"] == "split" else self._movement(value)
        if self._is_whole and set(value) != set(KEYS):
            raise Misfit("a round has the parts {parts}", parts=KEYS)
        must_be_short(value)
        return renamed(value, scope().ids["players"]) if scope().is_valid else value

    def _split(self, given: Document) -> Document:
        players = given.get("players")
        if set(given) != {"movement", "players"} or not isinstance(players, list) or not players:
            raise Misfit("a split pot needs the players who share it, and nothing else")
        found = [self._parts.load({"players": player})["players"] for player in players]
        player, times = Counter(players).most_common(1)[0]
        if times > 1:
            raise Misfit("{player} shares the pot twice", player=player)
        return {**given, "players": found}

    def _movement(self, given: Document) -> Document:
        if set(given) != {"movement", "from", "to", "amount", "note"} or given["from"] == given["to"]:
            raise Misfit("a movement has an amount and a note, and goes from one account to another")
        found = dict(self._parts.load(given))
        if given["movement"] == REBUY and (given["from"] != BANK or given["to"] == POT):
            raise Misfit("a rebuy goes from the bank to a player")
        return found


def must_name(document: Document, names: Mapping[str, Any], *at: str | int) -> None:
    """Refuse a valid round that spells its players' names differently from the file."""
    try:
        renamed(document, names)
    except KeyError as error:
        raise Misfit("there is no player {given} at this table", *at, given=quoted(error.args[0])) from None
