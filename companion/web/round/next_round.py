"""A session's next round, which all of its phones enter together: the game, the players, and the draft's cells."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flask import request

from companion.engine.game import AnyGame
from companion.games import all_games
from companion.store.before_round import BeforeRound
from companion.store.drafts import values_of
from companion.store.identities import keys_of, names_of
from companion.store.models import Draft, PlaySession

from ..access.devices import my_player
from ..access.lookup import game_or_404

GAME = "game"  # the draft's cell with the key of the game that is entered


class NextRound:
    """A session's next round, if it is played as this game. Each value is worked out when it is first used.

    A view makes one and passes it on, so that nothing is worked out twice; after a change it makes a new one.
    """

    def __init__(self, session: PlaySession, game: AnyGame, before: BeforeRound | None = None) -> None:
        self.session = session
        self.game = game
        self.before = before or BeforeRound(session)

    @property
    def draft(self) -> Draft | None:
        """What the phones have entered so far; None before the first of it."""
        return self.session.draft

    @cached_property
    def cells(self) -> dict[str, Any]:
        """The values of the draft's cells, whichever phone wrote them; empty without a draft."""
        return values_of(self.draft)

    @cached_property
    def players(self) -> list[str]:
        """The ids of the players, in seat order; no more than the game allows."""
        return keys_of(self.session, "in")[: self.game.seats[1]]

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of everybody in the session by id, also of those who sit this round out."""
        return names_of(self.session)

    @cached_property
    def me(self) -> str | None:
        """The id of the player whose phone this is, or None."""
        return my_player(self.session)


def next_round(session: PlaySession, before: BeforeRound | None = None) -> NextRound:
    """Return the next round, played as the requested game, else the one being entered, else the last one played."""
    asked = request.values.get("game") or values_of(session.draft).get(GAME)
    return NextRound(session, game_or_404(asked or session.game), before)


def entered_round(session: PlaySession, before: BeforeRound | None = None) -> NextRound:
    """Return the next round, played as the game it is being entered for, whichever game a phone is looking at."""
    chosen = values_of(session.draft).get(GAME)
    return NextRound(session, all_games().get(str(chosen)) or all_games()[session.game], before)
