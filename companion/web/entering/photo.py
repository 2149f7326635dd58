"""Reads one hand or all from a photograph. The page's script gets JSON; else the form is returned filled in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from flask import Blueprint, abort, jsonify, request
from flask import Response as JsonResponse
from werkzeug.wrappers import Response

from companion.camera import MAX_BYTES
from companion.engine.messages import Message
from companion.store.refusals import Refused

from ..access.actions import stale_json
from ..access.devices import may, night_or_404
from ..access.lookup import game_or_404
from ..http.csrf import check_late, is_stale, protection
from ..http.parsing import asks_for_json, must_send_no_file
from ..round.document import hand_text
from ..round.draft_cells import drafted_form
from ..round.form import RoundForm
from ..round.next_round import next_round
from ..round.night_part import NightPart, OwnPhone
from ..round.sent_with import sent_with
from ..text.language import say
from . import photo_of_table, single_round
from . import round_of_night as night_round
from .page import round_page
from .photo_of_hand import FILE, Busy, Proposal, held_elsewhere, propose, size_of_hand, uploaded_picture
from .photo_of_table import Notice

blueprint = Blueprint("photo", __name__)
# far above the limit of a picture (`camera.MAX_BYTES`): a form with too large a picture is still read, so that nothing
# typed is lost
_MAX_PHOTO_FORM_BYTES = 32 * 1024 * 1024

Answer = str | JsonResponse | tuple[JsonResponse, int] | Response


@blueprint.post("/settle/<key>/photo")
def of_single_round(key: str) -> Answer:
    """Read a hand of a single round."""
    game = game_or_404(key)
    _allow_picture()
    form = single_round.posted_single_round(game)
    return _answer_picture(form, None)


@blueprint.post("/s/<public_id>/round/photo")
def of_next_round(public_id: str) -> Answer:
    """Read a hand of a night's next round; a player's phone may only read that player's."""
    night = night_or_404(public_id, "play")
    _allow_picture()
    round = next_round(night)
    part = night_round.next_part(round)
    form = night_round.posted_night_round(round.game, part)
    shared = drafted_form(round)
    if may("keep"):
        return _answer_picture(form, part, shared.face_down)
    seat = round.my_seat
    if seat is None or sent_with().do.data != f"photo-{seat}":
        abort(403)
    part = replace(part, down=shared.face_down, own=OwnPhone(seat))
    # a player's page lacks the house rules and other hands, so take only the hand from the posted form
    if seat < len(form.seats):
        shared.seats[seat].copy(form.seats[seat])
    return _answer_picture(shared, part)


@blueprint.post("/s/<public_id>/lines/<int:number>/photo")
def of_correction(public_id: str, number: int) -> Answer:
    """Read a hand of a round being corrected."""
    night = night_or_404(public_id)
    _allow_picture()
    _, game, part = night_round.correction(night, number)
    form = night_round.posted_night_round(game, part)
    return _answer_picture(form, part)


def _allow_picture() -> None:
    """Allow a body with a picture, keep it in memory, and check the form's token."""
    request.max_content_length = _MAX_PHOTO_FORM_BYTES
    request.most_kept = MAX_BYTES  # type: ignore[attr-defined]
    check_late()
    must_send_no_file(except_for=FILE)


def _answer_picture(form: RoundForm, part: NightPart | None, down: Collection[int] = frozenset()) -> Answer:
    """Read the picture that came with a form, for the seat that `do` names or for all but those face `down`."""
    is_script = asks_for_json()
    if is_stale():
        return stale_json() if is_script else round_page(form, part)
    pressed = sent_with().do
    if pressed.action == "photo" and pressed.row in photo_of_table.ROWS:
        return _table_answered(photo_of_table.AskedTable(form, down), pressed.row, part)
    seat = form.seat_number(pressed.row)
    if pressed.action != "photo" or seat is None:
        abort(400)
    try:
        proposal, kept = _proposal(form, seat)
    except Refused as refused:
        return _refused(refused) if is_script else round_page(form, part, photo=Notice(seat, [refused.message]))
    if is_script:
        return jsonify(_proposal_json(proposal))
    hand = form.seats[seat]
    hand.hand.data, hand.cards.data = " ".join([kept, *(seen.piece.text for seen in proposal.read)]).strip(), []
    notice = Notice(seat, proposal.notes, [seen.piece for seen in proposal.hand if not seen.is_sure])
    return round_page(form, part, photo=notice)


def _table_answered(asked: photo_of_table.AskedTable, row: str, part: NightPart | None) -> Answer:
    """Read the hands in a picture of the table; or, without script, deal those that were read before."""
    if row == "deal":
        return round_page(asked.form, part, photo=asked.deal())
    try:
        proposal = asked.propose()
    except Refused as refused:
        told, notice = _refused(refused), Notice(None, [refused.message])
    else:
        told, notice = jsonify(photo_of_table.as_json(proposal)), Notice(None, proposal.notes, table=proposal)
    return told if asks_for_json() else round_page(asked.form, part, photo=notice)


def _refused(refused: Refused) -> JsonResponse:
    return jsonify(problem=say(refused.message), again=isinstance(refused, Busy))


def _proposal(form: RoundForm, seat: int) -> tuple[Proposal, str]:
    """Read the picture for a seat; also returns what was entered there before and is kept."""
    pieces, size = form.pieces, size_of_hand(form, seat)
    line = hand_text(form.seats[seat], pieces)
    is_full = len(pieces.tokens(line)) >= size
    if is_full and not {"yes", str(seat)} & set(sent_with().replace.data):
        text = "{player} has all {n} {nouns}. To replace them, tick “Replace this hand” and choose the photo again."
        nouns = Message(pieces.noun[1])
        raise Refused(Message(text, player=form.players[seat], n=size, nouns=nouns))
    line = "" if is_full else line
    typed = [piece for piece in map(pieces.find, pieces.tokens(line)) if piece is not None]
    # without script there is one for each hand and one for the table, most of them empty
    files = request.files.getlist(FILE)
    file = files[seat] if len(files) >= len(form.seats) else next(iter(files), None)
    picture = uploaded_picture(file, Message("Choose a photo of the hand first"))
    return propose(picture, pieces, size, typed, held_elsewhere(form, [seat], pieces)), line


def _proposal_json(proposal: Proposal) -> dict[str, object]:
    return {
        "hand": [seen.as_json for seen in proposal.hand],
        "more": [seen.as_json for seen in proposal.more],
        "doubtful": proposal.doubtful,
        "told": " ".join(map(say, proposal.notes)),
    }


for _view in (of_single_round, of_next_round, of_correction):
    protection.exempt(_view)  # they check the token themselves, after raising the limit on the body's length
