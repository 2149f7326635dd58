"""Deletes a group permanently, even though the ledger is append-only.

What goes: the group's links, join codes, PIN, drafts, saved house rules and digests of forms, and everything that
people typed: names, places, notes, remarks and the names of phones. The models say which columns are personal; what the
ledger needs of these is in a table of its own, see `typed`. The group, its nights and its plans get new random
addresses, so that no bookmark, cookie or open form finds them any more, and an export of the group can be imported
again.

What stays: the rounds and payments of players who no longer have names. The database itself refuses to delete from the
ledger (migration 0001), with no exception that another part of the app could misuse. `companion audit` still checks
these rounds.

To remove those as well, an administrator can export the groups to keep (`companion export`), import them into a new
database, and then destroy the old one and its backups.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, UniqueConstraint, cast, delete, null, select, update

from ..db.database import execute, retry_transaction, transaction
from ..models import Base, Group, Night, SettleUp, db, new_public_id, now
from ..refusals import Gone


def must_stand(group: Group) -> None:
    """Within a transaction, keep a group from being deleted until the end; raises Gone if it already has been."""
    query = select(Group).where(Group.id == group.id).with_for_update()
    if db.session.scalars(query.execution_options(populate_existing=True)).one().deleted_at is not None:
        raise Gone


def was_deleted_by(key: str) -> bool:
    """Return whether the form with this key deleted its group, and was then sent again."""
    return db.session.scalar(select(Group.id).where(Group.deletion_key == key)) is not None


@retry_transaction
def delete_group(group: Group, key: str) -> None:
    """Delete a group for the form with this key; raises Gone if the group was deleted concurrently."""
    with transaction():
        must_stand(group)
        group.deletion_key = key
        erase(group)


def erase(group: Group) -> None:
    """Within a transaction, delete a group; it may be an unfinished import."""
    group.deleted_at = now()
    of_group = select(Night).where(Night.group_id == group.id).order_by(Night.id)
    nights = list(db.session.scalars(of_group.with_for_update().execution_options(populate_existing=True)))
    _shut_out(group, nights)
    db.session.flush()
    for table, goes in _personal_tables():
        _forget(table, group.id, goes=goes)
    db.session.expire_all()


def _shut_out(group: Group, nights: list[Night]) -> None:
    """Replace everything that leads to the group, and free the unique keys for importing it again."""
    group.public_id = new_public_id()
    for player in group.players:
        player.retired = True
    for night in nights:
        night.public_id, night.submission_key, night.join_code = new_public_id(), new_public_id(), None
    for plan in db.session.scalars(select(SettleUp).where(SettleUp.group_id == group.id)):
        plan.public_id, plan.submission_key = new_public_id(), new_public_id()
        for paid in (paid for payment in plan.payments for paid in payment.paid):
            paid.submission_key = new_public_id()


def _personal_tables() -> Iterator[tuple[Table, bool]]:
    """Yield the tables with personal columns or links, and whether their rows are deleted with their group."""
    for mapper in sorted(Base.registry.mappers, key=lambda mapper: str(mapper.local_table)):
        table, goes = mapper.local_table, getattr(mapper.class_, "goes_with_group", False)
        assert isinstance(table, Table)
        if goes or _personal_columns(table):
            yield table, goes


def _personal_columns(table: Table) -> list[Column[Any]]:
    return [column for column in table.columns if column.info.get("personal")]


def _forget(table: Table, group_id: int, *, goes: bool) -> None:
    """Delete a group's rows, or empty their personal columns."""
    its = _rows_of(table, group_id)
    if its is None:
        return
    if goes:
        execute(delete(table).where(*its))
    else:
        execute(update(table).where(*its).values({column: _empty(column) for column in _personal_columns(table)}))


def _empty(column: Column[Any]) -> Any:
    if column.info["erased"]:
        return cast(column.table.c[column.info["erased"]], column.type)
    return null() if column.nullable else ""


def _rows_of(table: Table, group_id: int) -> list[ColumnElement[bool]] | None:
    """Return the conditions for a group's rows that an index finds: by the group, or by the rows that own them.

    None if there are none.
    """
    if table is Group.__table__:
        return [table.c.id == group_id]
    if _leads(table, "group_id"):
        return [table.c.group_id == group_id]
    keys = ((key.columns[0], key.referred_table) for key in table.foreign_key_constraints)
    column, owner = next((column, owner) for column, owner in keys if _leads(table, column.name))
    of_owner = _rows_of(owner, group_id)
    owners = execute(select(owner.c.id).where(*of_owner)).scalars().all() if of_owner else ()
    return [table.c.group_id == group_id, column.in_(owners)] if owners else None


def _leads(table: Table, column: str) -> bool:
    """Return whether a key or an index of a table begins with a column."""
    unique = [constraint.columns for constraint in table.constraints if isinstance(constraint, UniqueConstraint)]
    indexes = [index.columns for index in table.indexes]
    return any(next(iter(columns)).name == column for columns in (table.primary_key.columns, *unique, *indexes))
