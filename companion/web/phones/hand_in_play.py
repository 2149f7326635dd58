"""The actions of a hand in play: one URL takes all buttons, from players' phones and the scorekeeper's.

The page's script gets a JSON response; a browser without it is redirected to the night's table.
"""

from __future__ import annotations

import secrets

from flask import abort, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.engine.game import AnyGame
from companion.store.models import Night
from companion.store.night import drafts
from companion.store.night import hand_in_play as store
from companion.store.night.drafts import round_in
from companion.table.hand import HandInPlay
from companion.table.input import ACTIONS, Asked, must_set_dealer

from ..access.devices import device_id
from ..access.forms import ActForm, redraws, refusals_told, sent
from ..access.lookup import game_asked, is_own_hand, may, night_or_404
from ..http.requests.parsing import asks_for_json, line_number
from ..night.frame import blueprint
from ..night.table import table_page
from ..round.draft.showdown import reveal_if_all_in
from ..round.rail import state_line
from ..text.money import bet_typed

_DEALS = ("lot", "dealer")
_SHOW = "show"  # turns over the hands that are in
_MAX_AMOUNT = 40  # characters


class PlayForm(ActForm):
    """A button pressed at the table, with the line, the game and the state's mark that the page showed.

    `amount` is the amount typed for a bet or raise. `sure` is set once a button that needs a confirmation has it.
    """

    number = HiddenField()
    game = HiddenField()
    mark = HiddenField()
    amount = StringField()
    own = HiddenField()
    sure = HiddenField()

    def asked(self, night: Night) -> Asked:
        """Return what the button asks for; a button is "knocks-17" or "count-17-draws-3"."""
        player, _, what = self.do.row.partition("-")
        text = (self.amount.data or "")[:_MAX_AMOUNT]
        mark, is_own = self.mark.data or "", is_own_hand(night)
        return Asked(self.do.action, player, what, bet_typed(text), mark, may("keep"), is_own)

    def sent_again(self) -> dict[str, str]:
        """Return the fields that are sent again when the button is confirmed."""
        fields = (self.do, self.mark, self.number, self.game, self.amount, self.own)
        return {field.name: (field.data or "")[:80] for field in fields}


@blueprint.post("/play")
@redraws
def play(public_id: str) -> str | Response:
    """Carry out a button's action; conflicts are 409 and other refusals 422."""
    night, form = night_or_404(public_id, "play"), PlayForm()
    game, asked = game_asked(night), form.asked(night)
    if asked.do not in (*_DEALS, *ACTIONS, _SHOW):
        abort(400)
    is_confirmed = None if form.sure.data or asked.do not in ACTIONS else ACTIONS[asked.do].is_confirmed
    with refusals_told(form, lambda: table_page(night_or_404(public_id, "play"))):
        if is_confirmed is not None:
            hand = HandInPlay(round_in(night, game, None))
            if is_confirmed(asked, hand):
                return _ask(night, asked, hand, form)
        _act(night, game, asked, form)
    if asks_for_json():
        round = round_in(night_or_404(public_id, "play"), game, device_id(), is_own=asked.is_own)
        return jsonify(done=True, rail=state_line(round, HandInPlay(round)))
    return redirect(url_for("night.table", public_id=public_id, _anchor="at-table"), 303)


def _act(night: Night, game: AnyGame, asked: Asked, form: PlayForm) -> None:
    number = line_number(form.number.data)
    if asked.do in _DEALS:
        _set_dealer(night, game, asked, form, number)
        return
    if asked.do == _SHOW:
        drafts.show(night.public_id, is_keepers=asked.keeps)
        return
    said = (asked.do, asked.player, asked.what, (form.amount.data or "")[:_MAX_AMOUNT], game.key)
    store.act(night.public_id, number, str(form.key.data), device_id(), game, asked, said)
    reveal_if_all_in(night_or_404(night.public_id, "play"))


def _set_dealer(night: Night, game: AnyGame, asked: Asked, form: PlayForm, number: int) -> None:
    """Set who deals, as chosen or drawn by lot."""
    hand, is_lot = HandInPlay(round_in(night, game, device_id())), asked.do == "lot"
    must_set_dealer(asked, hand)
    player = secrets.choice(hand.players) if is_lot else asked.player
    store.set_dealer(night.public_id, number, int(player), device_id(), sent(form), by_lot=is_lot)


def _ask(night: Night, asked: Asked, hand: HandInPlay, form: PlayForm) -> str:
    """Ask for a confirmation; with the page's script, holding the button confirms it."""
    return render_template("round/play_sure.html", night=night, asked=asked, hand=hand, sent=form.sent_again())
