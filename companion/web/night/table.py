"""A night's table tab: the seats with their balances, the pot, the hand in play, and the last round."""

from __future__ import annotations

from companion.store.models import Night
from companion.store.money.stacks import rules_in_force
from companion.store.night import play
from companion.table.guidance.worth import outcomes
from companion.table.hand import HandInPlay

from ..access.lookup import night_or_404
from ..ledger_lines.summary import summarize
from ..round.mine import my_part
from ..round.next_round import next_round
from ..round.rail import state_line
from .frame import blueprint, night_page


@blueprint.get("")
def table(public_id: str) -> str:
    """Show the table tab, the first page of a night."""
    return table_page(night_or_404(public_id, "look"))


def table_page(night: Night) -> str:
    """Render the tab."""
    round = next_round(night)
    game, last, hand = round.game, play.last_round(night), HandInPlay(round)
    return night_page(
        "night/table.html",
        night,
        "night.table",
        won=round.before.won,
        stacks=round.before.stacks,
        seated=[seat for seat in night.seats if seat.state != "left"],
        dealer=hand.dealer,
        hand=hand,
        me=round.me,
        state_line=state_line(round, hand),
        prospects=outcomes(hand, round.me),
        game=game,
        rules=rules_in_force(night, game.key),
        is_entered=bool(round.hands),
        last=summarize(last) if last else None,
        # once the next hand has begun, what it costs isn't mixed up with what the last one cost
        mine=my_part(round.me, round.before, last.number if last and hand.is_begun else None),
        after=last.number if last else 0,
    )
