"""A session's next round, which all of its phones enter together: its game, players, rules and bets, and the draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from flask import request

from companion.engine.game import AnyGame
from companion.games import all_games
from companion.store.before_round import BeforeRound
from companion.store.drafts import GAME, sight_of, values_of
from companion.store.face_down import FaceDown, Sight, kind_of
from companion.store.identities import keys_of, names_of
from companion.store.models import PlaySession
from companion.store.stacks import rules_in_force

from ..access.devices import known_device, my_player
from ..access.lookup import game_or_404
from ..text.house_rules import as_typed, from_typed, usable_options
from . import bet_line
from .bet_line import BETS_ENTERED, PlayedBets


class NextRound:
    """A session's next round, if it is played as this game, as the phone `device` may see it; None: as everybody may.

    Each value is worked out when it is first used. A view makes one and passes it on, so that nothing is worked out
    twice; after a change it makes a new one.
    """

    def __init__(
        self, session: PlaySession, game: AnyGame, before: BeforeRound | None = None, device: str | None = None
    ) -> None:
        self.session = session
        self.game = game
        self.before = before or BeforeRound(session)
        self._device = device

    def after(self, session: PlaySession) -> NextRound:
        """Return the same round after a change to the session."""
        return NextRound(session, self.game, device=self._device)

    @property
    def is_begun(self) -> bool:
        """Whether phones have entered anything."""
        return self.session.draft is not None

    @property
    def is_shown(self) -> bool:
        """Whether the hands have been revealed."""
        return self.session.draft is not None and self.session.draft.shown

    @property
    def key(self) -> str | None:
        """The key under which all phones save the round; None before the first of it was entered."""
        return None if self.session.draft is None else self.session.draft.key

    @cached_property
    def _sight(self) -> Sight:
        return sight_of(self.session.draft, self._device)

    @property
    def cells(self) -> Mapping[str, Any]:
        """The values of the draft's cells, whichever phone wrote them, without the hands that lie face down here."""
        return self._sight.cells

    @property
    def hands(self) -> Mapping[str, FaceDown]:
        """What everybody may know of the hands entered so far, by the players' ids."""
        return self._sight.hands

    @property
    def down(self) -> frozenset[str]:
        """The ids of the players whose hand lies face down here."""
        return self._sight.down

    @property
    def kind(self) -> str:
        """The kind of cards or tiles that the round is played with."""
        return kind_of(self.game.pieces(self.options))

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

    @property
    def my_seat(self) -> int | None:
        """That player's seat; None without one, or if that player sits this round out."""
        return self.players.index(self.me) if self.me in self.players else None

    @cached_property
    def rules(self) -> dict[str, Any]:
        """The house rules in force tonight, as the form's fields hold them."""
        return as_typed(rules_in_force(self.session, self.game.key))

    @cached_property
    def options(self) -> Any:
        """The hand's house rules: the night's, with this round's changes; defaults if they contradict each other."""
        cells, rules, options = self.cells, self.rules, self.game.house_rules
        given = {o.key: from_typed(o, cells.get(f"rules-{o.key}", rules.get(o.key))) for o in options}
        return usable_options(self.game, given)

    @cached_property
    def dealer(self) -> str | None:
        """The id of the player who deals this hand; None if nobody plays."""
        players = self.players
        chosen = (self.cells.get("dealer"), self.before.dealer)
        return next((one for one in chosen if one in players), players[-1] if players else None)

    @cached_property
    def bets(self) -> PlayedBets | None:
        """The bets entered so far; None if this hand's aren't entered one by one, or if nobody plays."""
        if not self.has_bets or self.dealer is None:
            return None
        document = {
            "game": self.game.key,
            "rules": asdict(self.options),
            "stake": self.session.stake_units,
            "players": [self.names[player] for player in self.players],
            "dealer": self.names[self.dealer],
            "pot": self.before.pot,
        }
        texts = bet_line.split(str(self.cells.get("bets") or ""))
        return bet_line.play(document, texts, self.game, self.before.in_front)

    @property
    def _last(self) -> Mapping[str, Any] | None:
        """The answers and hands of the last round; None if it was another game."""
        last = self.before.last
        return last.document["round"] if last is not None and last.game == self.game.key else None

    @property
    def has_bets(self) -> bool:
        """Whether bets are entered one by one: the default, unless the last round of this game had totals."""
        betting_rounds = self.game.betting_rounds
        if betting_rounds and "betting" in self.cells:
            return bool(self.cells["betting"] == BETS_ENTERED)
        return bool(betting_rounds) if self._last is None else any(self._last.get(q.key) for q in betting_rounds)

    @property
    def way(self) -> str:
        """The question that replaced hands in the last round; "" if cards were entered, or in another game."""
        return "" if self._last is None else word_in(self._last, self.game)


def word_in(entry: Mapping[str, Any], game: AnyGame) -> str:
    """Return the question that replaces hands in a stored round; "" if it has hands."""
    if any(entry.get("hands", {}).values()):
        return ""
    return next((q.key for q in game.questions if q.replaces_hands and entry.get(q.key)), "")


def next_round(session: PlaySession, before: BeforeRound | None = None) -> NextRound:
    """Return the next round, played as the requested game, else the one being entered, else the last one played."""
    asked = request.values.get("game") or values_of(session.draft).get(GAME)
    return NextRound(session, game_or_404(asked or session.game), before, known_device())


def round_at_table(session: PlaySession, before: BeforeRound | None = None) -> NextRound:
    """Return the next round as everybody may see it, played as the game it is entered for, whatever a phone asks."""
    chosen = values_of(session.draft).get(GAME)
    return NextRound(session, all_games().get(str(chosen)) or all_games()[session.game], before)
