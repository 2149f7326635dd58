"""What a knock, being in, staying in and dropping come to, settled for each outcome; amounts are in units.

A game that isn't won by the best hand, but by points, has no such amounts before the hands are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.engine.game import seated
from companion.engine.messages import Message, Units
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT, Settlement
from companion.engine.players import PlayerKey

from ..hand import HandInPlay
from ..last_turns import drop_question, knock_question


@dataclass(frozen=True)
class Prospect:
    """An outcome, and what it comes to; `player` is whom it is about."""

    player: PlayerKey
    what: Message
    worth: Message


def price_of_dropping(hand: HandInPlay) -> Message | None:
    """Return what the player in turn pays at once for dropping; None if it is nothing."""
    paid = hand.knock.drop_fee
    return Message("Give {player} {amount} now", player=hand.knocked, amount=Units(paid)) if paid else None


def cost_of_staying(hand: HandInPlay, player: PlayerKey) -> Message | None:
    """Return what a player who stays in pays if the one who knocked wins; None if it is nothing."""
    cost = _paid(_if_wins(hand, hand.knocked).handovers, player, hand.knocked)
    return Message("pay {amount} if {player} wins", player=hand.knocked, amount=Units(cost)) if cost else None


def outcomes(hand: HandInPlay, me: PlayerKey | None) -> tuple[Prospect, ...]:
    """Return what this player decides between: to knock, in the last turn to stay or drop, at once to be in or out."""
    if me not in hand.players or me is None or hand.is_shown or hand.moved or hand.outright:
        return ()
    if not any(question.kind == "winners" for question in hand.game.questions):
        return ()
    if me in hand.round.undecided:
        return _of_being_in(hand, me)
    if hand.knock_word and hand.knocked is None:
        return _of_knock(hand, me)
    if hand.last_turn == "stay-or-drop" and hand.turn == me:
        return _of_staying(hand, me)
    return ()


def _of_knock(hand: HandInPlay, me: PlayerKey) -> tuple[Prospect, ...]:
    other = next(player for player in hand.order if player != me)
    won, lost = _if_wins(hand, me, by=me), _if_wins(hand, other, by=me)
    get, pay = _paid(won.handovers, other, me), _paid(lost.handovers, me, other)
    is_call = hand.knock_word != "knocked"
    prospects = [
        Prospect(me, Message("Call and win" if is_call else "Knock and win"), _pot_and(won, me, get, each=True))
    ]
    if pay:
        text = "Call and lose" if is_call else "Knock and lose"
        prospects.append(Prospect(me, Message(text), Message("−{amount} each", amount=Units(pay))))
    least = hand.game.least_knock(hand.round.options)
    if least is not None:
        prospects.append(Prospect(me, Message("Call with at least" if is_call else "Knock with at least"), least))
    return tuple(prospects)


def _of_being_in(hand: HandInPlay, me: PlayerKey) -> tuple[Prospect, ...]:
    other = next(player for player in hand.order if player != me)
    won, lost = _if_wins(hand, me), _if_wins(hand, other)
    pay = Units(_into_pot(lost, me) - _into_pot(won, me))  # without the ante, which is paid anyhow
    prospects = [
        Prospect(me, Message("In and best"), _pot_and(won, me, 0)),
        Prospect(me, Message("In and not best"), Message("you pay {amount}", amount=pay)),
    ]
    stacks = hand.round.before.in_front
    if stacks is not None:
        mine = Units(stacks[me] - hand.paid.get(me, 0))
        prospects.append(Prospect(me, Message("Your stack"), Message("you have {amount}", amount=mine)))
    return tuple(prospects)


def _into_pot(settled: Settlement, me: PlayerKey) -> int:
    return sum(move.amount for move in settled.transfers if (move.giver, move.taker) == (me, POT))


def _of_staying(hand: HandInPlay, me: PlayerKey) -> tuple[Prospect, ...]:
    knocker = hand.knocked or me
    left = [player for player in hand.order if player not in (me, knocker, *hand.out)]
    mine, theirs = _if_wins(hand, me), _if_wins(hand, knocker)
    prospects = [Prospect(me, Message("You stay and win"), _pot_and(mine, me, _paid(mine.handovers, knocker, me)))]
    for other in left[:1]:
        get = _paid(_if_wins(hand, other).handovers, knocker, me)
        beats = Message("{player} beats {knocker}", player=other, knocker=knocker)
        prospects.append(Prospect(other, beats, Message("you get {amount}", amount=Units(get))))
    pay = Message("you pay {amount}", amount=Units(_paid(theirs.handovers, me, knocker)))
    prospects.append(Prospect(knocker, Message("{player} has the best", player=knocker), pay))
    price = _paid(_if_wins(hand, knocker, out=me).paid_while_playing, me, knocker)
    prospects.append(Prospect(me, Message("You drop now"), Message("you pay {amount}", amount=Units(price))))
    return tuple(prospects)


def _pot_and(settled: Settlement, me: PlayerKey, more: int, *, each: bool = False) -> Message:
    pot = sum(move.amount for move in settled.transfers if (move.giver, move.taker) == (POT, me))
    text = "pot {pot}" if not more else "pot {pot}, +{amount} each" if each else "pot {pot}, +{amount}"
    return Message(text, pot=Units(pot), amount=Units(more))


def _paid(moves: tuple[Payment, ...], payer: PlayerKey | None, payee: PlayerKey | None) -> int:
    return sum(move.amount for move in moves if (move.payer, move.payee) == (payer, payee))


def _if_wins(
    hand: HandInPlay, winner: PlayerKey | None, *, by: PlayerKey | None = None, out: PlayerKey | None = None
) -> Settlement:
    """Settle the hand as if `winner` had the best one; `by` has knocked, if nobody has so far; `out` drops too."""
    game, knock, drops = hand.game, knock_question(hand.game), drop_question(hand.game)
    answers: dict[str, object] = {q.key: (winner,) for q in game.questions if q.kind == "winners"}
    answers |= {knock.key: hand.knocked or by} if knock is not None else {}
    if drops is not None:
        answers[drops.key] = tuple(player for player in hand.players if player in hand.out or player == out)
    begun = seated(game, hand.round.options, hand.players, str(hand.dealer), **answers)
    return game.settle(replace(begun, stake_units=hand.round.stake, pot_units=hand.round.before.pot))
