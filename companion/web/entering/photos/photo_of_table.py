"""Reads all hands of a round from one photograph, and proposes which player has which hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import FileStorage

from companion import camera
from companion.camera.readings import Box, DetectedGroup
from companion.engine.messages import Message
from companion.engine.pieces.sets import Piece, PieceSet
from companion.store.refusals import Refused

from ...round.form.answers import hand_text, out_seats
from ...round.form.fields import RoundForm
from ...text.language import say
from ...text.pieces import as_text
from .reading import (
    Proposed,
    ProposedPiece,
    doubtful,
    held_elsewhere,
    recognized,
    size_of_hand,
    told_unsure,
    turn_to_read,
    uploaded_picture,
)

MAX_HANDS = 20  # to show of one picture; no table has more players


@dataclass(frozen=True)
class _FoundHand:
    """A hand found in the picture, most confident pieces first; it may have more or fewer pieces than the game deals.

    `doubtful` are the places of pieces that couldn't be recognized.
    """

    number: int
    seen: Sequence[ProposedPiece]
    box: Box
    doubtful: Sequence[Box]

    @property
    def as_json(self) -> dict[str, object]:
        seen = [piece.as_json for piece in self.seen]
        return {"number": self.number, "box": self.box, "seen": seen, "doubtful": self.doubtful}


def propose_table(
    form: RoundForm,
    down: Collection[int],
    wanted: Collection[str],
    file: FileStorage | None,
    *,
    is_frame: bool = False,
) -> Proposed:
    """Read the picture of all hands; raises Refused if it can't be read or shows nothing.

    Hands face `down` on this phone, and of players out of the round, aren't read; `wanted` are the seats that the
    script names, as it knows who is still in. As JSON: `hands`, and `given`, the number of the hand proposed for each
    seat: only for those who lack a hand if they are enough, otherwise for all. A frame of the viewfinder is read
    faster; `hint` says what to do if its hands aren't those of the players.
    """
    pieces, hidden = form.pieces, {*down, *out_seats(form)}
    seats = [seat for seat in range(len(form.seats)) if seat not in hidden and (not wanted or str(seat) in wanted)]
    sizes = {seat: size_of_hand(form, seat) for seat in seats}
    if not sizes:
        raise Refused(Message("No hand is left to read: all are face down or out of the round."))
    picture = uploaded_picture(file)
    read_in = camera.glance_at_table if is_frame else camera.read_table
    with turn_to_read(waits=not is_frame):
        groups = read_in(picture, pieces, list(sizes.values()), held_elsewhere(form, sizes, pieces))
    laid = _laid(groups, min(sizes.values()))
    if not laid:
        raise Refused(_no_hand(groups, pieces))
    lacking = [seat for seat in seats if len(pieces.tokens(hand_text(form.seats[seat], pieces))) < sizes[seat]]
    takers = lacking if len(laid) <= len(lacking) else seats
    fullest = sorted(laid, key=lambda hand: -len(hand.seen))[: len(takers)]
    hand_of_seat = zip(map(str, takers), sorted(hand.number for hand in fullest), strict=False)
    twice = next((r.piece for group in groups for r in group.readings if r.twice), None)
    hands: dict[str, object] = {"hands": [hand.as_json for hand in laid], "given": dict(hand_of_seat)}
    if is_frame:
        count = sum(len(hand.seen) for hand in laid)
        one = "Only one of the {nouns} was read, and not as a player's hand. Show only the hands, farther apart."
        text = "{n} {nouns} read, but not as the players' hands. Show only these, farther apart."
        hands["hint"] = say(Message(one, text, n=count, nouns=Message(pieces.noun[1])))
    return Proposed(hands, tuple(_told(laid, sizes, len(takers), pieces, twice)))


def _no_hand(groups: Sequence[DetectedGroup], pieces: PieceSet[Any]) -> Message:
    """Say that a picture shows no hand: nothing at all, or only single pieces."""
    nouns = Message(pieces.noun[1])
    count = sum(len(recognized(group.readings)) for group in groups)
    if count:
        return Message(
            "Only one of the {nouns} was found. Lay each hand's {nouns} side by side, apart from the other hands.",
            "{n} {nouns} were found, but too far apart to be hands. Lay each hand's {nouns} side by side, apart from "
            "the other hands.",
            n=count,
            nouns=nouns,
        )
    text = "No {nouns} were found in this picture. Lay the hands apart, take it from above, and leave the flash off."
    return Message(text, nouns=nouns)


def _laid(groups: Sequence[DetectedGroup], size: int) -> list[_FoundHand]:
    """Number the hands; a group with less than a third of a hand, such as a single card, doesn't count as one."""
    hands: list[_FoundHand] = []
    for group in groups:
        seen = recognized(group.readings)
        if seen and 3 * len(seen) >= size:
            hands.append(_FoundHand(len(hands) + 1, seen, group.box, doubtful(group.readings)))
    return hands[:MAX_HANDS]


def _told(
    laid: Sequence[_FoundHand], sizes: Mapping[int, int], players: int, pieces: PieceSet[Any], twice: Piece | None
) -> Iterator[Message]:
    """Yield sentences: how many hands were found, compared with the number of `players`, and what is odd about them."""
    if len(laid) < players:
        yield Message(
            "1 hand found for {players} players. Choose whose it is, or lay the hands farther apart and retry.",
            "{n} hands found for {players} players. Choose whose each is, or lay them farther apart and retry.",
            n=len(laid),
            players=players,
        )
    elif len(laid) > players:
        text = "{n} hands found, more than there are players. Choose whose each is; the others are left out."
        yield Message(text, n=len(laid))
    else:
        yield Message("1 hand found. Check whose it is.", "{n} hands found. Check whose each is.", n=len(laid))
    for hand in laid:
        if len(hand.seen) > max(sizes.values()):
            text = "Hand {number} shows {given} {nouns}, more than a hand takes: the surest are used."
            yield Message(text, number=hand.number, given=len(hand.seen), nouns=Message(pieces.noun[1]))
    yield from told_unsure(seen for hand in laid for seen in hand.seen)
    if twice is not None:
        yield Message("{piece} is in the picture twice: show one deck only.", piece=as_text(twice))
