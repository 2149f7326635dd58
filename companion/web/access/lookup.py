"""Finds what a page is about: the game, a line of the night, and the names of its accounts."""

from __future__ import annotations

from typing import Any

from flask import abort, request

from companion.engine.game import AnyGame
from companion.games import all_games, installed
from companion.store.log import ledger
from companion.store.log.replay import Settled, is_round, played_as
from companion.store.models import Group, Line, Night, Revision
from companion.store.night import play

from ..http.requests.parsing import MAX_ROWS
from ..text.labels import pot_and_bank


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
