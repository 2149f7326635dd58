"""What a value of the file may be: how it is read, how it is put into the database, and how it is written to a file.

In the file, rows refer to each other by names of its own, never by database ids. `Scope.ids` translates these, by the
key of the rows' list: to positions while a file is read, to database ids while its rows are put, and from these (as
text) to names while it is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from babel.numbers import list_currencies

from companion.config import MAX_BODY_BYTES
from companion.contract.reading.lookalikes import is_label
from companion.contract.reading.names import folded, name_problem, rules_name_problem
from companion.engine.messages import Message, quoted
from companion.engine.money.settlement import POT
from companion.engine.problems import Problem

from ...groups.next_night import CLOCK
from ...groups.seasons import MAX_NAME_LENGTH as MAX_SEASONS_NAME
from ...history.tallies import Part
from ...log.replay import BANK, account_of, parts_of_account
from .misfits import NOUNS, Misfit, must_fit, must_follow

Row = dict[str, Any]
Ids = dict[str, dict[Any, Any]]
# the rounds' results for their players, by (night's id in the file, line number); players as numbers in the file
Results = dict[tuple[str, int], tuple[Part, ...]]
MISSING, UNKNOWN = Message("{key} is missing").template, Message("{key} isn't part of it").template
_MAX_CHARACTERS = 2 * MAX_BODY_BYTES
_MAX_OFFSET = 24 * 60 * 60 - 1  # the most that Python takes
_MOMENT = re.compile(r"(?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass
class Scope:
    """What a value is read, put or written with; `at` is the position of its row in the list."""

    ids: Ids = field(default_factory=dict)
    at: int = 0
    results: Results = field(default_factory=dict)


Step = Callable[[Any, Scope], Any]


def _same(value: Any, here: Scope) -> Any:
    return value


@dataclass(frozen=True)
class Kind:
    """`load` checks what a file has, or raises Misfit; `put` makes the database's value of it; `dump` the other way.

    `column` is what the database calls it, if not like the file. An optional value may be missing; `is_left_out` says
    that it then isn't written if it is null or empty.
    """

    load: Step
    put: Step = _same
    dump: Step = _same
    column: str = ""
    may_be_null: bool = False
    is_optional: bool = False
    is_left_out: bool = False

    def read(self, value: Any, here: Scope) -> Any:
        return None if value is None and self.may_be_null else self.load(value, here)

    def of(self, column: str) -> Kind:
        return replace(self, column=column)

    def or_null(self) -> Kind:
        put, dump = (
            lambda value, here, step=step: None if value is None else step(value, here)
            for step in (self.put, self.dump)
        )
        return replace(self, may_be_null=True, put=put, dump=dump)

    def optional(self) -> Kind:
        return replace(self.or_null(), may_be_null=False, is_optional=True, is_left_out=True)


def must_be_short(value: Any) -> None:
    """Refuse what is longer than any form could have sent: reading a round can take more than linear time."""
    must_fit(
        len(json.dumps(value)) <= _MAX_CHARACTERS, "it is longer than {most} characters", most=f"{_MAX_CHARACTERS:,}"
    )


def must_be_object(value: Any) -> None:
    """Refuse what isn't an object."""
    must_fit(isinstance(value, dict), "{given} isn't an object", given=quoted(value))


def read_at(key: str, step: Step, value: Any, here: Scope) -> Any:
    """Do a step of a value that stands at a key."""
    try:
        return step(value, here)
    except Misfit as misfit:
        raise misfit.below(key) from None


def fits(test: Callable[[Any, Scope], object], template: str, **values: object) -> Kind:
    """Return the kind of what passes a test; what doesn't is told with the template."""

    def load(value: Any, here: Scope) -> Any:
        must_fit(test(value, here), template, given=quoted(value), **values)
        return value

    return Kind(load)


def numbered(prefix: str = "") -> Kind:
    """Return the kind of a row's number in its list, from 1."""

    def write(_value: object, here: Scope) -> Any:
        return f"{prefix}{here.at + 1}" if prefix else here.at + 1

    def load(value: Any, here: Scope) -> Any:
        is_it = type(value) is not bool and value == write(None, here)
        must_fit(is_it, "it says {given} instead of {n}", given=quoted(value), n=here.at + 1)
        return value

    return Kind(load, dump=write)


def text(most: int, least: int = 0) -> Kind:
    """Return the kind of text of limited length."""

    def test(value: Any, here: Scope) -> bool:
        return isinstance(value, str) and least <= len(value) <= most

    return fits(test, "{given} isn't text of {least} to {most} characters", least=least, most=most)


def allowed(kind: Kind, test: Callable[[Any], object]) -> Kind:
    """Return a narrower kind."""
    narrow = fits(lambda value, here: test(value), "{given} isn't allowed")
    return replace(kind, load=lambda value, here: narrow.load(kind.load(value, here), here))


def typed(most: int, empty: Any = "") -> Kind:
    """Return the kind of text that people typed, which the ledger has by its id; an empty one it has as `empty`."""

    def put(value: str, here: Scope) -> Any:
        return here.ids["typed"][value] if value else empty

    def dump(value: Any, here: Scope) -> str:
        return here.ids["typed"][str(value)] if value else ""

    return replace(text(most), put=put, dump=dump)


def name(problem_with: Callable[[Any], Problem | None]) -> Kind:
    """Return the kind of a name that could be entered in the app."""

    def load(value: Any, here: Scope) -> str:
        problem = problem_with(value)
        must_follow([problem] if problem is not None else [], names_field=False)
        must_fit(value == value.strip(), "{given} has spaces around it", given=quoted(value))
        return str(value)

    return Kind(load)


def whole(least: int, most: int) -> Kind:
    """Return the kind of a whole number between bounds; `true` isn't one."""

    def test(value: Any, here: Scope) -> bool:
        return type(value) is int and least <= value <= most

    return fits(test, "{given} isn't a whole number from {least} to {most}", least=least, most=most)


def number_or_0(most: int) -> Kind:
    """Return the kind of a number that is 0 where a file has none, and not written then."""
    return replace(whole(1, most).optional(), put=lambda value, here: value or 0)


def _moment(value: Any, here: Scope) -> datetime:
    try:
        if isinstance(value, str) and _MOMENT.fullmatch(value):  # only so, for exporting again gives the same text
            return datetime.fromisoformat(value)
    except ValueError:  # such as a 13th month
        pass
    raise Misfit("{given} isn't a time like 2026-11-21T19:30:00.000000Z", given=quoted(value))


def _written_moment(value: datetime, here: Scope) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def word(*words: str) -> Kind:
    """Return the kind of one of some words."""
    return fits(
        lambda value, here: isinstance(value, str) and value in words, "{given} isn't one of {words}", words=words
    )


def ref(of: str, others: tuple[str, ...] = ()) -> Kind:
    """Return the kind of a reference to a row of the list `of`."""

    def test(value: Any, here: Scope) -> bool:
        return type(value) in (str, int) and (value in others or value in here.ids[of])

    known = fits(test, "there is no {of} {given} here", of=NOUNS[of])
    return Kind(known.load, lambda name, here: int(here.ids[of][name]), lambda id_, here: here.ids[of][str(id_)])


def account(of: str, others: tuple[str, ...] = (POT, BANK)) -> Kind:
    """Return the kind of an account's key: a player in the list `of`, or one of the `others`."""

    def rename(value: str, here: Scope) -> str:
        return value if value in others else str(here.ids["players"][value])

    return Kind(ref(of, others).load, rename, rename)


def account_or_apart(of: str) -> Kind:
    """Return the kind of an account's key that may also be a player's for costs apart from the games: "p1/EUR"."""
    of_games, of_players = account(of), account(of, others=())

    def load(key: Any, here: Scope) -> Any:
        player, currency = parts_of_account(key) if isinstance(key, str) else (key, None)
        if currency is None:
            return of_games.load(key, here)
        must_fit(currency in list_currencies(), "{given} isn't allowed", given=quoted(key))
        of_players.load(player, here)
        return key

    def rename(value: str, here: Scope) -> str:
        player, currency = parts_of_account(value)
        return account_of(of_games.put(player, here), currency)

    return Kind(load, rename, rename)


FLAG = fits(lambda value, here: type(value) is bool, "{given} is neither true nor false")
# false where a file has none, and not written then
FLAG_OR_NOT = replace(FLAG.optional(), put=lambda value, here: bool(value))
MOMENT = Kind(_moment, dump=_written_moment)
# not put into the database of another place
LEFT_BEHIND = replace(MOMENT.optional(), put=lambda value, here: None)
# how many seconds a clock is ahead of UTC; written also if it is 0
OFFSET_OF_CLOCK = whole(-_MAX_OFFSET, _MAX_OFFSET)
OFFSET = replace(OFFSET_OF_CLOCK.optional(), is_left_out=False)
PLAYERS_NAME = name(lambda value: name_problem("name", value, {}, is_stored=True))
GROUPS_NAME = name(
    lambda value: (
        None if isinstance(value, str) and folded(value) == POT else name_problem("name", value, {}, is_stored=True)
    )
)
RULES_NAME = name(lambda value: rules_name_problem(value, (), is_stored=True))
SEASONS_NAME = allowed(
    text(MAX_SEASONS_NAME, least=1),
    lambda value: value == value.strip() and is_label(value, MAX_SEASONS_NAME),
)
CLOCK_TIME = allowed(text(5), CLOCK.fullmatch)
PAYMENTS_BY = word("chips", "score")
MONTH = allowed(text(7), lambda value: re.fullmatch(r"(19|2[0-9])[0-9]{2}-(0[1-9]|1[0-2])", value))
# checked and put once all plans are read and inserted
LATER_PLAN = Kind(_same, lambda value, here: None, ref("plans").dump).of("replaced_by_id").or_null()
PUBLIC_ID = allowed(text(16, least=1), lambda value: re.fullmatch("[A-Za-z0-9_-]+", value)).of("public_id")
KEY = text(64).of("submission_key")
DEVICE = text(100)
CURRENCY = allowed(text(3), lambda value: value in list_currencies()).or_null()
