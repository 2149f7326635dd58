"""Settles every stored round again and compares every transfer, balance and pot with what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import select

from companion.engine.settlement import POT

from .models import Line, PlaySession, Revision, db
from .play import balances
from .replay import Entry, replay


def audit() -> Iterator[str]:
    """Yield a sentence for everything that does not fit, session after session."""
    for session in db.session.scalars(select(PlaySession).order_by(PlaySession.id)):
        yield from audit_session(session)
        db.session.expire_all()


def audit_session(session: PlaySession) -> Iterator[str]:
    """Yield a sentence for everything of a session that does not fit."""
    where = f"session {session.public_id}"
    sums: Counter[str] = Counter()
    current = {line.number: line.current for line in session.lines if line.current}
    if list(current) != list(range(1, len(session.lines) + 1)):
        yield f"{where}: the lines are numbered {list(current)}"
    entries = [Entry(number, revision.document, revision.voided) for number, revision in current.items()]
    for outcome in replay(entries, 0):
        number = outcome.entry.number
        revision = current[number]
        if outcome.entry.document != revision.document:
            yield f"{where}, line {number}: the pot before it is {outcome.pot_before}"
        expected = [(m.giver, m.taker, m.amount, m.reason, m.rule) for m in outcome.moves]
        stored = [(t.giver.key, t.taker.key, t.amount, t.reason, t.rule) for t in revision.transfers]
        if expected != stored:
            yield f"{where}, line {number}: the transfers are {stored}, the rules say {expected}"
        for giver, taker, amount, _, _ in stored:
            sums[giver] -= amount
            sums[taker] += amount
    for key, balance in balances(session).items():
        if balance != sums[key]:
            yield f"{where}: the balance of {key} is {balance}, its transfers sum to {sums[key]}"
    if sums[POT] < 0:
        yield f"{where}: the pot holds {sums[POT]}"
    yield from _revisions(session, where)


def _revisions(session: PlaySession, where: str) -> Iterator[str]:
    numbers = select(Line.number, Revision.number, Line.current_id == Revision.id).join(
        Revision, Revision.line_id == Line.id
    )
    newest: dict[int, tuple[int, bool]] = {}
    for line, revision, is_current in db.session.execute(
        numbers.where(Line.session_id == session.id).order_by(Line.number, Revision.number)
    ):
        newest[line] = (revision, is_current)
    for line, (revision, is_current) in newest.items():
        if not is_current:
            yield f"{where}, line {line}: revision {revision} is the newest, but not the current one"
