"""Maps the fields of a night's round form to the cells of its draft (`table.cells`), as far as a phone may see them.

What a phone sends while a round is entered is read directly as cells, without building the form. A tap sends the
touched fields by name, unticked boxes in `touched`, and the players of the page's seats in `seats`, separated by
dots. Older pages send the whole form instead, with a `seat` for each seat, and name the touched fields in `touched`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import islice
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict

from companion.engine.game import AnyGame
from companion.engine.pieces.sets import PieceSet
from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table.cells import EVERYONE, HAND, RULES, TABLE, Values
from companion.table.input import Typed
from companion.table.sight import FaceDown, all_sets, kind_of

from ...access.lookup import may
from ...http.requests.parsing import is_ticked, posted
from ..form.answers import hand_text, unshown_seats
from ..form.fields import FieldKind, RoundField, RoundForm, new_form
from ..form.kept import drafted_answers
from ..next_round import NightRound

_MAX_TOUCHED = 200


def fields_of(form: RoundForm) -> dict[str, RoundField]:
    """Return the fields that a draft stores, by name."""
    seats = [field for seat in form.seats for field in (seat.hand, *drafted_answers(form, seat).values())]
    parts = [field for part in (form.asked, form.everyone, form.rules) for field in part.values()]
    named = [form.called] if form.game.is_named else []
    return {field.name: field for field in (*named, form.dealer, form.betting, form.bets, *parts, *seats)}


def cell_of(field: str, players: Sequence[str]) -> tuple[str, str]:
    """Return the owner and question of a field's cell: players-0-hand is the hand of the player in seat 0."""
    part, _, rest = field.partition("-")
    if part != "players":
        return {"rules": RULES, "everyone": EVERYONE}.get(part, TABLE), rest or part
    seat, _, question = rest.partition("-")
    return players[int(seat)], question


def own_cells(form: RoundForm, me: str | None) -> Values:
    """Return what a form has in the block of the player whose phone this is."""
    if me is None or me not in form.players:
        return {}
    seat = form.seats[[*map(str, form.players)].index(me)]
    return {
        me: {
            HAND: hand_text(seat, form.pieces),
            **{key: field.data for key, field in drafted_answers(form, seat).items()},
        }
    }


def drafted_form(round: NightRound) -> RoundForm:
    """Make the form of the next round, with what this phone may see of what the phones have entered.

    Left out are hands from another game, and those of players who show none. If such a player is in the round again,
    for example because a fold was undone, the hand is there again, too.
    """
    form, players, cells = new_form(round), round.players, round.cells
    for name, field in fields_of(form).items():
        owner, question = cell_of(name, players)
        if question not in cells.get(owner, {}) or field in (form.dealer, form.called):  # the round has read these
            continue
        value = cells[owner][question]
        if field.kind != "seat":
            field.data = value
        # in the form, an answer that names a player is a seat number; somebody who left the table has none
        elif value in players:
            field.data = str(round.players.index(value))
        elif not str(value).isdigit():
            field.data = value
    pieces, unshown = form.pieces, unshown_seats(form)
    for number, seat in enumerate(form.seats):
        if number in unshown or _is_of_another_game(seat.hand.data, pieces):
            seat.hand.data = ""
    form.face_down = hands_in(round, form, round.down, unshown)
    return form


def _is_of_another_game(hand: str, pieces: PieceSet[Any]) -> bool:
    """Return whether a hand was left over from another game: all pieces fit one of its sets, and none fits this one."""
    tokens = pieces.tokens(hand)
    if not tokens or any(pieces.find(token) is not None for token in tokens):
        return False
    return any(all(other.find(token) is not None for token in other.tokens(hand)) for other in all_sets())


def hands_in(
    round: NightRound, form: RoundForm, players: Collection[str], unshown: Collection[int] = ()
) -> dict[int, FaceDown]:
    """Return what everybody may know of these players' hands in the draft, by seat.

    Left out are `unshown` seats and hands from another game.
    """
    kind = kind_of(form.pieces)
    seats = ((seat, player) for seat, player in enumerate(round.players) if player in players and seat not in unshown)
    return {seat: round.hands[player] for seat, player in seats if round.hands[player].fits(kind)}


def posted_seats() -> list[PlayerKey]:
    """Return the players by seat, as on the page that was sent; any text, as anybody may send it."""
    sent = posted()
    return [*map(PlayerKey, sent["seats"].split(".") if "seats" in sent else sent.getlist("seat"))]


def typed_in(game: AnyGame) -> Typed:
    """Return what was typed for a game into the page that was sent."""
    seats, keeps = posted_seats(), may("keep")
    is_own = not keeps or request.values.get("own") == "yes"
    return Typed(game.key, seats, _touched_cells(posted(), game, seats), keeps, is_own)


def _touched_cells(posted: MultiDict[str, str], game: AnyGame, players: Sequence[str]) -> Values:
    """Return the touched cells, ignoring names that aren't fields of the round's form."""
    kinds, named = _kinds(game.key), posted.getlist("touched")
    touched = dict.fromkeys((*posted, *named) if "seats" in posted else named)
    cells: dict[str, dict[str, Any]] = {}
    for name in islice(touched, _MAX_TOUCHED):
        kind, seat = kinds.get(name), name.split("-")[1] if name.startswith("players-") else "0"
        if kind is None or int(seat) >= len(players) or not (name in posted or kind == "tick"):
            continue
        owner, question = cell_of(name, players)
        cells.setdefault(owner, {})[question] = _value(kind, posted.get(name, ""), players)
    return cells


@cache
def _kinds(key: str) -> dict[str, FieldKind]:
    """Return the kind of each field that a draft stores, for as many seats as the game allows."""
    game = all_games()[key]
    return {name: field.kind for name, field in fields_of(RoundForm(game, game.seats[1])).items()}


def _value(kind: FieldKind, text: str, players: Sequence[str]) -> bool | str:
    """Parse a field as its form would: a tick into a bool, a seat number into the player's id."""
    if kind == "tick":
        return is_ticked(text)
    if kind == "seat":
        return {str(seat): player for seat, player in enumerate(players)}.get(text, text)
    return text.strip()


def still_down(round: NightRound, form: RoundForm) -> dict[int, FaceDown]:
    """Return the hands that lie face down on this phone, by seat, unless the form has another hand there."""
    empty = {number for number, seat in enumerate(form.seats) if not (seat.hand.data or seat.cards.data)}
    return {number: hand for number, hand in drafted_form(round).face_down.items() if number in empty}
