"""The page of a line: a round with its full explanation, or another movement; its history and its note."""

from __future__ import annotations

from flask import render_template, request

from companion.store.log import ledger
from companion.store.log.replay import BANK
from companion.store.models import Access
from companion.store.money.settle_up import still_to_hand_over
from companion.store.night.before_round import BeforeRound
from companion.store.night.reading import rounds_played

from ..access.lookup import account_names, line_or_404, my_player, night_or_404, played_in, revision_settled
from ..http.requests.parsing import row_number
from ..ledger_lines.differences import history_of
from ..ledger_lines.summary import summarize
from ..round.form.live import spoken
from ..round.mine import my_part
from ..round.result import rarities, result_view
from .frame import blueprint


@blueprint.get("/lines/<int:number>")
def line(public_id: str, number: int) -> str:
    """Show a line: the round or movement, its earlier revisions, and the buttons to change it."""
    return line_page(public_id, number, wanted="look")


def line_page(public_id: str, number: int, typed: str | None = None, *, wanted: Access = "keep") -> str:
    """Render a line's page; a problem is shown at the top, or if a remark was `typed`, in the form of the remark."""
    night = night_or_404(public_id, wanted)
    line = line_or_404(night, number)
    revision = line.current
    game, options = played_in(revision)
    round = revision_settled(revision)
    settlement = round.settlement if round else None
    summary = summarize(line)
    now, since = BeforeRound(night), row_number(request.args.get("since"))
    first = line.number - 1 if since is None else since
    mine = my_part(my_player(night), now, first, line.number) if game else None
    stacks = now.stacks
    saved = request.args.get("saved")
    # with stacks the app knows where all chips are; otherwise it is told only right after the change
    tells_changes = stacks is not None or saved is not None
    is_changed = tells_changes and game is not None and revision.number > 1 and not revision.follows
    own = mine.rounds[0].spoken if mine and mine.rounds else ()
    return render_template(
        "round/line.html",
        night=night,
        names=account_names(night.group),
        people=night.group.names,
        line=line,
        revision=revision,
        played=summary.game if game else "",
        game=game,
        round_number=rounds_played(night, line.number),
        voided_hands=[hand for hand in summary.hands if hand[1]],
        summary=summary,
        settlement=settlement,
        result=result_view(round.settlement, round.round, night) if round else None,
        rarities=rarities(game, options, settlement),
        pieces=game.pieces(options) if game else None,
        won=now.won,
        still_to_hand_over=still_to_hand_over(night, revision.change_id) if is_changed else (),
        begins_at_table=night.dealer_chooses or (stacks is not None and bool(stacks.out)),
        ranked=[key for key in ledger.ranked(now.won, with_pot=True) if key != BANK],
        saved=saved,
        # the phone of a player that was redirected here goes on to the next round
        follows=mine is not None and since is not None and night.closed_at is None,
        mine=mine,
        spoken=spoken(settlement, own) if settlement else "",
        history=history_of(night, line),
        typed=typed,
    )
