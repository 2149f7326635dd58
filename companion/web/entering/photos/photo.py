"""Answers the page's script with what a photograph shows: one hand, or all hands of the table.

The picture exists only in memory during the request: it is never stored or logged.
"""

from __future__ import annotations

from collections.abc import Collection

from flask import Blueprint, abort, jsonify, request
from flask import Response as JsonResponse

from companion.store.refusals import Refused

from ...access.forms import is_stale, protection, refused_json, stale_json
from ...access.lookup import game_or_404, may, night_or_404
from ...round.draft.draft_cells import drafted_form
from ...round.form.fields import RoundForm
from ...round.form.sent_with import sent_with
from ...round.next_round import next_round
from ...text.language import say
from .. import single_round
from ..parts import correction, next_part, posted_night_round
from .photo_of_hand import propose_hand
from .photo_of_table import propose_table
from .reading import FILE, Busy, Proposed, allow_picture, read_before
from .words import words_for

blueprint = Blueprint("photo", __name__)

Answer = JsonResponse | tuple[JsonResponse, int]


@blueprint.get("/photo/words/<key>")
def words(key: str) -> JsonResponse:
    """Send what the scripts say of photographs of a game's hands."""
    game = game_or_404(key)
    return jsonify(words_for(game.pieces(game.options())))


@blueprint.post("/settle/<key>/photo")
def of_single_round(key: str) -> Answer:
    """Read a picture for a single round."""
    game = game_or_404(key)
    allow_picture()
    return _answer(single_round.posted_single_round(game))


@blueprint.post("/s/<public_id>/round/photo")
def of_next_round(public_id: str) -> Answer:
    """Read a picture for a night's next round; a player's phone may only read that player's hand."""
    night = night_or_404(public_id, "play")
    allow_picture()
    round = next_round(night)
    form = posted_night_round(round.game, next_part(round))
    shared = drafted_form(round)
    if may("keep"):
        return _answer(form, shared.face_down)
    seat = round.my_seat
    if seat is None or sent_with().do.data != f"photo-{seat}":
        abort(403)
    # a player's page lacks the house rules and other hands, so take only the hand from the posted form
    if seat < len(form.seats):
        shared.seats[seat].copy(form.seats[seat])
    return _answer(shared)


@blueprint.post("/s/<public_id>/lines/<int:number>/photo")
def of_correction(public_id: str, number: int) -> Answer:
    """Read a picture for a round being corrected."""
    night = night_or_404(public_id)
    allow_picture()
    form, _ = correction(night, number)
    return _answer(form)


def _answer(form: RoundForm, down: Collection[int] = frozenset()) -> Answer:
    """Read the picture that came with a form, for the seat that `do` names or for all but those face `down`."""
    if is_stale():
        return stale_json()
    try:
        proposed = _read(form, down)
    except Refused as refused:
        return refused_json(refused, again=isinstance(refused, Busy))
    return jsonify(**proposed.hands, told=" ".join(map(say, proposed.notes)))


def _read(form: RoundForm, down: Collection[int]) -> Proposed:
    pressed, file, is_frame = sent_with().do, request.files.get(FILE), bool(sent_with().frame.data)
    if pressed.data == "photo-table":
        return propose_table(form, down, sent_with().hands.data, file, is_frame=is_frame)
    seat = form.seat_number(pressed.row)
    if pressed.action != "photo" or seat is None:
        abort(400)
    try:
        before = read_before(sent_with().before.data or "", form.pieces)
    except ValueError:
        abort(400)
    return propose_hand(form, seat, file, before, is_frame=is_frame)


for _view in (of_single_round, of_next_round, of_correction):
    protection.exempt(_view)  # they check the token themselves, after raising the limit on the body's length
