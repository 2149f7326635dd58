"""The next round's page with what the phones have typed of it, as far as this phone may see it."""

from __future__ import annotations

from dataclasses import replace

from flask import redirect
from werkzeug.wrappers import Response

from companion.store.refusals import Refused
from companion.table.guidance.worth import outcomes
from companion.table.hand import HandInPlay

from ..access.lookup import is_own_hand
from ..round.draft.draft_cells import drafted_form, own_cells
from ..round.draft.shared import problem_here
from ..round.draft.showdown import reveal_if_all_in
from ..round.form.fields import RoundForm
from ..round.mine import my_part
from ..round.next_round import NightRound, read_again
from ..round.night_part import NightPart, OwnPhone
from ..round.rail import state_line
from .draft_result import enter_here
from .page import round_page


def draft_page(round: NightRound, part: NightPart) -> str:
    """Render the form with what this device may see of the draft."""
    form = drafted_form(round)
    hand = HandInPlay(round)
    part = replace(part, down=form.face_down, state_line=state_line(round, hand), me=round.me)
    if is_own_hand(round.before.night):
        seat = -1 if round.my_seat is None else round.my_seat
        mine = my_part(round.me, round.before)
        wrong = problem_here(round)
        part = replace(part, own=OwnPhone(seat, round.me, hand, mine, outcomes(hand, round.me), wrong))
    return round_page(form, part)


def hand_entered(round: NightRound, form: RoundForm, part: NightPart) -> str | Response:
    """Store a player's own hand in the draft, if it was sent without the page's script."""
    try:
        reveal_if_all_in(enter_here(part, form, own_cells(form, round.me)))
    except Refused as refused:
        part = part.refused(refused)
        return draft_page(read_again(round, round.before.night), part)
    return redirect(part.action, 303)
