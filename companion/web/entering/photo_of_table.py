"""Reads all hands of a round from one photograph, and proposes which player has which hand.

The page's script deals them into the form; without JavaScript, `AskedTable.deal` does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import request
from wtforms import StringField

from companion import camera
from companion.engine.messages import Message
from companion.engine.pieces import Piece, PieceSet
from companion.store.refusals import Refused

from ..round.document import hand_text, out_seats
from ..round.form import RoundForm
from ..round.sent_with import sent_with
from ..text.fields import Rows
from ..text.language import say
from ..text.pieces import as_text
from .photo_of_hand import (
    FILE,
    MIN_CONFIDENCE,
    SURE,
    Box,
    ProposedPiece,
    held_elsewhere,
    size_of_hand,
    turn_to_read,
    uploaded_picture,
)

if TYPE_CHECKING:
    from companion.camera.recognition import DetectedGroup

ROWS = ("table", "deal")  # the rows of the buttons "photo-table" and "photo-deal"
MAX_HANDS = 20  # to show of one picture; no table has more players


@dataclass(frozen=True)
class FoundHand:
    """A hand found in the picture, most confident pieces first; it may have more or fewer pieces than the game deals.

    `doubtful` are the places of pieces that couldn't be recognized. `box` is the hand's own; None without the picture.
    """

    number: int
    seen: tuple[ProposedPiece, ...]
    box: Box | None = None
    doubtful: tuple[Box, ...] = ()

    @property
    def line(self) -> str:
        """The hand as a line in the page's form: unsure pieces have a question mark."""
        return " ".join(seen.piece.text + ("" if seen.is_sure else "?") for seen in self.seen)


@dataclass(frozen=True)
class TableProposal:
    """The result of a photograph of the table; `given` maps each seat to the number of the hand proposed for it."""

    laid: tuple[FoundHand, ...]
    given: Mapping[int, int] = field(default_factory=dict)
    notes: Sequence[Message] = ()


@dataclass(frozen=True)
class Notice:
    """What the page without script says about a photograph of a seat's hand, or of the table (seat None)."""

    seat: int | None
    notes: Sequence[Message]
    unsure: Sequence[Piece] = ()
    table: TableProposal | None = None


def _no_hand(groups: Sequence[DetectedGroup], pieces: PieceSet[Any]) -> Message:
    """Say that a picture shows no hand: nothing at all, or only single pieces."""
    nouns = Message(pieces.noun[1])
    found = sum(reading.confidence >= MIN_CONFIDENCE for group in groups for reading in group.readings)
    if found:
        return Message(
            "Only one of the {nouns} was found. Lay each hand's {nouns} side by side, apart from the other hands.",
            "{n} {nouns} were found, but too far apart to be hands. Lay each hand's {nouns} side by side, apart from "
            "the other hands.",
            n=found,
            nouns=nouns,
        )
    text = "No {nouns} were found in this picture. Lay the hands apart, take it from above, and leave the flash off."
    return Message(text, nouns=nouns)


def _laid(groups: Sequence[DetectedGroup], size: int) -> tuple[FoundHand, ...]:
    """Number the hands; a group with less than a third of a hand, such as a single card, doesn't count as one."""
    hands: list[FoundHand] = []
    for group in groups:
        seen = tuple(
            ProposedPiece(r.piece, r.confidence >= SURE, r.box)
            for r in group.readings
            if r.confidence >= MIN_CONFIDENCE
        )
        doubtful = tuple(r.box for r in group.readings if r.confidence < MIN_CONFIDENCE)
        if seen and 3 * len(seen) >= size:
            hands.append(FoundHand(len(hands) + 1, seen, group.box, doubtful))
    return tuple(hands[:MAX_HANDS])


def _told(
    laid: Sequence[FoundHand], sizes: Mapping[int, int], players: int, pieces: PieceSet[Any], twice: Piece | None
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
    unsure = sum(not seen.is_sure for hand in laid for seen in hand.seen)
    if unsure:
        yield Message("1 is unsure, marked with “?”.", "{n} are unsure, marked with “?”.", n=unsure)
    if twice is not None:
        yield Message("{piece} is in the picture twice: show one deck only.", piece=as_text(twice))


@dataclass(frozen=True)
class AskedTable:
    """A form sent with a photograph of all its hands; those `down` are face down on this phone, and aren't read."""

    form: RoundForm
    down: Collection[int]

    @cached_property
    def pieces(self) -> PieceSet[Any]:
        return self.form.pieces

    @cached_property
    def sizes(self) -> dict[int, int]:
        """The seats whose hand may be in the picture, with its size: neither out of the round nor face down.

        The script may name them, as it knows who is still in.
        """
        form, wanted = self.form, set(sent_with().hands.data)
        hidden = {*self.down, *out_seats(form)}
        seats = (seat for seat in range(len(form.seats)) if seat not in hidden and (not wanted or str(seat) in wanted))
        return {seat: size_of_hand(form, seat) for seat in seats}

    @cached_property
    def full(self) -> list[int]:
        """Those of these seats that have all their pieces."""
        lines = {seat: hand_text(self.form.seats[seat], self.pieces) for seat in self.sizes}
        return [seat for seat, size in self.sizes.items() if len(self.pieces.tokens(lines[seat])) >= size]

    def propose(self) -> TableProposal:
        """Read the picture; raises Refused if it can't be read or shows nothing."""
        pieces, sizes = self.pieces, self.sizes
        if not sizes:
            raise Refused(Message("No hand is left to read: all are face down or out of the round."))
        file = next((file for file in reversed(request.files.getlist(FILE)) if file), None)
        picture = uploaded_picture(file, Message("Choose a photo of the table first"))
        with turn_to_read():
            groups = camera.read_table(picture, pieces, list(sizes.values()), held_elsewhere(self.form, sizes, pieces))
        laid = _laid(groups, min(sizes.values()))
        if not laid:
            raise Refused(_no_hand(groups, pieces))
        # only for those who lack a hand if they are enough, otherwise for all
        lacking = [seat for seat in sizes if seat not in self.full]
        seats = lacking if len(laid) <= len(lacking) else list(sizes)
        fullest = sorted(laid, key=lambda hand: -len(hand.seen))[: len(seats)]
        given = dict(zip(seats, sorted(hand.number for hand in fullest), strict=False))
        twice = next((r.piece for group in groups for r in group.readings if r.twice), None)
        return TableProposal(laid, given, tuple(_told(laid, sizes, len(seats), pieces, twice)))

    def _chosen(self) -> TableProposal:
        """Rebuild the proposal from what a page without script sends back: the hands it showed, and who got which."""
        pieces = self.pieces
        hands: list[FoundHand] = []
        for number, line in enumerate(sent_with().laid.data[:MAX_HANDS], 1):
            tokens = line.split(maxsplit=len(pieces))[: len(pieces)]
            found = ((pieces.find(token.rstrip("?")), not token.endswith("?")) for token in tokens)
            seen = tuple(ProposedPiece(piece, sure, None) for piece, sure in found if piece is not None)
            hands.append(FoundHand(number, seen))
        chosen = Rows("give", map(str, self.sizes), StringField(default=""))
        given = {seat: chosen[str(seat)].data for seat in self.sizes}
        numbers = {str(hand.number): hand.number for hand in hands}
        return TableProposal(tuple(hands), {seat: numbers[text] for seat, text in given.items() if text in numbers})

    def deal(self) -> Notice:
        """Fill in the hands as given to the players; if that isn't possible, say why and keep the choices."""
        proposal = self._chosen()
        problem = self._problem(proposal)
        if problem is not None:
            return Notice(None, [problem], table=replace(proposal, notes=[problem]))
        unsure: list[ProposedPiece] = []
        for seat, number in proposal.given.items():
            used = proposal.laid[number - 1].seen[: self.sizes[seat]]
            unsure += [seen for seen in used if not seen.is_sure]
            hand = self.form.seats[seat]
            hand.hand.data, hand.cards.data = " ".join(seen.piece.text for seen in used), []
        filled = Message("1 hand filled in. Check it.", "{n} hands filled in. Check them.", n=len(proposal.given))
        return Notice(None, [filled], [seen.piece for seen in unsure])

    def _problem(self, proposal: TableProposal) -> Message | None:
        """Return why the hands can't be dealt yet; None if they can."""
        players = self.form.players
        if not proposal.given:
            return Message("Choose a hand for at least one player.")
        numbers = list(proposal.given.values())
        twice = next((number for number in numbers if numbers.count(number) > 1), None)
        if twice is not None:
            given = tuple(players[seat] for seat, number in proposal.given.items() if number == twice)
            text = "Hand {number} is given to {players}. Choose another one for the others."
            return Message(text, number=twice, players=given)
        full = [seat for seat in self.full if seat in proposal.given]
        if full and "table" not in sent_with().replace.data:
            text = "{players}: the hand is full already. To replace it, tick “Replace full hands”."
            return Message(text, players=tuple(players[seat] for seat in full))
        return None


def as_json(proposal: TableProposal) -> dict[str, object]:
    """Return a proposal as JSON for the page's script."""
    return {
        "hands": [
            {
                "number": hand.number,
                "box": hand.box,
                "seen": [seen.as_json for seen in hand.seen],
                "doubtful": hand.doubtful,
            }
            for hand in proposal.laid
        ],
        "given": {str(seat): number for seat, number in proposal.given.items()},
        "told": " ".join(map(say, proposal.notes)),
    }
