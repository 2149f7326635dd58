"""Whose turn it is in the betting, in words; the exchange between two rounds of betting is a step of its own."""

from __future__ import annotations

from companion.engine.messages import Message, Units
from companion.engine.players import PlayerKey

from ..hand import HandInPlay
from .before_cards import begins


def whose_turn(hand: HandInPlay, turn: PlayerKey, *, is_mine: bool) -> Message:
    """Say what the player in turn has to do; `is_mine` if only that player looks."""
    if not hand.is_begun:
        return Message("{dealer} deals, you begin", dealer=hand.dealer) if is_mine else begins(hand, turn)
    if hand.is_exchange:
        return exchange_first(hand.game.pieces(hand.round.options).noun[1], turn, is_mine=is_mine)
    if not hand.to_call:
        return Message("Your turn") if is_mine else Message("{player}'s turn", player=turn)
    text = "Your turn: {amount} to call" if is_mine else "{player}'s turn: {amount} to call"
    return Message(text, player=turn, amount=Units(hand.to_call))


def exchange_first(nouns: str, turn: PlayerKey, *, is_mine: bool = False) -> Message:
    """Say that all exchange before a player begins the second round of betting; `nouns` are "cards" or "tiles"."""
    text = "Exchange {nouns}, then you begin" if is_mine else "Exchange {nouns}, then {player} begins"
    return Message(text, nouns=Message(nouns), player=turn)


def won_by_bets(hand: HandInPlay, me: PlayerKey | None) -> tuple[Message, PlayerKey] | None:
    """Say who has won because everybody else folded, with that player; None if nobody has."""
    left = [player for player in hand.players if player not in hand.out] if hand.has_bets else []
    if len(left) != 1:
        return None
    (winner,) = left
    text = "Everyone else folded: you win" if winner == me else "Everyone else folded: {player} wins"
    return Message(text, player=winner), winner


def without_chips(hand: HandInPlay) -> Message | None:
    """Say what can be done about too few chips to call."""
    if not hand.to_call or hand.played is None or hand.offer("call") or hand.offer("all-in"):
        return None
    return Message("{amount} left: fold, or record a rebuy first", amount=Units(hand.played.chips_left or 0))


def exchanged(hand: HandInPlay) -> Message | None:
    """Say how many pieces each player has exchanged, while that matters: in the second round of betting."""
    if not hand.is_after_exchange:
        return None
    counts = [(player, n) for counter in hand.counters for player, n in counter.counts.items() if n]
    numbers = tuple(Message("{player}\u00a0({n})", player=player, n=n) for player, n in counts)
    return Message("Exchanged: {players}", players=numbers) if numbers else None
