"""Prefills the form of a session's round: with what is known about the next round, or with a stored round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.contract.naming import renamed
from companion.engine.entry import Question
from companion.engine.game import AnyGame
from companion.store.before_round import BeforeRound
from companion.store.identities import keys_of, names_of, seat_number_of
from companion.store.models import PlaySession
from companion.store.play import LastRound
from companion.store.stacks import rules_in_force

from ..text.money import typed
from .bet_line import line_of
from .entered import BETS_ENTERED, EnteredRound
from .form import NOBODY, RoundForm, as_typed, by_seat, form_class
from .plain import PlainRound


def players_of(session: PlaySession, game: AnyGame) -> list[str]:
    """Return the ids of the players in the next round, in seat order; no more than the game allows."""
    return keys_of(session, "in")[: game.seats[1]]


def new_form(session: PlaySession, game: AnyGame, before: BeforeRound) -> RoundForm:
    """Make the form of the next round, with seats, dealer and house rules filled in."""
    seats = len(players_of(session, game))
    form: RoundForm = form_class(game.key)(formdata=None, data={"players": [{}] * seats})
    _prefill(form, session, game, before)
    return form


def new_round(session: PlaySession, game: AnyGame, before: BeforeRound) -> PlainRound:
    """Make the next round without a form, filled in like the form."""
    plain = PlainRound(game.key, len(players_of(session, game)))
    _prefill(plain, session, game, before)
    return plain


def _prefill(entered: EnteredRound, session: PlaySession, game: AnyGame, before: BeforeRound) -> None:
    ids, names = players_of(session, game), names_of(session)
    for player, seat in zip(ids, entered.seats, strict=True):
        seat.name.data = names[player]
    entered.dealer.data = str(ids.index(before.dealer) if before.dealer in ids else len(ids) - 1)
    for key, value in as_typed(rules_in_force(session, game.key)).items():
        if key in entered.rules.form:
            entered.rules.form[key].data = value
    entered.betting.data = BETS_ENTERED if enters_bets(before.last, game) else ""
    entered.set_money(session.stake_units, before.pot)
    entered.in_front = before.in_front


def way_of(last: LastRound | None, game: AnyGame) -> str:
    """Return the question that replaced hands in the last round; "" if cards were entered, or in another game."""
    if last is None or last.game != game.key:
        return ""
    return word_in(last.document["round"], game)


def word_in(entry: Mapping[str, Any], game: AnyGame) -> str:
    """Return the question that replaces hands in a stored round; "" if it has hands."""
    if any(entry.get("hands", {}).values()):
        return ""
    return next((q.key for q in game.questions if q.replaces_hands and entry.get(q.key)), "")


def enters_bets(last: LastRound | None, game: AnyGame) -> bool:
    """Return whether bets are entered one by one: the default, unless the last round of this game had totals."""
    if last is None or last.game != game.key:
        return bool(game.betting_rounds)
    return any(last.document["round"].get(question.key) for question in game.betting_rounds)


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
