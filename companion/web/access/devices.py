"""A device: its id and name, and the links and join codes that it was opened with.

The secret in a link is the key; it is kept in the signed cookie, never in pages.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import request, url_for
from flask import session as cookie

from companion.store.groups.links import find_link, lesser_secrets
from companion.store.models import Access, Group, Link, Night
from companion.store.night.reading import nights_joined

from ..http.network.hosts import public_url
from ..text.labels import kind_of_device

_OPENED = "opened"  # group's public id → secret, newest last
_JOINED = "joined"  # night's public id → join code, newest last
_DEVICE = "device"
_DEVICE_ID = "device_id"
_MAX_KEPT = 30  # a cookie holds 4 kB
RIGHTS: tuple[Access, ...] = ("look", "play", "keep")  # each includes those before it


def includes(held: Access, wanted: Access) -> bool:
    """Return whether a right has another one in it."""
    return RIGHTS.index(held) >= RIGHTS.index(wanted)


def remember(group: Group, secret: str) -> None:
    """Store a link's secret in this device's cookie. A link with fewer rights never replaces one with more."""
    held = link_of(group.public_id)
    link = find_link(secret)
    if held is None or link is None or includes(link.access, held.access):
        _keep_in_cookie(_OPENED, group.public_id, secret)


def join(night: Night, code: str) -> None:
    """Let this device play in a night, for as long as the join code is valid."""
    _keep_in_cookie(_JOINED, night.public_id, code)


def _keep_in_cookie(shelf: str, key: str, value: object) -> None:
    kept = {other: held for other, held in cookie.get(shelf, {}).items() if other != key}
    cookie[shelf] = dict([*kept.items(), (key, value)][-_MAX_KEPT:])
    cookie.permanent = True
    device_id()  # before its first form: that may be sent twice, and each time a device without id would get another


def secret_for(public_id: str) -> str:
    """Return the secret with which this device opened a group; "" if it hasn't."""
    return str(cookie.get(_OPENED, {}).get(public_id, ""))


def code_for(public_id: str) -> str:
    """Return the join code with which this device joined a night; "" if it hasn't."""
    return str(cookie.get(_JOINED, {}).get(public_id, ""))


def players_address(group: Group, endpoint: str, **values: Any) -> str:
    """Return the address of a page for a message to players, who may not have a link to the group yet.

    It goes by way of the player link, as far as this device's link gives that; `open_link` lists where it may lead.
    """
    link = link_of(group.public_id)
    if link is None or link.access == "look":
        return public_url(endpoint, **values)
    secret = secret_for(group.public_id)
    secret = lesser_secrets(group, secret)["play"] if link.access == "keep" else secret
    to = url_for(endpoint, **values).removeprefix(f"{request.script_root}/")
    return public_url("groups.open_link", secret=secret, to=to)


def opened_groups() -> list[Group]:
    """List the groups this device has opened and whose link is still valid, newest first."""
    links = [link_of(public_id) for public_id in cookie.get(_OPENED, {})]
    return [link.group for link in reversed(links) if link is not None]


def joined_nights() -> list[Night]:
    """List the nights that this phone has joined by code and may still see, newest first."""
    return nights_joined(cookie.get(_JOINED, {}))


def may_in(group: Group, wanted: Access) -> bool:
    """Return whether this device's link to a group gives it a right there."""
    link = link_of(group.public_id)
    return link is not None and includes(link.access, wanted)


def link_of(public_id: str) -> Link | None:
    """Return the valid link with which this device opened a group, if any."""
    secret = secret_for(public_id)
    link = find_link(secret) if secret else None
    return link if link is not None and link.group.public_id == public_id else None


def known_device() -> str | None:
    """Return this device's id, if it has one yet."""
    device: str | None = cookie.get(_DEVICE_ID)
    return device


def device_id() -> str:
    """Return this device's id; it gets one with its first right to a group or night, or else here."""
    if _DEVICE_ID not in cookie:
        cookie[_DEVICE_ID] = secrets.token_urlsafe(8)
    return str(cookie[_DEVICE_ID])


def device_name() -> str:
    """Return this device's name in the list of changes; its kind if it has none."""
    return str(cookie.get(_DEVICE) or kind_of_device(request.user_agent.string))


def name_device(name: str) -> None:
    """Name this device in the list of changes."""
    cookie[_DEVICE] = name.strip()[:40]
