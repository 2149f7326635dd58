"""A night's first tab, the table: who sits where and is ahead, the pot, the next round, the last answer."""

from __future__ import annotations

from companion.engine.settlement import POT
from companion.games import all_games
from companion.store import drafts, ledger, play
from companion.store.stacks import stacks_of

from ..access.lookup import opened
from ..lines.summary import in_short
from ..round.prefill import players_of
from ..round.shared import next_game
from .night import blueprint, night_page


@blueprint.get("")
def show(public_id: str) -> str:
    """Show the table of a night."""
    session = opened(public_id, "look")
    game = next_game(session)
    players, last = players_of(session, game), play.last_round(session)
    dealer = play.next_dealer(session) if last else None
    balances = ledger.balances(session)
    others = [key for key in all_games() if key != game.key]
    return night_page(
        "night_table.html",
        session,
        "session.show",
        balances=balances,
        stacks=stacks_of(session, balances),
        pot=balances.get(POT, 0),
        seated=[seat for seat in session.seats if seat.state != "left"],
        dealer=dealer if dealer in players else players[-1] if players else None,
        game=game,
        games={key: all_games()[key] for key in (game.key, *others)},
        is_entered=drafts.draft_of(session) is not None,
        last=in_short(last) if last else None,
    )
