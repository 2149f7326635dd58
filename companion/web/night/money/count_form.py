"""The form for the chips counted at the end of a night, as amounts or by their colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wtforms import HiddenField, StringField

from companion.engine.messages import Message
from companion.store.groups.chip_sets import COLOURS, Chip, chips_of, worth_of
from companion.store.models import Group
from companion.store.refusals import Refused

from ...access.forms import ActForm
from ...groups.settings.chips import MAX_SHOWN, whole_number
from ...text.fields import AmountField, Rows
from ...text.money import typed as as_typed
from ...text.money import unit_scale


class CountForm(ActForm):
    """The counted chips, with a field for each account; `number` is the next line's number when the page was shown.

    If the group has said which chips it has, there are fields for each colour too, by "account-colour".
    """

    number = HiddenField(default="")

    counts: Rows
    by_colour: Rows
    chips: list[Chip]

    def offer(self, accounts: Iterable[str], group: Group) -> CountForm:
        """Add the fields of each account."""
        known = list(accounts)
        self.counts = Rows("count", known, AmountField(default="", example=40, filters=[lambda text: text[:60]]))
        self.chips = chips_of(group)
        keys = [f"{account}-{chip.colour}" for account in known for chip in self.chips]
        self.by_colour = Rows("chips", keys, StringField(default=""))
        return self

    def count_none(self, accounts: Iterable[str]) -> None:
        """Fill in that these have no chips, as those who have left without any."""
        for account in accounts:
            self.counts[account].data = "0"

    def add_up(self, accounts: Mapping[str, str]) -> None:
        """Work out the counts of accounts whose chips were typed by colour; raises Refused if those aren't numbers."""
        for account, name in accounts.items():
            numbers = {}
            for chip in self.chips:
                typed = self.by_colour[f"{account}-{chip.colour}"].data.strip()
                number = whole_number(typed or "0")
                if number is None:
                    text = "{player}, {colour}: “{typed}” isn't a whole number"
                    raise Refused(Message(text, player=name, colour=COLOURS[chip.colour], typed=typed[:MAX_SHOWN]))
                if typed:
                    numbers[chip.colour] = number
            if numbers:
                self.counts[account].data = as_typed(worth_of(self.chips, numbers) * unit_scale())
