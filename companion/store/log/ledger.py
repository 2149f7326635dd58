"""The append-only ledger: lines, their revisions and transfers, and the resulting balances.

A round is saved here while its phone waits, so the statements are built once and bypass the ORM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Insert, and_, bindparam, case, func, insert, select, update

from companion.engine.money.settlement import POT

from ..db.database import dialect_name, execute, execute_many, insert_into
from ..models import Account, BookedTransfer, Change, Line, Night, Revision, SettleUp, UtcDateTime, db, now
from ..night_key import ANY_NIGHT, columns_of_night, of_night, of_same_group, values_of_night
from .replay import (
    Document,
    Kept,
    LineEntry,
    Move,
    Outcome,
    Settled,
    as_booked,
    is_absent,
    is_of_games,
    keeps,
    nets,
    parts_of_account,
    settled,
)
from .typed import keep_text, without_texts

_ACCOUNT = insert(Account).returning(Account.id)
_OF_NIGHTS = (
    select(Account.night_id, Account.key, Account.balance)
    .where(Account.group_id.in_(bindparam("groups")), Account.night_id.in_(bindparam("nights")))
    .order_by(Account.id)
)
_LINE = insert(Line).returning(Line.id)
_REVISION = insert(Revision).returning(Revision.id)
_TRANSFER = insert(BookedTransfer).inline()
_ACCOUNTS = select(Account.key, Account.id, Account.balance).where(*of_night(Account, ANY_NIGHT)).order_by(Account.id)
MAKE_CURRENT = (
    update(Line)
    .where(Line.group_id == bindparam("group"), Line.id == bindparam("line"))
    .values(current_id=bindparam("revision"))
)
_ADD_TO_BALANCE = (
    update(Account)
    .where(Account.group_id == bindparam("group"), Account.id == bindparam("account"))
    .values(balance=Account.balance + bindparam("units"))
)


@dataclass(frozen=True, slots=True)
class Written:
    """A line that a change added (`is_new`) or revised.

    `game` is None if the line isn't a round. `settled` is None in that case too, and for a voided round. `document` is
    the entry as stored.
    """

    line_id: int
    number: int
    game: str | None
    is_new: bool
    settled: Settled | None
    document: Document


@dataclass(frozen=True, slots=True)
class Accounts:
    """A night's accounts when a change begins: their ids and balances in units, by key.

    Accounts that the change opens are added to `ids`; the balances stay those of the beginning.
    """

    night: Night
    ids: dict[str, int]
    balances: dict[str, int]

    @classmethod
    def of(cls, night: Night) -> Accounts:
        """Load a night's accounts, in the order they were opened."""
        rows = execute(_ACCOUNTS, values_of_night(night)).all()
        ids, balances = {key: id_ for key, id_, _ in rows}, {key: balance for key, _, balance in rows}
        return cls(night, ids, balances)

    @property
    def pot(self) -> int:
        """The units in the pot."""
        return self.balances.get(POT, 0)

    def id_of(self, key: str) -> int:
        """Return an account's id, opening the account if necessary."""
        if key not in self.ids:
            opened = {**columns_of_night(self.night), "key": key, "balance": 0}
            self.ids[key] = int(execute(_ACCOUNT, opened).scalar_one())
        return self.ids[key]


def entry_of(number: int, revision: Revision) -> LineEntry:
    """Return the entry of a line's revision, to be settled again."""
    booked = moves_of(revision) if is_absent(revision.document) and not revision.voided else None
    return LineEntry(number, revision.document, revision.voided, booked)


def moves_of(revision: Revision) -> tuple[Move, ...]:
    """Return what a revision moves, in order."""
    return tuple(Move(t.giver.key, t.taker.key, t.amount, t.reason, t.rule) for t in revision.transfers)


def revision_settled(revision: Revision) -> Settled:
    """Settle a stored round again, or take it as booked if its game isn't installed; raises Unsettled."""
    if is_absent(revision.document):
        return as_booked(revision.document, moves_of(revision))
    return settled(revision.document)


def balances(night: Night) -> dict[str, int]:
    """Return the balance in units of every account of the games, by key; they sum to 0."""
    return {key: units for key, units in Accounts.of(night).balances.items() if is_of_games(key)}


def apart_balances_of(nights: Mapping[int, int]) -> dict[int, dict[str, dict[str, int]]]:
    """Return the balances for costs apart from the games, by night id, currency and player; those of one sum to 0.

    `nights` has each night's group, by id.
    """
    balances: dict[int, dict[str, dict[str, int]]] = {night: {} for night in nights}
    of_these = (Account.group_id.in_(set(nights.values())), Account.night_id.in_(balances))
    query = select(Account.night_id, Account.key, Account.balance).where(*of_these)
    for night, key, balance in db.session.execute(query.order_by(Account.id)):
        player, currency = parts_of_account(key)
        if currency is not None:
            balances[night].setdefault(currency, {})[player] = balance
    return balances


def balances_of(nights: Mapping[int, int]) -> dict[int, dict[str, int]]:
    """Return the games' balances of several nights, by night id and account key, in the order they were opened.

    `nights` has each night's group, by id.
    """
    balances: dict[int, dict[str, int]] = {night: {} for night in nights}
    for night, key, balance in execute(_OF_NIGHTS, {"groups": set(nights.values()), "nights": list(balances)}):
        if is_of_games(key):
            balances[night][key] = balance
    return balances


def ranked(balances: Mapping[str, int], *, with_pot: bool = False) -> list[str]:
    """List the accounts' keys, highest balance first; the pot is left out, or comes last unless it is empty."""
    players = sorted((key for key in balances if key != POT), key=lambda key: -balances[key])
    return [*players, POT] if with_pot and balances.get(POT) else players


def pot_before(night: Night, number: int) -> int:
    """Return how many units were in the pot when the line with this number began: what the lines before it moved."""
    pot = select(Account.id).where(*of_night(Account, night), Account.key == POT).scalar_subquery()
    into = case(
        (BookedTransfer.taker_id == pot, BookedTransfer.amount),
        (BookedTransfer.giver_id == pot, -BookedTransfer.amount),
        else_=0,
    )
    query = (
        select(func.coalesce(func.sum(into), 0))
        .join(Line, of_same_group(Line, BookedTransfer, Line.current_id == BookedTransfer.revision_id))
        .where(*of_night(Line, night), Line.number < number)
    )
    return int(db.session.scalars(query).one())


def kept_before(night: Night, number: int, games: Iterable[str]) -> Kept:
    """Return the points that players have kept in these games when the line with this number began. Rule: KR-14."""
    return {game: _kept_in(night, number, game) for game in games}


def _kept_in(night: Night, number: int, game: str) -> dict[str, int]:
    """Go back through a game's rounds to the last one after which all began with no points."""
    query = select(Revision.document).join(Line, of_same_group(Line, Revision, Line.current_id == Revision.id))
    query = query.where(*of_night(Line, night), Line.game == game, Line.number < number, Revision.voided.is_(False))
    points: dict[str, int] = {}
    for document in db.session.scalars(query.order_by(Line.number.desc())):
        if keeps(document) is None:
            continue
        kept = settled(document).settlement.kept
        assert kept is not None
        points = {**kept.closing, **points}
        if kept.is_over:
            break
    return points


def moved_by(night: Night, change_id: int) -> dict[str, int]:
    """Return by how much a correction, void or undo changed each balance, in units by account key; they sum to 0.

    Accounts whose balance it didn't change are left out.
    """
    revisions = select(Revision.line_id, Revision.number).join(Revision.line)
    changed = revisions.where(*of_night(Line, night), Revision.change_id == change_id).subquery()

    def nets_of(back: int) -> Counter[int]:
        """Sum up what the changed lines move, by account id, in the revisions `back` before this change's."""
        is_version = and_(Revision.line_id == changed.c.line_id, Revision.number == changed.c.number - back)
        is_in_revision = of_same_group(Revision, BookedTransfer, Revision.id == BookedTransfer.revision_id)
        ends = BookedTransfer.giver_id, BookedTransfer.taker_id
        query = select(*ends, func.sum(BookedTransfer.amount)).group_by(*ends)
        query = query.join(Revision, is_in_revision).join(changed, is_version)
        query = query.where(Revision.group_id == night.group_id)
        return nets((giver, taker, int(units)) for giver, taker, units in db.session.execute(query))

    moved = nets_of(0)
    moved.subtract(nets_of(1))
    return {key: moved[id_] for key, id_ in Accounts.of(night).ids.items() if moved[id_]}


def add_change(night: Night, key: str, kind: str, content: dict[str, Any], device: str) -> int | None:
    """Record a change. Returns its id, or None if the night already has one with this key, which is the form's."""
    device_id = keep_text(night.group_id, device)
    about = {"kind": kind, "content": content, "device_id": device_id, "now": now(), "group": night.group_id}
    values = {**columns_of_night(night), "submission_key": key, **about}
    made: int | None = execute(_insert_if_new(dialect_name()), values).scalar()
    return made


@cache
def _insert_if_new(dialect: str) -> Insert:
    """Build the statement that inserts a change, or nothing if the night has one with the same key."""
    # whatever the computer's clock shows, it is after the plans for all nights: they cover what was before, see `debts`
    newest_plan = (
        select(func.max(SettleUp.at))
        .where(SettleUp.group_id == bindparam("group"), SettleUp.night_id.is_(None))
        .scalar_subquery()
    )
    at = bindparam("now", type_=UtcDateTime)
    statement = insert_into(Change, dialect).values(at=case((newest_plan > at, newest_plan), else_=at))
    key = (Change.night_id, Change.submission_key, Change.group_id)
    made: Insert = statement.on_conflict_do_nothing(index_elements=key).returning(Change.id)
    return made


def add_line(accounts: Accounts, outcome: Outcome, change_id: int) -> Written:
    """Add a line with its first revision, and update the balances; its number must be the next one."""
    number, game = outcome.entry.number, outcome.entry.document.get("game")
    about = {"number": number, "game": game, "remark": "", "current_id": None}
    line_id = int(execute(_LINE, {**columns_of_night(accounts.night), **about}).scalar_one())
    document = _revise(accounts, line_id, 1, outcome, change_id, follows=False)
    return Written(line_id, number, game, is_new=True, settled=outcome.settled, document=document)


def change_line(accounts: Accounts, line: Line, outcome: Outcome, change_id: int, *, follows: bool) -> Written:
    """Reverse what a line's current revision moved, and add a new one; for `follows`, see `models.Revision`."""
    back = ((transfer.taker_id, transfer.giver_id, transfer.amount) for transfer in line.current.transfers)
    _update_balances(accounts, back)
    document = _revise(accounts, line.id, line.current.number + 1, outcome, change_id, follows=follows)
    return Written(line.id, line.number, line.game, is_new=False, settled=outcome.settled, document=document)


def _revise(
    accounts: Accounts, line_id: int, number: int, outcome: Outcome, change_id: int, *, follows: bool
) -> Document:
    """Add revision `number` with its transfers, make it the line's current one, and update the balances.

    Returns the entry as stored.
    """
    entry = outcome.entry
    place = {"group_id": accounts.night.group_id, "line_id": line_id, "number": number, "change_id": change_id}
    document = without_texts(accounts.night.group_id, entry.document)
    about = {"document": document, "voided": entry.voided, "follows": follows}
    revision_id = int(execute(_REVISION, {**place, **about}).scalar_one())
    rows = list(_transfers(accounts, outcome.moves, revision_id))
    execute_many(_TRANSFER, rows)
    _update_balances(accounts, ((row["giver_id"], row["taker_id"], row["amount"]) for row in rows))
    execute(MAKE_CURRENT, {"group": accounts.night.group_id, "line": line_id, "revision": revision_id})
    return document


def _transfers(accounts: Accounts, moves: Iterable[Move], revision_id: int) -> Iterator[dict[str, Any]]:
    for position, move in enumerate(moves):
        ends = {"giver_id": accounts.id_of(move.giver), "taker_id": accounts.id_of(move.taker)}
        about = {"amount": move.amount, "reason": move.reason, "rule": move.rule}
        yield {"group_id": accounts.night.group_id, "revision_id": revision_id, "position": position, **ends, **about}


def _update_balances(accounts: Accounts, moves: Iterable[tuple[int, int, int]]) -> None:
    """Apply moves to the balances; each is (giver's id, taker's id, units)."""
    changed = [{"account": account, "units": units} for account, units in nets(moves).items() if units]
    execute_many(_ADD_TO_BALANCE, [{"group": accounts.night.group_id, **row} for row in changed])
