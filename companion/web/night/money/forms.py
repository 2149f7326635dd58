"""The forms of a night's money: what moves outside a round, shared costs, the buy-in, and more chips for a player."""

from __future__ import annotations

from typing import Any

from flask import request
from wtforms import BooleanField, HiddenField, SelectField, StringField, ValidationError

from companion.engine.messages import Message
from companion.engine.money.settlement import POT
from companion.store.log.replay import COST, MAX_WEIGHT, POT_MOVE, is_of_pot
from companion.store.models import Night
from companion.store.money.stacks import MAX_BUY_IN, stacks_of
from companion.store.night.reading import newest_cost

from ...access.forms import ActForm
from ...access.lookup import my_player
from ...text.fields import AmountField, ListField, Rows
from ...text.labels import MOVEMENTS, pot_and_bank
from ...text.language import say
from ...text.money import buy_in_message, currency_here, is_currency, read_typed, set_page_currency, usual_currencies
from ...text.money import typed as as_typed
from ..frame import MAX_REMARK_LENGTH, without_controls

_ENTERED = ("buy-in", "side-bet", "loan", POT_MOVE)
_NOBODY_YET = {"": Message("Choose…")}
_COSTS = (Message("Pizza"), Message("Drinks"), Message("Ride"))
_OTHER_COST = "other"


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


class CostForm(ActForm):
    """A shared cost. `what` is one of the usual kinds, or "other" with `note`; `sharers` are those who take part.

    `line` and `seen` are the line that is corrected and the revision of it that the page showed.
    """

    what = StringField(default="")
    note = StringField(filters=[without_controls])
    payer = StringField(default="")
    sharers = ListField(name="for", default=())
    amount = AmountField(least=1, example=36)
    apart = BooleanField()
    currency = SelectField(validate_choice=False)
    line = HiddenField(default="")
    seen = HiddenField(default="")

    names: dict[str, str]
    weights: Rows

    def offer(self, night: Night, cost: dict[str, Any] | None) -> CostForm:
        """Fill in the choices, and on a page that wasn't sent what a cost says, or else what is usual."""
        self.names = night.names
        shares = dict(cost["shares"]) if cost else dict.fromkeys(self.names, 1)
        unsent = {key: str(shares.get(key, 1)) for key in self.names}
        self.weights = Rows("share", self.names, StringField(), unsent)
        last = cost or newest_cost(night.group_id) or {}
        is_sent = request.method == "POST"
        played = self.currency.data if is_sent and night.currency is None else last.get("currency")
        self.currency.choices = usual_currencies(played or currency_here())
        if not is_sent:
            self.apart.data = bool(last.get("currency"))
            self.currency.data = played or currency_here()
            self.sharers.data = [key for key in self.names if key in shares]
            self.payer.data = my_player(night)
        elif night.currency is None and not is_currency(self.currency.data or ""):
            self.currency.data = currency_here()
        set_page_currency(night.currency or self.currency.data)
        if cost and not is_sent:
            self.payer.data, self.what.data, self.note.data = cost["by"], _OTHER_COST, cost["note"]
            self.amount.data = as_typed(cost["amount"])
        return self

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """The kinds of costs to choose from, as (value, text)."""
        return [*((said, said) for said in map(say, _COSTS)), (_OTHER_COST, say("Other"))]

    def validate_payer(self, field: StringField) -> None:
        if field.data not in self.names:
            raise ValidationError(say("Tap who paid"))

    def validate_sharers(self, field: ListField) -> None:
        """Accept one or more players of this night, one of them somebody else than the payer."""
        if not set(field.data) <= set(self.names) or not set(field.data) - {self.payer.data}:
            raise ValidationError(say("Somebody else must share it"))
        for key in field.data:
            weight = self.weights[key].data or ""
            if not (weight.isascii() and weight.isdigit() and 1 <= int(weight[:4]) <= MAX_WEIGHT):
                text = "A share is a whole number from 1 to {most}"
                raise ValidationError(say(text, most=MAX_WEIGHT))

    def document(self, night: Night) -> dict[str, Any]:
        """Return the entry to book."""
        what = self.what.data or ""
        note = (self.note.data or "") if what == _OTHER_COST else what
        shares = [[key, int(self.weights[key].data)] for key in self.names if key in self.sharers.data]
        entry = {"movement": COST, "by": self.payer.data, "amount": self.amount.units, "shares": shares}
        document = {**entry, "note": without_controls(note)[:MAX_REMARK_LENGTH]}
        if night.currency is None or self.apart.data:
            document["currency"] = night.currency or self.currency.data
        return document


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
        """Fill in the choices, who lacks most first, then others without chips; and what the first needs to go on."""
        stacks, self.names = stacks_of(night), night.names
        held = stacks.held if stacks else {}
        in_order = sorted(self.names, key=lambda key: min(held.get(key, 0), 1))
        self.player.choices = {key: self.names[key] for key in in_order}
        if self.chips.data is None and stacks and night.buy_in_units:
            self.chips.data = as_typed(stacks.rebuy(in_order[0], night.buy_in_units))
        return self

    def validate_player(self, field: SelectField) -> None:
        """Accept only players who have a seat."""
        if field.data not in self.names:
            raise ValidationError(say("Choose who buys chips"))
