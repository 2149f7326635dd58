"""Which groups a device has opened. The link's secret is the key; the signed cookie keeps it, the pages do not."""

from __future__ import annotations

import secrets
from typing import Any

from flask import abort, session
from flask_wtf import FlaskForm
from wtforms import HiddenField

from companion.store.groups import open_group
from companion.store.models import Group, PlaySession
from companion.store.play import Sent, find_session

_OPENED = "opened"  # public id → secret, newest last
_DEVICE = "device"
_MOST_OPENED = 30  # a cookie holds 4 kB
_KEY_BYTES = 12


def new_key() -> str:
    """Make the key that a form carries, by which its change is made once."""
    return secrets.token_urlsafe(_KEY_BYTES)


class ActForm(FlaskForm):  # type: ignore[misc]
    """A form of buttons: the token, and the key that makes a change happen once."""

    key = HiddenField(default=new_key)


def remember(group: Group, secret: str) -> None:
    """Let this device in: keep the link's secret in its cookie."""
    opened = {key: value for key, value in session.get(_OPENED, {}).items() if key != group.public_id}
    session[_OPENED] = dict([*opened.items(), (group.public_id, secret)][-_MOST_OPENED:])
    session.permanent = True


def secret_of(group: Group) -> str:
    """Give the secret by which this device opened the group."""
    return str(session[_OPENED][group.public_id])


def opened_groups() -> list[Group]:
    """List the groups that this device has opened and whose link is still good, newest first."""
    found = [open_group(secret) for secret in session.get(_OPENED, {}).values()]
    return [group for group in reversed(found) if group is not None]


def group_or_404(public_id: str) -> Group:
    """Find a group that this device has opened; to all others it looks as if there were none."""
    secret = session.get(_OPENED, {}).get(public_id)
    group = open_group(secret) if secret else None
    if group is None or group.public_id != public_id:
        abort(404)
    return group


def session_or_404(public_id: str) -> PlaySession:
    """Find a session of a group that this device has opened."""
    found = find_session(public_id)
    if found is None:
        abort(404)
    group_or_404(found.group.public_id)
    return found


def device_name() -> str:
    """Tell what this device is called in the list of changes."""
    return str(session.get(_DEVICE, "a phone"))


def name_device(name: str) -> None:
    """Call this device by a name."""
    session[_DEVICE] = name.strip()[:40] or "a phone"


def sent(form: Any) -> Sent:
    """Give what a change needs to know of its form and its sender."""
    return Sent(str(form.key.data)[:64], device_name())
