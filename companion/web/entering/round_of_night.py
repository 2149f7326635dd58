"""Entering a night's next round."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from companion.engine.messages import Message
from companion.store.models import Night
from companion.store.night.drafts import line_saved_with
from companion.table.moved_seats import bets_under_other_seats

from ..access.forms import is_stale, redraws
from ..access.lookup import is_own_hand, may, my_player, night_or_404
from ..round.draft.draft_cells import posted_seats, still_down
from ..round.form.sent_with import sent_with
from ..round.next_round import NightRound, next_round
from ..round.stake import other_stake
from .buttons import apply_button
from .draft_page import draft_page, hand_entered
from .draft_result import overwritten, settle_with_draft, take_from_draft
from .page import round_page
from .parts import next_part, posted_night_round
from .saving import saved_at_once, saved_or_shown, to_line

blueprint = Blueprint("night_round", __name__, url_prefix="/s/<public_id>")


@blueprint.get("/round")
def new(public_id: str) -> str | Response:
    """Show the next round's form, prefilled with the night's seats and rules and what the phones have typed."""
    night = night_or_404(public_id, "play")
    if (redirected := _to_seats(night)) is not None:
        return redirected
    round = next_round(night)
    part, problem = next_part(round), _too_few_players(round)
    return draft_page(round, part if problem is None else part.unsaved(problem))


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
    game, part, problem = round.game, next_part(round), _too_few_players(round)
    # a form that was opened before somebody sat out still has enough seats
    if problem is not None and len(posted_seats()) < game.seats[0]:
        return draft_page(round, part.unsaved(problem))
    form = posted_night_round(game, part)
    if is_stale():
        return round_page(form, part)
    if not is_own_hand(night) and (problem := other_stake(part)) is not None:
        return round_page(form, replace(part, asks_stake=problem))
    if is_own_hand(night):
        return hand_entered(round, form, part)
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
    if is_saved and result.settlement is None and (line := line_saved_with(night, part.key[:64])) is not None:
        # sent again after a lost response: with the draft, hands from other phones are gone
        return to_line(public_id, line)
    return saved_or_shown(form, result, part)


def _to_seats(night: Night) -> Response | None:
    """Redirect a phone that enters no rounds to the page that asks whose it is.

    None for the scorekeeper's, and for those with a player's seat.
    """
    if may("keep") or my_player(night) is not None:
        return None
    return redirect(url_for("phones.me", public_id=night.public_id), 303)


def _too_few_players(round: NightRound) -> Message | None:
    """Say that the game needs more players; None if there are enough."""
    game, least = round.game, round.game.seats[0]
    if len(round.players) >= least:
        return None
    text = "{game} needs at least {least} players; let more play under “People”"
    return Message(text, game=Message(game.name), least=least)
