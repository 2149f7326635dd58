"""Describes how a hand is dealt, and who has a turn left once somebody knocked or called. The games supply the data.

Players are names; the ante is in stakes. Rule: C-10, C-11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .messages import Message, Units

Ending = Literal["knocked", "called"]
Beginning = Literal["first", "all-at-once", "unknown"]  # who begins: the first in turn order, all, or nobody knows
LastTurn = Literal["stay-or-drop", "outright-win", "draw", "swap"]

_NUMBERS: Mapping[int, Message] = {3: Message("three"), 5: Message("five"), 7: Message("seven"), 10: Message("ten")}


@dataclass(frozen=True, slots=True)
class Deal:
    """How one hand is dealt.

    `order` is the turn order: its first player gets cards first and usually begins, its last is the dealer. `each` is
    how many cards or tiles everyone gets, 0 if that isn't known; `noun` is their name, singular and plural.
    `is_turned_up`: the next card is turned up to start the discards. `about` says what to deal, where few know it by
    its name.
    """

    order: tuple[str, ...]
    each: int
    noun: tuple[str, str]
    is_clockwise: bool = True
    ante: int = 0
    dealer_shuffles: bool = False
    is_cut: bool = False
    one_at_a_time: bool = False
    first_gets_extra: bool = False
    is_turned_up: bool = False
    about: Message | None = None
    beginning: Beginning = "first"

    @property
    def dealer(self) -> str:
        return self.order[-1]

    @property
    def first(self) -> str:
        """The player who gets cards first."""
        return self.order[0]

    @property
    def cutter(self) -> str | None:
        """The player who cuts, at the dealer's right; None if nobody does."""
        if not self.is_cut:
            return None
        return self.order[-2] if self.is_clockwise else self.order[0]

    def sentences(self, stake_units: int | None = None) -> tuple[Message, ...]:
        """Describe the deal, sentence by sentence, without full stops; the ante in units, if a stake's are given."""
        deals = "{dealer} shuffles and deals, {direction}" if self.dealer_shuffles else "{dealer} deals, {direction}"
        direction = Message("clockwise" if self.is_clockwise else "anticlockwise")
        sentences = [Message(deals, dealer=self.dealer, direction=direction)]
        if self.cutter is not None:
            sentences.append(Message("{player} cuts", player=self.cutter))
        if self.ante and stake_units is not None:
            sentences.append(Message("everyone puts {amount} in the pot", amount=Units(self.ante * stake_units)))
        elif self.ante:
            sentences.append(Message("everyone antes {n}", n=self.ante))
        each = "{number} {cards} each, face down"
        if self.one_at_a_time:
            each = "{number} {cards} each, one at a time from {player}"
        if self.each:
            number = _NUMBERS.get(self.each, self.each)
            sentences.append(Message(each, number=number, cards=Message(self.noun[1]), player=self.first))
        if self.about is not None:
            sentences.append(self.about)
        if self.first_gets_extra:
            sentences.append(Message("{player} gets one more", player=self.first))
        if self.is_turned_up:
            sentences.append(Message("turn the next one up beside the stock"))
        if self.beginning != "unknown":
            at_once = self.beginning == "all-at-once"
            sentences.append(
                Message("all decide at once") if at_once else Message("{player} begins", player=self.first)
            )
        return tuple(sentences)


@dataclass(frozen=True, slots=True)
class LastTurns:
    """The turns left after `by` knocked or called: whose, in order, and what those players may do.

    `drop_fee` are the stakes that a player who drops gives `by` at once. Rule: C-12.
    """

    by: str
    ending: Ending
    players: tuple[str, ...] = ()
    turn: LastTurn | None = None
    drop_fee: int = 0

    def sentence(self) -> Message:
        """Name the players who have a turn left, without a full stop."""
        values = {"by": self.by, "players": _join_turns(self.players), "n": len(self.players)}
        match self.turn if self.players else None:
            case "stay-or-drop" | "swap":
                return Message("{by} knocked. Last turn: {players}", "{by} knocked. Last turns: {players}", **values)
            case "outright-win":
                return Message(
                    "{by} called. Last turn: {players}; an outright win ends the round",
                    "{by} called. Last turns: {players}; an outright win ends the round",
                    **values,
                )
            case "draw":
                return Message("{by} knocked. Last draw: {players}", "{by} knocked. Last draws: {players}", **values)
        if self.ending == "called":
            return Message("{by} called; nobody has another turn, so everyone shows", by=self.by)
        return Message("{by} knocked; nobody has another turn, so everyone shows", by=self.by)


def _join_turns(players: tuple[str, ...]) -> Message | str:
    """Join names in the order of their turns: "Ana, Beto, then Caro"."""
    if not players:
        return ""
    before: Message | str = players[0]
    if len(players) == 1:
        return before  # still a key, whose name whoever shows the sentence puts in
    for player in players[1:-1]:
        before = Message("{before}, {player}", before=before, player=player)
    return Message("{before}, then {last}", before=before, last=players[-1])
