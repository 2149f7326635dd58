"""The page on which a night's next game is chosen, by the scorekeeper or the next dealer, from the menu of games."""

from __future__ import annotations

from functools import partial

from flask import render_template, request, url_for

from companion.store.history.last_games import last_games
from companion.store.night.reading import round_counts
from companion.table.hand import HandInPlay

from ..access.devices import may, night_or_404, own_of
from ..round.next_round import next_round
from .frame import blueprint

_PLACES = {"round": "night_round.new", "rules": "night.rules"}  # where a game leads to; else the table


@blueprint.get("/games")
def games(public_id: str) -> str:
    """Show the menu; a game that is tapped is the table's next one, except on the way to its house rules."""
    night = night_or_404(public_id, "play")
    wanted, round = request.args.get("for", ""), next_round(night)
    chooser = HandInPlay(round).chooser
    place = partial(url_for, _PLACES.get(wanted, "night.table"), public_id=public_id, own=own_of(night))
    return render_template(
        "games.html",
        night=night,
        played=last_games(night.group_id),
        current=round.game.key,
        place=lambda key: place(game=key),
        back_to=place(game=round.game.key),
        chooses=(may("keep") or chooser == round.me is not None) and wanted != "rules",
        line=round.before.number,
        number=round_counts(night)[0] + 1,
        is_entered=bool(round.hands),
    )
