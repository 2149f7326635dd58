"""The kinds of values that depend on the games, such as entries and house rules, and of objects and lists of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.contract.naming import renamed
from companion.contract.reading.parts import MAX_CALLED_LENGTH
from companion.contract.reading.round_document import KEYS, MAX_STAKE_UNITS
from companion.engine.messages import quoted
from companion.engine.money.pots import MAX_UNITS
from companion.engine.money.settlement import POT
from companion.games import is_key

from ...groups.chip_sets import COLOURS, Chip, problem_with
from ...groups.rule_sets import rule_problems
from ...log.replay import BANK, COST, MAX_WEIGHT, MOVEMENTS, POT_MOVE, REBUY, is_of_pot, is_round
from ...models import EVERY_GAME
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


def _is_flat(options: Any, here: Scope) -> bool:
    return isinstance(options, dict) and not any(isinstance(value, dict | list) for value in options.values())


def _house_rules(by_game: Any, here: Scope) -> Any:
    must_be_object(by_game)
    must_be_short(by_game)
    for game, rules in by_game.items():
        must_follow(rule_problems(game, rules), quoted(game), names_field=False)
    return by_game


def _stakes(by_game: Any, here: Scope) -> Any:
    must_be_object(by_game)
    must_be_short(by_game)
    for game, units in by_game.items():
        must_fit(game == EVERY_GAME or is_key(game), "there is no game {game}", game=quoted(game))
        read_at(quoted(game), _STAKE.load, units, here)
    return by_game


def pairs(**parts: Kind) -> Kind:
    """Return the kind of a list of pairs."""

    def each(step: Callable[[Kind], Step]) -> Step:
        def do(rows: Any, here: Scope) -> Any:
            return [
                [read_at(key, step(kind), value, here) for (key, kind), value in zip(parts.items(), pair, strict=True)]
                for pair in rows
            ]

        return do

    def load(rows: Any, here: Scope) -> Any:
        is_list = isinstance(rows, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in rows)
        must_fit(is_list, "{given} isn't a list of pairs", given=quoted(rows))
        return each(lambda kind: kind.read)(rows, here)

    return Kind(load, each(lambda kind: kind.put), each(lambda kind: kind.dump))


def some_of(**parts: Kind) -> Kind:
    """Return the kind of an object with some of these parts."""

    def each(step: Callable[[Kind], Step]) -> Step:
        return lambda row, here: {key: read_at(key, step(parts[key]), value, here) for key, value in row.items()}

    def load(row: Any, here: Scope) -> Any:
        must_be_object(row)
        must_be_short(row)
        unknown = min(row.keys() - parts.keys(), default=None)
        must_fit(unknown is None, UNKNOWN, key=quoted(unknown))
        return each(lambda kind: kind.read)(row, here)

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

    def load(row: Row, here: Scope) -> Row:
        has_all = {*row, "currency"} == {*parts} and row["shares"]
        must_fit(has_all, "a shared cost needs who paid it, an amount, a note, and who shares it")
        some.read(row, here)
        player, times = Counter(player for player, _ in row["shares"]).most_common(1)[0]
        must_fit(times == 1, "{player} shares the cost twice", player=player)
        return row

    return replace(some, load=load)


def entry(of: str = "players", *, is_whole: bool = False) -> Kind:
    """Return the kind of a line's entry: a round document or another movement, between players in the list `of`.

    With `is_whole`, a round must have every part of the contract. The judge settles it.
    """
    known, kinds = account(of, others=()), word(*MOVEMENTS)
    ends = account(of)
    parts = {"movement": kinds, "from": ends, "to": ends, "amount": whole(1, MAX_UNITS), "note": typed(200)}
    called = typed(MAX_CALLED_LENGTH)  # by the table
    movement, cost = some_of(**parts, players=Kind(lambda value, here: value)), _shared_cost(known)

    def split(row: Row, here: Scope) -> Row:
        players = row.get("players")
        is_split = set(row) == {"movement", "players"} and isinstance(players, list) and players
        must_fit(is_split, "a split pot needs the players who share it, and nothing else")
        assert isinstance(players, list)
        for player in players:
            read_at("players", known.read, player, here)
        player, times = Counter(players).most_common(1)[0]
        must_fit(times == 1, "{player} shares the pot twice", player=player)
        return row

    def load(row: Any, here: Scope) -> Any:
        must_be_object(row)
        if is_round(row):
            has_all = not is_whole or {*row, "called"} == {*KEYS}
            must_fit(has_all, "a round has the parts {parts}", parts=tuple(key for key in KEYS if key != "called"))
            must_be_short(row)
            if "called" in row:
                read_at("called", called.read, row["called"], here)
            return row
        read_at("movement", kinds.read, row["movement"], here)
        if row["movement"] == "split":
            return split(row, here)
        if row["movement"] == COST:
            return cost.load(row, here)
        has_ends = set(row) == {*parts} and row["from"] != row["to"]
        must_fit(has_ends, "a movement has an amount and a note, and goes from one account to another")
        movement.read(row, here)
        is_sold = row["movement"] != REBUY or (row["from"] == BANK and row["to"] != POT)
        must_fit(is_sold, "a rebuy goes from the bank to a player")
        is_fit = row["movement"] != POT_MOVE or is_of_pot(row["from"], row["to"])
        must_fit(is_fit, "what goes into the pot or out of it names the pot and a player")
        return row

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


def _chips(rows: Any, here: Scope) -> Any:
    must_fit(isinstance(rows, list) and len(rows) <= len(COLOURS), "{given} isn't a list", given=quoted(rows))
    for chip in rows:
        types = [type(part) for part in chip] if isinstance(chip, list) else []
        must_fit(types == [str, int, int] and chip[0] in COLOURS, "{given} isn't allowed", given=quoted(chip))
    chips = [Chip(*chip) for chip in rows]
    are_right = len({chip.colour for chip in chips}) == len(chips) and problem_with(chips) is None
    must_fit(are_right, "{given} isn't allowed", given=quoted(rows))
    return rows


# also of a game that isn't installed here: then its rounds aren't settled again
GAME = fits(lambda key, here: is_key(key), "{given} isn't the key of a game")
OPTIONS = fits(_is_flat, "{given} isn't an object of options")
HOUSE_RULES, STAKES = Kind(_house_rules), Kind(_stakes)
# of a group; files from before there were any have none
CHIPS = replace(Kind(_chips).optional(), put=lambda value, here: value or [])
# of a night; files from before there were any have none
STAKES_SET = replace(STAKES.optional(), put=lambda value, here: value or {})
