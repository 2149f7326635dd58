"""What comes next where all decide at once whether to be in: nobody is told what others decided before all have."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from ..cells import HAND, IS_IN
from ..decisions import decision_question
from ..hand import HandInPlay
from ..steps import KEEPER, MOST_NAMES, Button, NextStep
from .after_knock import who_knocked


def is_deciding(hand: HandInPlay) -> bool:
    """Return whether somebody at the table hasn't decided yet, and this is the game in which all do."""
    return bool(hand.round.undecided) and decision_question(hand.game) is not None


def deciding(hand: HandInPlay, me: PlayerKey | None, hands: Button | None) -> NextStep:
    """Ask who hasn't decided; who has may change it until all have. `hands` leads to the keys of all hands."""
    undecided = tuple(player for player in hand.order if player in hand.round.undecided)
    waits = (*undecided, KEEPER)
    still = Message("Still deciding: {players}", players=undecided)
    if len(undecided) > MOST_NAMES:
        still = Message("{n} of {of} have decided", n=len(hand.order) - len(undecided), of=len(hand.order))
    if me is None:
        for_other = Button("in", Message("{player} is in", player=undecided[0]), undecided[0]) if hands else None
        return NextStep("deciding", still, undecided[0], hands, for_other, waits)
    is_in, is_out = Button("in", Message("I'm in"), me), Button("out", Message("I'm out"), me)
    secret = Message("Nobody is told until all have decided")
    if me in undecided:
        return NextStep("deciding", Message("In or out?"), me, is_in, is_out, waits, secret, is_choice=True)
    question = decision_question(hand.game)
    if question is not None and hand.round.entered(me, question.key) is True:
        return NextStep("deciding", Message("You're out"), me, None, is_in, waits, still)
    if not hand.round.entered(me, IS_IN):  # on another phone, which alone knows what
        return NextStep("deciding", Message("You have decided"), me, is_in, is_out, waits, still, is_due=False)
    label = Message("Change my hand") if hand.round.entered(me, HAND) else Message("Enter my hand")
    hand_of_mine = Button("hand", label, me)
    return NextStep("deciding", Message("You're in"), me, hand_of_mine, is_out, waits, still, is_due=False)


def how_play_ended(hand: HandInPlay, me: PlayerKey | None) -> Message | None:
    """Say who knocked or called, or who decided to be in; None where play doesn't end so."""
    return who_knocked(hand, me) or decided(hand)


def decided(hand: HandInPlay) -> Message | None:
    """Say who is in once all have decided; None in other games."""
    if decision_question(hand.game) is None or hand.round.undecided or not hand.round.decided:
        return None
    players = tuple(player for player in hand.order if player not in hand.out)
    if not players:
        return Message("Everyone is out")
    if len(players) == 1:
        return Message("Only {player} is in", player=players[0])
    return Message("In: {players}", players=players)
