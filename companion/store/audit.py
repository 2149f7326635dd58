"""Re-settles every stored round and compares its transfers, balances, pots, stakes, results and sums with the database.

Also reads every saved set of house rules, and checks that the triggers protecting the ledger exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator

from sqlalchemy import select, text

from companion.engine.settlement import POT

from .db.database import snapshot
from .groups.rule_sets import rule_problems
from .history.recording import played_in
from .history.results import DUELS, TALLIES, results_of, stored_rounds, stored_sums
from .history.tallies import Played, Sums
from .log.ledger import balances
from .log.replay import LineEntry, Unsettled, is_round, nets, work_out
from .models import Change, Duel, Group, Line, Night, Result, Revision, RuleSet, Tally, db
from .money.stacks import stacks_of
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
            yield from audit_rule_sets(group)


def audit_triggers() -> Iterator[str]:
    """Yield a sentence for each missing trigger that should protect the ledger."""
    rows = db.session.execute(text(_TRIGGERS_THERE[db.engine.dialect.name]))
    there = {(name, table) for name, table in rows}
    for name, table in sorted(_TRIGGERS - there):
        yield f"trigger {name}: it is missing, so what is in the table {table} can be changed"


def audit_night(night: Night) -> Iterator[str]:
    """Yield a sentence for each inconsistency in a night."""
    where = f"night {night.public_id}"
    sums: Counter[str] = Counter()
    current = {line.number: line.current for line in night.lines if line.current_id}
    if list(current) != list(range(1, len(night.lines) + 1)):
        yield f"{where}: the lines are numbered {list(current)}"
    stakes = _stakes(night)
    pot, results = 0, {played.line_id: played for played in results_of(night)}
    for number, revision in current.items():
        yield from _stake(f"{where}, line {number}", number, stakes, revision)
        pot = yield from _line(f"{where}, line {number}", number, revision, pot)
        yield from _results(f"{where}, line {number}", night, revision.line, results.get(revision.line_id))
        sums.update(nets((t.giver.key, t.taker.key, t.amount) for t in revision.transfers))
    for key, balance in balances(night).items():
        if balance != sums[key]:
            yield f"{where}: the balance of {key} is {balance}, its transfers sum to {sums[key]}"
    if sums[POT] < 0:
        yield f"{where}: the pot holds {sums[POT]}"
    yield from _stacks(where, night)
    yield from _revisions(night, where)


def _stacks(where: str, night: Night) -> Iterator[str]:
    """Compare the players' stacks and the pot with the chips that were bought."""
    stacks = stacks_of(night)
    if stacks is None:
        return
    there, bought = sum(stacks.held.values()) + stacks.pot, sum(stacks.bought.values())
    if there != bought:
        yield f"{where}: the stacks and the pot hold {there}, bought were {bought}"


def _line(where: str, number: int, revision: Revision, pot: int) -> Generator[str, None, int]:
    """Compare a line with what its document settles to, given the pot before it; returns the pot after it."""
    try:
        outcome = work_out(LineEntry(number, revision.document, revision.voided), pot)
    except Unsettled as unsettled:
        yield f"{where}: cannot be settled again: {unsettled}"
        return pot
    if outcome.entry.document != revision.document:
        yield f"{where}: the pot before it is {pot}"
    expected = [tuple(move) for move in outcome.moves]
    stored = [(t.giver.key, t.taker.key, t.amount, t.reason, t.rule) for t in revision.transfers]
    if expected != stored:
        yield f"{where}: the transfers are {stored}, the rules say {expected}"
    night_id = revision.line.night_id
    if any(account.night_id != night_id for t in revision.transfers for account in (t.giver, t.taker)):
        yield f"{where}: a transfer touches an account of another night"
    return outcome.pot_after


def _stakes(night: Night) -> tuple[set[int], set[tuple[int, int]]]:
    """Return the stakes that a night ever had, and those of its corrections, as (line, units)."""
    had, corrected = {night.stake_units, *night.stakes.values()}, set()
    query = select(Change.kind, Change.content).where(*of_night(Change, night))
    for kind, content in db.session.execute(query.where(Change.kind.in_(("stakes", "correction")))):
        if kind == "stakes":
            had.update(content["stakes"].values(), content["was"].values())
        else:
            corrected.add((content["number"], content["document"].get("stake", 1)))
    return had, corrected


def _stake(where: str, number: int, stakes: tuple[set[int], set[tuple[int, int]]], revision: Revision) -> Iterator[str]:
    """Check that a round's stake is one that its night had, or that a correction of this line gave it."""
    document, (had, corrected) = revision.document, stakes
    stake = document.get("stake", 1)
    if is_round(document) and stake not in had and (number, stake) not in corrected:
        yield f"{where}: the stake is {stake}, the night's is {' or '.join(map(str, sorted(had)))}"


def _results(where: str, night: Night, line: Line, stored: Played | None) -> Iterator[str]:
    """Compare a line's stored results with what its document settles to."""
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
