"""All hands read from one photograph: the groups it shows, whose each is proposed to be, and the sentences about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion import camera
from companion.engine.entry import questions_of
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.pieces import Piece, PieceSet
from companion.store.refusals import Refused

from ..text.pieces import as_text
from .document import hand_text, played_bets
from .form import RoundForm, by_seat
from .photo import LEAST, SURE, Box, Seen, size_of_hand, turn_to_read

if TYPE_CHECKING:
    from companion.camera.reading import Group


MOST_HANDS = 20  # shown of one picture; no table has more players


@dataclass(frozen=True)
class Laid:
    """A hand as it lies in the picture, surest cards first; it may show more or fewer than a hand takes.

    `doubtful` are the places of what can't be told. `box` is None once the picture is gone.
    """

    number: int
    seen: tuple[Seen, ...]
    box: Box | None = None
    doubtful: tuple[Box, ...] = ()

    @property
    def line(self) -> str:
        """The hand as a page keeps it: unsure cards with a question mark."""
        return " ".join(seen.piece.text + ("" if seen.is_sure else "?") for seen in self.seen)


@dataclass(frozen=True)
class TableProposal:
    """What a photograph of the table comes to; `given` has the number of the hand proposed for each seat."""

    laid: tuple[Laid, ...]
    given: Mapping[int, int] = field(default_factory=dict)
    told: Sequence[Message] = ()


def hands_to_read(game: AnyGame, form: RoundForm, options: Any, down: Collection[int]) -> dict[int, int]:
    """Return the seats whose hands may lie in the picture, with their sizes: not those out of it, or face down."""
    names = form.names
    asked = [q.key for q in by_seat(questions_of(game.entry)) if q.kind == "players" and not q.replaces_hands]
    played = played_bets(form, game, names)
    folded = played.told.get("folded", ()) if played else ()
    out = {n for n, seat in enumerate(form.seats) if names[n] in folded or any(seat[key].data for key in asked)}
    seats = (seat for seat in range(len(form.seats)) if seat not in out and seat not in down)
    return {seat: size_of_hand(game, form, options, seat) for seat in seats}


def full_hands(form: RoundForm, pieces: PieceSet[Any], sizes: Mapping[int, int]) -> list[int]:
    """Return the seats that have all their pieces."""
    return [seat for seat, size in sizes.items() if len(pieces.tokens(hand_text(form.seats[seat], pieces))) >= size]


def propose_table(
    picture: bytes, pieces: PieceSet[Any], sizes: Mapping[int, int], full: Collection[int], held: Sequence[Piece]
) -> TableProposal:
    """Read a picture of the table; raises Refused if it can't be read or shows nothing."""
    with turn_to_read():
        groups = camera.read_table(picture, pieces, list(sizes.values()), held)
    laid = _laid(groups, min(sizes.values()))
    if not laid:
        text = (
            "No {nouns} were found in this picture. Lay the hands apart, take it from above, and leave the flash off."
        )
        raise Refused(Message(text, nouns=Message(pieces.noun[1])))
    given = _given(laid, sizes, full)
    twice = next((r.piece for group in groups for r in group.readings if r.twice), None)
    missing = len(sizes) - len(full)
    players = missing if len(laid) <= missing else len(sizes)
    return TableProposal(laid, given, tuple(_told(laid, sizes, players, pieces, twice)))


def _laid(groups: Sequence[Group], size: int) -> tuple[Laid, ...]:
    """Number the hands; what shows less than a third of one, such as a single card, is none."""
    hands: list[Laid] = []
    for group in groups:
        seen = tuple(Seen(r.piece, r.confidence >= SURE, r.box) for r in group.readings if r.confidence >= LEAST)
        doubtful = tuple(r.box for r in group.readings if r.confidence < LEAST)
        if seen and 3 * len(seen) >= size:
            hands.append(Laid(len(hands) + 1, seen, group.box, doubtful))
    return tuple(hands[:MOST_HANDS])


def _given(laid: Sequence[Laid], sizes: Mapping[int, int], full: Collection[int]) -> dict[int, int]:
    """Propose whose each hand is, by the seats: those still missing if that is enough, else all."""
    missing = [seat for seat in sizes if seat not in full]
    seats = missing if len(laid) <= len(missing) else list(sizes)
    fullest = sorted(laid, key=lambda hand: -len(hand.seen))[: len(seats)]
    return dict(zip(seats, sorted(hand.number for hand in fullest), strict=False))


def _told(
    laid: Sequence[Laid], sizes: Mapping[int, int], players: int, pieces: PieceSet[Any], twice: Piece | None
) -> Iterator[Message]:
    """Say how many hands were found for so many `players`, and what is odd about them."""
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


def posted_table(laid: Sequence[str], given: Mapping[int, str], pieces: PieceSet[Any]) -> TableProposal:
    """Return what a page without script sends back: the hands that it showed, and whose each is."""
    hands: list[Laid] = []
    for number, line in enumerate(laid[:MOST_HANDS], 1):
        tokens = line.split(maxsplit=len(pieces))[: len(pieces)]
        found = ((pieces.find(token.rstrip("?")), not token.endswith("?")) for token in tokens)
        hands.append(Laid(number, tuple(Seen(piece, sure, None) for piece, sure in found if piece is not None)))
    numbers = {str(hand.number): hand.number for hand in hands}
    return TableProposal(tuple(hands), {seat: numbers[text] for seat, text in given.items() if text in numbers})


def given_twice(given: Mapping[int, int]) -> list[int]:
    """Return the seats that were given one hand; empty if each hand has one player."""
    return next((s for n in given.values() if len(s := [seat for seat, m in given.items() if m == n]) > 1), [])
