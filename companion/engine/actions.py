"""A round of betting, action by action: whose turn it is, what that player may do, and when the betting is over.

Pure: a state is never changed, an action gives the next one. Amounts are units. It knows no game; what differs from
game to game is in `Limits`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from .messages import Message
from .pots import MOST_UNITS
from .problems import Problem

ActionKind = Literal["check", "bet", "call", "raise", "fold", "all-in"]
ACTIONS: tuple[ActionKind, ...] = get_args(ActionKind)
WITH_AMOUNT: tuple[ActionKind, ...] = ("bet", "raise", "all-in")


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did at a turn; `units` are those put in by it, 0 where the action says none."""

    player: str
    kind: ActionKind
    units: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """One thing that the player in turn may do, and how many units it puts in: `least` to `most` (None: no limit)."""

    kind: ActionKind
    least: int = 0
    most: int | None = 0

    def takes(self, action: Action) -> bool:
        """Tell whether an action is this one, its amount within the bounds."""
        if action.kind != self.kind or self.kind not in WITH_AMOUNT:
            return action.kind == self.kind
        return self.least <= action.units and (self.most is None or action.units <= self.most)

    @property
    def said(self) -> Message:
        """Say it after "may"."""
        most = "" if self.most is None else f"{self.most:,}"
        template = _MAY[self.kind][0 if self.most is None else 1 if self.least < self.most else 2]
        return Message(template, least=f"{self.least:,}", most=most)


# said after "may": without a limit, from the least to the most, and where one amount alone is possible
_MAY: Mapping[ActionKind, tuple[str, str, str]] = {
    "check": ("check", "check", "check"),
    "bet": ("bet {least} or more", "bet {least} to {most}", "bet {least}"),
    "call": ("call {least}", "call {least}", "call {least}"),
    "raise": ("raise with {least} or more", "raise with {least} to {most}", "raise with {least}"),
    "fold": ("fold", "fold", "fold"),
    "all-in": ("go all-in", "go all-in with {most} at most", "go all-in with {most} at most"),
}


def _any_of(things: Sequence[Message]) -> Message:
    """Join the things that a player may do, which are always two or more."""
    *others, last = things
    first = others.pop(0)
    for other in others:
        first = Message("{first}, {other}", first=first, other=other)
    return Message("{first}, or {last}" if others else "{first} or {last}", first=first, last=last)


@dataclass(frozen=True, slots=True)
class Limits:
    """The house rules of betting, in units: the bounds of a bet (0: none) and of the part of a raise above the call
    (0: as for a bet), and how many raises a round of betting may have (0: no end).
    """

    minimum: int
    maximum: int
    all_in: bool
    caller_may_raise: bool
    minimum_raise: int = 0
    maximum_raise: int = 0
    most_raises: int = 0


@dataclass(frozen=True, slots=True)
class BettingRound:
    """How a round of betting stands.

    `order` is the turn order. `paid` is what each put in so far in all, the antes and an earlier round of betting
    included. `waiting` are those who have yet to act, the player in turn first. `called` are those who called in this
    round of betting, `is_bet` tells whether anybody bet in it, `raises` how often the bet was raised. `folded` and
    `all_in` are in the order in which it happened.
    """

    order: tuple[str, ...]
    paid: Mapping[str, int]
    limits: Limits
    waiting: tuple[str, ...]
    folded: tuple[str, ...] = ()
    all_in: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    is_bet: bool = False
    raises: int = 0

    @property
    def left(self) -> tuple[str, ...]:
        """Those who did not fold."""
        return tuple(player for player in self.order if player not in self.folded)

    @property
    def able(self) -> tuple[str, ...]:
        """Those who can still act: neither folded nor all-in."""
        return tuple(player for player in self.left if player not in self.all_in)

    @property
    def turn(self) -> str | None:
        """Whose turn it is; None when the betting is over.

        It is over when everyone left has put in the same or is all-in, and when one player who owes nothing is left,
        alone or with all-in players only: nobody could answer a bet. Rule: DP-8, DR-7.
        """
        if not self.waiting:
            return None
        player = self.waiting[0]
        return None if len(self.able) == 1 and not self.missing(player) else player

    def missing(self, player: str) -> int:
        """How many units a call of a player puts in."""
        return max(self.paid.values()) - self.paid[player]

    def may(self) -> tuple[Allowed, ...]:
        """List what the player in turn may do.

        An all-in is any amount up to the largest bet or raise: less than a call stays in for less, more is a bet or a
        raise, even below the minimum. Who may not raise may go all-in with a call at most. Rule: DP-7 to DP-9, DR-7.
        """
        player = self.turn
        if player is None:
            return ()
        missing = self.missing(player)
        least, most = self._bounds(missing)
        found = []
        if not self.is_bet:
            found += [Allowed("check"), Allowed("bet", least, most)]
        else:
            found.append(Allowed("call", missing, missing))
            if self._may_raise(player):
                found.append(Allowed("raise", least, most))
            else:
                most = missing
        found.append(Allowed("fold"))
        if self.limits.all_in:
            found.append(Allowed("all-in", 1, most))
        return tuple(found)

    def _bounds(self, missing: int) -> tuple[int, int | None]:
        """Give the least and the most units that a bet, or a raise once there is one, puts in. Rule: DP-8, DP-9."""
        limits = self.limits
        minimum, maximum = limits.minimum, limits.maximum
        if self.is_bet:
            minimum, maximum = limits.minimum_raise or minimum, limits.maximum_raise or maximum
        return missing + max(minimum, 1), missing + maximum if maximum else None

    def _may_raise(self, player: str) -> bool:
        """Tell whether a raise is left, and whether a player who has called may make it. Rule: DP-9, DR-7."""
        limits = self.limits
        has_raises_left = not limits.most_raises or self.raises < limits.most_raises
        return has_raises_left and (limits.caller_may_raise or player not in self.called)

    def refusal(self, action: Action) -> Message | None:
        """Say why an action is not allowed, and what is instead; None where it is allowed."""
        turn, player = self.turn, action.player
        if turn is None:
            return self._refusal_when_over(player)
        may = _any_of([allowed.said for allowed in self.may()])
        if player != turn:
            text = "It is {turn}'s turn, not {player}'s; {turn} may {may}"
            return Message(text, turn=turn, player=player, may=may)
        values = {"player": player, "action": _TO[action.kind], "units": f"{action.units:,}", "may": may}
        if not any(allowed.kind == action.kind for allowed in self.may()):
            return Message("{player} cannot {action} here; {player} may {may}", **values)
        if not any(allowed.takes(action) for allowed in self.may()):
            return Message("{player} cannot {action} with {units} here; {player} may {may}", **values)
        if self.paid[player] + action.units > MOST_UNITS:
            text = "{player} would have put in more than {most} in all; correct the amount"
            return Message(text, player=player, most=f"{MOST_UNITS:,}")
        return None

    def _refusal_when_over(self, player: str) -> Message:
        if len(self.left) == 1:
            text = "Everyone but {winner} folded, so the betting is over; take out {player}'s action"
            return Message(text, winner=self.left[0], player=player)
        text = "The betting is over: everyone left has put in the same or is all-in; take out {player}'s action"
        return Message(text, player=player)

    def after(self, action: Action) -> BettingRound:
        """Give the state after an action that is allowed."""
        player = action.player
        assert self.refusal(action) is None
        units = self.missing(player) if action.kind == "call" else action.units
        then = replace(
            self,
            paid=MappingProxyType({**self.paid, player: self.paid[player] + units}),
            waiting=self.waiting[1:],
            folded=(*self.folded, player) if action.kind == "fold" else self.folded,
            all_in=(*self.all_in, player) if action.kind == "all-in" else self.all_in,
            called=(*self.called, player) if action.kind == "call" else self.called,
        )
        if units <= self.missing(player):
            return then
        # a bet, a raise, or an all-in that is one: everybody else has to answer it
        at = self.order.index(player)
        circle = (*self.order[at + 1 :], *self.order[:at])
        waiting = tuple(other for other in circle if other in then.able)
        return replace(then, is_bet=True, raises=self.raises + self.is_bet, waiting=waiting)

    def next_betting_round(self) -> BettingRound:
        """Give the start of the next round of betting, from dealer's left past those folded or all-in. Rule: DR-7."""
        return replace(self, waiting=self.able, called=(), is_bet=False, raises=0)


_TO: Mapping[ActionKind, Message] = {kind: Message(kind) for kind in ACTIONS} | {"all-in": Message("go all-in")}


def first_round(order: tuple[str, ...], ante: int, limits: Limits) -> BettingRound:
    """Give the start of the betting: everyone has put in the ante and is to act. Rule: DP-8."""
    return BettingRound(order, MappingProxyType(dict.fromkeys(order, ante)), limits, order)


@dataclass(frozen=True, slots=True)
class Betting:
    """How all the betting of a deal stands after the actions that were told, up to the first that is not allowed.

    `key` names the list of actions that was played last, `problem` is what is wrong in it.
    """

    state: BettingRound
    key: str
    is_over: bool
    problem: Problem | None = None

    @property
    def answers(self) -> Mapping[str, object]:
        """The answers of the round that follow from the bets."""
        return {"paid": self.state.paid, "folded": self.state.folded}

    def problems(self) -> tuple[Problem, ...]:
        """Tell why the deal cannot be settled: an action that is not allowed, or actions that are missing.

        Missing actions are a `missing-field`: what was told is right, and there is more to tell.
        """
        if self.problem is not None:
            return (self.problem,)
        if self.is_over:
            return ()
        text = "The betting is not over: it is {player}'s turn, and {player} may {may}; add what is missing"
        may = _any_of([allowed.said for allowed in self.state.may()])
        message = Message(text, player=self.state.turn, may=may)
        return (Problem(f"round.{self.key}", "missing-field", message),)


def go_on(betting: Betting, action: Action, keys: Sequence[str]) -> Betting | None:
    """Give the betting after one more action, None where it is not allowed; `keys` are all lists of the deal."""
    if betting.is_over or betting.state.refusal(action) is not None:
        return None
    state, key = betting.state.after(action), betting.key
    while state.turn is None and key != keys[-1]:
        state, key = state.next_betting_round(), keys[keys.index(key) + 1]
    return Betting(state, key, state.turn is None)


def play(told: Mapping[str, Sequence[Action]], state: BettingRound) -> Betting:
    """Play one or more rounds of betting from the start: by the key of its list in the round, what was done in each.

    A list after one that is wrong or not at its end is not judged, as nothing can be told of it.
    """
    *_, last = told
    for key, actions in told.items():
        for at, action in enumerate(actions):
            refusal = state.refusal(action)
            if refusal is not None:
                return Betting(state, key, False, Problem(f"round.{key}.{at}", "illegal-bet", refusal))
            state = state.after(action)
        if state.turn is not None:
            return Betting(state, key, False)
        if key != last:
            state = state.next_betting_round()
    return Betting(state, last, True)
