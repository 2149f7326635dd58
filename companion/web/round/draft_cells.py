"""Maps the fields of a session's round form to the cells of its draft, and decides who may see a cell.

A cell has its field's name, but with the player's id instead of the seat number, because seats may change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wtforms import BooleanField, Field, RadioField

from companion.engine.pieces import PieceSet
from companion.games import all_games
from companion.store.drafts import values_of
from companion.store.identities import seat_number_of
from companion.store.models import Draft

from .document import hand_text
from .entered import EnteredRound
from .form import RoundForm, by_seat

GAME = "game"


def fields_of(form: EnteredRound) -> dict[str, Field]:
    """Return the fields that a draft stores, by name."""
    seats = [seat[key] for seat in form.seats for key in ("hand", *(q.key for q in by_seat(form.game.questions)))]
    fields = [form.dealer, form.betting, form.bets, *form.asked.form, *form.everyone.form, *form.rules.form, *seats]
    return {field.name: field for field in fields}


def cell_name(field: str, players: Sequence[str]) -> str:
    """Replace the seat number in a field's name by the player's id: players-0-hand → players-17-hand."""
    part, _, rest = field.partition("-")
    seat, _, key = rest.partition("-")
    return f"players-{players[int(seat)]}-{key}" if part == "players" else field


def own_cells(form: RoundForm, players: Sequence[str], player: str) -> dict[str, Any]:
    """Return what a form has in a player's block, as cells."""
    seat = form.seats[players.index(player)]
    cells: dict[str, Any] = {hand_cell(player): hand_text(seat, form.pieces)}
    for question in by_seat(form.game.questions):
        field = seat[question.key]
        cells[f"players-{player}-{question.key}"] = field.data if isinstance(field, BooleanField) else field.data or ""
    return cells


def is_own(cell: str, player: str | None) -> bool:
    """Return whether a cell is in this player's block."""
    return player is not None and cell.startswith(f"players-{player}-")


def hand_cell(player: str) -> str:
    """Return the cell with a player's hand."""
    return f"players-{player}-hand"


def is_hand(cell: str) -> bool:
    """Return whether a cell is a hand, which is face down on other phones."""
    return cell.startswith("players-") and cell.endswith("-hand")


def fill(form: EnteredRound, players: Sequence[str], cells: Mapping[str, Any]) -> None:
    """Put cells into the form, replacing its values."""
    for name, field in fields_of(form).items():
        cell = cell_name(name, players)
        if cell not in cells:
            continue
        value = cells[cell]
        if field.type != RadioField.__name__:
            field.data = value
        # in the form, an answer that names a player is a seat number; somebody who left the table has none
        elif value in players:
            field.data = seat_number_of(value, players)
        elif not str(value).isdigit():
            field.data = value
    pieces = form.pieces
    for seat in form.seats:
        if _is_of_another_game(seat.hand.data or "", pieces):
            seat.hand.data = ""


def _is_of_another_game(hand: str, pieces: PieceSet[Any]) -> bool:
    """Return whether a hand was left over from another game: all its pieces fit that game's set, and none fits this
    one.
    """
    tokens = pieces.tokens(hand)
    if not tokens or any(pieces.find(token) is not None for token in tokens):
        return False
    others = (other.pieces(other.options()) for other in all_games().values())
    return any(all(other.find(token) is not None for token in other.tokens(hand)) for other in others)


def seen(draft: Draft | None, device: str | None) -> dict[str, Any]:
    """Return the cells a device may see: before hands are revealed, only the hands it entered itself.

    Having taken the player's seat isn't enough: somebody could take a seat just to look.
    """
    if draft is None or draft.shown:
        return values_of(draft)
    return {cell: value for cell, (value, by) in draft.cells.items() if not is_hand(cell) or not value or by == device}


def hidden_hands(
    draft: Draft | None, players: Sequence[str], device: str | None, pieces: PieceSet[Any]
) -> dict[int, str]:
    """Return the hands that are face down on a device, by seat, except those left over from another game."""
    entered, visible = values_of(draft), seen(draft, device)
    hands = {seat: hand_cell(player) for seat, player in enumerate(players)}
    return {
        seat: entered[cell]
        for seat, cell in hands.items()
        if entered.get(cell) and cell not in visible and not _is_of_another_game(entered[cell], pieces)
    }
