"""What a phone types into the round that all phones enter together."""

from __future__ import annotations

from flask import Response, jsonify, request

from companion.store.night import drafts as store
from companion.store.refusals import Refused

from ..access.devices import device_id
from ..access.forms import is_stale, new_key, redraws, refused_json, stale_json
from ..access.lookup import game_or_404, may, must_have_access, night_or_404, show_as
from ..http.requests.parsing import row_number
from ..round.draft.draft_cells import typed_in
from ..round.draft.shared import shared_round
from ..round.draft.showdown import reveal_if_all_in
from ..round.form.sent_with import SentWithTap
from ..round.next_round import next_round, read_again
from ..text.language import say
from .state import blueprint
from .state_json import state_json


@blueprint.post("/draft")
@redraws
def enter(public_id: str) -> tuple[Response, int] | Response:
    """Store what was typed on this phone (see `typed_in`); responds like `state` in `state.py`."""
    must_have_access(public_id, "play")
    if is_stale():
        return stale_json()
    form = SentWithTap(request.form)
    number = row_number(form.number.data)
    if number is None:
        return jsonify(problem=say("This form is broken; open it again")), 400
    try:
        game = game_or_404(request.values.get("game") or store.game_at_table(night_or_404(public_id, "play")))
        before = store.enter(public_id, (form.key.data or new_key())[:64], number, typed_in(game), device_id())
        if form.do.data == "show" and may("keep"):
            before = store.show(public_id, is_keepers=True)
    except Refused as refused:
        night = night_or_404(public_id, "play")
        return refused_json(refused, 409, **state_json(shared_round(next_round(night))))
    night = before.night
    show_as(night)
    shared = shared_round(next_round(night, before))
    if reveal_if_all_in(night, shared):
        # load the night again: the response's version must include what other phones changed meanwhile
        night = night_or_404(public_id, "play")
        shared = shared_round(read_again(shared.round, night))
    return jsonify(state_json(shared))
