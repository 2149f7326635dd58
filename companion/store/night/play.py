"""Adds the lines of a night, and sets their remarks; see `change`. `revising` changes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import contains_eager

from companion.engine.messages import Message, Units

from ..db.database import execute
from ..log import ledger
from ..log.ledger import Accounts, Written, kept_before
from ..log.replay import (
    POT_MOVE,
    Document,
    Kept,
    LineEntry,
    Outcome,
    Settled,
    Unsettled,
    is_round,
    keeps,
    with_kept,
    work_out,
)
from ..models import Draft, Line, Night, Revision, db
from ..money.stacks import must_cover, must_hold, without_forced_all_in
from ..night_key import ANY_NIGHT, of_night, of_same_group, values_of_night
from ..refusals import Conflict, Refused, Sent
from .change import apply
from .reading import rounds_played

_LAST_NUMBER = select(func.max(Line.number)).where(*of_night(Line, ANY_NIGHT))
_LAST_ROUND = (
    select(Line.number, Line.game, Revision.document, Revision.voided)
    .join(Line.current)
    .where(*of_night(Line, ANY_NIGHT), Line.game.is_not(None))
    .order_by(Line.number.desc())
    .limit(1)
)
_LINES_SO_FAR = select(
    select(func.max(Line.number)).where(*of_night(Line, ANY_NIGHT)).scalar_subquery(),
    exists().where(*of_night(Line, ANY_NIGHT), Line.game.is_(None)),
)
_FORGET_DRAFT = delete(Draft).where(*of_night(Draft, ANY_NIGHT))


def find_night(public_id: str) -> Night | None:
    """Return the night with this public id; None if there is none."""
    return db.session.scalar(select(Night).where(Night.public_id == public_id))


def find_line(night: Night, number: int) -> Line | None:
    """Return a night's line by number, or None."""
    return db.session.scalar(select(Line).where(*of_night(Line, night), Line.number == number))


def known_line(night: Night, number: int) -> Line:
    """Return a night's line, which is there."""
    line = find_line(night, number)
    assert line is not None
    return line


def round_number(night: Night, line: Line | None) -> int | None:
    """Return a round's number as players count it; None for another line."""
    return rounds_played(night, line.number) if line is not None and line.game else None


def revision_by(night: Night, change: int) -> tuple[Line, Revision]:
    """Return the line that a change added or revised itself, with the revision that it wrote."""
    query = select(Line, Revision).join(Revision, of_same_group(Revision, Line, Revision.line_id == Line.id))
    query = query.where(*of_night(Line, night), Revision.change_id == change, Revision.follows.is_(False))
    line, revision = db.session.execute(query.order_by(Line.number).limit(1)).one()
    return line, revision


def lines_so_far(night: Night) -> tuple[int, bool]:
    """Return the number of a night's last line, 0 without one, and whether a line isn't a round."""
    last, has_movements = execute(_LINES_SO_FAR, values_of_night(night)).one()
    return last or 0, has_movements


def next_number(night: Night) -> int:
    """Return the number of the next line."""
    last: int | None = execute(_LAST_NUMBER, values_of_night(night)).scalar()
    return (last or 0) + 1


@dataclass(frozen=True, slots=True)
class LastRound:
    """What the next round follows from: a night's newest round, even if it is voided."""

    number: int
    game: str
    document: Document
    voided: bool


def round_before_next(night: Night) -> LastRound | None:
    """Return the round before a night's next one, or None; without the ORM, because every tap asks for it."""
    return next((LastRound(*row) for row in execute(_LAST_ROUND, values_of_night(night)).all()), None)


def last_round(night: Night, *, voided_too: bool = True) -> Line | None:
    """Return a night's newest round, or the newest that isn't voided."""
    query = select(Line).join(Line.current).where(*of_night(Line, night), Line.game.is_not(None))
    if not voided_too:
        query = query.where(Revision.voided.is_(False))
    return db.session.scalar(query.order_by(Line.number.desc()).limit(1).options(contains_eager(Line.current)))


def save_round(public_id: str, number: int, document: Document, sent: Sent, *, expected_pot: int = 0) -> int:
    """Book a round as line `number`, with players as ids. The pot is the night's, whatever the document says.

    The round is settled with the expected pot before the night is locked, and again only if that was wrong.

    Raises Refused if the night is closed, the round has problems or somebody puts in more than their stack, and
    Conflict if the number is taken.
    """
    expected, settled_round = _settled(LineEntry(number, document), expected_pot)
    # the first time for a deck, this counts all its hands for half a second: not while others wait for the lock
    settled_round.game.rarities(settled_round.round.options, settled_round.settlement)

    def work(night: Night, change: int) -> Iterator[Written]:
        accounts = _accounts_before(night, number)
        kept = points_before(night, number, [document])
        is_right = accounts.pot == expected_pot and with_kept(document, kept) == document
        outcome, settled = (
            (expected, settled_round) if is_right else _settled(LineEntry(number, document), accounts.pot, kept)
        )
        must_cover(night, settled, accounts.balances)
        yield _next_line(accounts, outcome, change)
        # nothing reads the draft after this, so bypass the ORM, which would flush its objects twice
        execute(_FORGET_DRAFT, values_of_night(night))
        game = document["game"]
        set_next_game(night, game, without_forced_all_in(night, game, document.get("rules", {})))

    return apply(public_id, sent, "round", {"number": number, "document": document}, work)


def move(public_id: str, number: int, document: Document, sent: Sent) -> int:
    """Book a movement other than a round: {"movement": reason, "from", "to", "amount", "note"}."""

    def work(night: Night, change: int) -> Iterator[Written]:
        accounts = _accounts_before(night, number)
        if document["movement"] == POT_MOVE:
            must_hold(night, document["from"], document["amount"])
        yield _next_line(accounts, work_out(LineEntry(number, document), accounts.pot), change)

    return apply(public_id, sent, "movement", {"number": number, "document": document}, work)


def _accounts_before(night: Night, number: int) -> Accounts:
    """Load a night's accounts before its next line; raises Conflict unless that has this number."""
    if number != next_number(night):
        text = "Entry {number} was just saved from another phone. Check it, then save yours as the next"
        if (played := round_number(night, find_line(night, number))) is not None:
            text = "Round {number} was just saved from another phone. Check it, then save yours as the next"
        raise Conflict(Message(text, number=played or number), number)
    return Accounts.of(night)


def _next_line(accounts: Accounts, outcome: Outcome, change: int) -> Written:
    must_leave_a_pot(outcome, is_new=True)
    return ledger.add_line(accounts, outcome, change)


def set_next_game(night: Night, game: str, rules: Mapping[str, Any]) -> None:
    """Set the next round's game and house rules; usually they stay the same."""
    if (night.game, night.rules.get(game)) != (game, rules):
        night.game = game
        night.rules = {**night.rules, game: dict(rules)}


def points_before(night: Night, number: int, documents: Iterable[Document]) -> Kept:
    """Return the points kept before a line, in the games of these entries that keep some."""
    rounds = filter(is_round, documents)
    return kept_before(night, number, {document["game"] for document in rounds if keeps(document)})


def worked_out(entry: LineEntry, pot: int, kept: Kept | None = None) -> Outcome:
    """Work out an entry from its form, and add the dealer to its document; raises Refused if it can't be settled."""
    try:
        outcome = work_out(entry, pot, kept)
    except Unsettled as unsettled:
        message = Message("The round can't be settled as entered")
        raise Refused(message, problems=unsettled.problems) from unsettled
    if outcome.settled is None:
        return outcome
    document = {**outcome.entry.document, "dealer": outcome.settled.round.dealer}
    return replace(outcome, entry=replace(outcome.entry, document=document))


def _settled(entry: LineEntry, pot: int, kept: Kept | None = None) -> tuple[Outcome, Settled]:
    """Work out a round from its form; raises Refused if it can't be settled."""
    outcome = worked_out(entry, pot, kept)
    assert outcome.settled is not None
    return outcome, outcome.settled


def must_leave_a_pot(outcome: Outcome, *, is_new: bool = False) -> None:
    """Raise Refused if the pot holds less than a line takes from it."""
    if outcome.pot_after < 0:
        text = "The pot of {pot} is too small for entry {number}; change that first"
        if is_new:
            text = "The pot holds only {pot}; enter a smaller amount"
        number = outcome.entry.number
        raise Refused(Message(text, pot=Units(outcome.pot_before), number=number), number)


def write_remark(public_id: str, number: int, remark: str, sent: Sent) -> int:
    """Set a line's remark; what it moves is unchanged."""

    def work(night: Night, change: int) -> None:
        known_line(night, number).remark = remark

    return apply(public_id, sent, "remark", {"number": number, "remark": remark}, work, even_if_closed=True)
