"""The bets of a hand that are entered one by one: a line of actions, whose players follow from turn order.

In a night with stacks, players bet no more than the chips they have in front of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.contract.reading.bets import betting_document
from companion.contract.reading.round_document import read_bets
from companion.engine.allowed import BY_ANTE, WITH_AMOUNT
from companion.engine.betting.actions import Betting, add_action
from companion.engine.game import AnyGame
from companion.engine.messages import Message, Units
from companion.engine.money.pots import MAX_UNITS
from companion.engine.players import PlayerKey

from .refusals import Refused

InFront = Mapping[str, int] | None  # the players' stacks in units; None in a night without stacks
BETS_ENTERED = "yes"  # the value of the cell `BETTING` while bets are entered one by one
_SEPARATOR = ";"
_MAX_ACTIONS = 200
_TIMES = (1, 2, 4, 8)
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}")
_SENTENCES = {
    "check": "{player} checks",
    "bet": "{player} bets {amount}",
    "call": "{player} calls",
    "raise": "{player} raises by {amount}",
    "fold": "{player} folds",
    "all-in": "{player} is all-in with {amount}",
}


def split(line: object) -> list[str]:
    """Split a line of actions, as stored in the form and the draft."""
    return [" ".join(part.split()) for part in str(line or "").split(_SEPARATOR) if part.strip()][:_MAX_ACTIONS]


def join(texts: Sequence[str]) -> str:
    """Join actions into a line."""
    return f"{_SEPARATOR} ".join(texts)


@dataclass(frozen=True)
class PlayedBets:
    """The bets as in the document (actions by question key), each action in words, and the state of the betting.

    `state` is None if an action isn't allowed, or if the betting can't be worked out for another reason. `to_call` is
    what the player in turn needs to call; 0 if nobody has bet. `chips_left` is how many chips that player has left, in
    units; None without stacks. The actions in `state` are limited to those chips; an all-in then has an amount.
    """

    actions: dict[str, list[dict[str, object]]]
    sentences: list[Message]
    state: Mapping[str, Any] | None
    to_call: int = 0
    chips_left: int | None = None

    @property
    def turn(self) -> PlayerKey | None:
        """Whose turn it is; None once the betting is over, or if it can't be worked out."""
        turn: PlayerKey | None = self.state["turn"] if self.state else None
        return turn

    @property
    def last(self) -> object:
        """Who has acted last; None before the first."""
        done = [action["player"] for actions in self.actions.values() for action in actions]
        return done[-1] if done else None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What the player in turn may do."""
        may = self.state["may"] if self.state else ()
        return tuple(
            Offer(
                allowed["action"],
                allowed.get("least", allowed.get("amount", 0)),
                allowed.get("most", allowed.get("amount", 0)),
            )
            for allowed in may
        )

    def offer(self, action: str) -> Offer | None:
        """Return the offer of an action such as "raise" to the player in turn; None if it isn't allowed now."""
        return next((offer for offer in self.offers if offer.action == action), None)

    @property
    def is_exchange(self) -> bool:
        """Whether it is time to exchange cards, before the second betting round."""
        now = self.state["round"] if self.state else None
        return now in list(self.actions)[1:] and not self.actions[now]


@dataclass(frozen=True)
class Offer:
    """Something the player in turn may do; it puts `least` to `most` units into the pot (`most` None: no limit)."""

    action: str
    least: int = 0
    most: int | None = 0

    @property
    def is_fixed(self) -> bool:
        """Whether it puts in one amount only, which nobody needs to type."""
        return self.least == self.most


def must_be_allowed(played: PlayedBets, kind: str, units: int | None) -> None:
    """Raise Refused if the player in turn may not do this now, saying what is possible.

    `units` is what the action puts in, the call included; None if it has no amount of its own. The limits are told as
    on the buttons: those of a raise on top of the call.
    """
    turn, offer = played.turn, played.offer(kind)
    if turn is None:
        raise Refused(Message("The betting is over"))
    chips, needed = played.chips_left, played.to_call if kind == "call" else units or 0
    if chips is not None and needed > chips:
        raise Refused(_too_much(turn, chips))
    if offer is None:
        raise Refused(Message("{player} can't do that now; use one of the buttons shown", player=turn))
    if units is None or kind not in WITH_AMOUNT:
        return
    below = played.to_call if kind == "raise" else 0
    if units < offer.least:
        raise Refused(Message("It must be {least} or more", least=Units(offer.least - below)))
    if offer.most is not None and units > offer.most:
        raise Refused(Message("It can be {most} at most", most=Units(offer.most - below)))


def _too_much(player: PlayerKey, chips: int) -> Message:
    if not chips:
        text = "{player} has no chips left: record a rebuy first, or enter the totals instead"
        return Message(text, player=player)
    text = "{player} has {units} left: that is all-in; for more, record a rebuy first"
    return Message(text, player=player, units=Units(chips))


def without_chips(player: str) -> Message:
    """Say that a player has nothing to put in, and what to do."""
    return Message("{player} has no chips left: record a rebuy first, or let {player} sit out", player=player)


def play(round_document: dict[str, Any], texts: list[str], game: AnyGame, in_front: InFront = None) -> PlayedBets:
    """Assign each action of a line to the player whose turn it is; the document's "round" part is ignored.

    `in_front` has everybody's chips before the round, in a night with stacks. Whoever put in the last of them is
    all-in, by the ante as well, and isn't asked again, if the house rules have all-in. Without players, the line is
    ignored.
    """
    keys = [question.key for question in game.betting_rounds]
    players: list[PlayerKey] = round_document["players"]
    texts = texts if players else []
    actions: dict[str, list[dict[str, object]]] = {key: [] for key in keys}
    said: list[Message] = []
    begun = read_bets({**round_document, "round": actions}, are_keys=True)
    now = begun.betting
    by_ante = _by_ante(texts, players)
    said += [Message("{player} is all-in with the ante", player=player) for player in by_ante]
    for player in dict.fromkeys([*by_ante, *_without_chips(now, in_front)]):
        action: dict[str, object] = {"player": player, "action": BY_ANTE}
        actions[keys[0]].append(action)
        now = _after(now, action, game) if now else None
    for text in texts[len(by_ante) :]:
        turn = now.state.turn if now else None
        text = _with_last_chips(text, now, in_front)
        # after an illegal action, or once betting is over, it is nobody's turn; the engine reports that
        player = turn or players[0]
        call = now.state.to_call(turn) if now and turn and now.state.is_bet else 0
        said.append(_sentence(player, text, call))
        key, action = now.key if now and turn else keys[-1], _action(player, text)
        actions[key].append(action)
        now = _after(now, action, game) if now and turn else None
    if begun.round is None or now is None:
        return PlayedBets(actions, said, None)
    state: dict[str, Any] = betting_document(begun.round, now)
    to_call = next((int(allowed["amount"]) for allowed in state["may"] if allowed["action"] == "call"), 0)
    chips_left = _chips_of_turn(state, in_front)
    if chips_left is not None:
        state = {**state, "may": [fitting for allowed in state["may"] for fitting in _within(allowed, chips_left)]}
    return PlayedBets(actions, said, state, to_call, chips_left)


def _by_ante(texts: Sequence[str], players: Sequence[PlayerKey]) -> list[PlayerKey]:
    """Return the players who are all-in by their ante; a line begins with them, as seats: "all-in-by-ante 0"."""
    all_in = []
    for text in texts:
        kind, _, seat = text.partition(" ")
        if kind != BY_ANTE or seat not in map(str, range(len(players))):
            break
        all_in.append(players[int(seat)])
    return all_in


def _without_chips(now: Betting | None, in_front: InFront) -> list[str]:
    """Return the players who have nothing left once the antes are paid, in turn order."""
    if now is None or in_front is None or not now.state.limits.all_in:
        return []
    return [player for player in now.state.order if in_front.get(player) == now.state.paid[player]]


def _with_last_chips(text: str, now: Betting | None, in_front: InFront) -> str:
    """Return an action of the line; a call, bet or raise that takes the player's last chips is an all-in."""
    turn = now.state.turn if now else None
    if now is None or turn is None or in_front is None or turn not in in_front:
        return text
    kind, _, number = text.partition(" ")
    units = now.state.to_call(turn) if kind == "call" else whole(number)
    is_last = kind in ("call", "bet", "raise") and units == in_front[turn] - now.state.paid[turn]
    return f"all-in {units}" if is_last and now.state.limits.all_in else text


def _after(now: Betting, action: Mapping[str, object], game: AnyGame) -> Betting | None:
    """Return the betting after one more action; None if it isn't allowed."""
    questions = game.betting_rounds
    read, problems = questions[0].read([action], "", now.state.order)
    return None if problems else add_action(now, read[0], [question.key for question in questions])


def _sentence(player: str, text: str, call: int) -> Message:
    """Describe an action. A raise is given as what it adds to the call, as on its button; unknown text stays."""
    kind, _, number = text.partition(" ")
    amount, below = whole(number), call if kind == "raise" else 0
    if kind in WITH_AMOUNT and isinstance(amount, int) and 0 <= amount <= MAX_UNITS:
        return Message(_SENTENCES[kind], player=player, amount=Units(amount - below))
    if kind in _SENTENCES and kind not in WITH_AMOUNT and not number:
        return Message(_SENTENCES[kind], player=player)
    return Message("{player}: {action}", player=player, action=text)


def whole(text: str) -> int | str:
    """Convert the number of an action; anything else stays unchanged, for the engine to report."""
    return int(text) if _NUMBER.fullmatch(text) else text


def _action(player: str, text: str) -> dict[str, object]:
    kind, _, amount = text.partition(" ")
    action: dict[str, object] = {"player": player, "action": kind}
    return {**action, "amount": whole(amount)} if amount else action


def _chips_of_turn(state: Mapping[str, Any], in_front: InFront) -> int | None:
    """Return how many chips the player in turn has left; None without stacks, or if it is nobody's turn."""
    if in_front is None or state["turn"] not in in_front:
        return None
    turn = str(state["turn"])
    return max(in_front[turn] - int(state["paid"][turn]), 0)


def _within(allowed: Mapping[str, Any], chips: int) -> list[Mapping[str, Any]]:
    """Return an action limited to the chips a player has left, in a list; an empty one if they don't cover it."""
    action, most = allowed["action"], allowed.get("most")
    if action == "all-in":
        return [{"action": action, "amount": chips}] if chips and (most is None or chips <= most) else []
    if "least" in allowed:
        fits = allowed["least"] <= chips
        return [{**allowed, "most": chips if most is None else min(most, chips)}] if fits else []
    return [allowed] if allowed.get("amount", 0) <= chips else []


def line_of(entry: Mapping[str, Any], game: AnyGame, players: Sequence[str]) -> str:
    """Write a stored round's bets as a line of actions."""
    actions = [action for question in game.betting_rounds for action in entry.get(question.key, ())]
    return join([_written(action, players) for action in actions])


def _written(action: Mapping[str, Any], players: Sequence[str]) -> str:
    if action["action"] == BY_ANTE:
        return f"{BY_ANTE} {players.index(action['player'])}"
    return f"{action['action']} {action.get('amount', '')}".strip()


def amounts_offered(allowed: Mapping[str, Any], call: int, step: int) -> list[int]:
    """Choose up to four one-tap amounts for a bet or raise: 1, 2, 4 and 8 steps above the call, within the limits.

    The least is one of them where it is more than a step.
    """
    least, most = allowed["least"], allowed["most"]
    steps = [call + step * times for times in _TIMES]
    offered = {amount for amount in steps if least <= amount and (most is None or amount <= most)}
    if not offered or least > call + step:
        offered.add(least)
    return sorted(offered)[: len(_TIMES)]
