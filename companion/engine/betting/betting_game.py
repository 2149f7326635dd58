"""What games with betting share: who shows, what was paid, and who takes which part of the pot.

A game adds its rounds of betting as questions, and says which hands win.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from ..deal import Deal
from ..game import Game, Round
from ..money.settlement import ANTE, BETS, POT_SHARE, RETURNED, Reason, Settlement
from ..pieces.sets import Piece
from ..problems import Problem
from .actions import Betting
from .settling import (
    BetRules,
    check_limits,
    check_paid,
    play_bets,
    settle_bets,
    who_may_win,
    who_must_show,
    who_must_show_anyway,
)

O = TypeVar("O", bound=Any)  # noqa: E741 - the options of a game, as `BetOptions`
E = TypeVar("E", bound=Any)  # its answers, as `BetEntry`
P = TypeVar("P", bound=Piece)


class BettingGame(Game[O, E, P]):
    """A game whose players ante, bet and fold.

    `bet_rules` are the ids of the rules that its transfers follow. `caller_may_raise`: whoever has called may raise
    later in the same betting round.
    """

    reasons: ClassVar[tuple[Reason, ...]] = (ANTE, BETS, POT_SHARE, RETURNED)
    bet_rules: ClassVar[BetRules]
    caller_may_raise: ClassVar[bool] = True

    def deal(self, round: Round[O, E, P]) -> Deal:
        return replace(super().deal(round), ante=round.options.ante)

    def who_must_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        return who_must_show(round)

    def who_must_show_anyway(self, round: Round[O, E, P]) -> tuple[str, ...]:
        return who_must_show_anyway(round)

    def who_may_show(self, round: Round[O, E, P]) -> tuple[str, ...]:
        return who_may_win(round)

    def check_options(self, options: O) -> Iterator[Problem]:
        return check_limits(options)

    def betting(self, round: Round[O, E, P]) -> Betting:
        """Play the betting rounds that the game has. Rule: DP-8."""
        actions = {question.key: getattr(round.entry, question.key) for question in self.betting_rounds}
        return play_bets(round, actions, caller_may_raise=self.caller_may_raise)

    def check_entry(self, round: Round[O, E, P]) -> Iterator[Problem]:
        return check_paid(round)

    def settle(self, round: Round[O, E, P]) -> Settlement:
        """Settle the pot or, with all-in, its layers. Odd units: C-3, for each layer by itself."""
        return settle_bets(round, self.standing(round), self.bet_rules)
