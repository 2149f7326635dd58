"""Corrects, voids and undoes the lines of a night; see `change`."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.messages import Message

from ..log import ledger
from ..log.ledger import Accounts, Written, pot_before
from ..log.replay import Document, LineEntry, Outcome, Unsettled, replay
from ..models import Line, Night, Revision
from ..refusals import Conflict, Refused, Sent
from . import play
from .change import apply
from .hand_in_play import keep_dealer
from .reading import lines_with_transfers


def correct(public_id: str, number: int, document: Document, seen: int, sent: Sent, *, voided: bool = False) -> int:
    """Replace a line's document, or void the line, and re-settle the lines after it.

    `seen` is the revision the page showed; raises Conflict if there is a newer one.
    """

    def work(night: Night, change: int) -> Iterator[Written]:
        return _revise_line(night, change, LineEntry(number, document, voided), seen)

    content = {"number": number, "document": document, "seen": seen, "voided": voided}
    return apply(public_id, sent, "void" if voided else "correction", content, work)


def entry_before_change(line: Line) -> LineEntry:
    """Return a line's content before the last change to it; if that was its first, the line voided.

    Revisions that only followed from an earlier line don't count as changes to this one.
    """
    done = max(revision.number for revision in line.revisions if not revision.follows)
    earlier = [revision for revision in line.revisions if revision.number < done]
    return ledger.entry_of(line.number, earlier[-1]) if earlier else LineEntry(line.number, line.current.document, True)


def undo(public_id: str, number: int, seen: int, sent: Sent) -> int:
    """Undo the last change to a line; see `entry_before_change`."""

    def work(night: Night, change: int) -> Iterator[Written]:
        return _revise_line(night, change, entry_before_change(play.known_line(night, number)), seen)

    return apply(public_id, sent, "undo", {"number": number, "seen": seen}, work)


def _revise_line(night: Night, change: int, entry: LineEntry, seen: int) -> Iterator[Written]:
    """Change a line's entry, and revise the later lines it affects."""
    line = play.known_line(night, entry.number)
    if line.current.number != seen:
        text = "Not saved: entry {number} was just changed on another phone. Check it first"
        if (played := play.round_number(night, line)) is not None:
            text = "Not saved: round {number} was just changed on another phone. Check it first"
        raise Conflict(Message(text, number=played or entry.number), entry.number)
    kept = play.points_before(night, entry.number, [entry.document])
    entry = play.worked_out(entry, pot_before(night, entry.number), kept).entry
    accounts = Accounts.of(night)
    keep_dealer(night)
    for changed, outcome in recalculated(night, entry):
        yield ledger.change_line(accounts, changed, outcome, change, follows=changed is not line)


def recalculated(night: Night, changed: LineEntry) -> list[tuple[Line, Outcome]]:
    """Work out the lines that change if one line's entry is changed: that line, then the later ones it affects.

    Returns each line as it is now, with its outcome then. Raises Refused if a later round couldn't be settled with its
    new pot, or the pot would no longer cover a movement.
    """
    lines = lines_with_transfers(night, changed.number)
    entries = [changed, *(ledger.entry_of(line.number, line.current) for line in lines[1:])]
    outcomes, before = [], pot_before(night, changed.number)
    kept = play.points_before(night, changed.number, (entry.document for entry in entries))
    try:
        for outcome in replay(entries, before, kept):
            play.must_leave_a_pot(outcome)
            outcomes.append(outcome)
    except Unsettled as unsettled:
        text = "Round {number} can't be settled with the pot this leaves; change that round first"
        number = entries[len(outcomes)].number
        raise Refused(Message(text, number=number), number, unsettled.problems) from unsettled
    first, *later = zip(lines, outcomes, strict=True)
    return [first, *((line, outcome) for line, outcome in later if _differs(outcome, line.current))]


def _differs(outcome: Outcome, current: Revision) -> bool:
    moved = [(t.giver.key, t.taker.key, t.amount) for t in current.transfers]
    return outcome.entry.document != current.document or [move[:3] for move in outcome.moves] != moved
