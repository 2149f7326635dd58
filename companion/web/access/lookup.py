"""Finds what a page is about, and what this device may do there.

There are three rights: "keep" score, "play" (enter one's own hand), and "look". A join code lets a device play in one
open night, or keep its score if the scorekeeper lets the seat of that device do so.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import Flask, abort, g, redirect, request, url_for

from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey
from companion.games import all_games, installed
from companion.store.groups.links import Glance, glance_at, hashed, poll
from companion.store.groups.turns import ELSEWHERE
from companion.store.log import ledger
from companion.store.log.replay import Settled, is_round, played_as
from companion.store.models import Access, Group, Line, Night, Revision
from companion.store.night import play
from companion.store.night.change import load_night
from companion.store.refusals import Elsewhere

from ..http.requests.parsing import MAX_ROWS
from ..text.labels import pot_and_bank
from ..text.money import set_page_currency
from ..text.names import set_page_names
from .devices import RIGHTS, code_for, includes, known_device, link_of, secret_for


def init_app(app: Flask) -> None:
    """Register the template functions that ask for a permission."""
    app.jinja_env.globals.update(may=may, own_of=own_of)


def may(wanted: Access) -> bool:
    """Return whether this device has a right in the current page's group or night."""
    return includes(g.access, wanted)


def has_group_link() -> bool:
    """Return whether this device has a link to the group of this page's night, rather than just the join code."""
    return bool(g.has_link)


def group_or_404(public_id: str, wanted: Access = "keep") -> Group:
    """Return a group that this device has opened. For other devices the group doesn't seem to exist (404)."""
    link = link_of(public_id) or abort(404)
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
    _must_have(glance, wanted)
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
    _must_have(poll(public_id, known_device()) or abort(404), wanted)


def _must_have(glance: Glance, wanted: Access) -> None:
    g.access = _access(glance)
    if not may(wanted):
        if wanted == "play" and not glance.is_open and request.method == "GET":
            # a tab of an own hand may be older than the end of its night
            abort(redirect(url_for("night.table", public_id=glance.public_id), 303))
        abort(403)
    # what a form sends is refused by the store, which knows whether it was carried out before
    if glance.is_elsewhere and request.method == "GET":
        if wanted != "look":
            raise Elsewhere(ELSEWHERE)
        g.access = "look"


def glance_or_404(public_id: str) -> Glance:
    """Return a night's version and access data, if this device may see it. Must be cheap, because phones poll it."""
    glance = poll(public_id, known_device()) or abort(404)
    _access(glance)
    return glance


def _access(glance: Glance) -> Access:
    """Return what this device may do in a night, by its link or its join code; aborts with 404 if nothing.

    Notes for `has_group_link` whether it has a link.
    """
    secret = secret_for(glance.group)
    held = hashed(secret) if secret else ""
    rights = [access for access, hash_ in glance.hashes.items() if secrets.compare_digest(hash_, held)]
    g.has_link = bool(rights)
    code = code_for(glance.public_id)
    if code and glance.join_code is not None and secrets.compare_digest(code, glance.join_code):
        # players may still look after the night is closed; who keeps score ticks what is paid then
        rights.append("keep" if glance.keeps_score else "play" if glance.is_open else "look")
    elif glance.keeps_score and "play" in rights:
        rights.append("keep")
    if not rights:
        abort(404)
    return max(rights, key=RIGHTS.index)


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


def account_names(group: Group) -> dict[str, str]:
    """Return the names of all accounts by key, also of players not seated: a plan for all nights may name them."""
    return {**group.names, **pot_and_bank()}


def revision_settled(revision: Revision) -> Settled | None:
    """Return how a stored round settles; None if it is voided or not a round."""
    return None if revision.voided or not is_round(revision.document) else ledger.revision_settled(revision)


def played_in(revision: Revision) -> tuple[AnyGame, Any] | tuple[None, None]:
    """Return the game and the options of a stored round, even of a voided one; two None if it isn't a round."""
    return played_as(revision.document) if is_round(revision.document) else (None, None)


def game_or_404(key: str) -> AnyGame:
    """Return the game with this key; 404 if there is none."""
    return all_games().get(key) or abort(404)


def game_asked(night: Night) -> AnyGame:
    """Return the game that a page of a night is about: the night's own, unless the request names another."""
    return game_or_404(request.values.get("game") or installed(night.game))


def line_or_404(night: Night, number: int) -> Line:
    """Return a line of a night; 404 if there is none, or the number is too large for the database."""
    return (play.find_line(night, number) if number < MAX_ROWS else None) or abort(404)
