"""What a device may do. The secret in a link is the key; it is kept in the signed cookie, never in pages.

There are three rights: "keep" score, "play" (enter one's own hand), and "look". A join code lets a device play in one
open night, or keep its score if the scorekeeper lets the seat of that device do so.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import Flask, abort, g, redirect, request, url_for
from flask import session as cookie

from companion.engine.players import PlayerKey
from companion.store.groups.links import Glance, find_link, glance_at, hashed, lesser_secrets, poll
from companion.store.groups.turns import ELSEWHERE
from companion.store.models import Access, Group, Link, Night
from companion.store.night.change import load_night
from companion.store.night.reading import nights_joined
from companion.store.refusals import Elsewhere

from ..http.network.hosts import public_url
from ..text.labels import kind_of_device, pot_and_bank
from ..text.money import set_page_currency
from ..text.names import set_page_names

_OPENED = "opened"  # group's public id → secret, newest last
_JOINED = "joined"  # night's public id → join code, newest last
_DEVICE = "device"
_DEVICE_ID = "device_id"
_MAX_KEPT = 30  # a cookie holds 4 kB
_RIGHTS: tuple[Access, ...] = ("look", "play", "keep")  # each includes those before it


def init_app(app: Flask) -> None:
    """Register the template functions that ask for a permission."""
    app.jinja_env.globals.update(may=may, own_of=own_of)


def may(wanted: Access) -> bool:
    """Return whether this device has a right in the current page's group or night."""
    return includes(g.access, wanted)


def includes(held: Access, wanted: Access) -> bool:
    """Return whether a right has another one in it."""
    return _RIGHTS.index(held) >= _RIGHTS.index(wanted)


def remember(group: Group, secret: str) -> None:
    """Store a link's secret in this device's cookie. A link with fewer rights never replaces one with more."""
    held = _link_of(group.public_id)
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


def secret_of(group: Group) -> str:
    """Return the secret with which this device opened the group."""
    return str(cookie[_OPENED][group.public_id])


def players_address(group: Group, endpoint: str, **values: Any) -> str:
    """Return the address of a page for a message to players, who may not have a link to the group yet.

    It goes by way of the player link, as far as this device's link gives that; `open_link` lists where it may lead.
    """
    link = _link_of(group.public_id)
    if link is None or link.access == "look":
        return public_url(endpoint, **values)
    secret = secret_of(group)
    secret = lesser_secrets(group, secret)["play"] if link.access == "keep" else secret
    to = url_for(endpoint, **values).removeprefix(f"{request.script_root}/")
    return public_url("groups.open_link", secret=secret, to=to)


def opened_groups() -> list[Group]:
    """List the groups this device has opened and whose link is still valid, newest first."""
    links = [_link_of(public_id) for public_id in cookie.get(_OPENED, {})]
    return [link.group for link in reversed(links) if link is not None]


def joined_nights() -> list[Night]:
    """List the nights that this phone has joined by code and may still see, newest first."""
    return nights_joined(cookie.get(_JOINED, {}))


def may_in(group: Group, wanted: Access) -> bool:
    """Return whether this device's link to a group gives it a right there."""
    link = _link_of(group.public_id)
    return link is not None and includes(link.access, wanted)


def has_group_link() -> bool:
    """Return whether this device has a link to the group of this page's night, rather than just the join code."""
    return bool(g.has_link)


def _link_of(public_id: str) -> Link | None:
    secret = cookie.get(_OPENED, {}).get(public_id)
    link = find_link(secret) if secret else None
    return link if link is not None and link.group.public_id == public_id else None


def group_or_404(public_id: str, wanted: Access = "keep") -> Group:
    """Return a group that this device has opened. For other devices the group doesn't seem to exist (404)."""
    link = _link_of(public_id) or abort(404)
    group = link.group
    g.group, g.access = group, link.access
    if not may(wanted):
        abort(403)
    set_page_names(lambda: group.names, pot_and_bank)
    return group


def night_or_404(public_id: str, wanted: Access = "keep") -> Night:
    """Return a night whose group this device has opened, or that it has joined by code.

    If its group is written elsewhere, its pages can only be looked at.

    The page's amounts and players are shown as in it; see `show_as`.
    """
    glance = glance_at(public_id, known_device()) or abort(404)
    _must_have(public_id, glance, wanted)
    night = load_night(glance) or abort(404)
    g.group = night.group
    show_as(night)
    return night


def show_as(night: Night) -> None:
    """Show the page's amounts in a night's currency, and its players by the names that they have there."""
    set_page_currency(night.currency)
    # a plan for all nights may name players who weren't there
    set_page_names(lambda: night.names, pot_and_bank, lambda: night.group.names)


def must_have_access(public_id: str, wanted: Access) -> None:
    """Check that this device may do something in a night (404 or 403 if not), before that is loaded and locked."""
    _must_have(public_id, poll(public_id, known_device()) or abort(404), wanted)


def _must_have(public_id: str, glance: Glance, wanted: Access) -> None:
    g.access = _access(public_id, glance)
    if not may(wanted):
        if wanted == "play" and not glance.is_open and request.method == "GET":
            # a tab of an own hand may be older than the end of its night
            abort(redirect(url_for("night.table", public_id=public_id), 303))
        abort(403)
    # what a form sends is refused by the store, which knows whether it was carried out before
    if glance.is_elsewhere and request.method == "GET":
        if wanted != "look":
            raise Elsewhere(ELSEWHERE)
        g.access = "look"


def glance_or_404(public_id: str) -> Glance:
    """Return a night's version and access data, if this device may see it. Must be cheap, because phones poll it."""
    glance = poll(public_id, known_device()) or abort(404)
    _access(public_id, glance)
    return glance


def _access(public_id: str, glance: Glance) -> Access:
    """Return what this device may do in a night, by its link or its join code; aborts with 404 if nothing.

    Notes for `has_group_link` whether it has a link.
    """
    secret = cookie.get(_OPENED, {}).get(glance.group)
    held = hashed(secret) if secret else ""
    rights = [access for access, hash_ in glance.hashes.items() if secrets.compare_digest(hash_, held)]
    g.has_link = bool(rights)
    code = cookie.get(_JOINED, {}).get(public_id)
    if code is not None and glance.join_code is not None and secrets.compare_digest(code, glance.join_code):
        # players may still look after the night is closed; who keeps score ticks what is paid then
        rights.append("keep" if glance.keeps_score else "play" if glance.is_open else "look")
    elif glance.keeps_score and "play" in rights:
        rights.append("keep")
    if not rights:
        abort(404)
    return max(rights, key=_RIGHTS.index)


def my_player(night: Night) -> PlayerKey | None:
    """Return the player whose seat this phone has taken in a night, or None."""
    device = known_device()
    return night.player_on(device) if device else None


def is_own_hand(night: Night) -> bool:
    """Return whether this page is about its player's own hand: a player's always, the scorekeeper's if it asks for it.

    The scorekeeper may sit at the table as well; then `own` in the request tells the two pages apart.
    """
    return not may("keep") or (request.values.get("own") == "yes" and my_player(night) is not None)


def own_of(night: Night) -> str | None:
    """Return what `own` is in the addresses of this page; None where it makes no difference.

    A player's page says it too: it stays the page of the own hand if its phone is allowed to keep score.
    """
    return "yes" if my_player(night) is not None and is_own_hand(night) else None


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
