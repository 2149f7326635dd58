"""Settles the scorekeeper's form together with the hands that other phones entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.contract import may_reveal_hands
from companion.contract.hands import field_of
from companion.store import drafts as store
from companion.store.face_down import FaceDown, hand_cell, kind_of, with_kinds
from companion.store.models import PlaySession
from companion.store.refusals import Refused

from ..access.devices import device_id
from ..http.parsing import line_number
from ..text.language import say
from .document import FormResult, ReadForm, hand_text, read_form, settle_form, unshown_seats
from .draft_cells import hands_in
from .form import RoundForm, SeatFields
from .live import sizes_by_name
from .next_round import NextRound
from .session_part import SessionPart
from .showdown import late_sentences

_WAITS = "Wait for the hand of {players}, which is being entered on another phone, or type it here"


def overwritten(round: NextRound, form: RoundForm) -> list[str]:
    """Return the players whose hand is face down on this phone, but was typed here as well."""
    kind = kind_of(form.pieces)
    down = {round.names[player] for player in round.down if round.hands[player].fits(kind)}
    return [seat.name.data for seat in form.seats if seat.name.data in down and _is_typed(seat)]


def _is_typed(seat: SeatFields) -> bool:
    return bool(seat.hand.data.strip() or seat.cards.data)


def take_from_draft(round: NextRound, form: RoundForm) -> None:
    """Fill empty seats from the draft, and note which of its hands lie face down on this phone.

    Hands of players who show none stay in the draft.
    """
    if [seat.name.data for seat in form.seats] != [round.names[player] for player in round.players]:
        return
    empty = {at: player for at, player in enumerate(round.players) if not _is_typed(form.seats[at])}
    # the bets are played only if there is a hand whose player may have folded
    unshown = unshown_seats(form) if round.hands.keys() & empty.values() else []
    for at in empty.keys() - unshown:
        form.seats[at].hand.data = round.cells.get(hand_cell(empty[at]), "")
    form.face_down = hands_in(round, form, round.down.intersection(empty.values()), unshown)


def settle_with_draft(
    round: NextRound, form: RoundForm, part: SessionPart, *, is_saved: bool
) -> tuple[FormResult, SessionPart]:
    """Settle the form with the hands that other phones entered, of which some may lie face down on this phone.

    Once all hands are in, they are revealed on every phone before any of them appears in a result. Until then, the
    form doesn't have the hands that lie face down on this phone, so the result can't depend on them. The returned part
    has the changes made after the reveal, or why the hands can't be revealed.
    """
    read = read_form(form)
    if form.face_down and not may_reveal_hands(read.entered, _sizes(form), is_asked=True):
        return _settle_without(form, read), part
    if not round.is_begun or not (form.face_down or (round.is_shown and not is_saved)):
        return settle_form(form, read), part
    try:
        session = enter_here(part, _typed_hands(round, form), shown=True)
    except Refused as refused:
        part = replace(part, problem=refused.message, problem_line=refused.line)
        return _settle_without(form, read), part
    part = replace(part, late=late_sentences(session))
    if not form.face_down:
        return settle_form(form, read), part
    shown = round.after(session).cells
    for number in form.face_down:
        form.seats[number].hand.data = shown.get(hand_cell(round.players[number]), "")
    return settle_form(form), part


def _typed_hands(round: NextRound, form: RoundForm) -> dict[str, Any]:
    """Return the form's hands as cells."""
    seats = enumerate(zip(round.players, form.seats, strict=False))
    hands = ((player, hand_text(seat, form.pieces)) for at, (player, seat) in seats if at not in form.face_down)
    return with_kinds({hand_cell(player): hand for player, hand in hands if hand}, kind_of(form.pieces))


def _sizes(form: RoundForm) -> dict[str, int]:
    """Return the sizes of the form's hands and of those face down, by the players' names."""
    kind = kind_of(form.pieces)
    typed = {at: FaceDown.of(hand_text(seat, form.pieces), kind) for at, seat in enumerate(form.seats)}
    return sizes_by_name(form, {**typed, **form.face_down})


def enter_here(part: SessionPart, cells: Mapping[str, Any], *, shown: bool = False) -> PlaySession:
    """Write cells of a posted form to the draft, and return the session after that; `shown` reveals the hands.

    Raises Refused, for example if the round was saved meanwhile.
    """
    number, key = line_number(part.number), part.key[:64]
    public_id = part.session.public_id
    return store.enter(public_id, key, number, lambda _: cells, device_id(), shown=shown).session


def _settle_without(form: RoundForm, read: ReadForm) -> FormResult:
    """Settle the form without the hands that lie face down, which count as given.

    Only if nothing else is wrong, say whose hand the round waits for.
    """
    result, sizes = settle_form(form, read), sizes_by_name(form, form.face_down)
    players = {field_of(name): name for name in sizes}
    lacking = {say(problem.message): problem.field for problem in read.entered.problems if problem.field in players}
    for number in form.face_down:
        hand = form.seats[number].hand
        hand.errors = [text for text in hand.errors if text not in lacking]
    problems = tuple(problem for problem in result.problems if problem[0] not in lacking)
    game, so_far = read.entered.game, read.entered.so_far
    if result.settlement is None and not problems and game is not None and so_far is not None:
        whole = game.hand_sizes(so_far)
        names = tuple(players[field] for field in lacking.values() if sizes[players[field]] not in whole)
        problems = ((say(_WAITS, players=names), None),) if names else ()
    return replace(result, problems=problems)
