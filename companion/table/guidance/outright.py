"""What comes next once somebody shows a hand that wins outright. Rules: DO-6, TH-5."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from .. import showing
from ..hand import HandInPlay
from ..steps import KEEPER, Button, NextStep, Phase


def winning_outright(
    hand: HandInPlay, winner: PlayerKey, me: PlayerKey | None, hands: Button | None, settle: Button | None
) -> NextStep:
    """Ask for that hand alone. `hands` leads to the keys of all hands, and `settle` ends the round."""
    is_mine, is_in = me == winner, not showing.lacking(hand)
    cover = Button("cover", Message("Take it back"), winner) if is_mine or hands else None
    own = Button("hand", Message("Change my hand") if is_in else Message("Enter my hand"), me) if is_mine else None
    said = Message("Show your winning hand") if is_mine else Message("{player} shows a winning hand", player=winner)
    phase: Phase = "show" if is_mine else "playing"  # on other phones nobody's keys come up
    if is_in:
        note = Message("Your hand is in") if is_mine else None
        return NextStep(phase, said, winner, settle or own, own if settle else cover, (KEEPER,), note)
    return NextStep(phase, said, winner, own or hands, cover, (winner, KEEPER))
