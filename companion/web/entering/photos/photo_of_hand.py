"""Proposes a hand from a photograph, with sentences that say what was recognized and what to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from werkzeug.datastructures import FileStorage

from companion import camera
from companion.camera.readings import Before, Detection, shows_same_hand, together
from companion.contract.progress import progress
from companion.engine.messages import Message
from companion.engine.pieces.sets import PieceSet
from companion.store.refusals import Refused

from ...round.form.answers import hand_text
from ...round.form.document import document
from ...round.form.fields import RoundForm
from ...text.language import capital, say
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


def propose_hand(
    form: RoundForm, seat: int, file: FileStorage | None, before: Before = (), *, is_frame: bool = False
) -> Proposed:
    """Read the picture of a seat's hand; raises Refused if it can't be read or shows nothing.

    What is typed there stays and the picture fills it up, unless it is a whole hand: the script has asked whether to
    replace that. `before` was read in an earlier picture of the hand, which this one makes surer. A frame of the
    viewfinder is read faster, and less well where the hand is small in it. As JSON: `hand`, `more` (what doesn't fit
    into it) and `doubtful`, each with its places; of a frame also `worth`, which says what the hand is.
    """
    pieces, size = form.pieces, size_of_hand(form, seat)
    tokens = pieces.tokens(hand_text(form.seats[seat], pieces))
    typed = [] if len(tokens) >= size else [piece for piece in map(pieces.find, tokens) if piece is not None]
    picture, held = uploaded_picture(file, is_frame=is_frame), held_elsewhere(form, [seat], pieces)
    read_in = camera.glance_at_hand if is_frame else camera.read_hand
    with turn_to_read(is_frame=is_frame, waits=not is_frame):
        readings = read_in(picture, pieces, size, held)
        good = recognized(readings)
        # a hand may have been photographed for the wrong player; a frame that shows nothing yet is read once only
        is_odd = not good and held and not is_frame
        shows_others = is_odd and bool(recognized(camera.read_hand(picture, pieces, size)))
    is_same_hand = shows_same_hand(before, [seen.piece for seen in good])
    if good and before and is_same_hand:
        readings = together(before, readings, size)
        good = recognized(readings)
    if not good:
        text = "No {nouns} were found in this picture. Lay them apart, take it from above, and leave the flash off."
        if shows_others:
            text = (
                "No {nouns} were found in this picture but those in other hands. "
                "Check whose hand it is, or lay them apart and take it from above."
            )
        raise Refused(Message(text, nouns=Message(pieces.noun[1])))
    boxes, stays = {seen.piece: seen.box for seen in good}, Counter(typed)
    read, room = [seen for seen in good if not stays[seen.piece]], max(0, size - len(typed))
    hand = [*(ProposedPiece(piece, 1, boxes.get(piece)) for piece in typed), *read[:room]]
    hands: dict[str, object] = {
        "hand": [seen.as_json for seen in hand],
        "more": [seen.as_json for seen in read[room:]],
        "doubtful": doubtful(readings)[: max(0, room - len(read))],
    }
    if is_frame:
        hands["worth"] = _worth(form, seat, hand) if len(hand) == size and len(read) <= room else ""
    notes = [*_notes(pieces, size, hand, len(read) > room, readings)]
    if not is_same_hand:
        text = "It shows other {nouns} than the picture before, which is left out."
        notes.append(Message(text, nouns=Message(pieces.noun[1])))
    return Proposed(hands, tuple(notes))


def _worth(form: RoundForm, seat: int, hand: Sequence[ProposedPiece]) -> str:
    """Say what a hand would be if it were entered, as in "Full house, nines over fours"; "" if it can't be entered.

    How it compares with the other hands isn't said: they may lie face down.
    """
    form.seats[seat].hand.data, form.seats[seat].cards.data = " ".join(seen.piece.text for seen in hand), []
    found = progress(document(form), are_keys=True).hands.get(str(form.players[seat]))
    return capital(say(found.reading)) if found is not None and found.reading is not None else ""


def _notes(
    pieces: PieceSet[Any], size: int, hand: Sequence[ProposedPiece], is_more: bool, readings: Sequence[Detection]
) -> Iterator[Message]:
    """Yield sentences: what was recognized, what to check, and what is odd about the picture."""
    nouns = Message(pieces.noun[1])
    if len(hand) < size:
        yield Message("{read} of {n} {nouns} read. Tap the missing ones.", read=len(hand), n=size, nouns=nouns)
    else:
        yield Message("All {n} {nouns} read. Compare them with the picture.", n=size, nouns=nouns)
    yield from told_unsure(hand)
    if is_more:
        yield Message("The picture shows more than {n} {nouns}: the surest are proposed.", n=size, nouns=nouns)
    twice = next((reading.piece for reading in readings if reading.twice), None)
    if twice is not None:
        yield Message("{piece} is in the picture twice: show one hand of one deck.", piece=as_text(twice))
