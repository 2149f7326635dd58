"""A player who bet first without the hand that was needed to open: what that costs. Rule: DR-13."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..allowed import Action
from ..game import AnyRound
from ..messages import Message
from ..money.settlement import POT, Reason, Settlement, Transfer
from ..options import integer, options_of
from ..problems import Problem
from ..questions.entry import some_players
from .settling import stayed

FALSE_OPENERS = Reason("false-openers", "for-next-pot")
_FIELD = "round.false_openers"


def false_openers(rule: str) -> Any:
    """Declare who opened without openers."""
    text = "Who bet first without the hand for it? That hand has lost, and isn't entered."
    return some_players("false openers", help=text, rule=rule, meaning="lost", only_with="openers")


def false_openers_cost(rule: str) -> Any:
    """Declare what a player pays who opened without openers."""
    text = "Stakes that whoever opens without openers puts into the next pot; 0: nothing."
    return integer(0, "False openers cost", help=text, rule=rule)


def opened_falsely(round: AnyRound) -> tuple[str, ...]:
    """Return who opened without openers: nobody, or one player."""
    named: tuple[str, ...] = getattr(round.entry, "false_openers", ())  # a table's own game may not ask
    return named


def is_left_to_false_openers(round: AnyRound) -> bool:
    """Return whether everybody else folded to a player without openers, who may not take the pot."""
    return bool(opened_falsely(round)) and stayed(round) == opened_falsely(round)


def check_false_openers(round: AnyRound) -> Iterator[Problem]:
    """Yield problems with who opened without openers."""
    named = opened_falsely(round)
    if not named:
        return
    opened = _opened(round)
    text = ""
    if round.options.openers == "none":
        text = "Any hand may open at this table; untick {players}, or choose openers in the house rules"
    elif len(named) > 1:
        text = "Only one player opens: {players} can't all have opened without openers; untick one"
    elif round.entry.bets and opened is None:
        text = "Nobody bet before the exchange, so {players} didn't open; untick that, or fix the bets"
    elif opened is not None and named != (opened,):
        text = "{opened} bet first, so {players} didn't open; untick that, or fix the bets"
    if text:
        yield Problem(_FIELD, "bad-value", Message(text, players=named, opened=opened))


def _opened(round: AnyRound) -> str | None:
    """Return who bet first; None if nobody did, or the bets weren't entered one by one."""
    bets: tuple[Action, ...] = round.entry.bets
    return next((action.player for action in bets if action.kind in ("bet", "all-in")), None)


def nobody_takes_it(round: AnyRound) -> Message:
    """Say why the pot stays once everybody else folded to a player without openers."""
    (player,) = opened_falsely(round)
    return Message("{player} opened without openers, so the pot stays", player=player)


def with_false_openers(round: AnyRound, settlement: Settlement) -> Settlement:
    """Add what a player without openers puts into the next pot, and say so."""
    (player,) = opened_falsely(round)
    units = round.units(round.options.false_openers_cost)
    why, decided = Message("{player} opened without openers", player=player), settlement.decided_by
    if not is_left_to_false_openers(round):
        decided = Message("{decided}; {why}", decided=decided, why=why)
    rule = next(option.rule for option in options_of(type(round.options)) if option.key == "false_openers_cost")
    pays = (Transfer(player, POT, units, FALSE_OPENERS, rule, why),) if units else ()
    return replace(settlement, decided_by=decided, transfers=(*settlement.transfers, *pays))
