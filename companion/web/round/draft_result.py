"""Settles the scorekeeper's form together with the hands that other phones entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.contract import may_reveal_hands
from companion.contract.hands import field_of
from companion.store import drafts as store
from companion.store.models import PlaySession
from companion.store.refusals import Refused

from ..access.devices import device_id
from ..http.parsing import line_number
from ..text.language import say
from . import draft_cells
from .document import FormResult, ReadForm, hand_text, read_form, settle_form, unshown_seats
from .form import RoundForm, SeatFields
from .next_round import NextRound
from .session_part import SessionPart
from .showdown import late_sentences

_WAITS = "Wait for the hand of {players}, which is being entered on another phone, or type it here"


def overwritten(round: NextRound, form: RoundForm) -> list[str]:
    """Return the players whose hand is face down on this phone, but was typed here as well."""
    hands, is_old = draft_cells.face_down(round), draft_cells.is_of_another_game
    down = {round.names[round.players[seat]] for seat, hand in hands.items() if not is_old(hand, form.pieces)}
    return [seat.name.data for seat in form.seats if seat.name.data in down and _is_typed(seat)]


def _is_typed(seat: SeatFields) -> bool:
    return bool(seat.hand.data.strip() or seat.cards.data)


def take_from_draft(round: NextRound, form: RoundForm) -> list[SeatFields]:
    """Fill empty seats from the draft; returns the seats whose hand is face down on this phone.

    Hands of players who show none stay in the draft.
    """
    if [seat.name.data for seat in form.seats] != [round.names[player] for player in round.players]:
        return []
    hands = {number: round.cells.get(draft_cells.hand_cell(player)) for number, player in enumerate(round.players)}
    entered = {number: hand for number, hand in hands.items() if hand and not _is_typed(form.seats[number])}
    # the bets are played only if there is a hand whose player may have folded
    unshown = unshown_seats(form) if entered else []
    down, hidden = draft_cells.face_down(round), []
    for number in sorted(entered.keys() - unshown):
        seat = form.seats[number]
        seat.hand.data = entered[number]
        if number in down:
            hidden.append(seat)
    return hidden


def settle_with_draft(
    round: NextRound, form: RoundForm, part: SessionPart, hidden: Sequence[SeatFields], *, is_saved: bool
) -> tuple[FormResult, SessionPart]:
    """Settle the form with the hands that other phones entered, of which `hidden` are face down on this phone.

    Once all hands are in, they are revealed on every phone before any of them appears in a result. Until then, the
    result reveals nothing about hands that are face down on this phone. The returned part has the changes made after
    the reveal, or why the hands can't be revealed.
    """
    read, draft = read_form(form), round.draft
    if hidden and not may_reveal_hands(read.entered):
        return _settle_without(hidden, form, read), part
    if draft is not None and (hidden or (draft.shown and not is_saved)):
        pieces, seats = form.pieces, zip(round.players, form.seats, strict=False)
        shown_here = [(player, seat) for player, seat in seats if seat not in hidden]
        hands = {draft_cells.hand_cell(player): hand_text(seat, pieces) for player, seat in shown_here}
        try:
            session = enter_here(part, {cell: hand for cell, hand in hands.items() if hand}, shown=True)
        except Refused as refused:
            part = replace(part, problem=refused.message, problem_line=refused.line)
            return _settle_without(hidden, form, read), part
        part = replace(part, late=late_sentences(session))
    return settle_form(form, read), part


def enter_here(part: SessionPart, cells: Mapping[str, Any], *, shown: bool = False) -> PlaySession:
    """Write cells of a posted form to the draft, and return the session after that; `shown` reveals the hands.

    Raises Refused, for example if the round was saved meanwhile.
    """
    number, key = line_number(part.number), part.key[:64]
    public_id = part.session.public_id
    return store.enter(public_id, key, number, lambda _: cells, device_id(), shown=shown).session


def _settle_without(hidden: Sequence[SeatFields], form: RoundForm, read: ReadForm) -> FormResult:
    """Settle the form without the hidden hands, or report what is wrong with it as far as this phone may know.

    Only if nothing else is wrong, say whose hidden hand the round waits for; `read` includes these hands.
    """
    for seat in hidden:
        seat.clear_hand()
    result = settle_form(form)
    for seat in hidden:
        seat.hand.errors = []
    fields = [seat.hand for seat in hidden]
    problems = tuple(problem for problem in result.problems if problem[1] not in fields)
    wrong = {problem.field for problem in read.entered.problems}
    names = tuple(seat.name.data for seat in hidden if field_of(seat.name.data) in wrong)
    if result.settlement is None and names and not problems:
        problems = ((say(_WAITS, players=names), None),)
    return replace(result, problems=problems)
