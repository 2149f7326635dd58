"""Entering and correcting a session's rounds, with the form of a round; what is saved was shown before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, jsonify, make_response, redirect, render_template, request, url_for
from flask import Response as JsonResponse
from werkzeug.wrappers import Response

from companion.contract.naming import renamed
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games
from companion.store import drafts as store
from companion.store import ledger, play
from companion.store.models import Line, PlaySession, Revision
from companion.store.refusals import Conflict, Refused, Sent
from companion.store.replay import Entry, is_round

from ..access.actions import stale_json
from ..access.devices import ActForm, device_id, device_name, known_device, may, my_player, new_key
from ..access.lookup import account_names, line_or_404, names_of, opened
from ..http.csrf import redraws
from ..http.parsing import posted
from ..lines.differences import differences, parts
from ..round import bet_line, draft_cells
from ..round.document import Answer, clear_hand, hand_text, settle_form
from ..round.form import RoundForm, chosen_options, form_class, seat_number
from ..round.live import live
from ..round.page import round_page
from ..round.prefill import filled_form, players_of, way_of, word_in
from ..round.shared import next_game, shared_round
from ..round.showdown import late_changes, late_sentences, turn_up_if_all_in
from ..text.rarities import rarities

blueprint = Blueprint("session_round", __name__, url_prefix="/s/<public_id>")
_MOST_LINES = 10**8


@blueprint.route("/round", methods=["GET", "POST"])
@redraws
def new(public_id: str) -> str | Response:
    """Enter the next round: seats, dealer, pot and house rules are known, and what other phones typed."""
    session = opened(public_id, "play")
    if not may("keep") and my_player(session) is None:
        return redirect(url_for("phones.me", public_id=public_id), 303)
    game = next_game(session)
    table = _table(session, url_for("session_round.new", public_id=public_id, game=game.key))
    draft = store.draft_of(session)
    table["draft"] = url_for("phones.draft", public_id=public_id)
    if draft is not None and not request.form.get("key"):
        table["key"] = draft.key
    table["way"] = way_of(session, game)
    if request.method == "GET":
        return _draft_page(session, game, table)
    return _entered(session, game, table, None)


@blueprint.route("/lines/<int:number>/correct", methods=["GET", "POST"])
@redraws
def correct(public_id: str, number: int) -> str | Response:
    """Correct a round that was saved; what it changes in later rounds is shown before it is."""
    session = opened(public_id)
    stored, game = _stored_round(session, number)
    table = _table(session, url_for("session_round.correct", public_id=public_id, number=number), number)
    table["seen"] = request.form.get("seen", str(stored.number))
    table["pot"] = stored.document["pot"]
    table["way"] = word_in(stored.document["round"], game)
    if request.method == "GET":
        return round_page(game, filled_form(session, game, stored.document), None, table)
    return _entered(session, game, table, number)


@blueprint.post("/lines/<int:number>/live")
@redraws
def live_correction(public_id: str, number: int) -> JsonResponse | tuple[JsonResponse, int]:
    """Tell what the form of a correction comes to while it is filled in."""
    session = opened(public_id)
    stored, game = _stored_round(session, number)
    form = _posted_form(session, game, stored.document["pot"])
    if not form.validate():
        return stale_json()
    return jsonify({"live": live(form, game)})


def _stored_round(session: PlaySession, number: int) -> tuple[Revision, AnyGame]:
    """Find what a line says now and the game that it is a round of; 404 where it is none."""
    current = line_or_404(session, number).current
    if current is None or not is_round(current.document):
        abort(404)
    return current, all_games()[current.document["game"]]


def _posted_form(session: PlaySession, game: AnyGame, pot: int) -> RoundForm:
    """Read the form of a round of this session; 400 where it has too few seats to be one of this game."""
    form: RoundForm = form_class(game.key)(formdata=posted())
    if len(form.seats) < game.seats[0]:
        abort(400)
    form.count_in(session.stake_units, pot)
    return form


@blueprint.get("/lines/<int:number>/void")
def void(public_id: str, number: int) -> str:
    """Show what voiding a line changes, and ask."""
    session = opened(public_id)
    line = line_or_404(session, number)
    assert line.current is not None
    return _asked(session, line, Entry(number, line.current.document, voided=True), "void")


@blueprint.get("/lines/<int:number>/undo")
def undo(public_id: str, number: int) -> str:
    """Show what undoing the last change of a line changes, and ask."""
    session = opened(public_id)
    line = line_or_404(session, number)
    return _asked(session, line, play.said_before(line), "back")


def _asked(session: PlaySession, line: Line, entry: Entry, do: str) -> str:
    assert line.current is not None
    table, names = _table(session, "", line.number), account_names(session)
    table["other"] = differences(parts(line.current.document, names), parts(entry.document, names))
    try:
        table["effects"] = _effects(session, entry)
    except Refused as refused:
        table["problem"] = refused.message
    act = ActForm(formdata=None)
    return render_template("void.html", session=session, line=line, entry=entry, do=do, table=table, act=act)


def _table(session: PlaySession, action: str, number: int | None = None) -> dict[str, Any]:
    """What the page of a round needs to know of its session; without a number it is the next one."""
    return {
        "session": session,
        "action": action,
        "number": str(number) if number else request.form.get("number") or str(play.next_number(session)),
        "key": request.form.get("key") or new_key(),
        "pot": ledger.balances(session).get("pot", 0),
        "games": all_games(),
        "way": "",
        "me": None,
        "draft": None,
        "down": {},
        "written_over": [],
        "late": late_sentences(session, store.draft_of(session)) if number is None else [],
        "saved_as": None,
        "seen": None,
        "problem": None,
        "other": None,
        "effects": None,
    }


def _draft_page(session: PlaySession, game: AnyGame, table: dict[str, Any]) -> str:
    """Draw the form with what this device may see of the draft."""
    shared = shared_round(session, game)
    table["down"] = shared.down
    if not may("keep"):
        me = my_player(session)
        table["me"] = shared.players.index(me) if me in shared.players else -1
    return round_page(game, shared.form, None, table)


def _entered(session: PlaySession, game: AnyGame, table: dict[str, Any], correcting: int | None) -> str | Response:
    form = _posted_form(session, game, table["pot"])
    if not form.validate():
        return round_page(game, form, None, table)
    if not may("keep"):
        return _hand_entered(session, game, form, table)
    action, _, given = request.form.get("do", "settle").partition("-")
    if action in ("act", "rules", "clear"):
        seat = seat_number(given, form)
        if action == "act":
            bet_line.change(form, given)
        elif action == "clear" and seat is not None:
            clear_hand(form.seats[seat])
        return round_page(game, form, None, table)
    ids = play.ids_by_name(session)
    names = [player.name.data or "" for player in form.seats]
    table["written_over"] = _written_over(session, game, form) if correcting is None else []
    answer = settle_form(form, game) if correcting is not None else _settle_with_draft(session, game, form, table)
    if table["problem"] is not None:
        return round_page(game, form, None, table)
    if not set(names) <= set(ids):
        table["problem"] = Message("A player was renamed meanwhile; open the round again")
        return round_page(game, form, None, table)
    if answer.settlement is None:
        return round_page(game, form, answer, table)
    entry = {"dealer": names[-1], **answer.document}
    del entry["pot"]  # the log knows it
    return _previewed_or_saved(session, game, form, answer, table, renamed(entry, ids), correcting)


def _hand_entered(session: PlaySession, game: AnyGame, form: RoundForm, table: dict[str, Any]) -> str | Response:
    """Put a player's own hand, sent without the page's script, into the draft."""
    players, me = players_of(session, game), my_player(session)
    fields = [
        name
        for name in draft_cells.fields_of(form, game)
        if draft_cells.is_own(draft_cells.cell_name(name, players), me)
    ]
    cells = draft_cells.cells_of(form, game, players, fields) if len(form.seats) == len(players) else {}
    try:
        number, late = _whole(table["number"]), late_changes(me)
        store.enter(session.public_id, str(table["key"])[:64], number, cells, device_id(), late=late)
        turn_up_if_all_in(session)
    except Refused as refused:
        table.update(problem=refused.message, problem_line=refused.line)
        return _draft_page(session, game, table)
    return redirect(table["action"], 303)


def _written_over(session: PlaySession, game: AnyGame, form: RoundForm) -> list[str]:
    """Name the players who entered a hand on another phone, face down on this one, where one is typed as well."""
    if store.draft_of(session) is None:
        return []
    shared, names = shared_round(session, game), names_of(session)
    down = {names[shared.players[seat]] for seat in shared.down}
    return [s.name.data for s in form.seats if s.name.data in down and ((s.hand.data or "").strip() or s.cards.data)]


def _settle_with_draft(session: PlaySession, game: AnyGame, form: RoundForm, table: dict[str, Any]) -> Answer:
    """Settle the form with the hands that other phones entered.

    When all are in, the hands are turned up on every phone before one of them is in the answer; until then the answer
    says nothing that depends on a hand that lies face down here.
    """
    hidden = _take_from_draft(session, game, form)
    draft = store.draft_of(session)
    if hidden and not live(form, game)["all_in"]:
        return _settle_without(hidden, form, game)
    is_looked_at = request.form.get("do", "settle") != "save"
    if draft is not None and (hidden or (draft.shown and is_looked_at)):
        try:
            _lay_open(session, game, form, table, hidden)
        except Refused as refused:
            table.update(problem=refused.message, problem_line=refused.line)
            return _settle_without(hidden, form, game)
    return settle_form(form, game)


def _settle_without(hidden: Sequence[Any], form: RoundForm, game: AnyGame) -> Answer:
    """Tell what is wrong with the form as far as it can be seen here; that hidden hands are missing is not wrong."""
    for seat in hidden:
        clear_hand(seat)
    answer = settle_form(form, game)
    for seat in hidden:
        seat.hand.errors = []
    fields = [seat.hand for seat in hidden]
    return replace(answer, settlement=None, problems=tuple(p for p in answer.problems if p[1] not in fields))


def _lay_open(
    session: PlaySession, game: AnyGame, form: RoundForm, table: dict[str, Any], hidden: Sequence[Any]
) -> None:
    """Turn all hands up, with those in the draft that were entered here, so that a change of them is told."""
    players, number, key = players_of(session, game), _whole(table["number"]), str(table["key"])[:64]
    shown_here = [(player, seat) for player, seat in zip(players, form.seats, strict=False) if seat not in hidden]
    pieces = game.pieces(chosen_options(form, game))
    hands = {f"players-{player}-hand": hand_text(seat, pieces) for player, seat in shown_here}
    cells = {cell: hand for cell, hand in hands.items() if hand}
    late = late_changes(my_player(session))
    entered = store.enter(session.public_id, key, number, cells, device_id(), shown=True, late=late)
    table["late"] = late_sentences(entered, store.draft_of(entered))


def _take_from_draft(session: PlaySession, game: AnyGame, form: RoundForm) -> list[Any]:
    """Fill the seats without a hand from the draft; gives those seats whose hand lies face down on this phone."""
    draft = store.draft_of(session)
    if draft is None:
        return []
    players, names = players_of(session, game), names_of(session)
    if [seat.name.data for seat in form.seats] != [names[player] for player in players]:
        return []
    entered, seen, hidden = draft_cells.values(draft), draft_cells.seen(draft, known_device()), []
    for player, seat in zip(players, form.seats, strict=True):
        cell = f"players-{player}-hand"
        if entered.get(cell) and not (seat.hand.data or "").strip() and not seat.cards.data:
            seat.hand.data = entered[cell]
            if cell not in seen:
                hidden.append(seat)
    return hidden


def _previewed_or_saved(
    session: PlaySession,
    game: AnyGame,
    form: RoundForm,
    answer: Answer,
    table: dict[str, Any],
    entry: dict[str, Any],
    correcting: int | None,
) -> str | Response:
    public_id = session.public_id
    try:
        if request.form.get("do") == "save":
            # counts the hands of this deck where that was never done: half a second for which no other phone waits
            rarities(game, chosen_options(form, game), answer.settlement)
            number = _save(session, table, entry, correcting)
            return redirect(url_for("session.line", public_id=public_id, number=number, saved="yes"), 303)
        if correcting is not None:
            table["effects"] = _effects(session, Entry(correcting, entry))
    except Refused as refused:
        session = opened(public_id)
        table.update(problem=refused.message, problem_line=refused.line, session=session)
        if isinstance(refused, Conflict):
            table["saved_as"] = refused.line if refused.is_sent_before else None
            _lay_beside(session, table, entry, refused.line, correcting)
            return make_response(round_page(game, form, answer, table), 409)
    return round_page(game, form, answer, table)


def _lay_beside(
    session: PlaySession, table: dict[str, Any], mine: dict[str, Any], line: int | None, correcting: int | None
) -> None:
    """Show what the other phone saved beside this entry; saving again is a decision of its own, with a new key."""
    latest = play.find_line(session, line) if line else None
    if latest is not None and latest.current is not None:
        names = account_names(session)
        table["other"] = differences(parts(latest.current.document, names), parts(mine, names))
    table["key"] = new_key()
    table["number"] = str(correcting or play.next_number(session))
    corrected = play.find_line(session, correcting) if correcting else None
    table["seen"] = str(corrected.current.number) if corrected and corrected.current else None


def _save(session: PlaySession, table: Mapping[str, Any], entry: dict[str, Any], correcting: int | None) -> int:
    sent = Sent(str(table["key"])[:64], device_name())
    if correcting is not None:
        play.correct(session.public_id, correcting, entry, _whole(table["seen"]), sent)
        return correcting
    number = _whole(table["number"])
    play.save_round(session.public_id, number, entry, sent)
    return number


def _whole(text: object) -> int:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or int(text[:10]) > _MOST_LINES:
        raise Refused(Message("This form is broken; open it again"))
    return int(text)


def _effects(session: PlaySession, changed: Entry) -> dict[str, Any]:
    """Tell what a correction changes: each account's balance before and after, and the later lines that follow."""
    before = ledger.balances(session)
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
