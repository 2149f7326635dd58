"""Buttons that change the form without settling it: betting, clearing a hand, changing rules; and the next deal."""

from __future__ import annotations

from companion.engine.allowed import WITH_AMOUNT
from companion.engine.game import order_from
from companion.engine.money.settlement import Settlement
from companion.table import bets
from companion.table.bets import BETS_ENTERED
from companion.table.refusals import Refused

from ..http.monitoring import figures
from ..round.form.document import read_form, show_problems
from ..round.form.fields import RoundForm
from ..round.form.kept import set_kept
from ..text.fields import ButtonField
from ..text.language import say
from ..text.money import amount_typed, no_amount
from ..text.numbers import whole_typed
from .asked import newly_asked, questions_asked

_SETTINGS = ("rules", "stake", "pot")  # the first part of a problem's path


def apply_button(pressed: ButtonField, form: RoundForm) -> bool:
    """Carry out a button that only changes the form. Returns whether the form is to be shown again.

    "act" is a betting button, "clear" empties the hand of its seat, and "move-0-2" exchanges the hands of two seats.
    "rules" and "change" change nothing by themselves: the form is shown again, with the rules as sent and what is wrong
    with them, or in place of the result. Whatever is pressed, a form whose rules ask more than its page did is shown
    again, with these questions.
    """
    seat = form.seat_number(pressed.row)
    if pressed.action == "act":
        _bet(form, pressed.row)
    elif pressed.action == "clear" and seat is not None:
        form.seats[seat].clear_hand()
    elif pressed.action == "rules":
        _show_wrong_settings(form)
    elif pressed.action == "move":
        _move_hand(form, *(form.seat_number(number) for number in pressed.row.split("-", 1)))
    return pressed.action in ("act", "clear", "move", "rules", "change") or bool(newly_asked(questions_asked(form)))


def _show_wrong_settings(form: RoundForm) -> None:
    """Show what is wrong with a round's house rules, stake and pot at their fields."""
    problems = read_form(form).entered.problems
    show_problems([problem for problem in problems if problem.field.partition(".")[0] in _SETTINGS], form)


def _move_hand(form: RoundForm, start: int | None, end: int | None = None) -> None:
    """Exchange the hands of two seats, one of which may be empty. Who gets a hand isn't out any more."""
    if start is None or end is None:
        return
    left, right = form.seats[start], form.seats[end]
    left.hand.data, right.hand.data = right.hand.data, left.hand.data
    left.cards.data, right.cards.data = right.cards.data, left.cards.data
    for question in form.game.questions:
        if question.kind == "players" and question.meaning in ("left", "lost"):
            right.answers[question.key].data = False


def _bet(form: RoundForm, button: str) -> None:
    """Carry out a betting button, given without "act-": an action, "back" (undo the last one), or "on" and "off" (enter
    bets one by one, or only totals).

    A bet, raise or all-in has its amount in the button ("raise-40"), the call included; without one, the typed amount
    counts, that of a raise on top of the call. What isn't allowed is reported at the field of the typed amount.
    """
    kind, _, amount = button.removeprefix("all-in").partition("-")
    kind = "all-in" if button.startswith("all-in") else kind
    line = bets.split(form.bets.data)
    if kind in ("on", "off"):
        form.betting.data = BETS_ENTERED if kind == "on" else ""
    elif kind == "back":
        line = line[:-1]
    elif kind:  # "act" alone only shows the bets again
        puts_in = (
            (bets.whole(amount) if amount else amount_typed(form.bet_amount.data)) if kind in WITH_AMOUNT else None
        )
        if isinstance(puts_in, str):
            stake = whole_typed(form.stake.data)
            form.bet_amount.errors = [say(no_amount(puts_in, 2 * stake if isinstance(stake, int) else 2))]
            return
        if kind == "raise" and not amount and puts_in is not None and form.played is not None:
            puts_in += form.played.to_call
        try:
            if form.played is not None and form.played.state is not None:
                bets.must_be_allowed(form.played, kind, puts_in)
        except Refused as refused:
            figures.refused(refused)
            form.bet_amount.errors = [say(refused.message)]
            return
        line.append(kind if puts_in is None else f"{kind} {puts_in}")
    form.change_bets(line)


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
    if settlement.kept is not None:
        set_kept(form, settlement.kept.closing)
    for seat in form.seats:
        seat.clear_hand()
