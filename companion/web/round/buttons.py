"""Buttons that change the form without settling it: betting, clearing a hand, changing rules; and the next deal."""

from __future__ import annotations

from companion.engine.allowed import WITH_AMOUNT
from companion.engine.game import order_from
from companion.engine.messages import Message
from companion.engine.settlement import Settlement

from ..http.parsing import whole
from ..text.fields import ButtonField
from ..text.language import say
from ..text.money import amount_typed, no_amount, units
from . import bet_line
from .bet_line import BETS_ENTERED
from .form import RoundForm


def apply_button(pressed: ButtonField, form: RoundForm) -> bool:
    """Carry out a button that only changes the form. Returns whether the pressed one is such a button.

    "act" is a betting button, "clear" empties the hand of its seat. "rules" and "change" change nothing by themselves:
    the form is shown again, with the rules as sent or in place of the result.
    """
    seat = form.seat_number(pressed.row)
    if pressed.action == "act":
        _bet(form, pressed.row)
    elif pressed.action == "clear" and seat is not None:
        form.seats[seat].clear_hand()
    return pressed.action in ("act", "clear", "rules", "change")


def _bet(form: RoundForm, button: str) -> None:
    """Carry out a betting button, given without "act-": an action, "back" (undo the last one), or "on" and "off" (enter
    bets one by one, or only totals).

    A bet, raise or all-in has its amount in the button ("raise-40"); without one, the typed amount counts. An invalid
    amount, or one above the chips of the player in turn, is reported at the field of the typed amount.
    """
    kind, _, amount = button.removeprefix("all-in").partition("-")
    kind = "all-in" if button.startswith("all-in") else kind
    typed = whole(amount) if amount else amount_typed(form.bet_amount.data)
    played, line = form.played, bet_line.split(form.bets.data)
    puts_in = played.to_call if played and kind == "call" else typed if kind in WITH_AMOUNT else 0
    chips = played.chips_left if played else None
    if played and played.state and chips is not None and isinstance(puts_in, int) and puts_in > chips:
        form.bet_amount.errors = [say(_too_much(played.state["turn"], chips))]
        return
    if kind in ("on", "off"):
        form.betting.data = BETS_ENTERED if kind == "on" else ""
    elif kind == "back":
        line = line[:-1]
    elif kind in WITH_AMOUNT:
        if not isinstance(typed, int):
            form.bet_amount.errors = [say(no_amount(typed))]
            return
        line.append(f"{kind} {typed}")
    elif kind:  # "act" alone only shows the bets again
        line.append(kind)
    form.change_bets(line)


def _too_much(player: str, chips: int) -> Message:
    if not chips:
        text = "{player} has no chips left: record a rebuy first, or enter the totals instead"
        return Message(text, player=player)
    text = "{player} has {units} left: that is all-in; for more, record a rebuy first"
    return Message(text, player=player, units=units(chips))


def prepare_next_round(form: RoundForm, settlement: Settlement) -> None:
    """Prepare the form for the next round: pass the deal on, carry the pot over, and clear bets, hands and answers."""
    seats = [str(number) for number in range(len(form.seats))]
    dealer = form.dealer.data if form.dealer.data in seats else seats[-1]
    form.dealer.data = order_from(seats, dealer, form.game.direction)[1]
    form.pot.data = str(settlement.pot_closing)
    form.change_bets([])
    answers = [form.asked, form.everyone, *(seat.answers for seat in form.seats)]
    for field in (field for part in answers for field in part.values()):
        field.data = False if field.kind == "tick" else ""
    for seat in form.seats:
        seat.clear_hand()
