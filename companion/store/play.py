"""Adds, corrects, voids and undoes the lines of a session, and sets their remarks; see `change`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, delete, func, select
from sqlalchemy.orm import contains_eager, joinedload

from companion.engine.messages import Message

from . import ledger
from .change import apply
from .ledger import Accounts, Written, pot_before
from .models import Draft, Line, PlaySession, Revision, db
from .night import lines_with_transfers, rounds_played
from .night_key import ANY_NIGHT, of_night, values_of_night
from .prepared import Prepared
from .refusals import Conflict, Refused, Sent
from .replay import Document, LineEntry, Outcome, Settled, Unsettled, replay, work_out
from .stacks import must_cover, without_forced_all_in

_LAST_NUMBER = Prepared(select(func.max(Line.number)).where(*of_night(Line, ANY_NIGHT)))
_LAST_ROUND = Prepared(
    select(Line.number, Line.game, Revision.document, Revision.voided)
    .join(Line.current)
    .where(*of_night(Line, ANY_NIGHT), Line.game.is_not(None))
    .order_by(Line.number.desc())
    .limit(1)
)
_FORGET_DRAFT = Prepared(delete(Draft).where(*of_night(Draft, ANY_NIGHT)))


def find_session(public_id: str) -> PlaySession | None:
    """Return the session with this public id, with its group and draft; None if there is none."""
    return db.session.scalar(_by_address(), {"id": public_id})


@cache
def _by_address() -> Select[PlaySession]:
    # not a constant, because building it makes SQLAlchemy configure all models, which would slow down the start
    query = select(PlaySession).where(PlaySession.public_id == bindparam("id"))
    return query.options(joinedload(PlaySession.group, innerjoin=True), joinedload(PlaySession.draft))


def find_line(session: PlaySession, number: int) -> Line | None:
    """Return a session's line by number, or None."""
    return db.session.scalar(select(Line).where(*of_night(Line, session), Line.number == number))


def _known_line(session: PlaySession, number: int) -> Line:
    line = find_line(session, number)
    assert line is not None
    return line


def _round_number(session: PlaySession, line: Line | None) -> int | None:
    """Return a round's number as players count it; None for another line."""
    return rounds_played(session, line.number) if line is not None and line.game else None


def next_number(session: PlaySession) -> int:
    """Return the number of the next line."""
    last: int | None = _LAST_NUMBER.value(values_of_night(session))
    return (last or 0) + 1


@dataclass(frozen=True, slots=True)
class LastRound:
    """What the next round follows from: a session's newest round, even if it is voided."""

    number: int
    game: str
    document: Document
    voided: bool


def round_before_next(session: PlaySession) -> LastRound | None:
    """Return the round before a session's next one, or None; without the ORM, because every tap asks for it."""
    return next((LastRound(*row) for row in _LAST_ROUND.rows(values_of_night(session))), None)


def last_round(session: PlaySession, *, voided_too: bool = True) -> Line | None:
    """Return a session's newest round, or the newest that isn't voided."""
    query = select(Line).join(Line.current).where(*of_night(Line, session), Line.game.is_not(None))
    if not voided_too:
        query = query.where(Revision.voided.is_(False))
    return db.session.scalar(query.order_by(Line.number.desc()).limit(1).options(contains_eager(Line.current)))


def save_round(public_id: str, number: int, document: Document, sent: Sent, *, expected_pot: int = 0) -> int:
    """Book a round as line `number`, with players as ids. The pot is the session's, whatever the document says.

    The round is settled with the expected pot before the session is locked, and again only if that was wrong.

    Raises Refused if the session is closed, the round has problems or somebody puts in more than their stack, and
    Conflict if the number is taken.
    """
    expected, found = _settled(LineEntry(number, document), expected_pot)
    # the first time for a deck, this counts all its hands for half a second: not while others wait for the lock
    found.game.rarities(found.round.options, found.settlement)

    def work(session: PlaySession, change: int) -> Iterator[Written]:
        accounts = _accounts_before(session, number)
        is_right = accounts.pot == expected_pot
        outcome, settled = (expected, found) if is_right else _settled(LineEntry(number, document), accounts.pot)
        must_cover(session, settled, accounts.balances)
        yield _next_line(accounts, outcome, change)
        # nothing reads the draft after this, so bypass the ORM, which would flush its objects twice
        _FORGET_DRAFT.rows(values_of_night(session))
        game = document["game"]
        set_next_game(session, game, without_forced_all_in(session, game, document.get("rules", {})))

    return apply(public_id, sent, "round", {"number": number, "document": document}, work)


def move(public_id: str, number: int, document: Document, sent: Sent) -> int:
    """Book a movement other than a round: {"movement": reason, "from", "to", "amount", "note"}."""

    def work(session: PlaySession, change: int) -> Iterator[Written]:
        accounts = _accounts_before(session, number)
        yield _next_line(accounts, work_out(LineEntry(number, document), accounts.pot), change)

    return apply(public_id, sent, "movement", {"number": number, "document": document}, work)


def _accounts_before(session: PlaySession, number: int) -> Accounts:
    """Load a session's accounts before its next line; raises Conflict unless that has this number."""
    if number != next_number(session):
        text = "Entry {number} was just saved from another phone. Check it, then save yours as the next"
        if (played := _round_number(session, find_line(session, number))) is not None:
            text = "Round {number} was just saved from another phone. Check it, then save yours as the next"
        raise Conflict(Message(text, number=played or number), number)
    return Accounts.of(session)


def _next_line(accounts: Accounts, outcome: Outcome, change: int) -> Written:
    _must_leave_a_pot(outcome)
    return ledger.add_line(accounts, outcome, change)


def set_next_game(session: PlaySession, game: str, rules: Mapping[str, Any]) -> None:
    """Set the next round's game and house rules; usually they stay the same."""
    if (session.game, session.rules.get(game)) != (game, rules):
        session.game = game
        session.rules = {**session.rules, game: dict(rules)}


def _worked_out(entry: LineEntry, pot: int) -> Outcome:
    """Work out an entry from its form, and add the dealer to its document; raises Refused if it can't be settled."""
    try:
        outcome = work_out(entry, pot)
    except Unsettled as unsettled:
        message = Message("The round can't be settled as entered")
        raise Refused(message, problems=unsettled.problems) from unsettled
    if outcome.settled is None:
        return outcome
    document = {**outcome.entry.document, "dealer": outcome.settled.round.dealer}
    return replace(outcome, entry=replace(outcome.entry, document=document))


def _settled(entry: LineEntry, pot: int) -> tuple[Outcome, Settled]:
    """Work out a round from its form; raises Refused if it can't be settled."""
    outcome = _worked_out(entry, pot)
    assert outcome.settled is not None
    return outcome, outcome.settled


def correct(public_id: str, number: int, document: Document, seen: int, sent: Sent, *, voided: bool = False) -> int:
    """Replace a line's document, or void the line, and re-settle the lines after it.

    `seen` is the revision the page showed; raises Conflict if there is a newer one.
    """

    def work(session: PlaySession, change: int) -> Iterator[Written]:
        return _revise_line(session, change, LineEntry(number, document, voided), seen)

    content = {"number": number, "document": document, "seen": seen, "voided": voided}
    return apply(public_id, sent, "void" if voided else "correction", content, work)


def entry_before_change(line: Line) -> LineEntry:
    """Return a line's content before the last change to it; if that was its first, the line voided.

    Revisions that only followed from an earlier line don't count as changes to this one.
    """
    done = max(revision.number for revision in line.revisions if not revision.follows)
    earlier = [revision for revision in line.revisions if revision.number < done]
    document, voided = (earlier[-1].document, earlier[-1].voided) if earlier else (line.current.document, True)
    return LineEntry(line.number, document, voided)


def undo(public_id: str, number: int, seen: int, sent: Sent) -> int:
    """Undo the last change to a line; see `entry_before_change`."""

    def work(session: PlaySession, change: int) -> Iterator[Written]:
        return _revise_line(session, change, entry_before_change(_known_line(session, number)), seen)

    return apply(public_id, sent, "undo", {"number": number, "seen": seen}, work)


def _revise_line(session: PlaySession, change: int, entry: LineEntry, seen: int) -> Iterator[Written]:
    """Change a line's entry, and revise the later lines it affects."""
    line = _known_line(session, entry.number)
    if line.current.number != seen:
        text = "Not saved: entry {number} was just changed on another phone. Check it first"
        if (played := _round_number(session, line)) is not None:
            text = "Not saved: round {number} was just changed on another phone. Check it first"
        raise Conflict(Message(text, number=played or entry.number), entry.number)
    entry = _worked_out(entry, pot_before(session, entry.number)).entry
    accounts = Accounts.of(session)
    for changed, outcome in recalculated(session, entry):
        yield ledger.change_line(accounts, changed, outcome, change, follows=changed is not line)


def recalculated(session: PlaySession, changed: LineEntry) -> list[tuple[Line, Outcome]]:
    """Work out the lines that change if one line's entry is changed: that line, then the later ones it affects.

    Returns each line as it is now, with its outcome then. Raises Refused if a later round couldn't be settled with its
    new pot, or the pot would no longer cover a movement.
    """
    lines = lines_with_transfers(session, changed.number)
    entries = [changed, *(LineEntry(line.number, line.current.document, line.current.voided) for line in lines[1:])]
    outcomes = []
    try:
        for outcome in replay(entries, pot_before(session, changed.number)):
            _must_leave_a_pot(outcome)
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


def _must_leave_a_pot(outcome: Outcome) -> None:
    if outcome.pot_after < 0:
        text = "The pot of {pot} is too small for entry {number}; change that first"
        raise Refused(Message(text, pot=outcome.pot_before, number=outcome.entry.number), outcome.entry.number)


def write_remark(public_id: str, number: int, remark: str, sent: Sent) -> int:
    """Set a line's remark; what it moves is unchanged."""

    def work(session: PlaySession, change: int) -> None:
        _known_line(session, number).remark = remark

    return apply(public_id, sent, "remark", {"number": number, "remark": remark}, work, even_if_closed=True)
