"""The kinds of values that depend on the games, such as entries and house rules, and of objects and lists of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.contract.naming import renamed
from companion.contract.parts import MAX_CALLED_LENGTH
from companion.contract.round_document import KEYS, MAX_STAKE_UNITS
from companion.engine.messages import quoted
from companion.engine.pots import MAX_UNITS
from companion.engine.settlement import POT
from companion.games import is_key

from ..groups.chip_sets import COLOURS, Chip, problem_with
from ..groups.rule_sets import rule_problems
from ..log.replay import BANK, COST, MAX_WEIGHT, MOVEMENTS, POT_MOVE, REBUY, is_of_pot, is_round
from ..models import EVERY_GAME
from .kinds import (
    CURRENCY,
    UNKNOWN,
    Kind,
    Row,
    Scope,
    Step,
    account,
    fits,
    must_be_object,
    must_be_short,
    read_at,
    typed,
    whole,
    word,
)
from .misfits import must_fit, must_follow

_STAKE = whole(1, MAX_STAKE_UNITS)


def _is_flat(given: Any, here: Scope) -> bool:
    return isinstance(given, dict) and not any(isinstance(value, dict | list) for value in given.values())


def _house_rules(given: Any, here: Scope) -> Any:
    must_be_object(given)
    must_be_short(given)
    for game, rules in given.items():
        must_follow(rule_problems(game, rules), quoted(game), names_field=False)
    return given


def _stakes(given: Any, here: Scope) -> Any:
    must_be_object(given)
    must_be_short(given)
    for game, units in given.items():
        must_fit(game == EVERY_GAME or is_key(game), "there is no game {game}", game=quoted(game))
        read_at(quoted(game), _STAKE.load, units, here)
    return given


def pairs(**parts: Kind) -> Kind:
    """Return the kind of a list of pairs."""

    def each(step: Callable[[Kind], Step]) -> Step:
        def do(rows: Any, here: Scope) -> Any:
            return [
                [read_at(key, step(kind), value, here) for (key, kind), value in zip(parts.items(), pair, strict=True)]
                for pair in rows
            ]

        return do

    def load(given: Any, here: Scope) -> Any:
        is_list = isinstance(given, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in given)
        must_fit(is_list, "{given} isn't a list of pairs", given=quoted(given))
        return each(lambda kind: kind.read)(given, here)

    return Kind(load, each(lambda kind: kind.put), each(lambda kind: kind.dump))


def some_of(**parts: Kind) -> Kind:
    """Return the kind of an object with some of these parts."""

    def each(step: Callable[[Kind], Step]) -> Step:
        return lambda given, here: {key: read_at(key, step(parts[key]), value, here) for key, value in given.items()}

    def load(given: Any, here: Scope) -> Any:
        must_be_object(given)
        must_be_short(given)
        unknown = min(given.keys() - parts.keys(), default=None)
        must_fit(unknown is None, UNKNOWN, key=quoted(unknown))
        return each(lambda kind: kind.read)(given, here)

    return Kind(load, each(lambda kind: kind.put), each(lambda kind: kind.dump))


def _shared_cost(known: Kind) -> Kind:
    """Return the kind of what a player paid for others; with a currency it is settled apart from the games."""
    parts = {
        "movement": word(COST),
        "by": known,
        "amount": whole(1, MAX_UNITS),
        "shares": pairs(player=known, weight=whole(1, MAX_WEIGHT)),
        "note": typed(200),
        "currency": replace(CURRENCY, may_be_null=False),
    }
    some = some_of(**parts)

    def load(given: Row, here: Scope) -> Row:
        has_all = {*given, "currency"} == {*parts} and given["shares"]
        must_fit(has_all, "a shared cost needs who paid it, an amount, a note, and who shares it")
        some.read(given, here)
        player, times = Counter(player for player, _ in given["shares"]).most_common(1)[0]
        must_fit(times == 1, "{player} shares the cost twice", player=player)
        return given

    return replace(some, load=load)


def entry(of: str = "players", *, is_whole: bool = False) -> Kind:
    """Return the kind of a line's entry: a round document or another movement, between players in the list `of`.

    With `is_whole`, a round must have every part of the contract. The judge settles it.
    """
    known, kinds = account(of, others=()), word(*MOVEMENTS)
    ends = account(of)
    parts = {"movement": kinds, "from": ends, "to": ends, "amount": whole(1, MAX_UNITS), "note": typed(200)}
    called = typed(MAX_CALLED_LENGTH)  # by the table
    movement, cost = some_of(**parts, players=Kind(lambda given, here: given)), _shared_cost(known)

    def split(given: Row, here: Scope) -> Row:
        players = given.get("players")
        is_split = set(given) == {"movement", "players"} and isinstance(players, list) and players
        must_fit(is_split, "a split pot needs the players who share it, and nothing else")
        assert isinstance(players, list)
        for player in players:
            read_at("players", known.read, player, here)
        player, times = Counter(players).most_common(1)[0]
        must_fit(times == 1, "{player} shares the pot twice", player=player)
        return given

    def load(given: Any, here: Scope) -> Any:
        must_be_object(given)
        if is_round(given):
            has_all = not is_whole or {*given, "called"} == {*KEYS}
            must_fit(has_all, "a round has the parts {parts}", parts=tuple(key for key in KEYS if key != "called"))
            must_be_short(given)
            if "called" in given:
                read_at("called", called.read, given["called"], here)
            return given
        read_at("movement", kinds.read, given["movement"], here)
        if given["movement"] == "split":
            return split(given, here)
        if given["movement"] == COST:
            return cost.load(given, here)
        has_ends = set(given) == {*parts} and given["from"] != given["to"]
        must_fit(has_ends, "a movement has an amount and a note, and goes from one account to another")
        movement.read(given, here)
        is_sold = given["movement"] != REBUY or (given["from"] == BANK and given["to"] != POT)
        must_fit(is_sold, "a rebuy goes from the bank to a player")
        is_fit = given["movement"] != POT_MOVE or is_of_pot(given["from"], given["to"])
        must_fit(is_fit, "what goes into the pot or out of it names the pot and a player")
        return given

    def renaming(step: Callable[[Kind], Step]) -> Step:
        def do(value: Row, here: Scope) -> Row:
            if is_round(value):
                # a whole round gets its defaults written out
                defaults = {"rules": {}, "stake": 1} if is_whole else {}
                named = {"called": step(called)(value["called"], here)} if "called" in value else {}
                return renamed({**defaults, **value, **named}, here.ids["players"])
            if "players" in value:
                return {**value, "players": [step(known)(player, here) for player in value["players"]]}
            return dict(step(cost if value["movement"] == COST else movement)(value, here))

        return do

    return Kind(load, renaming(lambda kind: kind.put), renaming(lambda kind: kind.dump))


def _chips(given: Any, here: Scope) -> Any:
    must_fit(isinstance(given, list) and len(given) <= len(COLOURS), "{given} isn't a list", given=quoted(given))
    for chip in given:
        types = [type(part) for part in chip] if isinstance(chip, list) else []
        must_fit(types == [str, int, int] and chip[0] in COLOURS, "{given} isn't allowed", given=quoted(chip))
    chips = [Chip(*chip) for chip in given]
    are_right = len({chip.colour for chip in chips}) == len(chips) and problem_with(chips) is None
    must_fit(are_right, "{given} isn't allowed", given=quoted(given))
    return given


# also of a game that isn't installed here: then its rounds aren't settled again
GAME = fits(lambda given, here: is_key(given), "{given} isn't the key of a game")
OPTIONS = fits(_is_flat, "{given} isn't an object of options")
HOUSE_RULES, STAKES = Kind(_house_rules), Kind(_stakes)
# of a group; files from before there were any have none
CHIPS = replace(Kind(_chips).optional(), put=lambda value, here: value or [])
# of a night; files from before there were any have none
STAKES_SET = replace(STAKES.optional(), put=lambda value, here: value or {})
