"""Settles the scorekeeper's form together with the hands that other phones entered."""

from __future__ import annotations

from dataclasses import replace

from companion.contract import may_reveal_hands
from companion.contract.reading.hands import field_of
from companion.engine.players import PlayerKey
from companion.store.models import Night
from companion.store.night import drafts as store
from companion.store.refusals import Refused
from companion.table.cells import HAND, Values
from companion.table.input import Typed
from companion.table.showing import lacks_knock
from companion.table.sight import FaceDown, kind_of

from ..access.devices import device_id
from ..access.lookup import is_own_hand, may
from ..http.requests.parsing import line_number
from ..round.draft.draft_cells import hands_in
from ..round.draft.showdown import late_sentences
from ..round.form.answers import hand_text, unshown_seats
from ..round.form.document import FormResult, ReadForm, read_form, settle_form
from ..round.form.fields import RoundForm, SeatFields
from ..round.form.live import sizes_of
from ..round.next_round import NightRound, read_again
from ..round.night_part import NightPart
from ..text.language import say

_WAITS = "Wait for the hand of {players}, which is being entered on another phone, or type it here"


def overwritten(round: NightRound, form: RoundForm) -> list[PlayerKey]:
    """Return the players whose hand is face down on this phone, but was typed here as well."""
    kind = kind_of(form.pieces)
    down = {player for player in round.down if round.hands[player].fits(kind)}
    return [player for player, seat in zip(form.players, form.seats, strict=True) if player in down and _is_typed(seat)]


def _is_typed(seat: SeatFields) -> bool:
    return bool(seat.hand.data.strip() or seat.cards.data)


def take_from_draft(round: NightRound, form: RoundForm) -> None:
    """Fill empty seats from the draft, and note which of its hands lie face down on this phone.

    Hands of players who show none stay in the draft.
    """
    if list(form.players) != round.players:
        return
    empty = {at: player for at, player in enumerate(round.players) if not _is_typed(form.seats[at])}
    # the bets are played only if there is a hand whose player may have folded
    unshown = unshown_seats(form) if round.hands.keys() & empty.values() else ()
    for at in empty.keys() - unshown:
        form.seats[at].hand.data = round.entered(empty[at], HAND)
    form.face_down = hands_in(round, form, round.down.intersection(empty.values()), unshown)


def settle_with_draft(
    round: NightRound, form: RoundForm, part: NightPart, *, is_saved: bool
) -> tuple[FormResult, NightPart]:
    """Settle the form with the hands that other phones entered, of which some may lie face down on this phone.

    Once all hands are in, and it is known who knocked, they are revealed on every phone before any of them appears in a
    result. Until then, the form doesn't have the hands that lie face down on this phone, so the result can't depend on
    them. The returned part has the changes made after the reveal, or why the hands can't be revealed.
    """
    read = read_form(form)
    is_open = lacks_knock(form.game, lambda key: form.asked[key].data, form.seat_number)
    if form.face_down and (is_open or not may_reveal_hands(read.entered, _sizes(form), is_asked=True)):
        return _settle_without(form, read), part
    if not round.is_begun or not (form.face_down or (round.is_shown and not is_saved)):
        return settle_form(form, read), part
    try:
        night = enter_here(part, form, _typed_hands(form), shown=True)
    except Refused as refused:
        part = part.refused(refused)
        return _settle_without(form, read), part
    part = replace(part, late=late_sentences(night))
    if not form.face_down:
        return settle_form(form, read), part
    shown = read_again(round, night)
    for number in form.face_down:
        form.seats[number].hand.data = shown.entered(round.players[number], HAND)
    return settle_form(form), part


def _typed_hands(form: RoundForm) -> Values:
    """Return the form's hands as cells."""
    seats = enumerate(zip(form.players, form.seats, strict=True))
    hands = ((player, hand_text(seat, form.pieces)) for at, (player, seat) in seats if at not in form.face_down)
    return {player: {HAND: hand} for player, hand in hands if hand}


def _sizes(form: RoundForm) -> dict[str, int]:
    """Return the sizes of the form's hands and of those face down, by player."""
    kind = kind_of(form.pieces)
    typed = {at: FaceDown.of(hand_text(seat, form.pieces), kind) for at, seat in enumerate(form.seats)}
    return sizes_of(form, {**typed, **form.face_down})


def enter_here(part: NightPart, form: RoundForm, cells: Values, *, shown: bool = False) -> Night:
    """Write cells of a posted form to the draft, and return the night after that; `shown` reveals the hands.

    Raises Refused, for example if the round was saved meanwhile.
    """
    number, key = line_number(part.number), part.key[:64]
    public_id = part.night.public_id
    typed = Typed(form.game.key, form.players, cells, may("keep"), is_own_hand(part.night))
    return store.enter(public_id, key, number, typed, device_id(), shown=shown).night


def _settle_without(form: RoundForm, read: ReadForm) -> FormResult:
    """Settle the form without the hands that lie face down, which count as given.

    Only if nothing else is wrong, say whose hand the round waits for.
    """
    result, sizes = settle_form(form, read), sizes_of(form, form.face_down)
    players = {field_of(player): player for player in sizes}
    lacking = {say(problem.message): problem.field for problem in read.entered.problems if problem.field in players}
    for number in form.face_down:
        hand = form.seats[number].hand
        hand.errors = [text for text in hand.errors if text not in lacking]
    problems = tuple(problem for problem in result.problems if problem[0] not in lacking)
    game, so_far = read.entered.game, read.entered.so_far
    if result.settlement is None and not problems and game is not None and so_far is not None:
        whole = game.hand_sizes(so_far)
        late = tuple(players[field] for field in lacking.values() if sizes[players[field]] not in whole)
        problems = ((say(_WAITS, players=late), None),) if late else ()
    return replace(result, problems=problems)
