"""Maps the fields of a session's round form to the cells of its draft, and decides who may see a cell.

A cell has its field's name, but with the player's id instead of the seat number, because seats may change.

What a phone sends while a round is entered is read directly as cells, without building the form. A tap sends the
touched fields by name, unticked boxes in `touched`, and the player ids of the page's seats in `seats`, separated by
dots. Older pages send the whole form instead, with a `seat` for each seat, and name the touched fields in `touched`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.engine.pieces import PieceSet
from companion.engine.variants import variants
from companion.games import all_games
from companion.store.identities import player_in_seat, seat_number_of

from ..access.devices import known_device
from .document import hand_text, unshown_seats
from .form import FieldKind, RoundField, RoundForm, is_ticked, new_form
from .next_round import NextRound

_MAX_TOUCHED = 200


def fields_of(form: RoundForm) -> dict[str, RoundField]:
    """Return the fields that a draft stores, by name."""
    seats = [field for seat in form.seats for field in (seat.hand, *seat.answers.values())]
    parts = [field for part in (form.asked, form.everyone, form.rules) for field in part.values()]
    return {field.name: field for field in (form.dealer, form.betting, form.bets, *parts, *seats)}


def cell_name(field: str, players: Sequence[str]) -> str:
    """Replace the seat number in a field's name by the player's id: players-0-hand → players-17-hand."""
    part, _, rest = field.partition("-")
    seat, _, key = rest.partition("-")
    return f"players-{players[int(seat)]}-{key}" if part == "players" else field


def own_cells(form: RoundForm, seats: list[str], round: NextRound) -> dict[str, Any]:
    """Return what a form has in the block of the player whose phone this is, as cells; none if the seats changed.

    `seats` are the player ids by seat, as on the form's page.
    """
    player, number = round.me, round.my_seat
    if player is None or number is None or seats != round.players or len(form.seats) != len(seats):
        return {}
    seat = form.seats[number]
    cells: dict[str, Any] = {hand_cell(player): hand_text(seat, form.pieces)}
    return cells | {f"players-{player}-{key}": field.data for key, field in seat.answers.items()}


def is_own(cell: str, player: str | None) -> bool:
    """Return whether a cell is in this player's block."""
    return player is not None and cell.startswith(f"players-{player}-")


def hand_cell(player: str) -> str:
    """Return the cell with a player's hand."""
    return f"players-{player}-hand"


def drafted_form(round: NextRound) -> RoundForm:
    """Make the form of the next round, with what the phones have entered.

    Left out are hands from another game, and those of players who show none. If such a player is in the round again,
    for example because a fold was undone, the hand is there again, too.
    """
    form, players, cells = new_form(round), round.players, round.cells
    for name, field in fields_of(form).items():
        cell = cell_name(name, players)
        if cell not in cells or field is form.dealer:  # `round.dealer` has read that cell
            continue
        value = cells[cell]
        if field.kind != "seat":
            field.data = value
        # in the form, an answer that names a player is a seat number; somebody who left the table has none
        elif value in players:
            field.data = seat_number_of(value, players)
        elif not str(value).isdigit():
            field.data = value
    pieces = form.pieces
    for seat in form.seats:
        if is_of_another_game(seat.hand.data, pieces):
            seat.hand.data = ""
    for number in unshown_seats(form):
        form.seats[number].hand.data = ""
    return form


def is_of_another_game(hand: str, pieces: PieceSet[Any]) -> bool:
    """Return whether a hand was left over from another game: all pieces fit one of its sets, and none fits this one.

    A game has several sets if a house rule chooses one, such as Dompe's Spanish deck.
    """
    tokens = pieces.tokens(hand)
    if not tokens or any(pieces.find(token) is not None for token in tokens):
        return False
    return any(all(other.find(token) is not None for token in other.tokens(hand)) for other in _all_sets())


@cache
def _all_sets() -> tuple[PieceSet[Any], ...]:
    """Return each set of cards or tiles that a game may be played with."""
    sets = (game.pieces(options) for game in all_games().values() for _, options in variants(game))
    return tuple({id(one): one for one in sets}.values())


def face_down(round: NextRound) -> dict[int, str]:
    """Return every hand in the draft that this phone must not see, by seat number: until the hands are revealed, those
    that another phone entered. This includes hands that `drafted_form` leaves out.

    Having taken the player's seat isn't enough to see a hand: somebody could take a seat just to look.
    """
    draft, device = round.draft, known_device()
    if draft is None or draft.shown:
        return {}
    hands = ((seat, draft.cells.get(hand_cell(player))) for seat, player in enumerate(round.players))
    return {seat: hand[0] for seat, hand in hands if hand and hand[0] and hand[1] != device}


def seats_of(posted: MultiDict[str, str]) -> list[str]:
    """Return the player ids by seat, as on the page that was typed into."""
    return posted["seats"].split(".") if "seats" in posted else posted.getlist("seat")


def typed_cells(posted: MultiDict[str, str], round: NextRound) -> dict[str, Any]:
    """Return the touched cells, ignoring names that aren't fields of the round's form."""
    kinds, named, players = _kinds(round.game.key), posted.getlist("touched"), round.players
    touched = dict.fromkeys((*posted, *named) if "seats" in posted else named)
    cells = {}
    for name in islice(touched, _MAX_TOUCHED):
        kind, seat = kinds.get(name), name.split("-")[1] if name.startswith("players-") else "0"
        if kind is None or int(seat) >= len(players) or not (name in posted or kind == "tick"):
            continue
        cells[cell_name(name, players)] = _value(kind, posted.get(name, ""), players)
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
        return player_in_seat(text, players) or ""
    return text.strip()
