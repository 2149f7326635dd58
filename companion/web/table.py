"""Entering and correcting a session's rounds, with the form of a round; what is saved was shown before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.contract.naming import renamed
from companion.engine.entry import questions_of
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games
from companion.store import play
from companion.store.models import PlaySession
from companion.store.play import Conflict, Refused, Sent
from companion.store.replay import Entry, is_round

from .access import ActForm, device_name, new_key
from .forms import NOBODY, RoundForm, by_seat, form_class
from .round_page import posted, round_page
from .rounds import Answer, clear_hand, document, settle_form
from .sessions import account_names, line_or_404, names_of, opened

blueprint = Blueprint("table", __name__, url_prefix="/s/<public_id>")


@blueprint.route("/round", methods=["GET", "POST"])
def new(public_id: str) -> str | Response:
    """Enter the next round: seats, dealer, pot and house rules are known."""
    session = opened(public_id)
    game = _game_or_404(request.values.get("game") or session.game)
    number = play.next_number(session)
    table = _table(session, url_for("table.new", public_id=public_id, game=game.key), number)
    if request.method == "GET":
        return round_page(game, _new_form(session, game), None, table)
    return _entered(session, game, table, None)


@blueprint.route("/lines/<int:number>/correct", methods=["GET", "POST"])
def correct(public_id: str, number: int) -> str | Response:
    """Correct a round that was saved; what it changes in later rounds is shown before it is."""
    session = opened(public_id)
    line = line_or_404(session, number)
    if line.current is None or not is_round(line.current.document):
        abort(404)
    game = all_games()[line.current.document["game"]]
    table = _table(session, url_for("table.correct", public_id=public_id, number=number), number)
    table["seen"] = request.form.get("seen", str(line.current.number))
    table["pot"] = line.current.document["pot"]
    if request.method == "GET":
        return round_page(game, _filled_form(session, game, line.current.document), None, table)
    return _entered(session, game, table, number)


@blueprint.get("/lines/<int:number>/void")
def void(public_id: str, number: int) -> str:
    """Show what voiding a line changes, and ask."""
    session = opened(public_id)
    line = line_or_404(session, number)
    assert line.current is not None
    table = _table(session, "", number)
    try:
        table["effects"] = _effects(session, Entry(number, line.current.document, voided=True))
    except Refused as refused:
        table["problem"] = refused.message
    return render_template("void.html", session=session, line=line, table=table, act=ActForm(formdata=None))


def _game_or_404(key: str) -> AnyGame:
    game = all_games().get(key)
    if game is None:
        abort(404)
    return game


def _table(session: PlaySession, action: str, number: int) -> dict[str, Any]:
    """What the page of a round needs to know of its session."""
    return {
        "session": session,
        "action": action,
        "number": request.form.get("number", str(number)),
        "key": request.form.get("key") or new_key(),
        "pot": play.balances(session).get("pot", 0),
        "games": all_games(),
        "seen": None,
        "problem": None,
        "effects": None,
    }


def _new_form(session: PlaySession, game: AnyGame) -> RoundForm:
    present = [seat for seat in session.seats if seat.state == "in"][: game.seats[1]]
    ids = [str(seat.player_id) for seat in present]
    dealer = play.next_dealer(session)
    data = {
        "players": [{"name": seat.player.name} for seat in present],
        "dealer": str(ids.index(dealer) if dealer in ids else len(ids) - 1),
        "rules": _as_typed(session.rules.get(game.key, {})),
    }
    form: RoundForm = form_class(game.key)(formdata=None, data=data)
    return form


def _filled_form(session: PlaySession, game: AnyGame, stored: Mapping[str, Any]) -> RoundForm:
    """Put a stored round back into its form."""
    written = renamed(stored, names_of(session))
    players, entry = written["players"], written["round"]
    questions = questions_of(game.entry)
    seats = []
    for player in players:
        seat: dict[str, Any] = {"name": player, "hand": _line_of(entry.get("hands", {}).get(player, ""))}
        for question in by_seat(questions):
            given = entry.get(question.key, ())
            seat[question.key] = player in given if question.kind == "players" else str(dict(given).get(player, ""))
        seats.append(seat)
    asked = {}
    for question in questions:
        if question.kind == "player":
            named = entry.get(question.key)
            asked[question.key] = str(players.index(named)) if named else NOBODY
        elif question.kind == "flag":
            asked[question.key] = entry.get(question.key, False)
    dealer = str(players.index(written["dealer"]))
    data = {"players": seats, "dealer": dealer, "rules": _as_typed(written["rules"]), "asked": asked}
    form: RoundForm = form_class(game.key)(formdata=None, data=data)
    return form


def _as_typed(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Write numbers as the fields hold them."""
    return {key: str(value) if type(value) is int else value for key, value in rules.items()}


def _line_of(hand: str | list[str]) -> str:
    return hand if isinstance(hand, str) else " ".join(hand)


def _entered(session: PlaySession, game: AnyGame, table: dict[str, Any], correcting: int | None) -> str | Response:
    form: RoundForm = form_class(game.key)(formdata=posted())
    form.stake.data, form.pot.data = str(session.stake_units), str(table["pot"])
    if not form.validate():
        return round_page(game, form, None, table)
    action, _, seat = request.form.get("do", "settle").partition("-")
    if action in ("rules", "clear"):
        if action == "clear" and seat.isdecimal() and len(seat) < 3 and int(seat) < len(form.seats):
            clear_hand(form.seats[int(seat)])
        return round_page(game, form, None, table)
    ids = {name: key for key, name in names_of(session).items()}
    names = [player.name.data or "" for player in form.seats]
    answer = settle_form(form, game)
    if not set(names) <= set(ids):
        table["problem"] = Message("A player was renamed meanwhile; open the round again")
        return round_page(game, form, None, table)
    if answer.settlement is None:
        return round_page(game, form, answer, table)
    entry = document(form, game, names)
    entry.setdefault("dealer", names[-1])
    del entry["pot"]  # the log knows it
    return _previewed_or_saved(session, game, form, answer, table, renamed(entry, ids), correcting)


def _previewed_or_saved(
    session: PlaySession,
    game: AnyGame,
    form: RoundForm,
    answer: Answer,
    table: dict[str, Any],
    entry: dict[str, Any],
    correcting: int | None,
) -> str | Response:
    try:
        if request.form.get("do") == "save":
            number = _save(session, table, entry, correcting)
            where = url_for("sessions.line", public_id=session.public_id, number=number, saved="yes")
            return redirect(where, 303)
        if correcting is not None:
            table["effects"] = _effects(session, Entry(correcting, entry))
    except Refused as refused:
        session = opened(session.public_id)
        table.update(problem=refused.message, problem_line=refused.line, session=session)
        if isinstance(refused, Conflict):
            # saving again is a decision of its own, made with the other version in sight
            latest = play.find_line(session, correcting) if correcting else None
            table["key"] = new_key()
            table["number"] = str(play.next_number(session))
            table["seen"] = str(latest.current.number) if latest and latest.current else None
    return round_page(game, form, answer, table)


def _save(session: PlaySession, table: Mapping[str, Any], entry: dict[str, Any], correcting: int | None) -> int:
    sent = Sent(str(table["key"])[:64], device_name())
    if correcting is not None:
        play.correct(session.public_id, correcting, entry, _whole(table["seen"]), sent)
        return correcting
    number = _whole(table["number"])
    play.save_round(session.public_id, number, entry, sent)
    return number


def _whole(text: object) -> int:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > 8:
        raise Refused(Message("This form is broken; open it again"))
    return int(text)


def _effects(session: PlaySession, changed: Entry) -> dict[str, Any]:
    """Tell what a correction changes: each account's balance before and after, and the later lines that follow."""
    before = play.balances(session)
    after = dict(before)
    outcomes = play.changed_by(session, changed)
    for outcome in outcomes:
        line = play.find_line(session, outcome.entry.number)
        assert line is not None and line.current is not None
        for transfer in line.current.transfers:
            after[transfer.giver.key] += transfer.amount
            after[transfer.taker.key] -= transfer.amount
        for move in outcome.moves:
            after[move.giver] = after.get(move.giver, 0) - move.amount
            after[move.taker] = after.get(move.taker, 0) + move.amount
    names = account_names(session)
    return {
        "balances": [(names[key], before.get(key, 0), value) for key, value in after.items()],
        "lines": [(o.entry.number, o.pot_before) for o in outcomes if o.entry.number != changed.number],
    }
