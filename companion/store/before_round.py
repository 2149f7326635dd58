"""What is known before a session's next round: its number, who deals, the last round, the balances."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from companion.engine.game import order_from, turn_order
from companion.engine.settlement import POT
from companion.games import all_games

from . import ledger, play
from .identities import keys_of, names_of
from .models import PlaySession
from .play import LastRound
from .stacks import Stacks, stacks_of


class BeforeRound:
    """What is known before a session's next round. Each value is read from the database when it is first used.

    A view makes one and passes it on, so that nothing is read twice; after a change it makes a new one.
    """

    def __init__(self, session: PlaySession) -> None:
        self.session = session

    def read(self) -> BeforeRound:
        """Read all of it now."""
        _ = self.number, self.last, self.balances, self.stacks
        return self

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
        """The players' stacks by name, because the round's form has names; None in a night without stacks."""
        names = names_of(self.session)
        return {names[player]: held for player, held in self.stacks.held.items()} if self.stacks else None

    @cached_property
    def dealer(self) -> str | None:
        """The id of the player who deals; None before the first round. Rule: C-8."""
        if self.last is None:
            return None
        document = self.last.document
        seats, present = keys_of(self.session), keys_of(self.session, "in")
        # after a voided round the same player deals again
        order = order_from if self.last.voided else turn_order
        candidates = order(seats, document["dealer"], all_games()[document["game"]].direction)
        return next((player for player in candidates if player in present), None)
