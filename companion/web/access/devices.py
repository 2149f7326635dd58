"""What a device may do. The secret of a link is the key, the signed cookie keeps it; the pages do not.

Three rights: "keep" score, "play" (enter the own hand), "look" on. A join code lets a device play in one open session.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import abort, g, session
from wtforms import HiddenField

from companion.store.identities import key_of
from companion.store.links import Access, Glance, find_link, glance_at, hashed, poll
from companion.store.models import Group, Link, PlaySession
from companion.store.phones import seat_of
from companion.store.play import find_session
from companion.store.refusals import Sent

from ..http.csrf import TokenForm
from ..text.names import UNNAMED

_OPENED = "opened"  # group's public id → secret, newest last
_JOINED = "joined"  # session's public id → join code, newest last
_DEVICE = "device"
_DEVICE_ID = "device_id"
_MOST_KEPT = 30  # a cookie holds 4 kB
_KEY_BYTES = 12
_RIGHTS: tuple[Access, ...] = ("look", "play", "keep")  # each has those before it


def new_key() -> str:
    """Make the key that a form carries, by which its change is made once."""
    return secrets.token_urlsafe(_KEY_BYTES)


class ActForm(TokenForm):
    """A form of buttons: the token, and the key that makes a change happen once."""

    key = HiddenField(default=new_key)


def may(wanted: Access) -> bool:
    """Tell whether this device may do something in the group or session of this page."""
    return _RIGHTS.index(g.access) >= _RIGHTS.index(wanted)


def remember(group: Group, secret: str) -> None:
    """Let this device in: keep the link's secret in its cookie. A lesser link takes no right away."""
    held = _link_of(group.public_id)
    given = find_link(secret)
    if held is None or given is None or _RIGHTS.index(_right(given)) >= _RIGHTS.index(_right(held)):
        _keep(_OPENED, group.public_id, secret)


def join(play_session: PlaySession, code: str) -> None:
    """Let this device play in a session, as long as its join code is good."""
    _keep(_JOINED, play_session.public_id, code)


def _keep(shelf: str, key: str, value: object) -> None:
    kept = {other: held for other, held in session.get(shelf, {}).items() if other != key}
    session[shelf] = dict([*kept.items(), (key, value)][-_MOST_KEPT:])
    session.permanent = True


def secret_of(group: Group) -> str:
    """Give the secret by which this device opened the group."""
    return str(session[_OPENED][group.public_id])


def opened_groups() -> list[Group]:
    """List the groups that this device has opened and whose link is still good, newest first."""
    found = [_link_of(public_id) for public_id in session.get(_OPENED, {})]
    return [link.group for link in reversed(found) if link is not None]


def may_in(group: Group, wanted: Access) -> bool:
    """Tell whether this device's link of a group lets it do something there."""
    link = _link_of(group.public_id)
    return link is not None and _RIGHTS.index(_right(link)) >= _RIGHTS.index(wanted)


def has_opened(group: Group) -> bool:
    """Tell whether this device has a link of the group."""
    return _link_of(group.public_id) is not None


def has_group_link() -> bool:
    """Tell whether this device has a link of the group of this page's session, and not only the session's code."""
    return bool(g.has_link)


def _link_of(public_id: str) -> Link | None:
    secret = session.get(_OPENED, {}).get(public_id)
    link = find_link(secret) if secret else None
    return link if link is not None and link.group.public_id == public_id else None


def _right(link: Link) -> Access:
    return next(right for right in _RIGHTS if right == link.access)


def group_or_404(public_id: str, wanted: Access = "keep") -> Group:
    """Find a group that this device has opened; to all others it looks as if there were none."""
    link = _link_of(public_id)
    if link is None:
        abort(404)
    g.group, g.access = link.group, _right(link)
    if not may(wanted):
        abort(403)
    return link.group


def session_or_404(public_id: str, wanted: Access = "keep") -> PlaySession:
    """Find a session of a group that this device has opened, or that it has joined by its code."""
    glance = glance_at(public_id) or abort(404)
    g.access, g.has_link = _access(public_id, glance), _link_held(glance) is not None
    if not may(wanted):
        abort(403)
    found = find_session(public_id) or abort(404)
    g.group = found.group
    return found


def version_or_404(public_id: str) -> int:
    """Tell the version of a session that this device may look at; it costs little, as pages ask for it all the time."""
    glance = poll(public_id) or abort(404)
    _access(public_id, glance)
    return glance.version


def _link_held(glance: Glance) -> Access | None:
    """Tell the right of the link to a session's group that this device has, if any."""
    secret = session.get(_OPENED, {}).get(glance.group)
    held = hashed(secret) if secret else ""
    return next((access for access, hash_ in glance.hashes.items() if secrets.compare_digest(hash_, held)), None)


def _access(public_id: str, glance: Glance) -> Access:
    """Tell what this device may do in a session, by the link that it has and by the session's code; 404 without."""
    link = _link_held(glance)
    rights: list[Access] = [link] if link else []
    code = session.get(_JOINED, {}).get(public_id)
    if code is not None and glance.join_code is not None and secrets.compare_digest(code, glance.join_code):
        # who played may look on when the night is closed
        rights.append("play" if glance.is_open else "look")
    if not rights:
        abort(404)
    return max(rights, key=_RIGHTS.index)


def my_player(play_session: PlaySession) -> str | None:
    """Tell whose seat this phone has in a session, by the player's id; None where it has none."""
    device = known_device()
    seat = seat_of(play_session, device) if device else None
    return key_of(seat) if seat is not None else None


def known_device() -> str | None:
    """Give what tells this device from the others, if that was ever asked for."""
    device: str | None = session.get(_DEVICE_ID)
    return device


def device_id() -> str:
    """Give what tells this device from the others; made when it is first asked for."""
    if _DEVICE_ID not in session:
        session[_DEVICE_ID] = secrets.token_urlsafe(8)
        session.permanent = True
    return str(session[_DEVICE_ID])


def device_name() -> str:
    """Tell what this device is called in the list of changes."""
    return str(session.get(_DEVICE, UNNAMED))


def name_device(name: str) -> None:
    """Call this device by a name."""
    session[_DEVICE] = name.strip()[:40] or UNNAMED


def sent(form: Any) -> Sent:
    """Give what a change needs to know of its form and its sender."""
    return Sent(str(form.key.data)[:64], device_name())
