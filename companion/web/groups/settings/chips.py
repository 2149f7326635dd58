"""The page of a group's chips by colour, and what other pages ask of them."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message
from companion.store.groups import chip_sets as store
from companion.store.groups.chip_sets import COLOURS, Chip, chips_of
from companion.store.models import Group
from companion.store.refusals import Refused

from ...access.forms import ActForm, redraws, refusals_shown, sent
from ...access.lookup import group_or_404
from ...text.fields import Rows
from ...text.language import say

blueprint = Blueprint("chips", __name__)
_USUAL = {"white": 1, "red": 5, "blue": 25, "green": 100}
_MAX_DIGITS = 7
MAX_SHOWN = 20  # characters of what was typed
_PLAYERS = range(2, 9)


class ChipsForm(ActForm):
    """The form of a group's chips: value-COLOUR and number-COLOUR; a colour without a number isn't there."""

    values: Rows
    numbers: Rows

    def offer(self, group: Group) -> ChipsForm:
        """Add the fields of each colour, filled in with what the group has, or with usual values."""
        known = {chip.colour: chip for chip in chips_of(group)}
        values = {key: known[key].value if key in known else _USUAL.get(key, "") for key in COLOURS}
        numbers = {key: known[key].number if key in known else "" for key in COLOURS}
        self.values = Rows("value", COLOURS, StringField(), {key: str(value) for key, value in values.items()})
        self.numbers = Rows("number", COLOURS, StringField(), {key: str(number) for key, number in numbers.items()})
        return self

    def chips(self) -> list[Chip]:
        """Return the chips; raises Refused if something isn't a whole number."""
        chips = []
        for key, colour in COLOURS.items():
            value, number = ((rows[key].data or "").strip() for rows in (self.values, self.numbers))
            if number in ("", "0"):
                continue
            if not value:
                raise Refused(Message("Say what the {colour} chips are worth, such as 5", colour=colour))
            worth, count = whole_number(value), whole_number(number)
            if worth is None:
                text = "The {colour} chips are worth a whole number, 1 or more; “{typed}” isn't one"
                raise Refused(Message(text, colour=colour, typed=value[:MAX_SHOWN]))
            if count is None:
                text = "Enter how many {colour} chips there are, such as 20; “{typed}” isn't a whole number"
                raise Refused(Message(text, colour=colour, typed=number[:MAX_SHOWN]))
            chips.append(Chip(key, worth, count))
        return chips


def whole_number(text: str) -> int | None:
    """Read a whole number, or None if it isn't one."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS else None


@blueprint.route("/g/<public_id>/chips", methods=["GET", "POST"])
@redraws
def chips(public_id: str) -> str | Response:
    """Show and set a group's chips."""
    group = group_or_404(public_id)
    form = (ChipsForm() if request.method == "POST" else ChipsForm(formdata=None)).offer(group)
    if request.method == "GET":
        return _page(group, form)
    with refusals_shown(form, lambda: _page(group, form)):
        store.set_chips(group, form.chips(), sent(form))
    return redirect(url_for("chips.chips", public_id=public_id), 303)


def _page(group: Group, form: ChipsForm) -> str:
    chips = chips_of(group)
    # what everybody gets of all chips, as far as they can be shared out
    shares = {n: {chip.colour: chip.number // n for chip in chips if chip.number >= n} for n in _PLAYERS}
    each = {n: (store.worth_of(chips, share), share) for n, share in shares.items()}
    return render_template("group/chips.html", group=group, form=form, each=each if chips else {})


def chip_words(numbers: Mapping[str, int]) -> str:
    """Write how many chips of each colour: "10 white, 6 red"."""
    return ", ".join(f"{number}\u00a0{say(COLOURS[colour])}" for colour, number in numbers.items())


def pack_words(group: Group, players: int, units: int, scale: int) -> str:
    """Write the pack that makes a buy-in of some units for each player; "" if there is none. A 1 is `scale` units."""
    whole, rest = divmod(units, scale)
    pack = store.pack(chips_of(group), players, whole) if not rest else None
    return chip_words(pack) if pack else ""


def would_be(group: Group, units: int, scale: int) -> list[str]:
    """Say which chips of one colour make up some units, the fewest first. A 1 is `scale` units."""
    whole, rest = divmod(units, scale)
    counts = store.made_of(chips_of(group), whole) if not rest else {}
    return [chip_words({colour: counts[colour]}) for colour in sorted(counts, key=lambda colour: counts[colour])]


def init_app(app: Flask) -> None:
    """Register what the pages of nights with chips ask for."""
    app.jinja_env.globals.update(chip_words=chip_words, pack_words=pack_words, chips_of=chips_of, chip_colours=COLOURS)
