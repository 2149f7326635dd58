"""Entering a night's next round, and correcting a saved one.

A correction's effects on later rounds are always shown before it is saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, make_response, redirect, request, url_for
from flask import Response as JsonResponse
from werkzeug.wrappers import Response

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.store.identities import keys_of
from companion.store.log.replay import LineEntry, is_round
from companion.store.log.typed import with_texts
from companion.store.models import Night, Revision
from companion.store.night import play
from companion.store.night.drafts import line_of_round, line_saved_with
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.hand import HandInPlay, bets_under_other_seats
from companion.table.next_round import word_in
from companion.table.worth import outcomes

from ..access.devices import device_name, is_own_hand, may, my_player, new_key, night_or_404, own_of
from ..access.lookup import account_names, game_or_404, line_or_404
from ..http import figures
from ..http.csrf import is_stale, redraws
from ..http.parsing import line_number, posted
from ..ledger_lines.differences import differences, parts
from ..round.document import FormResult, document, missing_answers, settle_form
from ..round.draft_cells import drafted_form, own_cells, seats_of, still_down
from ..round.effects import effects_of
from ..round.form import RoundForm, filled_form, posted_form
from ..round.live import live_answer
from ..round.mine import my_part
from ..round.next_round import NightRound, next_round, read_again
from ..round.night_part import NightPart, NotSaved, OwnPhone
from ..round.rail import state_line
from ..round.result import rarities
from ..round.sent_with import sent_with
from ..round.shared import problem_here
from ..round.showdown import late_sentences, reveal_if_all_in
from ..round.stake import other_stake, played_for
from ..text.money import amount_typed
from .buttons import apply_button
from .draft_result import enter_here, overwritten, settle_with_draft, take_from_draft
from .page import round_page

blueprint = Blueprint("night_round", __name__, url_prefix="/s/<public_id>")


@blueprint.get("/round")
def new(public_id: str) -> str | Response:
    """Show the next round's form, prefilled with the night's seats and rules and what the phones have typed."""
    night = night_or_404(public_id, "play")
    if (redirected := _to_seats(night)) is not None:
        return redirected
    round = next_round(night)
    part, problem = next_part(round), _too_few_players(round)
    return _draft_page(round, part if problem is None else replace(part, not_saved=NotSaved(problem)))


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
    if problem is not None and len(seats_of(posted())) < game.seats[0]:
        return _draft_page(round, replace(part, not_saved=NotSaved(problem)))
    form = posted_night_round(game, part)
    if is_stale():
        return round_page(form, part)
    if not is_own_hand(night) and (problem := other_stake(part)) is not None:
        return round_page(form, replace(part, asks_stake=problem))
    if is_own_hand(night):
        return _hand_entered(round, form, part)
    pressed = sent_with().do
    if apply_button(pressed, form):
        return round_page(form, replace(part, down=still_down(round, form)))
    is_bet = form.replaced and form.bets.data
    if is_bet and (problem := bets_under_other_seats(round, form.players)) is not None:
        return round_page(form, replace(part, not_saved=NotSaved(problem)))
    part = replace(part, overwritten=overwritten(round, form))
    take_from_draft(round, form)
    is_saved = pressed.data == "save"
    if is_saved and not form.face_down and (saved := _saved_at_once(form, part)):
        return saved
    result, part = settle_with_draft(round, form, part, is_saved=is_saved)
    if is_saved and result.settlement is None and (line := line_saved_with(night, part.key[:64])) is not None:
        # sent again after a lost response: with the draft, hands from other phones are gone
        return _to_line(public_id, line)
    return _saved_or_shown(form, result, part)


@blueprint.route("/lines/<int:number>/correct", methods=["GET", "POST"])
@redraws
def correct(public_id: str, number: int) -> str | Response:
    """Correct a saved round, after showing what that changes in later rounds."""
    night = night_or_404(public_id)
    stored, game, part = correction(night, number)
    if request.method == "GET":
        return round_page(filled_form(game, with_texts(night.group_id, [stored.document])[0]), part)
    form = posted_night_round(game, part)
    if is_stale() or apply_button(sent_with().do, form):
        return round_page(form, part)
    return _saved_or_shown(form, settle_form(form), part)


@blueprint.post("/lines/<int:number>/live")
@redraws
def live_correction(public_id: str, number: int) -> JsonResponse | tuple[JsonResponse, int]:
    """Return the live reading of a correction's form while it is filled in."""
    _, game, part = correction(night_or_404(public_id), number)
    return live_answer(posted_night_round(game, part))


def correction(night: Night, number: int) -> tuple[Revision, AnyGame, NightPart]:
    """Return a round's current revision, its game, and the night's part of the page that corrects it.

    404 if the line isn't a round, or of a game that isn't installed here.
    """
    stored = line_or_404(night, number).current
    if not is_round(stored.document):
        abort(404)
    game, sent = game_or_404(stored.document["game"]), sent_with()
    part = NightPart(
        night,
        url_for("night_round.correct", public_id=night.public_id, number=number),
        str(number),
        sent.key.data or new_key(),
        stored.document["pot"],
        *(stored.document.get("stake", 1),) * 2,
        seen=str(stored.number) if sent.seen.data is None else sent.seen.data,
        counts_again=stored.voided,
        way=word_in(stored.document["round"], game),
    )
    return stored, game, part


def posted_night_round(game: AnyGame, part: NightPart) -> RoundForm:
    """Read the form of a round of this night; 400 if its seats aren't those of as many players as the game needs."""
    seated, players = seats_of(posted())[: game.seats[1]], keys_of(part.night)
    if len(set(seated)) < max(len(seated), game.seats[0]) or not set(seated) <= set(players):
        abort(400)
    form = posted_form(game, seated)
    typed = form.stake.data if part.corrects is not None and "stake" in posted() else None
    form.set_money(part.played_for, part.pot)
    if typed is not None:  # only a correction may say another stake
        form.stake.data = str(amount_typed(typed))
    form.in_front = part.in_front
    return form


def next_part(round: NightRound) -> NightPart:
    """Return the night's part of the next round's page. All phones use the draft's key, so they save one round."""
    night, sent = round.before.night, sent_with()
    return NightPart(
        night,
        url_for("night_round.new", public_id=night.public_id, game=round.game.key, own=own_of(night)),
        number=sent.number.data or str(round.before.number),
        key=sent.key.data or round.key or new_key(),
        pot=round.before.pot,
        played_for=played_for(round),
        stake_now=round.stake,
        draft=url_for("phones.draft", public_id=night.public_id),
        balances=round.before.balances,
        in_front=round.before.in_front,
        late=late_sentences(night),
        way=round.way if sent.way.data is None else sent.way.data,
    )


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


def _draft_page(round: NightRound, part: NightPart) -> str:
    """Render the form with what this device may see of the draft."""
    form = drafted_form(round)
    hand = HandInPlay(round)
    part = replace(part, down=form.face_down, state_line=state_line(round, hand), me=round.me)
    if is_own_hand(round.before.night):
        seat = -1 if round.my_seat is None else round.my_seat
        mine = my_part(round.before.night, round.me, round.before.balances)
        wrong = problem_here(round)
        part = replace(part, own=OwnPhone(seat, round.me, hand, mine, outcomes(hand, round.me), wrong))
    return round_page(form, part)


def _hand_entered(round: NightRound, form: RoundForm, part: NightPart) -> str | Response:
    """Store a player's own hand in the draft, if it was sent without the page's script."""
    try:
        reveal_if_all_in(enter_here(part, form, own_cells(form, round.me)))
    except Refused as refused:
        figures.refused(refused)
        part = replace(part, not_saved=NotSaved(refused.message, refused.line))
        return _draft_page(read_again(round, round.before.night), part)
    return redirect(part.action, 303)


def _saved_at_once(form: RoundForm, part: NightPart) -> Response | None:
    """Save a round without settling it here first, because the store settles it anyway.

    Returns None if it can't be saved; the page then settles it to explain why.
    """
    if missing_answers(form):
        return None
    with suppress(Refused):
        return _saved(part, _entry(document(form)))
    return None


def _entry(written: Mapping[str, Any]) -> dict[str, Any]:
    """Turn a form's document into one to store: with the dealer, and without the pot, which follows from the log."""
    return {"dealer": written["players"][-1], **{key: value for key, value in written.items() if key != "pot"}}


def _saved_or_shown(form: RoundForm, result: FormResult, part: NightPart) -> str | Response:
    """Save the round if the button was "save"; otherwise show its result, and what a correction changes."""
    night = part.night
    if part.not_saved is not None:
        return round_page(form, part)
    if result.settlement is None:
        return round_page(form, part, result)
    entry = _entry(result.document)
    try:
        if sent_with().do.data == "save":
            # the first time for a deck, this counts all its hands for half a second; do it before taking the lock
            rarities(form.game, form.options, result.settlement)
            return _saved(part, entry)
        if part.corrects is not None:
            part = replace(part, effects=effects_of(night, LineEntry(part.corrects, entry)))
    except Refused as refused:
        figures.refused(refused)
        told = NotSaved(refused.message, refused.line)
        part = replace(part, not_saved=told, night=night_or_404(night.public_id))
        if isinstance(refused, Conflict):
            told = replace(told, saved_as=refused.line if refused.is_sent_before else None)
            part = _with_other_version(part, told, entry)
            return make_response(round_page(form, part, result), 409)
    return round_page(form, part, result)


def _saved(part: NightPart, entry: dict[str, Any]) -> Response:
    """Save the round or its correction; raises Refused."""
    sent, public_id, number = Sent(part.key[:64], device_name()), part.night.public_id, part.corrects
    if number is not None:
        play.correct(public_id, number, entry, line_number(part.seen), sent)
    else:
        number = line_of_round(part.night, line_number(part.number), sent.key)
        play.save_round(public_id, number, entry, sent, expected_pot=part.pot)
        figures.round_saved(entry["game"])
    return _to_line(public_id, number)


def _to_line(public_id: str, number: int) -> Response:
    return redirect(url_for("night.line", public_id=public_id, number=number, saved="yes"), 303)


def _with_other_version(part: NightPart, told: NotSaved, mine: dict[str, Any]) -> NightPart:
    """Show this entry next to what the other phone saved; saving it anyway is a new change, with a new key."""
    night, other = part.night, None
    latest = play.find_line(night, told.line) if told.line else None
    if latest is not None:
        names = account_names(night.group)
        other = differences(parts(latest.current.document, names), parts(mine, names))
    part = replace(part, not_saved=replace(told, other=other), key=new_key())
    corrected = play.find_line(night, part.corrects) if part.corrects else None
    if corrected is not None:
        return replace(part, seen=str(corrected.current.number))
    return replace(part, number=str(play.next_number(night)))
