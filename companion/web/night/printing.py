"""The printed summary of a night, usually one page of A4: every round, the balances, and who pays whom.

At a table with chips, it also has each round's handovers and the final stacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, render_template

from companion.store.log import ledger
from companion.store.log.replay import nets
from companion.store.models import Line
from companion.store.money import settle_up
from companion.store.money.paid import paid_before
from companion.store.money.stacks import stacks_of
from companion.store.night.reading import lines_of, round_numbers
from companion.store.night.won import won_so_far

from ..access.lookup import account_names, night_or_404
from ..ledger_lines.payments import how_far
from ..ledger_lines.summary import summarize
from ..round.result import shown_first
from ..text.money import signed

blueprint = Blueprint("printing", __name__)
_MAX_UPRIGHT = 50  # characters of amounts in a row; with more, the page is printed on its side


@blueprint.get("/s/<public_id>/print")
def night(public_id: str) -> str:
    """Show the summary.

    Its payments are those made on earlier plans, then those of the current plan; without one, those that would settle
    the night.
    """
    night = night_or_404(public_id, "look")
    numbers = round_numbers(night)
    lines, names = lines_of(night), account_names(night.group)
    (plan, owed), balances = settle_up.plan_or_owed(night), ledger.balances(night)
    rows = [_row(line, names, numbers.get(line.number)) for line in reversed(lines)]
    players = night.names
    largest = max(abs(amount) for moved in (balances, *(row["moved"] for row in rows)) for amount in moved.values())
    return render_template(
        "night/print.html",
        night=night,
        players=players,
        names=names,
        rows=rows,
        is_wide=len(players) * len(signed(-largest, symbol=False)) > _MAX_UPRIGHT,
        balances=balances,
        won=won_so_far(night, balances),
        stacks=stacks_of(night, balances),
        by_chips=shown_first(night) == "chips",
        paid=paid_before(night, plan),
        how_far=how_far,
        payments=plan.payments if plan else owed,
    )


def _row(line: Line, names: Mapping[str, str], number: int | None) -> dict[str, Any]:
    """Return a line's row: its summary, the round's number, the winners' names, and each account's net by name."""
    summary = summarize(line)
    moved = Counter({names[player]: net for player, net in summary.nets})
    moves = () if summary.is_rebuy or summary.apart else summary.moves
    moved.update(nets((names[giver], names[taker], amount) for giver, taker, amount in moves))
    return {"line": summary, "number": number, "winners": [names[player] for player in summary.winners], "moved": moved}
