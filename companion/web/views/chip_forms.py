"""The forms for the chips of a night: what everybody starts with, and rebuys."""

from __future__ import annotations

from dataclasses import dataclass

from wtforms import SelectField, StringField, ValidationError

from companion.engine.messages import Message, quoted
from companion.store.identities import names_of
from companion.store.models import PlaySession
from companion.store.stacks import MOST_BUY_IN, stacks_of

from ..access.devices import ActForm
from ..text.language import say
from ..text.money import buy_in_message, read_typed
from ..text.money import typed as as_typed


class BuyInForm(ActForm):
    """The chips that everybody starts with; empty in a night without stacks."""

    buy_in = StringField(name="buy-in")

    def validate_buy_in(self, field: StringField) -> None:
        """Take nothing, or an amount that a table can play for."""
        typed = (field.data or "").strip()
        if typed and not 1 <= (read_typed(typed) or 0) <= MOST_BUY_IN:
            raise ValidationError(say(buy_in_message(as_typed(1), as_typed(MOST_BUY_IN))))


class RebuyForm(ActForm):
    """More chips for a player."""

    player = SelectField(validate_choice=False)
    chips = StringField()

    names: dict[str, str]

    def offer(self, session: PlaySession) -> RebuyForm:
        """Give the choices, those who have nothing left first, and the amount that everybody started with."""
        stacks, self.names = stacks_of(session), names_of(session)
        held = stacks.held if stacks else {}
        in_order = sorted(self.names, key=lambda key: held.get(key, 0) > 0)
        self.player.choices = {key: self.names[key] for key in in_order}
        if self.chips.data is None:
            self.chips.data = as_typed(session.buy_in_units or 0)
        return self

    def validate_player(self, field: SelectField) -> None:
        """Take those who have a seat."""
        if field.data not in self.names:
            raise ValidationError(say(Message("Choose who buys chips")))

    def validate_chips(self, field: StringField) -> None:
        """Take an amount above 0."""
        if not 1 <= (read_typed(field.data or "") or 0) <= MOST_BUY_IN:
            raise ValidationError(say(no_amount(field.data or "", 100)))


def no_amount(given: str, example: int) -> Message:
    """Say that a text is no amount, and what one looks like."""
    text = "“{text}” isn't an amount; enter one like {example}"
    return Message(text, text=quoted(given), example=as_typed(example))


@dataclass(frozen=True)
class ChipForms:
    """Both forms; `place` names the one that was sent, "buy-in" or "rebuy", and `problem` tells what is wrong in it."""

    buy_in: BuyInForm
    rebuy: RebuyForm
    place: str = ""
    problem: Message | None = None


def blank_forms(session: PlaySession) -> ChipForms:
    """Give the forms of a night as it is."""
    written = as_typed(session.buy_in_units) if session.buy_in_units else ""
    buy_in = BuyInForm(formdata=None, data={"buy_in": written})
    return ChipForms(buy_in, RebuyForm(formdata=None).offer(session))
