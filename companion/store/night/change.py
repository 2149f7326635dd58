"""Makes a change to a night exactly once: the lock, the version, the form's key, and the night's list of changes.

Every change carries its form's key. The same key with the same content gets the same answer as the first time; with
different content it is refused. The key of a round that phones enter together is known to all of them, so it belongs to
that round alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, func, select, update
from sqlalchemy.orm import joinedload, undefer
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.util import identity_key

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..db.news import note_locked
from ..groups.reminders import mark_over
from ..groups.turns import must_be_written_here
from ..history import recording
from ..log import ledger
from ..log.deliveries import Event, tell
from ..log.ledger import Written
from ..log.sent_forms import is_new, must_be_same, was_sent
from ..log.typed import without_texts
from ..models import REVISIONS, Change, Group, Night, db
from ..night_key import ANY_NIGHT, HasKey, of_night, values_of_night
from ..refusals import Conflict, Gone, Refused, Sent

SHARED_KEY = "round:"  # how the key of a round that phones enter together begins; no page's own key has a colon
_LOCK = (
    select(Night.group_id, Night.id, Night.version, Group.handed_over_at)
    .join(Group, Group.id == Night.group_id)
    .where(Night.public_id == bindparam("id"))
    .with_for_update(of=Night)
)
_INCREASE_VERSION = (
    update(Night)
    .where(Night.group_id == ANY_NIGHT.group_id, Night.id == ANY_NIGHT.id)
    .values(version=Night.version + 1)
)


def load_night(key: HasKey) -> Night | None:
    """Return the night with this key, with its group and draft; None if there is none."""
    return db.session.scalar(_by_key(), values_of_night(key))


@cache
def _by_key() -> Select[Night]:
    # not a constant, because building it makes SQLAlchemy configure all models, which would slow down the start
    query = select(Night).where(Night.group_id == ANY_NIGHT.group_id, Night.id == ANY_NIGHT.id)
    return query.options(joinedload(Night.group, innerjoin=True), joinedload(Night.draft), undefer(Night.newest_told))


def must_be_open(night: Night) -> None:
    """Raise Refused if the night is closed."""
    if night.closed_at is not None:
        raise Refused(Message("This night is closed; reopen it to make changes"))


@retry_transaction
def apply(
    public_id: str,
    sent: Sent,
    kind: str,
    content: dict[str, Any] | Callable[[Night], dict[str, Any]],
    work: Callable[[Night, int], Iterable[Written] | None],
    *,
    said: Any = None,
    even_if_closed: bool = False,
) -> int:
    """Make a change exactly once and atomically, serialized per night. Returns its id, also when sent again.

    `work` gets the night and the change's id, and returns the lines it wrote. If the content depends on what is
    stored, `said` is what the form said, which is compared instead, and the content may be made within the transaction.
    Raises Refused if the night is closed, unless `even_if_closed`, or if the key belongs to a round and this is none;
    Elsewhere if its group is written elsewhere; and Conflict if the sender saw another version of the night.
    """
    if sent.key.startswith(SHARED_KEY) and kind != "round":
        raise Refused(Message("This form is broken; open it again"))
    said = sent.said if said is None else said
    with transaction(rereads=False):
        night = locked(public_id, answers_again=True)
        if said is not None and not is_new(night.group_id, sent.key, [night.id, kind, said]):
            return _made_with(night, sent.key).id
        known = without_texts(night.group_id, content(night) if callable(content) else content)
        change = ledger.add_change(night, sent.key, kind, known, sent.device)
        if change is None:
            return _made_before(night, sent.key, kind, known)
        must_be_written_here(night.group)
        if not even_if_closed:
            must_be_open(night)
        if sent.version not in (None, night.version):
            raise Conflict(Message("The night has changed since it was read; read it again"))
        written = list(work(night, change) or ())
        recording.record(night, written)
        increase_version(night)
        if (event := _event(kind, written)) is not None:
            tell(night.group_id, event, night.id, change)
        if kind == "close":
            mark_over(night)
    return change


def _event(kind: str, written: Sequence[Written]) -> Event | None:
    """Return what a change tells webhooks; lines that only follow from it aren't told by themselves."""
    if kind == "close":
        return "night.closed"
    if not written or written[0].game is None:
        return None
    if written[0].is_new:
        return "round.saved"
    return "round.voided" if written[0].settled is None else "round.corrected"


def made_before(night: Night, kind: str, sent: Sent) -> int | None:
    """Return the change that a program's request made before, None if it is new; raises Conflict if it said else."""
    is_known = was_sent(night.group_id, sent.key, [night.id, kind, sent.said])
    return _made_with(night, sent.key).id if is_known else None


def increase_version(night: Night) -> None:
    """Within a transaction, give a night its next version, so that phones read it again."""
    version = night.version + 1
    execute(_INCREASE_VERSION, values_of_night(night))
    set_committed_value(night, "version", version)


def _made_before(night: Night, key: str, kind: str, content: dict[str, Any]) -> int:
    """Return the change made with this key before; raises Conflict if its content was different."""
    made = _made_with(night, key)
    if kind == made.kind == "movement":
        # a movement's form has no line number; it gets the next one on arrival
        content = {**content, "number": made.content["number"]}
    if kind == made.kind == "dealer" and made.content["by_lot"]:
        # a form that asks for a lot names nobody; the dealer is drawn on arrival
        content = {**content, "player": made.content["player"]}
    must_be_same((made.kind, made.content) == (kind, content), made.content.get("number"))
    return made.id


def _made_with(night: Night, key: str) -> Change:
    """Return the change made with a form's key."""
    return db.session.scalars(select(Change).where(*of_night(Change, night), Change.submission_key == key)).one()


def locked(public_id: str, *, answers_again: bool = False) -> Night:
    """Within a transaction, lock a night until the end.

    What this request read of the night before stays loaded if the version is still the same: every change to the
    night, its seats, lines or draft increases it. Otherwise everything is read again. Raises Gone if the group was
    deleted concurrently, and Elsewhere if it is written elsewhere, unless the caller `answers_again` and then checks.
    """
    row = execute(_LOCK, {"id": public_id}).one_or_none()
    if row is None:
        raise Gone
    note_locked(public_id)
    # `get_one` would do the same, but builds its statement each time, which takes a fiftieth of a tap's time
    night = db.session().identity_map.get(identity_key(Night, (row.group_id, row.id)))
    if night is None:
        # who waited for this lock on PostgreSQL found the group as it was before, so nothing read before tells anything
        db.session.expire_all()
        night = load_night(row)
        assert night is not None
    # the group may have been read before the night, and handed over in between
    if (night.version, night.group.handed_over_at) != (row.version, row.handed_over_at):
        db.session.expire_all()
    if not answers_again:
        must_be_written_here(night.group)
    return night


def changes_of(night: Night, most: int) -> list[Change]:
    """List a night's changes, newest first."""
    query = select(Change).where(*of_night(Change, night)).order_by(Change.id.desc()).limit(most)
    return list(db.session.scalars(query))


def newest_revision(night: Night) -> Change | None:
    """Return the newest correction, void or undo of a line, if no round was saved after it; else None."""
    return _since_last_round(night, REVISIONS)


def newest_stakes(night: Night) -> Change | None:
    """Return the newest change of the stakes, if no round was saved after it; else None."""
    return _since_last_round(night, ("stakes",))


def stakes_of_last_round(night: Night) -> dict[str, int]:
    """Return the stakes by game before the changes that `newest_stakes` is the newest of, which must be there."""
    last = select(func.max(Change.id)).where(*of_night(Change, night), Change.kind == "round").scalar_subquery()
    query = select(Change).where(*of_night(Change, night), Change.kind == "stakes", Change.id > func.coalesce(last, 0))
    first = db.session.scalars(query.order_by(Change.id).limit(1)).one()
    return dict(first.content["was"])


def _since_last_round(night: Night, wanted: tuple[str, ...]) -> Change | None:
    if night.newest_told in (None, "round"):
        return None
    kinds = ("round", *wanted)
    query = select(Change).where(*of_night(Change, night), Change.kind.in_(kinds))
    newest = db.session.scalar(query.order_by(Change.id.desc()).limit(1))
    return newest if newest is not None and newest.kind in wanted else None
