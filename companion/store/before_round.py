"""What is known before a session's next round: its number, who deals, the last round, the balances."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from companion.engine.game import order_from, turn_order
from companion.engine.players import PlayerKey
from companion.engine.settlement import POT
from companion.games import all_games

from . import ledger, play
from .identities import keys_of
from .models import PlaySession
from .play import LastRound
from .stacks import Stacks, rules_in_force, stacks_of


class BeforeRound:
    """What is known before a session's next round, for `table.next_round`; read from the database when first used.

    A view makes one and passes it on, so that nothing is read twice; after a change it makes a new one.
    """

    def __init__(self, session: PlaySession) -> None:
        self.session = session

    def read(self) -> BeforeRound:
        """Read all of it now."""
        _ = self.number, self.last, self.balances, self.stacks
        return self

    @property
    def game(self) -> str:
        """The key of the game that is set as the night's next one."""
        return self.session.game

    @cached_property
    def seated(self) -> list[PlayerKey]:
        """All players who have sat at the table tonight, in seat order."""
        return keys_of(self.session)

    @cached_property
    def present(self) -> list[PlayerKey]:
        """The players of the next round, in seat order."""
        return keys_of(self.session, "in")

    def stake(self, game: str) -> int:
        """Return the units of a stake in a game, from the next hand on."""
        return self.session.stake_of(game)

    def rules(self, game: str) -> dict[str, Any]:
        """Return a game's house rules tonight."""
        return rules_in_force(self.session, game)

    @cached_property
    def number(self) -> int:
        """The number of the line that the round will become."""
        return play.next_number(self.session)

    @cached_property
    def last(self) -> LastRound | None:
        """The last round, even if it is voided."""
        return play.round_before_next(self.session)

    @cached_property
    def balances(self) -> Mapping[str, int]:
        """Every account's balance in units, by key."""
        return ledger.balances(self.session)

    @property
    def pot(self) -> int:
        return self.balances.get(POT, 0)

    @cached_property
    def stacks(self) -> Stacks | None:
        """Everybody's chips; None in a night without stacks."""
        return None if self.session.buy_in_units is None else stacks_of(self.session, self.balances)

    @cached_property
    def in_front(self) -> Mapping[str, int] | None:
        """The chips that the players have in front of them, in units; None in a night without stacks."""
        return self.stacks.held if self.stacks else None

    @cached_property
    def dealer(self) -> PlayerKey | None:
        """The player who deals; None before the first round. Rule: C-8."""
        if self.last is None:
            return None
        document = self.last.document
        # after a voided round the same player deals again
        order = order_from if self.last.voided else turn_order
        candidates = order(self.seated, document["dealer"], all_games()[document["game"]].direction)
        return next((player for player in candidates if player in self.present), None)
