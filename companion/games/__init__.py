"""The games, one module each; this package finds them and names none.

C-1  Every amount is a whole number of units, the smallest thing that the table can hand over. A stake is 1 unit
     when you play with chips, or as many units as the table says. House rules that are amounts are whole
     stakes.
C-2  Nothing is created or lost: what the players gain and lose and what the pot changes by sum to zero in every
     round.
C-3  When a split doesn't come out even, everyone gets the same whole part; the odd units go one each to the sharers in
     turn order, or stay in the pot if the table plays it that way. Another house rule, as in “Odd chips” of Robert's
     Rules of Poker, gives them to the highest card held, the ace high, of equal ranks in the order spades, hearts,
     diamonds, clubs; or to the highest suit held, in the same order. If a round has several splits, each is worked out
     by itself.
C-4  No card or tile is in two places in one round.
C-5  Only players who must show a hand are asked for one. Players who folded or dropped never show; a player who wins
     because nobody else is left may show, but needn't. At least one player is always left.
C-6  What is left in the pot opens the next round's pot, even if the game changes in between.
C-7  Between any two rounds players may join, leave, sit one out or change seats.
C-8  After each round the deal passes one seat in the direction of the game. After a voided round the same
     player deals again. Until the hand begins, its dealer may choose the game, on the own phone too.
C-9  Each game's help page says how to play it. To settle a round, only the hands shown and what was paid count.
C-10 Before each hand the app says who deals and, where the game has rules for it, who shuffles and cuts; how many cards
     or tiles each player gets, whether one is turned up, who begins, and in which direction play goes. The first dealer
     of a night is drawn by lot, or set by hand.
C-11 Once somebody has knocked or called, the app says who still has a turn, in order, and what they may do in it.
C-12 With chips on the table, antes, draw fees, bets and drop fees are paid while you play. At the end of the round only
     the rest is handed over: what players owe each other, what the pot pays, and what goes into the next pot.
C-13 You needn't enter hands that the table has judged itself: say who has the best hand or, where hands are counted,
     what each one counts. You can still enter hands, which must agree with that; a bonus for a hand needs that hand. If
     none of the winners paid into a part of the pot, the hands of those who may win it are needed. Whatever depends on
     cards that weren't entered is taken as true. Such a round has no odds, and no best hand in the history.
C-15 A foul hand, one with too few or too many cards or tiles, loses if the table says so; unsaid, a hand of the wrong
     size is refused. A player who stays in but doesn't show, and mucks, has lost too. Neither has folded, and neither
     hand is entered. Both lose every part of the pot that others who stayed in play for as well; for a part that
     nobody else stayed in for, no hand is needed. The last one left takes the pot without showing. So it is in
     “Irregularities” and “Showdown” of Robert's Rules of Poker. Somebody must be left to win each part. Where the
     lowest pays or loses a life, that is whoever shows no hand. A player whose call or win ended the round must show.
     Where the difference of points is paid, nobody says this; enter the points that the table counts such a hand as.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module

from companion.engine.absent import AbsentGame
from companion.engine.game import AnyGame

_own: list[AnyGame] = []
_KEY = re.compile(r"(?=.{1,40}\Z)[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)  # so long as the database keeps it


def is_key(key: object) -> bool:
    """Return whether something may be the key of a game, known or not."""
    return isinstance(key, str) and _KEY.fullmatch(key) is not None


@cache
def built_in_games() -> Mapping[str, AnyGame]:
    """Return the games of this package by key, in the order of the modules' names."""
    modules = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return {module.GAME.key: module.GAME for module in modules}


@cache
def all_games() -> Mapping[str, AnyGame]:
    """Return every game by its key: this package's, then the table's own; what a table names comes last."""
    games = [*built_in_games().values(), *_own]
    return {game.key: game for game in sorted(games, key=lambda game: game.is_named)}


def use_own(games: Sequence[AnyGame]) -> None:
    """Have these as the table's own games; they must have keys of their own."""
    _own[:] = games
    all_games.cache_clear()


def installed(key: str) -> str:
    """Return the key of a game if it is installed here, else that of the first game."""
    return key if key in all_games() else next(iter(all_games()))


def game_of(key: str) -> AnyGame:
    """Return the game of a stored round; if it isn't installed here, a stand-in that knows nothing but its key."""
    return all_games().get(key) or AbsentGame(key)


def common_text() -> str:
    """Return the rules that all games share, by id."""
    return inspect.cleandoc(__doc__ or "")
