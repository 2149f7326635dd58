"""The state line at the bottom of a night's phones, as HTML: what comes next, and the buttons for it.

See `table.guidance.next_step`. Its buttons belong to a form of the page, `plays`, so that the line can be drawn again
by itself.
"""

from __future__ import annotations

from flask import render_template, url_for
from markupsafe import Markup

from companion.store.models import Night
from companion.table.guidance.next_step import next_step
from companion.table.hand import HandInPlay
from companion.table.steps import Look

from ..access.lookup import is_own_hand, may, own_of
from .next_round import NightRound


def look_of(night: Night) -> Look:
    """Return at what the page of this request looks: the own hand, all hands, or only the table."""
    if not may("play"):
        return "screen"
    if not may("keep"):
        return "player"
    return "host" if is_own_hand(night) else "keeper"


def state_line(round: NightRound, hand: HandInPlay) -> Markup:
    """Return the state line for this phone; the page that shows it has the rest of the rail."""
    night, step = round.before.night, next_step(hand, look_of(round.before.night))
    # only those that are shown: every tap on a card draws the line
    buttons = (button for button in (step.main, step.quiet) if button is not None)
    places = {button.do: _place(button.do, night, round.game.key) for button in buttons}
    people = night.group.names
    return Markup(render_template("round/_state_line.html", step=step, hand=hand, places=places, people=people))


def _place(do: str, night: Night, game: str) -> str | None:
    """Return the URL of the place to which a button leads; None if it acts."""
    if do == "hand":
        return url_for("night_round.new", public_id=night.public_id, own=own_of(night), _anchor="entry")
    if do in ("hands", "settle"):
        return url_for("night_round.new", public_id=night.public_id, game=game)
    if do == "table":
        return url_for("night.table", public_id=night.public_id, _anchor="at-table")
    if do == "games":
        return url_for("night.games", public_id=night.public_id, own=own_of(night))
    return url_for("night.people", public_id=night.public_id) if do == "people" else None
