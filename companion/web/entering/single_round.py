"""The page that settles a single round without storing it."""

from __future__ import annotations

from itertools import pairwise

from flask import Blueprint, Response, request
from flask import session as cookie

from companion.engine.game import AnyGame
from companion.table.bets import BETS_ENTERED

from ..access.forms import is_stale, redraws
from ..access.lookup import game_or_404
from ..round.form.document import names_by_key, settle_form, usual_name
from ..round.form.fields import RoundForm, posted_form
from ..round.form.live import live_answer
from ..round.form.sent_with import sent_with
from ..text.names import set_page_names
from .buttons import apply_button, prepare_next_round
from .page import round_page

blueprint = Blueprint("single_round", __name__)
_USUAL_PLAYERS = 4
_NAMES, _GAME = "names", "game"  # keys of the last round's players and game in this device's cookie


@blueprint.route("/settle/<key>", methods=["GET", "POST"])
@redraws
def settle(key: str) -> str:
    """Show a game's form, and settle the posted round."""
    game = game_or_404(key)
    if request.method == "GET":
        return round_page(_new_form(game))
    form = posted_single_round(game)
    if is_stale():
        return round_page(form)
    sent = sent_with()
    action, seat = sent.do.action, sent.do.row
    if action == "add":
        _add_player(form)
    elif action == "remove":
        _remove_player(form, seat)
    if action in ("add", "remove") or apply_button(sent.do, form):
        return round_page(form)
    result = settle_form(form)
    if result.settlement is None:
        return round_page(form, result=result)
    cookie[_NAMES], cookie[_GAME] = form.typed_names, key
    if action == "next" and sent.fingerprint.data == result.fingerprint:
        prepare_next_round(form, result.settlement)
        return round_page(form)
    return round_page(form, result=result)


@blueprint.post("/settle/<key>/live")
@redraws
def live_reading(key: str) -> Response | tuple[Response, int]:
    """Return the live reading of a game's form while it is filled in."""
    return live_answer(posted_single_round(game_or_404(key)))


def posted_single_round(game: AnyGame) -> RoundForm:
    """Read the posted form of a game, adding empty seats up to the game's minimum."""
    form = posted_form(game)
    while len(form.seats) < game.seats[0]:
        form.add_seat()
    set_page_names(lambda: names_by_key(form))
    return form


def players_before() -> list[str]:
    """Return the players of this device's last single round, without unnamed ones."""
    usual = {usual_name(number) for number in range(1, 100)}
    return [name for name in cookie.get(_NAMES, ()) if name not in usual]


def game_before() -> str | None:
    """Return the key of the game of this device's last single round, if there was one."""
    key: str | None = cookie.get(_GAME)
    return key


def _new_form(game: AnyGame) -> RoundForm:
    """Return an empty form with the names of the last round."""
    least, most = game.seats
    names = list(cookie.get(_NAMES, ()))[:most]
    if len(names) < least:
        names = [usual_name(number) for number in range(1, min(_USUAL_PLAYERS, most) + 1)]
    form = RoundForm(game)
    for name in names:
        form.add_seat(name)
    form.dealer.data = str(len(names) - 1)
    form.betting.data = BETS_ENTERED if game.betting_rounds else ""
    set_page_names(lambda: names_by_key(form))
    return form


def _add_player(form: RoundForm) -> None:
    if len(form.seats) < form.game.seats[1]:
        taken = {seat.name.data for seat in form.seats}
        number = next(n for n in range(len(form.seats) + 1, 100) if usual_name(n) not in taken)
        form.add_seat(usual_name(number))


def _remove_player(form: RoundForm, seat: str) -> None:
    """Remove a seat; the later seats move up, and answers that refer to them are adjusted."""
    gone = form.seat_number(seat)
    if gone is None or len(form.seats) <= form.game.seats[0]:
        return
    for field in (form.dealer, *(field for field in form.asked.values() if field.kind == "seat")):
        pointed_at = form.seat_number(field.data)
        if pointed_at == gone:
            field.data = None
        elif pointed_at is not None and pointed_at > gone:
            field.data = str(pointed_at - 1)
    for before, after in pairwise(form.seats[gone:]):
        before.copy(after)
    form.seats.pop()
    if form.dealer.data is None:
        # the removed player was the dealer: let the player before be it, so that the deal passes to the player after
        form.dealer.data = str((gone - 1) % len(form.seats))
