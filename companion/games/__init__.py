"""The games, one module each; this package finds them and names none.

C-1  Every amount is a whole number of units, the smallest thing that the table can hand over. A stake is 1 unit
     when you play with chips, or as many units as the table says. House rules that are amounts are whole
     stakes.
C-2  Nothing is created or lost: what the players gain and lose and what the pot changes by sum to zero in every
     round.
C-3  A split that does not come out even gives each sharer the whole part; the odd units go one each to the
     sharers in turn order, or stay in the pot where the table plays so. Several splits in one
     round are each split by themselves.
C-4  No card or tile is in two places in one round.
C-5  Only players who must show a hand are asked for one. Whoever folded or dropped never shows; whoever wins
     because nobody else is left need not, but may. At least one player is always left.
C-6  What is left in the pot is the next round's opening pot, also when the game changes in between.
C-7  Between any two rounds players may join, leave, sit one out or change seats.
C-8  After each round the deal passes one seat in the direction of the game. After a voided round the same
     player deals again.
C-9  Each game's help tells how it is played. To settle a round, only the hands shown and what was paid count.
C-10 Before each hand the app says who deals, and who shuffles and cuts where the game says so; how many cards or tiles
     each player gets, whether one is turned up, who begins, and in which direction. The first dealer of a night is
     drawn by lot, or set by hand.
C-11 Once somebody has knocked or called, the app says who still has a turn, in order, and what may be done in it.
C-12 At a table with chips, antes, draw fees, bets and drop fees are paid while you play. What is left to hand over
     at the end of the round is the rest: what players owe each other, what the pot pays, and what goes into the
     next pot.
C-13 Nobody needs to enter a hand that the table has judged itself: say who holds the best hand or, where hands are
     counted, what each counts. Hands can still be given, and must agree with it; a bonus for a hand needs that hand. If
     part of a pot was paid into by none of the winners, the hands of those who may win it are needed. What depends on
     cards that were not entered is taken as true. Such a round has no odds and no best hand in the history.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from companion.engine.game import AnyGame


@cache
def all_games() -> Mapping[str, AnyGame]:
    """Return every game by its key, in the order of the modules' names."""
    modules = [import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    games = [module.GAME for module in modules]
    return {game.key: game for game in games}


def common_text() -> str:
    """Return the rules that all games share, by id."""
    return inspect.cleandoc(__doc__ or "")
