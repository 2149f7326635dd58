"""The forms for a night's chips: the buy-in, rebuys, and the chip count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wtforms import HiddenField, SelectField, StringField, ValidationError

from companion.engine.messages import Message
from companion.store.identities import names_of
from companion.store.models import PlaySession
from companion.store.stacks import MOST_BUY_IN, stacks_of

from ..access.devices import ActForm
from ..text.fields import AmountField, Rows
from ..text.language import say
from ..text.money import buy_in_message, read_typed
from ..text.money import typed as as_typed


class BuyInForm(ActForm):
    """The buy-in; an empty field means to play without stacks."""

    buy_in = StringField(name="buy-in")

    def validate_buy_in(self, field: StringField) -> None:
        """Accept an empty field, or an amount within the limits."""
        typed = (field.data or "").strip()
        if typed and not 1 <= (read_typed(typed) or 0) <= MOST_BUY_IN:
            raise ValidationError(say(buy_in_message(as_typed(1), as_typed(MOST_BUY_IN))))


class RebuyForm(ActForm):
    """More chips for a player."""

    player = SelectField(validate_choice=False)
    chips = AmountField(least=1, most=MOST_BUY_IN)
    back = HiddenField(default="")

    names: dict[str, str]

    def offer(self, session: PlaySession) -> RebuyForm:
        """Fill in the choices, players without chips first, and the buy-in as the amount."""
        stacks, self.names = stacks_of(session), names_of(session)
        held = stacks.held if stacks else {}
        in_order = sorted(self.names, key=lambda key: held.get(key, 0) > 0)
        self.player.choices = {key: self.names[key] for key in in_order}
        if self.chips.data is None:
            self.chips.data = as_typed(session.buy_in_units or 0)
        return self

    def validate_player(self, field: SelectField) -> None:
        """Accept only players who have a seat."""
        if field.data not in self.names:
            raise ValidationError(say(Message("Choose who buys chips")))


class CountForm(ActForm):
    """The counted chips, with a field for each account; `number` is the next line's number when the page was shown."""

    number = HiddenField(default="")

    counts: Rows

    def offer(self, accounts: Iterable[str]) -> CountForm:
        """Add a field for each account."""
        self.counts = Rows("count", accounts, AmountField(default="", example=40, filters=[lambda text: text[:60]]))
        return self


@dataclass(frozen=True)
class ChipForms:
    """The forms for buy-in and rebuy; `place` is the one that was refused ("buy-in" or "rebuy"), `problem` is why."""

    buy_in: BuyInForm
    rebuy: RebuyForm
    place: str = ""
    problem: Message | None = None


def blank_forms(session: PlaySession) -> ChipForms:
    """Return the forms, filled in with the night's current values."""
    written = as_typed(session.buy_in_units) if session.buy_in_units else ""
    buy_in = BuyInForm(formdata=None, data={"buy_in": written})
    return ChipForms(buy_in, RebuyForm(formdata=None).offer(session))
