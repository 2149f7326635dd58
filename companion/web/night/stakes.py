"""A night's stakes: doubling or replacing the stake, giving a game one of its own, and undoing that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from flask import abort, redirect, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.contract.reading.round_document import MAX_STAKE_UNITS
from companion.engine.messages import Message, quoted
from companion.games import all_games
from companion.store.models import EVERY_GAME, Night
from companion.store.night import settings as night_changes
from companion.store.refusals import Refused

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import game_asked, night_or_404
from ..text.money import no_amount, read_amount, two_readings, typed, units
from .frame import blueprint
from .rules import rules_page

_SEEN = re.compile(r"(?:([a-z-]{1,40})=([1-9][0-9]{0,6})(?:;|$))*")
_PART = re.compile(r"\s*([0-9]{1,4})\s*/\s*([0-9]{1,4})\s*")
Stakes = Mapping[str, int]


class StakesForm(ActForm):
    """A button for the stakes, with what was typed, the stakes that the page showed, and those before."""

    seen = HiddenField(default="")
    before = HiddenField(default="")
    stake = StringField()


@blueprint.post("/stakes")
@redraws
def stakes(public_id: str) -> Response:
    """Set the stakes from the next round on. Rule: C-1.

    The buttons: "double" doubles all of them, "all" sets the typed one for the games without one of their own, "own"
    for this game, "as-others" takes that back, and "back" undoes the last change.
    """
    night, form = night_or_404(public_id), StakesForm()
    game, seen = game_asked(night), _read(form.seen.data or "")
    before, text = _read(form.before.data or ""), (form.stake.data or "")[:40]
    with refusals_shown(form, lambda: rules_page(night_or_404(public_id), game, stake=text)):
        chosen = _chosen(night, game.key, seen, before, form.do.data, text)
        night_changes.set_stakes(public_id, chosen, seen, sent(form))
    return redirect(url_for("night.rules", public_id=public_id, game=game.key, _anchor="stakes"), 303)


def _read(text: str) -> dict[str, int]:
    """Read the stakes that the page showed: "all=2;knock=1"."""
    if not _SEEN.fullmatch(text):
        abort(400)
    stakes = {game: int(stake) for game, _, stake in (part.partition("=") for part in text.split(";") if part)}
    if not stakes.keys() <= {EVERY_GAME, *all_games()}:
        abort(400)
    return stakes


def _chosen(night: Night, game: str, seen: Stakes, before: Stakes, do: str | None, text: str) -> Stakes:
    """Return the stakes that a button asks for; raises Refused if one isn't a whole number of units, or too large."""
    of_night = seen.get(EVERY_GAME, night.stake_units)
    if do == "double":
        stakes = {key: 2 * stake for key, stake in {EVERY_GAME: of_night, **seen}.items()}
    elif do == "all":
        stakes = {**seen, EVERY_GAME: _read_stake(text, of_night)}
    elif do == "own":
        stakes = {**seen, game: _read_stake(text, of_night)}
    elif do == "back":
        stakes = dict(before)
    else:
        stakes = {key: stake for key, stake in seen.items() if key != game}
    if max(stakes.values(), default=0) > MAX_STAKE_UNITS:
        raise Refused(Message("A stake is {most} at most", most=typed(MAX_STAKE_UNITS)))
    return stakes


def _read_stake(text: str, of_night: int) -> int:
    """Read an amount, or a part of the night's stake such as "1/10", into units."""
    part = _PART.fullmatch(text)
    if part is not None and int(part[2]):
        share = Fraction(int(part[1]), int(part[2]))
        amount = share * of_night
        if amount.denominator > 1:
            why = "{part} of {stake} isn't a whole amount; the smallest stake that works is {least}"
            raise Refused(Message(why, part=text.strip(), stake=units(of_night), least=units(share.denominator)))
        stake: int | None = int(amount)
    else:
        stake = read_amount(text)
    if stake is None or not 1 <= stake <= MAX_STAKE_UNITS:
        raise Refused(_wrong(text))
    return stake


def _wrong(text: str) -> Message:
    why = "“{text}” isn't a stake: enter {least} to {most}, or a part such as 1/10"
    wrong = Message(why, text=quoted(text), least=typed(1), most=typed(MAX_STAKE_UNITS))
    return two_readings(text) or (wrong if text.strip() else no_amount(""))
