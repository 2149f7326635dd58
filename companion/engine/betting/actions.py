"""A betting round, action by action: whose turn it is, what that player may do, and when the betting ends.

States are immutable: each action returns the next state. All amounts are in units. Nothing here depends on a particular
game; `Limits` holds what differs between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ..allowed import ACTIONS, BY_ANTE, Action, ActionKind, Allowed, any_of
from ..messages import Message
from ..money.pots import MAX_UNITS
from ..problems import Problem


@dataclass(frozen=True, slots=True)
class Limits:
    """The house rules of betting, in units.

    `minimum` and `maximum` bound a bet (0: no bound). `minimum_raise` and `maximum_raise` bound what a raise adds on
    top of the call (0: same as for a bet). `most_raises` is how many raises a betting round may have (0: any number).
    `raise_as_last`: a raise is at least the last bet or raise. Without `short_all_in_reopens`, who has acted may raise
    again only when facing at least a full raise. Rule: DP-10.
    """

    minimum: int
    maximum: int
    all_in: bool
    caller_may_raise: bool
    minimum_raise: int = 0
    maximum_raise: int = 0
    most_raises: int = 0
    raise_as_last: bool = False
    short_all_in_reopens: bool = True


@dataclass(frozen=True, slots=True)
class BettingRound:
    """The state of a betting round.

    `order` is the turn order. `paid` is each player's total so far, including antes and earlier betting rounds.
    `waiting` are the players who have yet to act, the one whose turn it is first. `called` are those who have called in
    this betting round, `is_bet` is whether anyone has bet in it, `raises` counts its raises. `folded` and `all_in` are
    in the order it happened. `has_begun` is whether anyone has had a turn in this deal. `acted` are those who have had
    a turn in this betting round, `last_raise` is the size of its last full bet or raise.
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
    has_begun: bool = False
    acted: tuple[str, ...] = ()
    last_raise: int = 0

    @property
    def remaining(self) -> tuple[str, ...]:
        """The players who haven't folded."""
        return tuple(player for player in self.order if player not in self.folded)

    @property
    def able_to_act(self) -> tuple[str, ...]:
        """The players who can still act: neither folded nor all-in."""
        return tuple(player for player in self.remaining if player not in self.all_in)

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; None once the betting is over.

        It is over when every remaining player has paid the same or is all-in. It is also over when only one player can
        still act and has nothing to call, because nobody could answer a bet. Rule: DP-8, DR-7.
        """
        if not self.waiting:
            return None
        player = self.waiting[0]
        return None if len(self.able_to_act) == 1 and not self.to_call(player) else player

    def to_call(self, player: str) -> int:
        """Return how many units the player must add to call."""
        return max(self.paid.values()) - self.paid[player]

    def allowed_actions(self) -> tuple[Allowed, ...]:
        """List what the player whose turn it is may do; empty once the betting is over.

        An all-in may be any amount up to the largest bet or raise. Below the call, the player stays in for less; above
        it, it counts as a bet or raise even if it is below the minimum. A player who may not raise can go all-in only
        up to the call. Rule: DP-7 to DP-9, DR-7.
        """
        player = self.turn
        if player is None:
            return ()
        to_call = self.to_call(player)
        least, most = self._bounds(to_call)
        allowed = []
        if not self.is_bet:
            allowed += [Allowed("check"), Allowed("bet", least, most)]
        else:
            allowed.append(Allowed("call", to_call, to_call))
            if self._may_raise(player):
                allowed.append(Allowed("raise", least, most))
            else:
                most = to_call
        allowed.append(Allowed("fold"))
        if self.limits.all_in:
            allowed.append(Allowed("all-in", 1, most))
        return tuple(allowed)

    def _bounds(self, to_call: int) -> tuple[int, int | None]:
        """Return the least and the most units a bet may add, or a raise once somebody has bet. Rule: DP-8, DP-9."""
        limits = self.limits
        minimum, maximum = limits.minimum, limits.maximum
        if self.is_bet:
            minimum, maximum = limits.minimum_raise or minimum, limits.maximum_raise or maximum
            if limits.raise_as_last:
                minimum = max(minimum, self.last_raise)
                minimum = min(minimum, maximum) if maximum else minimum
        return to_call + max(minimum, 1), to_call + maximum if maximum else None

    @property
    def _full_raise(self) -> int:
        """How much more than the last bet a raise puts in at least, for it to be no short one. Rule: DP-10."""
        limits = self.limits
        least = (limits.minimum_raise or limits.minimum) if self.is_bet else limits.minimum
        return max(least, self.last_raise, 1)

    def _may_raise(self, player: str) -> bool:
        """Return whether any raises are left and this player may make one. Rule: DP-9, DR-7."""
        limits = self.limits
        has_raises_left = not limits.most_raises or self.raises < limits.most_raises
        is_open = limits.short_all_in_reopens or player not in self.acted or self.to_call(player) >= self._full_raise
        return has_raises_left and is_open and (limits.caller_may_raise or player not in self.called)

    def refusal(self, action: Action) -> Message | None:
        """Explain why an action isn't allowed and what is allowed instead; None if it is allowed."""
        turn, player = self.turn, action.player
        if self._is_all_in_by_ante(action):
            return None
        if turn is None:
            return self._refusal_when_over(player)
        allowed = self.allowed_actions()
        takes = player == turn and any(one.takes(action) for one in allowed)
        if takes and self.paid[player] + action.units <= MAX_UNITS:
            return None
        may = any_of([one.phrase for one in allowed])
        if player != turn:
            text = "It is {turn}'s turn, not {player}'s; {turn} may {may}"
            return Message(text, turn=turn, player=player, may=may)
        values = {"player": player, "action": _INFINITIVES[action.kind], "units": f"{action.units:,}", "may": may}
        if not any(one.kind == action.kind for one in allowed):
            return Message("{player} can't {action} here; {player} may {may}", **values)
        if not takes:
            return Message("{player} can't {action} with {units} here; {player} may {may}", **values)
        text = "{player} would have put in more than {most} in total; fix the amount"
        return Message(text, player=player, most=f"{MAX_UNITS:,}")

    def _is_all_in_by_ante(self, action: Action) -> bool:
        """Return whether the action says, before anyone's turn, that the ante was a player's last chip. Rule: DP-8."""
        is_by_ante = action.kind == BY_ANTE and self.limits.all_in
        return is_by_ante and not self.has_begun and action.player in self.waiting

    def _refusal_when_over(self, player: str) -> Message:
        if len(self.remaining) == 1:
            text = "Everyone but {winner} folded, so the betting is over; take out {player}'s action"
            return Message(text, winner=self.remaining[0], player=player)
        text = "The betting is over: everyone left has put in the same or is all-in; take out {player}'s action"
        return Message(text, player=player)

    def after(self, action: Action) -> BettingRound:
        """Return the state after an action, which must be allowed."""
        player = action.player
        assert self.refusal(action) is None
        if self._is_all_in_by_ante(action):
            waiting = tuple(other for other in self.waiting if other != player)
            return replace(self, waiting=waiting, all_in=(*self.all_in, player))
        units = self.to_call(player) if action.kind == "call" else action.units
        then = replace(
            self,
            paid=MappingProxyType({**self.paid, player: self.paid[player] + units}),
            waiting=self.waiting[1:],
            folded=(*self.folded, player) if action.kind == "fold" else self.folded,
            all_in=(*self.all_in, player) if action.kind == "all-in" else self.all_in,
            called=(*self.called, player) if action.kind == "call" else self.called,
            acted=(*self.acted, player),
            has_begun=True,
        )
        if units <= self.to_call(player):
            return then
        # a bet, a raise, or an all-in that counts as one: everybody else has to answer it
        at = self.order.index(player)
        circle = (*self.order[at + 1 :], *self.order[:at])
        waiting = tuple(other for other in circle if other in then.able_to_act)
        size = units - self.to_call(player)
        last = size if action.kind != "all-in" or size >= self._full_raise else self.last_raise
        return replace(then, is_bet=True, raises=self.raises + self.is_bet, waiting=waiting, last_raise=last)

    def next_betting_round(self) -> BettingRound:
        """Start the next betting round, from dealer's left, skipping players who folded or are all-in. Rule: DR-7."""
        return replace(
            self, waiting=self.able_to_act, called=(), is_bet=False, raises=0, has_begun=True, acted=(), last_raise=0
        )


# follows "can't"
_INFINITIVES: Mapping[ActionKind, Message] = {kind: Message(kind) for kind in ACTIONS} | {
    "all-in": Message("go all-in"),
    BY_ANTE: Message("be all-in by the ante"),
}


def first_round(order: tuple[str, ...], ante: int, limits: Limits) -> BettingRound:
    """Start the betting: everyone has paid the ante and has yet to act. Rule: DP-8."""
    return BettingRound(order, MappingProxyType(dict.fromkeys(order, ante)), limits, order)


@dataclass(frozen=True, slots=True)
class Betting:
    """The state of a deal's betting after the entered actions, up to the first one that isn't allowed.

    A deal may have two betting rounds, each with its own list of actions in the document. `key` names the list reached;
    `problem` is the first error in it.
    """

    state: BettingRound
    key: str
    is_over: bool
    problem: Problem | None = None

    @property
    def answers(self) -> Mapping[str, object]:
        """The answers that follow from the bets: who paid what and who folded."""
        return {"paid": self.state.paid, "folded": self.state.folded}

    def problems(self) -> tuple[Problem, ...]:
        """Return why the deal can't be settled yet: an action that isn't allowed, or actions that are missing.

        Missing actions are a `missing-field`: what was entered is right, but the betting isn't over.
        """
        if self.problem is not None:
            return (self.problem,)
        if self.is_over:
            return ()
        text = "The betting is not over: it is {player}'s turn, and {player} may {may}; add what is missing"
        may = any_of([allowed.phrase for allowed in self.state.allowed_actions()])
        message = Message(text, player=self.state.turn, may=may)
        return (Problem(f"round.{self.key}", "missing-field", message),)


def add_action(betting: Betting, action: Action, keys: Sequence[str]) -> Betting | None:
    """Return the betting after one more action; None if it isn't allowed. `keys` name the deal's lists, in order."""
    if betting.is_over or betting.state.refusal(action) is not None:
        return None
    state, key = betting.state.after(action), betting.key
    while state.turn is None and key != keys[-1]:
        state, key = state.next_betting_round(), keys[keys.index(key) + 1]
    return Betting(state, key, state.turn is None)


def play(actions_by_key: Mapping[str, Sequence[Action]], state: BettingRound) -> Betting:
    """Play the betting rounds from `state`; `actions_by_key` has the list of actions of each, in order.

    Stops at the first list that has an error or is incomplete, because the lists after it can't be checked.
    """
    *_, last = actions_by_key
    for key, actions in actions_by_key.items():
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
