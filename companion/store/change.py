"""Makes a change to a session exactly once: the lock, the version, the form's key, and the session's list of changes.

Every change carries its form's key. The same key with the same content gets the same answer as the first time; with
different content it is refused. The key of a round that phones enter together is known to all of them, so it belongs to
that round alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, select, update
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.util import identity_key

from companion.engine.messages import Message

from . import ledger, recording
from .database import retry_transaction, transaction
from .ledger import Written
from .models import Change, PlaySession, db
from .night_key import ANY_NIGHT, of_night, values_of_night
from .prepared import Prepared
from .refusals import Gone, Refused, Sent
from .sent_forms import is_new, must_be_same
from .typed import without_texts

REVISIONS = ("correction", "void", "undo")  # the kinds of changes that revise a line
SHARED_KEY = "round:"  # how the key of a round that phones enter together begins; no page's own key has a colon
_LOCK = Prepared(
    select(PlaySession.group_id, PlaySession.id, PlaySession.version)
    .where(PlaySession.public_id == bindparam("id"))
    .with_for_update()
)
_INCREASE_VERSION = Prepared(
    update(PlaySession)
    .where(PlaySession.group_id == ANY_NIGHT.group_id, PlaySession.id == ANY_NIGHT.id)
    .values(version=PlaySession.version + 1)
)


@cache
def _by_key() -> Select[PlaySession]:
    # not a constant, because building it makes SQLAlchemy configure all models, which would slow down the start
    query = select(PlaySession).where(PlaySession.group_id == ANY_NIGHT.group_id, PlaySession.id == ANY_NIGHT.id)
    return query.options(joinedload(PlaySession.draft))


def must_be_open(session: PlaySession) -> None:
    """Raise Refused if the session is closed."""
    if session.closed_at is not None:
        raise Refused(Message("This night is closed; reopen it to make changes"))


@retry_transaction
def apply(
    public_id: str,
    sent: Sent,
    kind: str,
    content: dict[str, Any] | Callable[[PlaySession], dict[str, Any]],
    work: Callable[[PlaySession, int], Iterable[Written] | None],
    *,
    said: Any = None,
    even_if_closed: bool = False,
) -> int:
    """Make a change exactly once and atomically, serialized per session. Returns its id, also when sent again.

    `work` gets the session and the change's id, and returns the lines it wrote. If the content depends on what is
    stored, `said` is what the form said, which is compared instead, and the content may be made within the transaction.
    Raises Refused if the session is closed, unless `even_if_closed`, or if the key belongs to a round and this is none.
    """
    if sent.key.startswith(SHARED_KEY) and kind != "round":
        raise Refused(Message("This form is broken; open it again"))
    with transaction(rereads=False):
        session = locked(public_id)
        if said is not None and not is_new(session.group_id, sent.key, [session.id, kind, said]):
            return _made_with(session, sent.key).id
        known = without_texts(session.group_id, content(session) if callable(content) else content)
        change = ledger.add_change(session, sent.key, kind, known, sent.device)
        if change is None:
            return _made_before(session, sent.key, kind, known)
        if not even_if_closed:
            must_be_open(session)
        recording.record(session, list(work(session, change) or ()))
        increase_version(session)
    return change


def increase_version(session: PlaySession) -> None:
    """Within a transaction, give a session its next version, so that phones read it again."""
    version = session.version + 1
    _INCREASE_VERSION.rows(values_of_night(session))
    set_committed_value(session, "version", version)


def _made_before(session: PlaySession, key: str, kind: str, content: dict[str, Any]) -> int:
    """Return the change made with this key before; raises Conflict if its content was different."""
    made = _made_with(session, key)
    if kind == made.kind == "movement":
        # a movement's form has no line number; it gets the next one on arrival
        content = {**content, "number": made.content["number"]}
    if kind == made.kind == "dealer" and made.content["by_lot"]:
        # a form that asks for a lot names nobody; the dealer is drawn on arrival
        content = {**content, "player": made.content["player"]}
    must_be_same((made.kind, made.content) == (kind, content), made.content.get("number"))
    return made.id


def _made_with(session: PlaySession, key: str) -> Change:
    """Return the change made with a form's key."""
    return db.session.scalars(select(Change).where(*of_night(Change, session), Change.submission_key == key)).one()


def locked(public_id: str) -> PlaySession:
    """Within a transaction, lock a session until the end.

    What this request read of the session before stays loaded if the version is still the same: every change to the
    session, its seats, lines or draft increases it. Otherwise everything is read again. Raises Gone if the group was
    deleted concurrently.
    """
    rows = _LOCK.rows({"id": public_id})
    if not rows:
        raise Gone
    ((group_id, id_, version),) = rows
    # `get_one` would do the same, but builds its statement each time, which takes a fiftieth of a tap's time
    session = db.session().identity_map.get(identity_key(PlaySession, (group_id, id_)))
    if session is None:
        session = db.session.scalars(_by_key(), {"group": group_id, "session": id_}).one()
    if session.version != version:
        db.session.expire_all()
    return session


def changes_of(session: PlaySession, most: int) -> list[Change]:
    """List a session's changes, newest first."""
    query = select(Change).where(*of_night(Change, session)).order_by(Change.id.desc()).limit(most)
    return list(db.session.scalars(query))


def newest_revision(session: PlaySession) -> Change | None:
    """Return the newest correction, void or undo of a line, if no round was saved after it; else None."""
    kinds = ("round", *REVISIONS)
    query = select(Change).where(*of_night(Change, session), Change.kind.in_(kinds))
    found = db.session.scalar(query.order_by(Change.id.desc()).limit(1))
    return found if found is not None and found.kind in REVISIONS else None
