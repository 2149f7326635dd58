"""Prefills the form of a session's round: with what is known about the next round, or with a stored round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.contract.naming import renamed
from companion.engine.entry import Question
from companion.engine.game import AnyGame
from companion.store.identities import names_of, seat_number_of
from companion.store.models import PlaySession

from ..text.money import typed
from .bet_line import line_of
from .entered import BETS_ENTERED, EnteredRound
from .form import NOBODY, RoundForm, as_typed, by_seat, form_class
from .next_round import NextRound
from .plain import PlainRound


def new_form(round: NextRound) -> RoundForm:
    """Make the form of the next round, with seats, dealer and house rules filled in."""
    seats = len(round.players)
    form: RoundForm = form_class(round.game.key)(formdata=None, data={"players": [{}] * seats})
    _prefill(form, round)
    return form


def new_round(round: NextRound) -> PlainRound:
    """Make the next round without a form, filled in like the form."""
    plain = PlainRound(round.game.key, len(round.players))
    _prefill(plain, round)
    return plain


def _prefill(entered: EnteredRound, round: NextRound) -> None:
    before, players = round.before, round.players
    for player, seat in zip(players, entered.seats, strict=True):
        seat.name.data = round.names[player]
    entered.dealer.data = str(players.index(before.dealer) if before.dealer in players else len(players) - 1)
    for key, value in round.rules.items():
        if key in entered.rules.form:
            entered.rules.form[key].data = value
    entered.betting.data = BETS_ENTERED if round.enters_bets else ""
    entered.set_money(round.session.stake_units, before.pot)
    entered.in_front = before.in_front


def filled_form(session: PlaySession, game: AnyGame, stored: Mapping[str, Any]) -> RoundForm:
    """Put a stored round back into its form."""
    written = renamed(stored, names_of(session))
    players, entry = written["players"], written["round"]
    questions = game.questions
    seats = []
    for player in players:
        seat: dict[str, Any] = {"name": player, "hand": _line_of(entry.get("hands", {}).get(player, ""))}
        for question in by_seat(questions):
            given = entry.get(question.key, ())
            seat[question.key] = _typed_answer(question, given, player)
        seats.append(seat)
    asked = {}
    for question in questions:
        if question.kind == "player":
            named = entry.get(question.key)
            asked[question.key] = seat_number_of(named, players) if named else NOBODY
        elif question.kind == "flag":
            asked[question.key] = entry.get(question.key, False)
    dealer = seat_number_of(written["dealer"], players)
    line = line_of(entry, game, players)
    data = {
        "players": seats,
        "dealer": dealer,
        "rules": as_typed(written["rules"]),
        "asked": asked,
        "bets": line,
        "betting": BETS_ENTERED if line else "",
    }
    form: RoundForm = form_class(game.key)(formdata=None, data=data)
    form.set_money(written.get("stake", 1), written["pot"])
    return form


def _typed_answer(question: Question, given: Any, player: str) -> object:
    """Return a player's part of an answer as the form holds it."""
    if question.kind in ("players", "winners"):
        return player in (given or ())
    number = dict(given).get(player)
    if number is None:
        return ""
    return typed(number) if question.kind == "amounts" else str(number)


def _line_of(hand: str | list[str]) -> str:
    return hand if isinstance(hand, str) else " ".join(hand)
