"""A round's fields as plain values, for responses without a page.

Every tap is answered with a reading of the whole round, and so is each poll after it. A WTForms form would make some
seventy objects for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from wtforms import Field, Form

from companion.engine.pieces import PieceSet
from companion.games import all_games

from .form import form_class
from .next_round import NextRound
from .round_fields import RoundFields

_PARTS = ("rules", "asked", "everyone")
Kinds = Mapping[str, tuple[str, Any]]  # the type and the default of fields, by name


class PlainField:
    """A field's name, which is also its id, the type of the form's field, and its value."""

    __slots__ = ("data", "name", "type")

    def __init__(self, name: str, type: str, data: Any) -> None:
        self.name, self.type, self.data = name, type, data

    @property
    def id(self) -> str:
        return self.name


class PlainFields:
    """Fields by their names in a form; iterating yields the fields, as with a form."""

    __slots__ = ("_fields",)

    def __init__(self, kinds: Kinds, prefix: str) -> None:
        self._fields = _empty(kinds, prefix)

    def __getitem__(self, name: str) -> PlainField:
        return self._fields[name]

    def __getattr__(self, name: str) -> PlainField:
        return self._fields[name]

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator[PlainField]:
        return iter(self._fields.values())


def _empty(kinds: Kinds, prefix: str) -> dict[str, PlainField]:
    return {name: PlainField(prefix + name, type, data) for name, (type, data) in kinds.items()}


class PlainRound(RoundFields):
    """An empty round of a night, with this many seats."""

    names_are_stored = True

    def __init__(self, key: str, seats: int) -> None:
        self.game = all_games()[key]
        kinds = _kinds(key)
        self._own = _empty(kinds[""], "")
        for name, field in self._own.items():
            setattr(self, name, field)
        self.rules, self.asked, self.everyone = (
            SimpleNamespace(form=PlainFields(kinds[part], f"{part}-")) for part in _PARTS
        )
        self._seats = [PlainFields(kinds["players"], f"players-{seat}-") for seat in range(seats)]

    @property
    def seats(self) -> list[Any]:
        """The players' fields, in seat order."""
        return self._seats

    @cached_property
    def pieces(self) -> PieceSet[Any]:
        """The deck or set of tiles in use; asked for once the house rules are filled in."""
        return super().pieces

    def field(self, name: str) -> Any:
        """Return one of the round's own fields by name; None if there is none."""
        return self._own.get(name)


def new_round(round: NextRound) -> PlainRound:
    """Make the next round without a form, filled in like the form."""
    plain = PlainRound(round.game.key, len(round.players))
    plain.prefill(round)
    return plain


@cache
def _kinds(key: str) -> Mapping[str, Kinds]:
    """Return the type and the default of each field of a game's form, by the part that it is in."""
    form = form_class(key)(formdata=None, data={"players": [{}]}, meta={"csrf": False})
    own = {field.name: field for field in form if field.name not in (*_PARTS, "players")}
    parts: dict[str, Form] = {part: form[part].form for part in _PARTS} | {"players": form.seats[0]}
    return {"": _described(own), **{part: _described(fields._fields) for part, fields in parts.items()}}


def _described(fields: Mapping[str, Field]) -> Kinds:
    return {name: (field.type, field.data) for name, field in fields.items()}
