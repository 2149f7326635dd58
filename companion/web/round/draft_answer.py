"""Settles the scorekeeper's form together with the hands that other phones entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.contract import is_all_in
from companion.store import drafts as store
from companion.store.identities import names_of
from companion.store.models import PlaySession
from companion.store.refusals import Refused

from ..access.devices import device_id, known_device
from ..http.parsing import line_number
from . import draft_cells
from .document import Answer, clear_hand, hand_text, read_form, settle_form
from .form import RoundForm
from .prefill import players_of
from .session_part import SessionPart
from .showdown import late_changes, late_sentences


def overwritten(session: PlaySession, form: RoundForm) -> list[str]:
    """Return the players whose hand is face down on this phone, but was typed here as well."""
    draft, players = session.draft, players_of(session, form.game)
    hidden = draft_cells.hidden_hands(draft, players, known_device(), form.pieces)
    names = names_of(session)
    down = {names[players[seat]] for seat in hidden}
    return [seat.name.data for seat in form.seats if seat.name.data in down and _is_typed(seat)]


def _is_typed(seat: Any) -> bool:
    return bool((seat.hand.data or "").strip() or seat.cards.data)


def settle_with_draft(
    session: PlaySession,
    form: RoundForm,
    part: SessionPart,
    hidden: Sequence[Any],
    *,
    is_saved: bool,
) -> tuple[Answer, SessionPart]:
    """Settle the form with the hands that other phones entered, of which `hidden` are face down on this phone.

    Once all hands are in, they are revealed on every phone before any of them appears in an answer. Until then, the
    answer reveals nothing about hands that are face down on this phone. The returned part has the changes made after
    the reveal, or why the hands can't be revealed.
    """
    read = read_form(form)
    if hidden and not is_all_in(read.entered):
        return _settle_without(hidden, form), part
    draft = session.draft
    if draft is not None and (hidden or (draft.shown and not is_saved)):
        try:
            part = replace(part, late=_turn_up(session, form, part, hidden))
        except Refused as refused:
            part = replace(part, problem=refused.message, problem_line=refused.line)
            return _settle_without(hidden, form), part
    return settle_form(form, read), part


def _settle_without(hidden: Sequence[Any], form: RoundForm) -> Answer:
    """Report what is wrong with the form as far as this phone may know; hidden hands don't count as missing."""
    for seat in hidden:
        clear_hand(seat)
    answer = settle_form(form)
    for seat in hidden:
        seat.hand.errors = []
    fields = [seat.hand for seat in hidden]
    return replace(answer, settlement=None, problems=tuple(p for p in answer.problems if p[1] not in fields))


def _turn_up(session: PlaySession, form: RoundForm, part: SessionPart, hidden: Sequence[Any]) -> Sequence[str]:
    """Reveal all hands, after adding those entered here to the draft; returns the sentences about late changes."""
    players, number = players_of(session, form.game), line_number(part.number)
    shown_here = [(player, seat) for player, seat in zip(players, form.seats, strict=False) if seat not in hidden]
    pieces = form.pieces
    hands = {draft_cells.hand_cell(player): hand_text(seat, pieces) for player, seat in shown_here}
    cells = {cell: hand for cell, hand in hands.items() if hand}
    key, late = part.key[:64], late_changes
    entered = store.enter(session.public_id, key, number, lambda _: cells, device_id(), shown=True, late=late)
    return late_sentences(entered.session)


def take_from_draft(session: PlaySession, form: RoundForm) -> list[Any]:
    """Fill empty seats from the draft; returns the seats whose hand is face down on this phone."""
    draft = session.draft
    if draft is None:
        return []
    players, names = players_of(session, form.game), names_of(session)
    if [seat.name.data for seat in form.seats] != [names[player] for player in players]:
        return []
    entered, seen, hidden = store.values_of(draft), draft_cells.seen(draft, known_device()), []
    for player, seat in zip(players, form.seats, strict=True):
        cell = draft_cells.hand_cell(player)
        if entered.get(cell) and not _is_typed(seat):
            seat.hand.data = entered[cell]
            if cell not in seen:
                hidden.append(seat)
    return hidden
