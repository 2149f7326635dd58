"""The forms on a night's money tab: what moves outside a round, the buy-in, and more chips for a player."""

from __future__ import annotations

from typing import Any

from wtforms import HiddenField, SelectField, StringField, ValidationError

from companion.engine.messages import Message
from companion.engine.money.settlement import POT
from companion.store.log.replay import POT_MOVE, is_of_pot
from companion.store.models import Night
from companion.store.money.stacks import MAX_BUY_IN, stacks_of

from ...access.forms import ActForm
from ...text.fields import AmountField
from ...text.labels import MOVEMENTS, pot_and_bank
from ...text.language import say
from ...text.money import buy_in_message, read_typed
from ...text.money import typed as as_typed
from ..frame import MAX_REMARK_LENGTH, without_controls

_ENTERED = ("buy-in", "side-bet", "loan", POT_MOVE)
_NOBODY_YET = {"": Message("Choose…")}


class MoveForm(ActForm):
    """What moves outside a round: a debt, paid at the end of the night (a buy-in, a side bet or a loan), or the pot."""

    movement = SelectField(validate_choice=False)
    giver = SelectField(name="from", validate_choice=False)
    taker = SelectField(name="to", validate_choice=False)
    amount = AmountField(least=1)
    note = StringField(filters=[without_controls])

    accounts: dict[str, str]
    kinds: tuple[str, ...]

    def offer(self, night: Night) -> MoveForm:
        """Fill in the choices. With stacks, a buy-in isn't a debt: see `chips`."""
        self.kinds = _ENTERED if night.buy_in_units is None else _ENTERED[1:]
        self.movement.choices = {key: MOVEMENTS[key] for key in self.kinds}
        self.accounts = {**night.names, **pot_and_bank()}
        self.giver.choices = self.taker.choices = {**_NOBODY_YET, **self.accounts}
        return self

    def validate_movement(self, field: SelectField) -> None:
        if field.data not in self.kinds:
            raise ValidationError(say("Say what it is: choose from the list"))

    def validate_giver(self, field: SelectField) -> None:
        if field.data not in self.accounts:
            raise ValidationError(say("Say who pays or owes it"))

    def validate_taker(self, field: SelectField) -> None:
        """Accept another account than the giver's; the pot only in a movement of the pot, which has no bank."""
        if field.data not in self.accounts:
            raise ValidationError(say("Say to whom"))
        giver = self.giver.data
        if field.data == giver:
            raise ValidationError(say("Nobody can owe themselves; choose somebody else"))
        if self.movement.data == POT_MOVE and not is_of_pot(giver, field.data):
            raise ValidationError(say("One of the two is the pot, and the other one a player"))
        if self.movement.data != POT_MOVE and POT in (giver, field.data):
            raise ValidationError(say("For the pot, choose “into or out of the pot” above"))

    def document(self) -> dict[str, Any]:
        """Return the movement to book."""
        return {
            "movement": self.movement.data,
            "from": self.giver.data,
            "to": self.taker.data,
            "amount": self.amount.units,
            "note": (self.note.data or "")[:MAX_REMARK_LENGTH],
        }


class BuyInForm(ActForm):
    """The buy-in; an empty field means to play without stacks."""

    buy_in = StringField(name="buy-in")

    def validate_buy_in(self, field: StringField) -> None:
        """Accept an empty field, or an amount within the limits."""
        typed = (field.data or "").strip()
        if typed and not 1 <= (read_typed(typed) or 0) <= MAX_BUY_IN:
            raise ValidationError(say(buy_in_message(typed, MAX_BUY_IN)))


class RebuyForm(ActForm):
    """More chips for a player."""

    player = SelectField(validate_choice=False)
    chips = AmountField(least=1, most=MAX_BUY_IN)
    back = HiddenField(default="")

    names: dict[str, str]

    def offer(self, night: Night) -> RebuyForm:
        """Fill in the choices, players without chips first, and the buy-in as the amount."""
        stacks, self.names = stacks_of(night), night.names
        held = stacks.held if stacks else {}
        in_order = sorted(self.names, key=lambda key: held.get(key, 0) > 0)
        self.player.choices = {key: self.names[key] for key in in_order}
        if self.chips.data is None:
            self.chips.data = as_typed(night.buy_in_units or 0)
        return self

    def validate_player(self, field: SelectField) -> None:
        """Accept only players who have a seat."""
        if field.data not in self.names:
            raise ValidationError(say("Choose who buys chips"))
