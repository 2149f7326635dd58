"""Entering a session's next round, and correcting a saved one.

A correction's effects on later rounds are always shown before it is saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, jsonify, make_response, redirect, request, url_for
from flask import Response as JsonResponse
from werkzeug.wrappers import Response

from companion.contract.naming import renamed
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games
from companion.store import drafts as store
from companion.store import play
from companion.store.before_round import BeforeRound
from companion.store.identities import keys_by_name
from companion.store.models import PlaySession, Revision
from companion.store.refusals import Conflict, Refused, Sent
from companion.store.replay import LineEntry, is_round

from ..access.actions import stale_json
from ..access.devices import device_id, device_name, may, my_player, new_key, session_or_404
from ..access.lookup import account_names, line_or_404
from ..http.csrf import redraws
from ..http.parsing import asks_for_json, line_number, posted
from ..lines.differences import differences, parts
from ..round import draft_cells
from ..round.answer import rarities
from ..round.document import Answer, apply_button, document, missing_answers, settle_form
from ..round.draft_answer import overwritten, settle_with_draft, take_from_draft
from ..round.effects import effects_of
from ..round.form import RoundForm, form_class, sent_seats, sent_with
from ..round.hand_in_play import hand_in_play
from ..round.in_front import InFront, exceeds_stack, refuse_uncovered
from ..round.live import live
from ..round.mine import my_part
from ..round.page import round_page
from ..round.prefill import filled_form, players_of, way_of, word_in
from ..round.session_part import SessionPart
from ..round.shared import next_game, shared_form
from ..round.showdown import late_changes, late_sentences, reveal_if_all_in
from ..round.typed_cells import seats_of

blueprint = Blueprint("session_round", __name__, url_prefix="/s/<public_id>")


@blueprint.route("/round", methods=["GET", "POST"])
@redraws
def new(public_id: str) -> str | Response:
    """Enter the next round, in a form prefilled with the session's seats and rules and what other phones typed."""
    session = session_or_404(public_id, "play")
    if not may("keep") and my_player(session) is None:
        return redirect(url_for("phones.me", public_id=public_id), 303)
    game = next_game(session)
    before = BeforeRound(session)
    part, is_sent, least = next_part(session, game, before), request.method == "POST", game.seats[0]
    # a form that was opened before somebody sat out still has enough seats
    if len(players_of(session, game)) < least and not (is_sent and sent_seats(game) >= least):
        text = "{game} needs at least {least} players; let more play under “People”"
        problem = Message(text, game=Message(game.name), least=least)
        return _draft_page(session, game, replace(part, problem=problem), before)
    return _entered(session, game, part, None, before.in_front) if is_sent else _draft_page(session, game, part, before)


@blueprint.route("/lines/<int:number>/correct", methods=["GET", "POST"])
@redraws
def correct(public_id: str, number: int) -> str | Response:
    """Correct a saved round, after showing what that changes in later rounds."""
    session = session_or_404(public_id)
    stored, game, part = correction(session, number)
    if request.method == "GET":
        return round_page(filled_form(session, game, stored.document), None, part)
    return _entered(session, game, part, number)


@blueprint.post("/lines/<int:number>/live")
@redraws
def live_correction(public_id: str, number: int) -> JsonResponse | tuple[JsonResponse, int]:
    """Return the live reading of a correction's form while it is filled in."""
    session = session_or_404(public_id)
    stored, game = _stored_round(session, number)
    form = posted_form(session, game, stored.document["pot"])
    if not form.validate():
        return stale_json()
    return jsonify({"live": live(form)})


def correction(session: PlaySession, number: int) -> tuple[Revision, AnyGame, SessionPart]:
    """Return a round's current revision, its game, and the session's part of the page that corrects it."""
    stored, game = _stored_round(session, number)
    sent = sent_with()
    part = SessionPart(
        session,
        url_for("session_round.correct", public_id=session.public_id, number=number),
        str(number),
        sent.key.data or new_key(),
        stored.document["pot"],
        seen=str(stored.number) if sent.seen.data is None else sent.seen.data,
        way=word_in(stored.document["round"], game),
    )
    return stored, game, part


def _stored_round(session: PlaySession, number: int) -> tuple[Revision, AnyGame]:
    """Return a round's current revision and its game; 404 if the line isn't a round."""
    current = line_or_404(session, number).current
    if not is_round(current.document):
        abort(404)
    return current, all_games()[current.document["game"]]


def posted_form(session: PlaySession, game: AnyGame, pot: int, in_front: InFront = None) -> RoundForm:
    """Read the form of a round of this session; 400 if it has fewer seats than the game needs.

    `in_front` has the stacks that limit the bets; they don't limit a correction: see `stacks.overdrawn`.
    """
    form: RoundForm = form_class(game.key)(formdata=posted())
    if len(form.seats) < game.seats[0]:
        abort(400)
    form.set_money(session.stake_units, pot)
    form.in_front = in_front
    return form


def next_part(session: PlaySession, game: AnyGame, before: BeforeRound) -> SessionPart:
    """Return the session's part of the next round's page. All phones use the draft's key, so they save one round."""
    draft, sent = session.draft, sent_with()
    return SessionPart(
        session,
        url_for("session_round.new", public_id=session.public_id, game=game.key),
        number=sent.number.data or str(before.number),
        key=sent.key.data or (draft.key if draft else new_key()),
        pot=before.pot,
        draft=url_for("phones.draft", public_id=session.public_id),
        balances=before.balances,
        late=late_sentences(session),
        way=way_of(before.last, game) if sent.way.data is None else sent.way.data,
    )


def _draft_page(session: PlaySession, game: AnyGame, part: SessionPart, before: BeforeRound) -> str:
    """Render the form with what this device may see of the draft."""
    shared = shared_form(session, game, before)
    seat, mine = None, None
    if not may("keep"):
        me, mine = my_player(session), my_part(session)
        seat = shared.players.index(me) if me in shared.players else -1
        part = replace(part, hand=hand_in_play(session, game, before), player=me, mine=mine)
    return round_page(shared.form, None, replace(part, down=shared.down, me=seat))


def _entered(
    session: PlaySession, game: AnyGame, part: SessionPart, correcting: int | None, in_front: InFront = None
) -> str | Response:
    form = posted_form(session, game, part.pot, in_front)
    if not form.validate():
        return round_page(form, None, part)
    if not may("keep"):
        return _hand_entered(session, form, part)
    pressed = sent_with().do
    is_bet = pressed.action == "act" and correcting is None
    if (is_bet and exceeds_stack(form, pressed.row)) or apply_button(pressed, form):
        return round_page(form, None, part)
    if correcting is None:
        part = replace(part, overwritten=overwritten(session, form))
        hidden, is_saved = take_from_draft(session, form), pressed.data == "save"
        if is_saved and not hidden and (saved := _saved_at_once(form, part)):
            return saved
        answer, part = settle_with_draft(session, form, part, hidden, is_saved=is_saved)
        answer = refuse_uncovered(answer, form)
    else:
        answer = settle_form(form)
    ids = keys_by_name(session)
    if part.problem is None and _is_renamed(form, ids):
        part = replace(part, problem=Message("A player was renamed meanwhile; open the round again"))
    if part.problem is not None:
        return round_page(form, None, part)
    if answer.settlement is None:
        return round_page(form, answer, part)
    return _previewed_or_saved(form, answer, part, _entry(answer.document, ids), correcting)


def _saved_at_once(form: RoundForm, part: SessionPart) -> Response | None:
    """Save a round as it stands in its form; None if that is refused, and the page has to say why.

    The store settles it, so that a saved round is settled once.
    """
    ids = keys_by_name(part.session)
    if _is_renamed(form, ids) or missing_answers(form):
        return None
    with suppress(Refused):
        return _saved(part.session.public_id, _save(part, _entry(document(form, form.names), ids), None))
    return None


def _is_renamed(form: RoundForm, ids: Mapping[str, str]) -> bool:
    """Return whether a name isn't the one of its seat's player anymore, but nobody's or somebody else's."""
    return [ids.get(name) for name in form.names] != seats_of(posted())


def _entry(written: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    """Turn a form's document into one that is stored: with ids for names, and without the pot, which the log knows."""
    entry = renamed({"dealer": written["players"][-1], **written}, ids)
    del entry["pot"]
    return entry


def _hand_entered(session: PlaySession, form: RoundForm, part: SessionPart) -> str | Response:
    """Store a player's own hand in the draft, if it was sent without the page's script."""
    players, me = players_of(session, form.game), my_player(session)
    fits = len(form.seats) == len(players)
    cells = draft_cells.own_cells(form, players, me) if fits and me in players else {}
    try:
        number, key = line_number(part.number), part.key[:64]
        store.enter(session.public_id, key, number, lambda _: cells, device_id(), late=late_changes)
        reveal_if_all_in(session)
    except Refused as refused:
        part = replace(part, problem=refused.message, problem_line=refused.line)
        return _draft_page(session, form.game, part, BeforeRound(session))
    return redirect(part.action, 303)


def _previewed_or_saved(
    form: RoundForm, answer: Answer, part: SessionPart, entry: dict[str, Any], correcting: int | None
) -> str | Response:
    session, public_id = part.session, part.session.public_id
    try:
        if sent_with().do.data == "save":
            # the first time for a deck, this counts all its hands for half a second; do it before taking the lock
            rarities(form.game, form.options, answer.settlement)
            return _saved(public_id, _save(part, entry, correcting))
        if correcting is not None:
            part = replace(part, effects=effects_of(session, LineEntry(correcting, entry)))
    except Refused as refused:
        session = session_or_404(public_id)
        part = replace(part, problem=refused.message, problem_line=refused.line, session=session)
        if isinstance(refused, Conflict):
            saved_as = refused.line if refused.is_sent_before else None
            part = _with_other_version(replace(part, saved_as=saved_as), entry, refused.line, correcting)
            return make_response(round_page(form, answer, part), 409)
    return round_page(form, answer, part)


def _saved(public_id: str, number: int) -> Response:
    """Answer the Save button: the page's script gets the saved line's address as JSON, a plain form is redirected
    there.
    """
    address = url_for("session.line", public_id=public_id, number=number, saved="yes")
    if not asks_for_json():
        return redirect(address, 303)
    told = jsonify(address=address)
    told.status_code = 201
    return told


def _with_other_version(
    part: SessionPart, mine: dict[str, Any], line: int | None, correcting: int | None
) -> SessionPart:
    """Show this entry next to what the other phone saved; saving it anyway is a new change, with a new key."""
    session, other = part.session, None
    latest = play.find_line(session, line) if line else None
    if latest is not None:
        names = account_names(session)
        other = differences(parts(latest.current.document, names), parts(mine, names))
    corrected = play.find_line(session, correcting) if correcting else None
    return replace(
        part,
        other=other,
        key=new_key(),
        number=str(correcting or play.next_number(session)),
        seen=str(corrected.current.number) if corrected else None,
    )


def _save(part: SessionPart, entry: dict[str, Any], correcting: int | None) -> int:
    sent, public_id = Sent(part.key[:64], device_name()), part.session.public_id
    if correcting is not None:
        play.correct(public_id, correcting, entry, line_number(part.seen), sent)
        return correcting
    number = line_number(part.number)
    play.save_round(public_id, number, entry, sent, expected_pot=part.pot)
    return number
