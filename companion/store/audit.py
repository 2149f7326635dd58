"""Lets `judge` settle every stored round again, and compares the results and sums with the database as well.

Also reads every saved set of house rules, and checks that the triggers protecting the ledger exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import func, select, text

from companion.games import all_games

from .db.database import dialect_name, snapshot
from .groups.rule_sets import rule_problems
from .history.recording import played_in
from .history.results import DUELS, TALLIES, results_of, stored_rounds, stored_sums
from .history.tallies import Played, Sums
from .judge import Log, Logged, Version, judge
from .log.ledger import balances, moves_of
from .log.replay import is_absent
from .log.typed import texts_in
from .models import Change, Duel, Group, Line, Night, Result, Revision, RuleSet, Tally, TypedText, db
from .night_key import of_night

# created by migration 0001; the one for updates of a line protects only its id, night and number
_TRIGGERS = {
    (f"{table}_refuses_{what}", table)
    for table in ("change", "revision", "transfer", "line")
    for what in ("update", "delete")
}
_TRIGGERS_THERE = {
    "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE tgenabled IN ('O', 'A')",
}


def audit() -> Iterator[str]:
    """Yield a sentence for each inconsistency, night by night, unaffected by concurrent saves."""
    with snapshot():
        yield from audit_triggers()
        # an unfinished import is invisible and may be inconsistent
        complete = select(Night).join(Night.group).where(Group.is_complete)
        for night in db.session.scalars(complete.order_by(Night.id)):
            yield from audit_night(night)
            db.session.expire_all()
        for group in db.session.scalars(select(Group).where(Group.is_complete).order_by(Group.id)):
            yield from audit_sums(group)
            yield from audit_texts(group)
            yield from audit_rule_sets(group)


def rounds_of_absent_games(group_id: int | None = None) -> dict[str, int]:
    """Count the rounds, by key of their game, that aren't settled again because that isn't installed here."""
    query = select(Line.game, func.count()).join(Group, Line.group_id == Group.id)
    query = query.where(Group.is_complete, Line.game.is_not(None), Line.game.not_in(list(all_games())))
    if group_id is not None:
        query = query.where(Line.group_id == group_id)
    return {str(game): number for game, number in db.session.execute(query.group_by(Line.game).order_by(Line.game))}


def audit_triggers() -> Iterator[str]:
    """Yield a sentence for each missing trigger that should protect the ledger."""
    rows = db.session.execute(text(_TRIGGERS_THERE[dialect_name()]))
    there = {(name, table) for name, table in rows}
    for name, table in sorted(_TRIGGERS - there):
        yield f"trigger {name}: it is missing, so what is in the table {table} can be changed"


def audit_night(night: Night) -> Iterator[str]:
    """Yield a sentence for each inconsistency in a night."""
    where = f"night {night.public_id}"
    lines = [line for line in night.lines if line.current_id]
    if [line.number for line in lines] != list(range(1, len(night.lines) + 1)):
        yield f"{where}: the lines are numbered {[line.number for line in lines]}"
    sentences: dict[int | None, list[str]] = {}  # by position of the line
    for at, why, details in judge(_log(night, lines)):
        sentences.setdefault(int(at[1]) if at else None, []).append(details or str(why))
    results = {played.line_id: played for played in results_of(night)}
    for number, line in enumerate(lines):
        of_line = f"{where}, line {line.number}"
        if line.game != line.current.document.get("game"):
            yield f"{of_line}: it is a line of {line.game}, but its document is one of another game"
        yield from (f"{of_line}: {sentence}" for sentence in sentences.get(number, ()))
        yield from _accounts(of_line, line.current)
        yield from _results(of_line, night, line, results.get(line.id))
    yield from (f"{where}: {sentence}" for sentence in sentences.get(None, ()))
    yield from _revisions(night, where)


def _log(night: Night, lines: list[Line]) -> Log:
    """Return what the judge needs of a night; of each line only the current version counts."""
    changes = select(Change.kind, Change.content).where(*of_night(Change, night))
    return Log(
        players=night.player_keys(),
        stakes=[night.stake_units, *night.stakes.values()],
        buy_in=night.buy_in_units,
        balances=balances(night),
        changes=[(kind, content) for kind, content in db.session.execute(changes)],
        lines=[Logged(line.number, [_version(line.current)]) for line in lines],
    )


def _version(revision: Revision) -> Version:
    return Version(revision.document, revision.voided, moves_of(revision))


def _accounts(where: str, revision: Revision) -> Iterator[str]:
    night_id = revision.line.night_id
    if any(account.night_id != night_id for t in revision.transfers for account in (t.giver, t.taker)):
        yield f"{where}: a transfer touches an account of another night"


def _results(where: str, night: Night, line: Line, stored: Played | None) -> Iterator[str]:
    """Compare a line's stored results with what its document settles to."""
    if is_absent(line.current.document):
        return  # they were recorded while the game was here, or by its transfers
    expected = next(played_in(night, [line]), None)
    if stored != expected:
        yield f"{where}: the results are {stored}, the rules say {expected}"


def audit_sums(group: Group) -> Iterator[str]:
    """Yield a sentence for each of a group's sums that doesn't match its results."""
    stored = stored_sums(TALLIES.where(Tally.group_id == group.id), DUELS.where(Duel.group_id == group.id))
    expected = Sums.of(stored_rounds(Result.group_id == group.id))
    for was, now in ((stored.tallies, expected.tallies), (stored.duels, expected.duels)):
        for key in sorted(was.keys() | now.keys()):
            if was.get(key) != now.get(key):
                yield f"group {group.public_id}: the sum of {key} is {was.get(key)}, its results make {now.get(key)}"


def audit_texts(group: Group) -> Iterator[str]:
    """Yield a sentence for each change and revision that refers to what people typed, where that is missing.

    Deleting a group deletes what its people typed.
    """
    if group.deleted_at is not None:
        return
    there = set(db.session.scalars(select(TypedText.id).where(TypedText.group_id == group.id)))
    for what, column in (("change", Change.content), ("revision", Revision.document)):
        table = column.class_
        rows = db.session.execute(select(table.id, column).where(table.group_id == group.id).order_by(table.id))
        for id_, content in rows.yield_per(1000):
            if not there.issuperset(texts_in(content)):
                missing = sorted(set(map(str, texts_in(content))) - set(map(str, there)))
                yield f"group {group.public_id}, {what} {id_}: the typed text {', '.join(missing)} is missing"


def audit_rule_sets(group: Group) -> Iterator[str]:
    """Yield a sentence for each saved house rule that its game doesn't know or allow."""
    for saved in db.session.scalars(select(RuleSet).where(RuleSet.group_id == group.id).order_by(RuleSet.id)):
        for problem in rule_problems(saved.game, saved.rules):
            yield f"group {group.public_id}, house rules {saved.id}: {problem.field}: {problem.message}"


def _revisions(night: Night, where: str) -> Iterator[str]:
    numbers = select(Line.number, Revision.number, Line.current_id == Revision.id).join(Line.revisions)
    newest: dict[int, tuple[int, bool]] = {}
    for line, revision, is_current in db.session.execute(
        numbers.where(*of_night(Line, night)).order_by(Line.number, Revision.number)
    ):
        newest[line] = (revision, is_current)
    for line, (revision, is_current) in newest.items():
        if not is_current:
            yield f"{where}, line {line}: revision {revision} is the newest, but not the current one"
