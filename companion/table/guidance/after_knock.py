"""What is said after a knock or call: who did, whose last turns are open, and to all, who paid for dropping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.messages import Message, Units
from companion.engine.players import PlayerKey

from .. import showing
from ..hand import HandInPlay
from ..steps import MOST_NAMES


def who_knocked(hand: HandInPlay, me: PlayerKey | None) -> Message | None:
    """Say who knocked or called; None if nobody did."""
    if hand.knocked is None:
        return None
    knocks = hand.knock_word == "knocked"
    if hand.knocked == me:
        return Message("You knocked") if knocks else Message("You called")
    return Message("{player} knocked" if knocks else "{player} called", player=hand.knocked)


def open_turns(players: Sequence[PlayerKey]) -> Message:
    """Say whose last turns are open, in order; of many only whose is next."""
    first, *others = players
    if not others:
        return Message("{player}'s last turn", player=first)
    if len(players) > MOST_NAMES:
        return Message("{player}'s last turn, then {n} more", player=first, n=len(others))
    return Message("Last turns: {players}", players=tuple(players))


def told_to_all(hand: HandInPlay) -> Iterator[Message]:
    """Yield what a screen for all tells beside its state line, which names who knocked while last turns are open."""
    turns, knock = showing.turns_left(hand), hand.knock
    if len(turns) > 1:
        yield open_turns(turns)
    elif not turns and knock.sentence is not None:
        done = who_knocked(hand, None) if hand.is_on_phones and knock.turns else None
        yield done or knock.sentence
    for player in knock.dropped if knock.drop_fee else ():
        yield Message("{payer} gives {payee} {amount}", payer=player, payee=knock.by, amount=Units(knock.drop_fee))
    if turns:
        wins = Message("an outright win ends the round")
        yield wins if knock.may == "outright-win" else Message("then everyone shows")
