"""The page on which a night's next game is chosen, by the scorekeeper or the next dealer, from the menu of games."""

from __future__ import annotations

from functools import partial

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store.night import settings as night_changes
from companion.store.night.reading import round_counts
from companion.table.hand import HandInPlay

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import game_asked, may, night_or_404, own_of
from ..round.next_round import next_round
from .frame import blueprint
from .rules import rules_page

_PLACES = {"round": "night_round.new", "rules": "night.rules"}  # where a game leads to; else the table


@blueprint.get("/games")
def games(public_id: str) -> str:
    """Show the menu; a game that is tapped is the table's next one, except on the way to its house rules."""
    night = night_or_404(public_id, "play")
    wanted, round = request.args.get("for", ""), next_round(night)
    hand, last = HandInPlay(round), round.before.last
    chooses = (may("keep") or hand.chooser == round.me is not None) and wanted != "rules"
    place = partial(url_for, _PLACES.get(wanted, "night.table"), public_id=public_id, own=own_of(night))
    return render_template(
        "games.html",
        night=night,
        current=round.game.key,
        is_again=last is not None and last.game == round.game.key,
        place=lambda key: place(game=key),
        back_to=place(game=round.game.key),
        chooses=chooses,
        line=round.before.number,
        number=round_counts(night)[0] + 1,
        is_entered=bool(round.hands),
        is_awaited=chooses and hand.waits_for_game,
    )


@blueprint.post("/dealers-choice")
@redraws
def dealers_choice(public_id: str) -> Response:
    """Set whether each dealer chooses the game tonight: the buttons "on" and "off"."""
    night, form = night_or_404(public_id), ActForm()
    game = game_asked(night)
    if form.do.data not in ("on", "off"):
        abort(400)
    with refusals_shown(form, lambda: rules_page(night_or_404(public_id), game)):
        night_changes.set_dealers_choice(public_id, form.do.data == "on", sent(form))
    return redirect(url_for("night.rules", public_id=public_id, game=game.key, _anchor="dealers-choice"), 303)
