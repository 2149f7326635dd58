"""Form fields for what pages send: an amount, the button that was pressed, a list, and a field for each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import request
from wtforms import Field, StringField, ValidationError
from wtforms.form import BaseForm

from companion.engine.messages import Message

from ..http.requests.parsing import row_number
from .language import say
from .money import no_amount, read_typed


class ButtonField(StringField):
    """The button that sent a form: `do="pay-2"` is the action "pay" on row "2"."""

    @property
    def action(self) -> str:
        return str(self.data or "").partition("-")[0]

    @property
    def row(self) -> str:
        """The row the button belongs to, usually an id; "" if it belongs to the whole form."""
        return str(self.data or "").partition("-")[2]

    @property
    def row_id(self) -> int:
        """The row as an id; 0, which no row has, if no page of ours can have written it."""
        return row_number(self.row) or 0


class ListField(Field):
    """All values sent under one name, in their order, such as the rows of a list that can be sorted."""

    def process_formdata(self, valuelist: list[str]) -> None:
        self.data = valuelist


def order_of(rows: Iterable[str], known: Sequence[int]) -> list[int]:
    """Return ids in the order of a form's rows; those without a row come last."""
    ids = {str(row_id): row_id for row_id in known}
    posted = [ids[row] for row in dict.fromkeys(rows) if row in ids]
    return [*posted, *(row_id for row_id in known if row_id not in posted)]


def with_row_moved(order: Sequence[int], row: str, step: int) -> list[int]:
    """Move a row up (-1) or down (+1), which works without JavaScript, unlike dragging; at the ends it stays."""
    rows = list(order)
    at = next((at for at, row_id in enumerate(rows) if str(row_id) == row), None)
    if at is not None:
        rows.insert(max(at + step, 0), rows.pop(at))
    return rows


class AmountField(StringField):
    """An amount as typed, in the page's currency or in chips. `example` is what its refusal shows, in units."""

    def __init__(self, label: str = "", *, least: int = 0, most: int | None = None, example: int = 100, **more: Any):
        super().__init__(label, **more)
        self.least, self.most, self.example = least, most, example

    @property
    def units(self) -> int | None:
        """The amount in units; None if the text isn't one, or it is out of range."""
        units = read_typed(self.data or "")
        is_fit = units is not None and units >= self.least and (self.most is None or units <= self.most)
        return units if is_fit else None

    def problem(self) -> Message:
        """Say that the text isn't an amount, and what one looks like."""
        return no_amount(self.data or "", self.example)

    def pre_validate(self, form: BaseForm) -> None:
        if self.units is None:
            raise ValidationError(say(self.problem()))


class Rows(BaseForm):
    """A field for each row of the posted form: `Rows("amount", ["1", "2"], …)` reads amount-1 and amount-2.

    A row that wasn't sent has its value of `unsent`.
    """

    def __init__(self, name: str, keys: Iterable[str], field: Any, unsent: Mapping[str, str] | None = None) -> None:
        super().__init__(dict.fromkeys(keys, field), prefix=name)
        self.process(request.form, data=unsent)

    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key)

    @property
    def typed(self) -> dict[str, str]:
        """What was sent, by row; rows that weren't sent are missing."""
        return {key: field.data for key, field in self._fields.items() if field.raw_data}
