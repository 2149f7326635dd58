"""The steps that take back what a player did last, as long as nobody has acted after it."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from ..hand import HandInPlay
from ..steps import KEEPER, Button, Look, NextStep


def take_back(hand: HandInPlay, me: PlayerKey | None, *, keeps: bool) -> Button | None:
    """Return the step that takes back one's own knock, drop or fold; None once somebody has acted after it."""
    if me is None or not hand.is_on_phones:
        return None
    if hand.knocked == me and all(turn.is_open for turn in hand.last_turns):
        knocks = hand.knock_word == "knocked"
        return Button("unknock", Message("Take the knock back") if knocks else Message("Take the call back"), me)
    if hand.knock.last_drop == me:
        return Button("stay", Message("Stay after all"), me)
    return undo_bet(hand, me, keeps=keeps) if me in hand.out else None


def undo_bet(hand: HandInPlay, me: PlayerKey | None, *, keeps: bool) -> Button | None:
    """Return the step that takes back one's own bet: the scorekeeper's at once, another player's if others allow it."""
    if hand.played is None or me is None or hand.played.last != me:
        return None
    return Button("undo", Message("Undo") if keeps else Message("Ask to undo"), me)


def undoing(hand: HandInPlay, asks: PlayerKey, me: PlayerKey | None, mine: PlayerKey | None, look: Look) -> NextStep:
    """Ask everybody else whether the last bet is undone, as somebody wants.

    `me` is for whom alone the page is, `mine` whose seat the phone has.
    """
    bet = hand.bets[-1]
    text = "You asked to undo: {bet}" if asks == me else "{player} asks to undo: {bet}"
    said = Message(text, player=asks, bet=bet)
    waits: tuple[str, ...] = (*(player for player in hand.players if player != asks), KEEPER)
    answers = mine or (asks if look == "keeper" else None)
    leave = Button("keep", Message("Leave it"), answers) if answers else None
    if answers is None or (answers == asks and look not in ("host", "keeper")):
        return NextStep("undo", said, asks, None, leave, waits)
    return NextStep("undo", said, asks, Button("allow", Message("Allow"), answers), leave, waits, is_choice=True)
