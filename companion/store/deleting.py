"""Deletes a group permanently, even though the ledger is append-only.

What goes: the group's links, join codes, PIN, drafts, saved house rules and digests of forms; the names of the group
and its players; places, notes and remarks. The group, its nights and its plans get new random addresses, so that no
bookmark, cookie or open form finds them any more, and an export of the group can be imported again.

What stays: the rounds and payments of players who no longer have names, and any text in the ledger itself: notes,
remarks and phone names. The database itself refuses to delete from the ledger (migration 0001), with no exception that
another part of the app could misuse. `companion audit` still checks these rounds.

To remove those as well, an administrator can export the groups to keep (`companion export`), import them into a new
database, and then destroy the old one and its backups.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select, update

from .database import retry_transaction, transaction
from .models import Draft, Group, Line, Link, PlaySession, RuleSet, SentForm, SettleUp, db, new_public_id, now
from .refusals import Gone


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
    sessions = select(PlaySession).where(PlaySession.group_id == group.id).order_by(PlaySession.id)
    nights = list(db.session.scalars(sessions.with_for_update().execution_options(populate_existing=True)))
    _forget_names(group, nights)
    _shut_out(group, nights)


def _forget_names(group: Group, nights: list[PlaySession]) -> None:
    group.name = ""
    for player in group.players:
        player.name, player.folded, player.retired = "", str(player.id), True
    for session in nights:
        session.place = session.note = ""
        for seat in session.seats:
            seat.phone = seat.phone_name = None
    remarks = update(Line).where(*_in_nights(Line, group, nights)).values(remark="")
    db.session.execute(remarks, execution_options={"synchronize_session": False})


def _in_nights(
    table: type[Line | Draft], group: Group, nights: list[PlaySession]
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for the nights' rows in a table; without the nights, no index would find them."""
    return table.group_id == group.id, table.session_id.in_([session.id for session in nights])


def _shut_out(group: Group, nights: list[PlaySession]) -> None:
    """Remove everything that leads to the group, and free the unique keys for importing it again."""
    group.pin_hash, group.public_id = None, new_public_id()
    db.session.execute(delete(Link).where(Link.group_id == group.id))
    db.session.execute(delete(RuleSet).where(RuleSet.group_id == group.id))
    db.session.execute(delete(SentForm).where(SentForm.group_id == group.id))
    db.session.execute(delete(Draft).where(*_in_nights(Draft, group, nights)))
    for session in nights:
        session.public_id, session.submission_key, session.join_code = new_public_id(), new_public_id(), None
    for plan in db.session.scalars(select(SettleUp).where(SettleUp.group_id == group.id)):
        plan.public_id, plan.submission_key = new_public_id(), new_public_id()
        for paid in (paid for payment in plan.payments for paid in payment.paid):
            paid.submission_key = new_public_id()
