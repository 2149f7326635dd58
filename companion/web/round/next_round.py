"""A night's next round, which all of its phones enter together, as the phone that asks for it may see it."""

from __future__ import annotations

from flask import request

from companion.games import all_games
from companion.store.models import Night
from companion.store.night.before_round import BeforeRound
from companion.store.night.drafts import game_at_table, round_in
from companion.table.next_round import NextRound

from ..access.devices import known_device
from ..access.lookup import game_or_404, is_own_hand

NightRound = NextRound[BeforeRound]


def next_round(night: Night, before: BeforeRound | None = None) -> NightRound:
    """Return the next round, played as the requested game, else the one being entered, else the last one played."""
    game = game_or_404(request.values.get("game") or game_at_table(night))
    return round_in(night, game, known_device(), before, is_own=is_own_hand(night))


def round_at_table(night: Night, before: BeforeRound | None = None) -> NightRound:
    """Return the next round as everybody may see it, played as the game it is entered for, whatever a phone asks."""
    return round_in(night, all_games()[game_at_table(night)], None, before)


def read_again(round: NightRound, night: Night) -> NightRound:
    """Return the same round after a change to the night."""
    return round_in(night, round.game, known_device(), is_own=is_own_hand(night))


def name_of_game(round: NightRound) -> str:
    """Return what the table calls a game without a name: as the page's address says, else as it was entered last."""
    return request.args.get("called", "") or round.called if round.game.is_named else ""
