"""A group's secret links: one for each of three rights.

A link is valid until it is renewed; none expires by itself. A device forgets it 31 days after the last visit, when the
cookie that keeps it expires (`web/http/answers/headers.py`).

Only hashes are stored. The secrets of the player and viewer links are derived from the scorekeeper's, so that a device
with that link can show the others.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import current_app
from sqlalchemy import bindparam, select
from sqlalchemy.orm import joinedload

from ..db.database import execute, quick_read, retry_transaction, transaction
from ..models import Access, Group, Link, Night, Seat, db, new_join_code
from .deleting import must_stand
from .reminders import forget_all

LESSER: tuple[Access, ...] = ("play", "look")
# no join: the database then looks only where the night's group is, if the groups are spread over several
_KEEPS_SCORE = (
    select(Seat.keeps_score)
    .where(Seat.group_id == Night.group_id, Seat.night_id == Night.id, Seat.phone == bindparam("phone"))
    .limit(1)
    .scalar_subquery()
)
_GLANCE = (
    select(Night.group_id, Night.id, Night.version, Night.closed_at, Night.join_code, Group.public_id)
    .add_columns(Group.handed_over_at, _KEEPS_SCORE, Link.access, Link.secret_hash)
    .join(Group, Group.id == Night.group_id)
    .join(Link, Link.group_id == Night.group_id)
    .where(Night.public_id == bindparam("id"))
)
_SECRET_BYTES = 24  # 192 bits; the link is the only key


def new_secret() -> str:
    """Create a secret for a scorekeeper link."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hashed(secret: str) -> str:
    """Return the hash stored for a secret. A plain hash is enough, because secrets are random."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def keyed(text: str) -> bytes:
    """Return the digest of a text with this app's own secret key, so that nobody else can make it (32 bytes)."""
    return hmac.digest(str(current_app.secret_key).encode(), text.encode(), "sha256")


def lesser_secret(keep_secret: str, access: Access, number: int) -> str:
    """Derive the secret of the player or viewer link after this many renewals."""
    mark = hmac.digest(keep_secret.encode(errors="replace"), f"{access}:{number}".encode(), "sha256")
    return f"{access[0]}{mark.hex()[:40]}"


def free_join_code() -> str:
    """Create a join code that no night uses, open or closed."""
    code = new_join_code()
    while db.session.scalar(select(Night.id).where(Night.join_code == code)) is not None:
        code = new_join_code()
    return code


def find_link(secret: str) -> Link | None:
    """Return the link with this secret, with its group; None if there is none."""
    query = select(Link).where(Link.secret_hash == hashed(secret))
    return db.session.scalar(query.options(joinedload(Link.group, innerjoin=True)))


@dataclass(frozen=True, slots=True)
class Glance:
    """A night's keys, and what access checks need to know about it; `hashes` are of its group's links.

    `is_elsewhere`: the group was handed over, so the night can only be looked at here. `keeps_score`: the phone that
    asks has a seat that keeps score.
    """

    public_id: str
    group_id: int
    id: int
    version: int
    is_open: bool
    join_code: str | None
    group: str
    is_elsewhere: bool
    keeps_score: bool
    hashes: dict[Access, str]


def glance_at(public_id: str, phone: str | None = None) -> Glance | None:
    """Look up a night's access data in one query, as every page of a night does first; `phone` is who asks."""
    return _glance(public_id, execute(_GLANCE, {"id": public_id, "phone": phone}).all())


def poll(public_id: str, phone: str | None = None) -> Glance | None:
    """Look up the same without a transaction, as fast as the database allows; polling does nothing else."""
    return _glance(public_id, quick_read(_GLANCE, {"id": public_id, "phone": phone}))


def _glance(public_id: str, rows: Sequence[Any]) -> Glance | None:
    if not rows:
        return None
    group_id, id_, version, closed_at, join_code, group, handed_over_at, keeps_score = rows[0][:8]
    hashes = {access: hash_ for *_, access, hash_ in rows}
    is_open, is_elsewhere = closed_at is None, handed_over_at is not None
    known = (join_code, group, is_elsewhere, bool(keeps_score), hashes)
    return Glance(public_id, group_id, id_, version, is_open, *known)


def add_links(group: Group, keep_secret: str) -> None:
    """Add the three links to a new group."""
    group.links = [Link(access="keep", secret_hash=hashed(keep_secret))]
    group.links += [Link(access=a, secret_hash=hashed(lesser_secret(keep_secret, a, 1))) for a in LESSER]


def lesser_secrets(group: Group, keep_secret: str) -> dict[Access, str]:
    """Return the secrets of the player and viewer links, given the scorekeeper's."""
    numbers = {link.access: link.number for link in group.links}
    return {access: lesser_secret(keep_secret, access, numbers[access]) for access in LESSER if access in numbers}


@retry_transaction
def renew(group: Group, access: Access, keep_secret: str) -> str:
    """Replace a link, locking out the old one at once; returns the scorekeeper secret that is valid from now on.

    A new scorekeeper link renews the other two as well. Unless only the viewer link is renewed, open nights also get
    new join codes and closed ones lose theirs, or those locked out could come back with a code.
    """
    with transaction():
        must_stand(group)
        if access != "look":
            _renew_codes(group)
        links = {link.access: link for link in group.links}
        if access == "keep":
            keep_secret = new_secret()
            _put_link(group, links, "keep", keep_secret)
        for lesser in LESSER if access == "keep" else (access,):
            number = links[lesser].number + 1 if lesser in links else 1
            _put_link(group, links, lesser, lesser_secret(keep_secret, lesser, number))
    return keep_secret


def _renew_codes(group: Group) -> None:
    nights = select(Night).where(Night.group_id == group.id, Night.join_code.is_not(None))
    nights = nights.order_by(Night.id).with_for_update().execution_options(populate_existing=True)
    for night in db.session.scalars(nights).all():
        night.join_code = free_join_code() if night.closed_at is None else None
        night.version += 1
        forget_all(night)


def _put_link(group: Group, links: dict[Access, Link], access: Access, secret: str) -> None:
    if access in links:
        links[access].number += 1
        links[access].secret_hash = hashed(secret)
    else:
        group.links.append(Link(access=access, secret_hash=hashed(secret)))
