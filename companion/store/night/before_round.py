"""What is known before a night's next round: its number, who deals, the last round, the balances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any

from companion.engine.game import order_from, turn_order
from companion.engine.money.settlement import POT
from companion.engine.players import PlayerKey
from companion.games import game_of, installed

from ..log import ledger
from ..log.typed import with_texts
from ..models import Night
from ..money.stacks import Stacks, rules_in_force, stacks_of
from . import play
from .play import LastRound
from .won import won_so_far


class BeforeRound:
    """What is known before a night's next round, for `table.next_round`; read from the database when first used.

    A view makes one and passes it on, so that nothing is read twice; after a change it makes a new one.
    """

    def __init__(self, night: Night) -> None:
        self.night = night

    def read(self) -> BeforeRound:
        """Read all of it now."""
        _ = self.number, self.last, self.balances, self.stacks
        return self

    @property
    def game(self) -> str:
        """The key of the game that is set as the night's next one."""
        return installed(self.night.game)

    @cached_property
    def seated(self) -> list[PlayerKey]:
        """All players who have sat at the table tonight, in seat order."""
        return self.night.player_keys()

    @cached_property
    def present(self) -> list[PlayerKey]:
        """The players of the next round, in seat order."""
        return self.night.player_keys("in")

    @property
    def dealer_chooses(self) -> bool:
        """Whether the game is the dealer's choice tonight."""
        return self.night.dealer_chooses

    def stake(self, game: str) -> int:
        """Return the units of a stake in a game, from the next hand on."""
        return self.night.stake_of(game)

    def rules(self, game: str) -> dict[str, Any]:
        """Return a game's house rules tonight."""
        return rules_in_force(self.night, game)

    def kept(self, game: str) -> Mapping[str, int]:
        """Return the points that players have kept in a game, by player."""
        return ledger.kept_before(self.night, self.number, [game])[game]

    @cached_property
    def called(self) -> str:
        """What the table called the game of the last round, "" if that has a name of its own."""
        if self.last is None or not self.last.document.get("called"):
            return ""
        (document,) = with_texts(self.night.group_id, [self.last.document])
        return str(document["called"])

    @property
    def number(self) -> int:
        """The number of the line that the round will become."""
        return self._lines[0] + 1

    @cached_property
    def _lines(self) -> tuple[int, bool]:
        return play.lines_so_far(self.night)

    @cached_property
    def last(self) -> LastRound | None:
        """The last round, even if it is voided."""
        return play.round_before_next(self.night)

    @cached_property
    def balances(self) -> Mapping[str, int]:
        """Every account's balance in units, by key."""
        return ledger.balances(self.night)

    @cached_property
    def won(self) -> Mapping[str, int]:
        """What every account has won or lost in units, by key: the balances without costs, loans and buy-ins."""
        has_movements = self._lines[1]
        return won_so_far(self.night, self.balances) if has_movements else self.balances

    @property
    def pot(self) -> int:
        return self.balances.get(POT, 0)

    @cached_property
    def stacks(self) -> Stacks | None:
        """Everybody's chips; None in a night without stacks."""
        return None if self.night.buy_in_units is None else stacks_of(self.night, self.balances)

    @cached_property
    def in_front(self) -> Mapping[str, int] | None:
        """The chips that the players have in front of them, in units; None in a night without stacks."""
        return self.stacks.in_front if self.stacks else None

    @cached_property
    def dealer(self) -> PlayerKey | None:
        """The player who deals; None before the first round. Rule: C-8."""
        return next((player for player in self.dealers if player in self.present), None)

    @property
    def passed_over(self) -> tuple[PlayerKey, ...]:
        """The players who would have dealt before this dealer, but sit out or have left."""
        return tuple(takewhile(lambda player: player not in self.present, self.dealers)) if self.dealer else ()

    @cached_property
    def dealers(self) -> Sequence[PlayerKey]:
        """Everybody who has sat at the table, in the order in which they deal next; empty before the first round."""
        if self.last is None:
            return ()
        document = self.last.document
        # after a voided round the same player deals again
        order = order_from if self.last.voided else turn_order
        return order(self.seated, document["dealer"], game_of(document["game"]).direction)
