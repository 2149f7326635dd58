"""The fields of an export that depend on the games, such as entries and house rules, and lists of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.contract.naming import renamed
from companion.contract.reading import KEYS
from companion.engine.messages import quoted
from companion.engine.pots import MOST_UNITS
from companion.engine.settlement import POT

from ..replay import BANK, REBUY, Document, is_round
from ..rule_sets import rule_problems
from .fields import AccountKey, Field, IdMaps, Ref, Text, Whole, must_be_object, must_be_short
from .misfits import Unfit


@dataclass(kw_only=True)
class HouseRules(Field):
    """Option values by game; only those that the games know."""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        must_be_object(given, place)
        must_be_short(given, place)
        for game, rules in given.items():
            problems = rule_problems(game, rules)
            if problems:
                raise Unfit(f"{place}, {quoted(game)}", "{problem}", problem=problems[0].message)


def _rename_players(document: Document, names: Mapping[str, str]) -> Document:
    """Return an entry with every player's name replaced; raises KeyError for an unknown one."""
    if is_round(document):
        return renamed(document, names)
    if "players" in document:
        return {**document, "players": [names[player] for player in document["players"]]}
    accounts = {**names, POT: POT, BANK: BANK}
    return {**document, "from": accounts[document["from"]], "to": accounts[document["to"]]}


@dataclass(kw_only=True)
class EntryField(Field):
    """A line's entry: a round document or another movement. Its players are rows of the kind `of`.

    With `is_whole`, a round must have every part of the contract. `checks` validates the round itself.
    """

    of: str = "player"
    is_whole: bool = False

    def written(self, value: Document, ids: IdMaps) -> Document:
        """Replace ids by the file's names; a complete entry gets its defaults written out."""
        document = {"rules": {}, "stake": 1, **value} if self.is_whole and is_round(value) else value
        return _rename_players(document, ids["player"])

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Accept what can be settled and names only existing players."""
        must_be_object(given, place)
        if not is_round(given):
            self._movement(given, place, ids)
            return
        if self.is_whole and set(given) != set(KEYS):
            raise Unfit(place, "a round has the parts {parts}", parts=KEYS)
        must_be_short(given, place)

    def must_name(self, given: Document, place: str, ids: IdMaps) -> None:
        """Refuse a valid round that spells its players' names differently from the file."""
        try:
            _rename_players(given, ids[self.of])
        except KeyError as error:
            raise Unfit(place, "there is no player {given} at this table", given=quoted(error.args[0])) from None

    def _movement(self, given: Document, place: str, ids: IdMaps) -> None:
        accounts = AccountKey("account", of=self.of)
        Text("movement", least=1, most=20).read(given["movement"], place, 0, ids)
        if given["movement"] == "split":
            players = given.get("players")
            if set(given) != {"movement", "players"} or not isinstance(players, list) or not players:
                raise Unfit(place, "a split pot needs the players who share it, and nothing else")
            share: set[str] = set()
            for at, player in enumerate(players):
                Ref("players", of=self.of).read(player, place, at, ids)
                if player in share:
                    raise Unfit(place, "{player} shares the pot twice", player=player)
                share.add(player)
            return
        if set(given) != {"movement", "from", "to", "amount", "note"} or given["from"] == given["to"]:
            raise Unfit(place, "a movement has an amount and a note, and goes from one account to another")
        accounts.check(given["from"], f"{place}, from", ids)
        accounts.check(given["to"], f"{place}, to", ids)
        if given["movement"] == REBUY and (given["from"] != BANK or given["to"] == POT):
            raise Unfit(place, "a rebuy goes from the bank to a player")
        Whole("amount", least=1, most=MOST_UNITS).read(given["amount"], place, 0, ids)
        Text("note", most=200).read(given["note"], place, 0, ids)

    def put(self, given: Document, ids: IdMaps) -> Document:
        return _rename_players(given, ids["player"])


@dataclass(kw_only=True)
class Pairs(Field):
    """A list of pairs, each with a value for both fields."""

    fields: tuple[Field, Field]

    def written(self, value: Any, ids: IdMaps) -> Any:
        return [[field.written(one, ids) for field, one in zip(self.fields, pair, strict=True)] for pair in value]

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        if not isinstance(given, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
            raise Unfit(place, "{given} isn't a list of pairs", given=quoted(given))
        for pair in given:
            for field, one in zip(self.fields, pair, strict=True):
                field.read(one, place, 0, ids)

    def put(self, given: Any, ids: IdMaps) -> Any:
        return [[field.put(one, ids) for field, one in zip(self.fields, pair, strict=True)] for pair in given]


@dataclass(kw_only=True)
class OptionsField(Field):
    """The options of one game, as they were sent in a change: an object without lists or objects in it."""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        if not isinstance(given, dict) or any(isinstance(value, dict | list) for value in given.values()):
            raise Unfit(place, "{given} isn't an object of options", given=quoted(given))
