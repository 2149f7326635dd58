"""What reading a photograph needs, of one hand or of the table: limits, a turn, the button, and what was recognized."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flask import current_app, g, request
from werkzeug.datastructures import FileStorage

from companion import camera
from companion.camera.readings import MIN_CONFIDENCE, SURE, Before, Box, Detection
from companion.engine.messages import Message
from companion.engine.pieces.sets import Piece, PieceSet
from companion.store.refusals import Refused

from ...access.devices import known_device
from ...access.forms import check_late
from ...http.monitoring import figures
from ...http.requests.parsing import must_send_no_file
from ...http.requests.rate_limits import Limit, address
from ...round.form.answers import hand_text
from ...round.form.fields import RoundForm

FILE = "photo"  # the field of the picture
# far above the limit of a picture (`camera.MAX_BYTES`), so that too large a picture is told in a sentence
_MAX_PHOTO_FORM_BYTES = 32 * 1024 * 1024
_MOST_BEFORE = 1000  # characters; a hand of thirteen cards takes some 130
# limits count what reading costs: a frame of the viewfinder takes less than half of a photo's time
_PHOTO, _FRAME = 2, 1
_READINGS = Limit("photos", who=lambda: known_device() or address(), minute=20 * _PHOTO, hour=240 * _PHOTO)
# without a right to a night, the address counts as well: anybody can get the ids of many devices
_OUTSIDE = (
    Limit("photos of a stranger", who=lambda: known_device() or address(), hour=12 * _PHOTO),
    Limit("photos of strangers", hour=48 * _PHOTO),
)
_PATIENCE_SECONDS = 5
_READS = threading.Lock()  # read one photograph at a time, so that others can save meanwhile
_COMES_IN = threading.BoundedSemaphore(2)  # one is read and one may wait; the other threads serve pages


class Busy(Refused):
    """Other photographs are being read; the page's script keeps trying for a while."""


@dataclass(frozen=True)
class ProposedPiece:
    """A piece proposed for the hand, how sure it is (0 to 1), and what it may be instead.

    `box` is its place in the picture; None if it was only typed, or seen only in the picture before.
    """

    piece: Piece
    chance: float
    box: Box | None
    other: Piece | None = None

    @property
    def is_sure(self) -> bool:
        """Whether it can be entered without being looked at."""
        return self.chance >= SURE

    @property
    def as_json(self) -> dict[str, object]:
        """The piece as JSON for the page's script."""
        other = None if self.is_sure or self.other is None else self.other.text
        return {
            "piece": self.piece.text,
            "sure": self.is_sure,
            "chance": round(self.chance, 3),
            "box": self.box,
            "or": other,
        }


@dataclass(frozen=True)
class Proposed:
    """What a photograph shows: `hands` as JSON for the page's script, `notes` the sentences for whoever took it."""

    hands: Mapping[str, object]
    notes: Sequence[Message]


@dataclass(frozen=True)
class Camera:
    """The page's camera button; `problem` explains why it can't be used, if this set of pieces can't be read."""

    problem: Message | None


def can_photograph() -> bool:
    """Return whether photographs can be read here: not on every platform, nor without the packages for it."""
    return current_app.config["PLATFORM"].photographs and camera.is_installed()


def camera_for(pieces: PieceSet[Any]) -> Camera | None:
    """Return the camera button for a set; None, for no button, if photographs can't be read here."""
    if not can_photograph():
        return None
    return Camera(None if camera.can_read(pieces) else camera.unreadable(pieces))


def recognized(readings: Iterable[Detection]) -> list[ProposedPiece]:
    """Return the readings that are good enough to be proposed, in their order."""
    return [ProposedPiece(r.piece, r.confidence, r.box, r.other) for r in readings if r.confidence >= MIN_CONFIDENCE]


def doubtful(readings: Iterable[Detection]) -> tuple[Box, ...]:
    """Return the places of pieces that couldn't be recognized."""
    return tuple(reading.box for reading in readings if reading.box is not None and reading.confidence < MIN_CONFIDENCE)


def read_before(text: str, pieces: PieceSet[Any]) -> Before:
    """Return what the page's script says was read in the picture before, as in "9s 0.98, Jk 0.7".

    Raises ValueError if the script can't have sent it.
    """
    if len(text) > _MOST_BEFORE:
        raise ValueError(text[:_MOST_BEFORE])
    before: list[tuple[Piece, float]] = []
    for said in text.split(",") if text else ():
        token, _, chance = said.strip().partition(" ")
        piece, sure = pieces.find(token), float(chance)
        if piece is None or not 0 <= sure <= 1 or len(before) == len(pieces):
            raise ValueError(said)
        before.append((piece, sure))
    return before


def size_of_hand(form: RoundForm, seat: int) -> int:
    """Return how many pieces the hand of a seat has, given the answers so far."""
    asked = (question.key for question in form.game.questions if question.kind == "player")
    named = [key for key in asked if form.asked[key].data == str(seat)]
    if not named:
        return min(form.hand_sizes())
    return max(max(form.hand_sizes(**{key: seat})) for key in named)


def held_elsewhere(form: RoundForm, seats: Collection[int], pieces: PieceSet[Any]) -> list[Piece]:
    """List the pieces that the form has in all other hands."""
    texts = [hand_text(other, pieces) for number, other in enumerate(form.seats) if number not in seats]
    held = (pieces.find(token) for text in texts for token in pieces.tokens(text))
    return [piece for piece in held if piece is not None]


def allow_picture() -> None:
    """Allow a body with a picture, keep it in memory, and check the form's token."""
    request.max_content_length = _MAX_PHOTO_FORM_BYTES
    request.most_kept = camera.MAX_BYTES  # type: ignore[attr-defined]
    check_late()
    must_send_no_file(except_for=FILE)


def uploaded_picture(file: FileStorage | None, *, is_frame: bool = False) -> bytes:
    """Return an uploaded picture; raises Refused without one, or if this device has sent too many."""
    picture = file.read() if file is not None else b""
    if not picture:
        raise Refused(Message("Choose a photo first"))
    for limit in _limits():
        limit.must_not_be_reached(_FRAME if is_frame else _PHOTO)
    return picture


def _limits() -> tuple[Limit, ...]:
    return (_READINGS,) if "access" in g else _OUTSIDE


@contextmanager
def turn_to_read(*, is_frame: bool = False, waits: bool = True) -> Iterator[None]:
    """Wait until this process has read the previous photograph; raises Busy after some seconds, or if another waits.

    A frame of the viewfinder mustn't wait, so that it holds up no photograph; the next one comes soon. One of a hand
    counts as a frame; one of the table takes as long as a photo, so it counts as that. A PhotoError within the block
    becomes Refused.
    """
    busy = Message("Other photos are being read. Wait a few seconds, then try again.")
    if not _COMES_IN.acquire(blocking=False):
        raise Busy(busy)
    try:
        if not _READS.acquire(timeout=_PATIENCE_SECONDS if waits else 0):
            raise Busy(busy)
        try:
            for limit in _limits():  # not before: while others are being read, the script sends it again and again
                limit.take(_FRAME if is_frame else _PHOTO)
            with figures.photograph():
                yield
        except camera.PhotoError as error:
            raise Refused(error.message) from error
        finally:
            _READS.release()
    finally:
        _COMES_IN.release()


def told_unsure(seen: Iterable[ProposedPiece]) -> Iterator[Message]:
    """Yield a sentence that says how many of these are unsure, if any."""
    unsure = sum(not piece.is_sure for piece in seen)
    if unsure:
        yield Message("1 is unsure, marked with “?”.", "{n} are unsure, marked with “?”.", n=unsure)
