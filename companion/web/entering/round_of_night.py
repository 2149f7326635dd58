"""Entering a night's next round."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from companion.store.models import Night
from companion.table.moved_seats import bets_under_other_seats

from ..access.forms import is_stale, redraws
from ..access.lookup import is_own_hand, may, my_player, night_or_404
from ..round.draft.draft_cells import still_down
from ..round.form.sent_with import sent_with
from ..round.next_round import next_round
from ..round.stake import other_stake
from .buttons import apply_button
from .draft_page import draft_page, hand_entered
from .draft_result import overwritten, settle_with_draft, take_from_draft
from .page import round_page
from .parts import next_part, posted_night_round
from .saving import saved_at_once, saved_or_shown

blueprint = Blueprint("night_round", __name__, url_prefix="/s/<public_id>")


@blueprint.get("/round")
def new(public_id: str) -> str | Response:
    """Show the next round's form, prefilled with the night's seats and rules and what the phones have typed."""
    night = night_or_404(public_id, "play")
    if (redirected := _to_seats(night)) is not None:
        return redirected
    round = next_round(night)
    return draft_page(round, next_part(round))


@blueprint.post("/round")
@redraws
def enter(public_id: str) -> str | Response:
    """Take the next round's form, with a button pressed: change the form, settle the round or save it.

    A player's own form only puts the hand into the draft.
    """
    night = night_or_404(public_id, "play")
    if (redirected := _to_seats(night)) is not None:
        return redirected
    round = next_round(night)
    part = next_part(round)
    if part.not_saved is not None:
        return draft_page(round, part)
    form = posted_night_round(round.game, part)
    if is_stale():
        return round_page(form, part)
    if is_own_hand(night):
        return hand_entered(round, form, part)
    if (problem := other_stake(part)) is not None:
        return round_page(form, replace(part, asks_stake=problem))
    pressed = sent_with().do
    if apply_button(pressed, form):
        return round_page(form, replace(part, down=still_down(round, form)))
    is_bet = form.replaced and form.bets.data
    if is_bet and (problem := bets_under_other_seats(round, form.players)) is not None:
        return round_page(form, part.unsaved(problem))
    part = replace(part, overwritten=overwritten(round, form))
    take_from_draft(round, form)
    is_saved = pressed.data == "save"
    if is_saved and not form.face_down and (saved := saved_at_once(form, part)):
        return saved
    result, part = settle_with_draft(round, form, part, is_saved=is_saved)
    return saved_or_shown(form, result, part)


def _to_seats(night: Night) -> Response | None:
    """Redirect a phone that enters no rounds to the page that asks whose it is.

    None for the scorekeeper's, and for those with a player's seat.
    """
    if may("keep") or my_player(night) is not None:
        return None
    return redirect(url_for("phones.me", public_id=night.public_id), 303)
