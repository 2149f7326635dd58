"""A session's pages: standings and rounds, a line with what it says, seats, other movements, closing, all changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.engine.game import AnyGame
from companion.engine.messages import Message, quoted
from companion.engine.options import options_of
from companion.engine.settlement import POT
from companion.games import all_games
from companion.store import ledger, play, settle_up
from companion.store.groups import add_player
from companion.store.models import Line, PlaySession, Revision
from companion.store.refusals import Sent
from companion.store.replay import BANK, is_round

from ..access.actions import refusal
from ..access.devices import ActForm, came_by_link, may, sent
from ..access.lookup import account_names, line_or_404, opened, revision_settled
from ..access.pin import must_know_pin
from ..http.csrf import redraws
from ..http.hosts import public_url
from ..http.parsing import number_asked, posted, whole
from ..http.qr import qr_link
from ..lines.differences import change_parts, differences, parts
from ..lines.seat_order import moved, posted_order
from ..lines.summary import in_short
from ..round.answer import answer_view
from ..round.document import read_rules
from ..round.form import as_typed, form_class
from ..text.money import read_typed
from ..text.money import typed as as_written
from ..text.rarities import rarities

blueprint = Blueprint("session", __name__, url_prefix="/s/<public_id>")
_PAGE = 20
_MOST_CHANGES = 500
_FORMS_OF_OPEN_NIGHTS = ("phones", "seats", "moves")
_LONGEST_LINE, _LONGEST_REMARK, _LONGEST_NOTE = 100, 200, 2_000


@blueprint.get("")
def show(public_id: str) -> str:
    """Show the session: who is ahead, the pot, the rounds."""
    return session_page(opened(public_id, "look"))


def session_page(
    session: PlaySession,
    problem: object = None,
    typed: Mapping[str, str] = MappingProxyType({}),
    place: str = "",
    wrong: Collection[str] = (),
) -> str:
    """Draw the session's page; a problem stands at its head, or in the form that `place` names if that is there.

    `wrong` names the fields of that form which the problem is about.
    """
    before = number_asked("before")
    lines = play.lines_of(session, before, _PAGE + 1)
    balances = ledger.balances(session)
    names = account_names(session)
    return render_template(
        "session.html",
        session=session,
        may=may,
        in_group=came_by_link(),
        join=qr_link("phones.by_code", code=session.join_code) if session.join_code else None,
        join_address=public_url("phones.ask"),
        act=ActForm(formdata=None),
        games=all_games(),
        names=names,
        balances=balances,
        ranked=_ranked(balances),
        lines=[in_short(line, names) for line in lines[:_PAGE]],
        older=lines[_PAGE - 1].number if len(lines) > _PAGE else None,
        absent=[p for p in session.group.players if not p.retired and str(p.id) not in names],
        number=play.next_number(session),
        bank=BANK,
        problem=problem,
        typed=typed,
        wrong=wrong,
        place="" if session.closed_at and place in _FORMS_OF_OPEN_NIGHTS else place,
    )


def _ranked(balances: Mapping[str, int]) -> list[str]:
    """List the accounts but the pot by their key, who is ahead first."""
    return sorted((key for key in balances if key != POT), key=lambda key: -balances[key])


@blueprint.get("/lines/<int:number>")
def line(public_id: str, number: int) -> str:
    """Show one line: a round with its full explanation, its earlier revisions, and what can be done with it."""
    session = opened(public_id, "look")
    return _line_page(session, line_or_404(session, number))


def _line_page(session: PlaySession, line: Line, problem: object = None, typed: str | None = None) -> str:
    """Draw a line's page; a problem stands at its head, or with a remark that was `typed` in the form of that."""
    revision = line.current
    assert revision is not None
    game, options = _game_of(revision.document)
    told = revision_settled(session, revision)
    settlement = told.settlement if told else None
    balances = ledger.balances(session)
    return render_template(
        "line.html",
        session=session,
        act=ActForm(formdata=None),
        names=account_names(session),
        line=line,
        revision=revision,
        game=game,
        settlement=settlement,
        answer=answer_view(told.settlement, told.round, session.group.public_id) if told else None,
        rarities=rarities(game, options, settlement),
        pieces=game.pieces(options) if game else None,
        balances=balances,
        ranked=[*_ranked(balances), *([POT] if balances.get(POT) else [])],
        last=play.next_number(session) - 1,
        saved=request.args.get("saved"),
        may=may,
        history=_history(session, line),
        problem=problem,
        typed=typed,
    )


def _history(session: PlaySession, line: Line) -> list[tuple[Revision, list[tuple[str, str, str]]]]:
    """List the revisions of a line, oldest first, each with what it says differently from the one before."""
    told = [parts(revision.document, account_names(session)) for revision in line.revisions]
    changes = [differences(before, after) for before, after in pairwise(told)]
    return list(zip(line.revisions, [[], *changes], strict=True))


def _game_of(document: Mapping[str, Any]) -> tuple[AnyGame | None, Any]:
    """Give the game and the house rules of a round; None for other movements."""
    if not is_round(document):
        return None, None
    game = all_games()[document["game"]]
    return game, game.options(**document.get("rules", {}))


@blueprint.post("/lines/<int:number>")
@redraws
def change_line(public_id: str, number: int) -> str | Response:
    """Void a line, or take its newest revision back."""
    session = opened(public_id)
    found = line_or_404(session, number)
    assert found.current is not None
    seen = whole(request.form.get("seen"))
    if not isinstance(seen, int):
        abort(400)
    document = found.current.document
    form = ActForm()

    def work() -> int:
        if request.form.get("do") == "void":
            return play.correct(public_id, number, document, seen, sent(form), voided=True)
        return play.take_back(public_id, number, seen, sent(form))

    problem = refusal(form, work)
    if problem is not None:
        session = opened(public_id)
        return _line_page(session, line_or_404(session, number), problem)
    return redirect(url_for("session.line", public_id=public_id, number=number, saved="yes"), 303)


@blueprint.post("/seats")
@redraws
def seats(public_id: str) -> str | Response:
    """Order the seats, let a player sit out, leave, or join."""
    session = opened(public_id)
    action, _, given = request.form.get("do", "").partition("-")
    states = {seat.player_id: seat.state for seat in session.seats}
    order = posted_order(list(states))
    if action in ("up", "down"):
        order = moved(order, given, -1 if action == "up" else 1)
    elif action == "join" and given in {str(player.id) for player in session.group.players}:
        order = [*(player for player in order if str(player) != given), int(given)]
        states[int(given)] = "in"
    elif action == "new":
        return _newcomer(session)
    elif action in ("in", "out", "left") and given in map(str, states):
        states[int(given)] = action
    elif action != "order":
        abort(400)
    form = ActForm()
    problem = refusal(
        form, lambda: play.set_seats(public_id, [(player, states[player]) for player in order], sent(form))
    )
    if problem is not None:
        return session_page(opened(public_id), problem, {"newcomer": request.form.get("newcomer", "")}, "seats")
    return redirect(url_for("session.show", public_id=public_id, _anchor="seats"), 303)


def _newcomer(session: PlaySession) -> str | Response:
    """Add somebody to the group, and to the table."""
    form, name, public_id = ActForm(), request.form.get("newcomer", ""), session.public_id

    def work() -> None:
        seats = [(seat.player_id, seat.state) for seat in session.seats]
        player = add_player(session.group, name)
        play.set_seats(public_id, [*(s for s in seats if s[0] != player.id), (player.id, "in")], sent(form))

    problem = refusal(form, work)
    if problem is not None:
        return session_page(
            opened(public_id), problem, {"newcomer": name}, "seats", () if form.errors else ("newcomer",)
        )
    return redirect(url_for("session.show", public_id=public_id, _anchor="seats"), 303)


@blueprint.route("/rules", methods=["GET", "POST"])
@redraws
def rules(public_id: str) -> str | Response:
    """Set the house rules of a game for the rounds to come; the game is the next round's."""
    session = opened(public_id)
    game = all_games().get(request.values.get("game", session.game))
    if game is None:
        abort(404)
    chosen = as_typed(session.rules.get(game.key, {}))
    form = form_class(game.key)(formdata=posted() if request.method == "POST" else None, data={"rules": chosen})
    act, problem = ActForm(), None
    if request.method == "POST":
        read = read_rules(form, game)
        if read is not None:
            problem = refusal(act, lambda: play.set_rules(public_id, game.key, read, sent(act)))
        if read is not None and problem is None:
            return redirect(url_for("session.show", public_id=public_id), 303)
    return render_template(
        "rules_of_session.html",
        session=session,
        game=game,
        games=all_games(),
        form=form,
        options=options_of(game.options),
        act=act,
        problem=problem,
    )


@blueprint.post("/move")
@redraws
def move(public_id: str) -> str | Response:
    """Book a buy-in, a side bet or a loan: what one account owes another when the night is settled.

    A loan is owed by who borrowed, a side bet by who lost it, a buy-in that was paid by the bank.
    """
    session = opened(public_id)
    form = ActForm()
    typed = {key: request.form.get(key, "") for key in ("movement", "from", "to", "amount", "note")}
    amount = read_typed(typed["amount"])
    accounts = account_names(session)
    wrong: tuple[str, ...] = ()
    if typed["from"] not in accounts or typed["to"] not in accounts or typed["from"] == typed["to"]:
        problem: object = Message("Say who owes it and to whom; it cannot be the same one")
        wrong = ("from", "to")
    elif not amount:
        given, example = quoted(typed["amount"]), as_written(100)
        problem = Message("“{text}” is no amount; write it like {example}", text=given, example=example)
        wrong = ("amount",)
    elif typed["movement"] not in ("buy-in", "side-bet", "loan"):
        problem = Message("Say what it is: a buy-in, a side bet or a loan")
        wrong = ("movement",)
    else:
        document = {**typed, "amount": amount, "note": _shown(typed["note"], _LONGEST_REMARK)}
        number = play.next_number(session)
        problem = refusal(form, lambda: play.move(public_id, number, document, sent(form)))
    if problem is not None:
        return session_page(opened(public_id), problem, typed, "moves", wrong)
    return redirect(url_for("session.show", public_id=public_id, _anchor="news"), 303)


@blueprint.post("/note")
@redraws
def note(public_id: str) -> str | Response:
    """Keep the place and the note of a session."""
    opened(public_id)
    form = ActForm()
    place, text = (
        _shown(request.form.get("place", ""), _LONGEST_LINE),
        _shown(request.form.get("note", ""), _LONGEST_NOTE),
    )
    problem = refusal(form, lambda: play.write_note(public_id, place, text, sent(form)))
    if problem is not None:
        return session_page(opened(public_id), problem, {"place": place, "session-note": text}, "note-of-session")
    return redirect(url_for("session.show", public_id=public_id, _anchor="note-of-session"), 303)


@blueprint.post("/lines/<int:number>/remark")
@redraws
def remark(public_id: str, number: int) -> str | Response:
    """Keep the remark of a line."""
    session = opened(public_id)
    line_or_404(session, number)
    form, text = ActForm(), _shown(request.form.get("remark", ""), _LONGEST_REMARK)
    problem = refusal(form, lambda: play.write_remark(public_id, number, text, sent(form)))
    if problem is not None:
        session = opened(public_id)
        return _line_page(session, line_or_404(session, number), problem, text)
    return redirect(url_for("session.line", public_id=public_id, number=number), 303)


def _shown(text: str, most: int) -> str:
    """Keep of a text what can be shown, line ends included, and no more than fits."""
    return "".join(c for c in text.replace("\r\n", "\n") if c.isprintable() or c == "\n").strip()[:most]


@blueprint.post("/close")
@redraws
def close(public_id: str) -> str | Response:
    """Close the session, the pot split or left; or open it again."""
    group = opened(public_id).group
    form = ActForm()
    action = request.form.get("do", "")

    def work() -> None:
        must_know_pin(group)
        if action == "reopen":
            play.reopen(public_id, sent(form))
        else:
            play.close(public_id, action == "split", sent(form))

    problem = refusal(form, work)
    if action != "reopen" and problem is None:
        return _settle_up(opened(public_id), form)
    if problem is not None:
        return session_page(opened(public_id), problem, place="close")
    return redirect(url_for("session.show", public_id=public_id), 303)


def _settle_up(session: PlaySession, form: ActForm) -> Response:
    """Freeze the payments of a session that was closed, if there are any to make."""
    made = sent(form)
    if settle_up.owed_in_session(session) and settle_up.plan_for(session) is None:
        key = Sent(f"{made.key[:60]}-up", made.device)
        settle_up.make_plan(session.group, session, session.currency, None, key)
    return redirect(url_for("settle_up.of_session", public_id=session.public_id), 303)


@blueprint.get("/changes")
def changes(public_id: str) -> str:
    """List every change with its time and its device."""
    session = opened(public_id, "look")
    names = account_names(session)
    changes = [(change, change_parts(change, names)) for change in play.changes_of(session, _MOST_CHANGES)]
    return render_template("changes.html", session=session, changes=changes)
