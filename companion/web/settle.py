"""The page that settles a round; it stores nothing."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request, session
from werkzeug.datastructures import MultiDict

from companion.engine.entry import Question, questions_of
from companion.engine.game import AnyGame, Round
from companion.engine.options import options_of
from companion.engine.variants import options_that_change_the_set
from companion.games import all_games

from .forms import USUAL_PLAYERS, RoundForm, by_seat, chosen_options, fit_choices, form_class, seat_number
from .rounds import Answer, clear_hand, deal_again, fingerprint, ids, settle_form

blueprint = Blueprint("settle", __name__)
_LONGEST_FIELD = 60
_FIRST_SHOWN = 4  # of the pieces in the example of an empty line
NAMES = "names"  # the key under which this device's session keeps the last names


@blueprint.get("/")
def home() -> str:
    """Choose a game."""
    return render_template("home.html", games=all_games().values())


@blueprint.route("/settle/<key>", methods=["GET", "POST"])
def settle(key: str) -> str:
    """Show the form of a game; settle what was posted."""
    game = all_games().get(key)
    if game is None:
        abort(404)
    if request.method == "GET":
        return _page(game, _new_form(game))
    form = form_class(key)(formdata=_posted())
    _fill_seats(form, game)
    valid = form.validate()  # nothing but the CSRF token: what is wrong with the round, the contract says
    if not valid:
        return _page(game, form)
    action, _, seat = request.form.get("do", "settle").partition("-")
    if action in _CHANGES:
        _CHANGES[action](form, game, seat)
        return _page(game, form)
    answer = settle_form(form, game)
    if answer.settlement is None:
        return _page(game, form, answer)
    session[NAMES] = [player.name.data.strip() for player in form.seats]
    if action == "next" and request.form.get("settled") == fingerprint(form, game):
        deal_again(form, game, answer.settlement)
        return _page(game, form)
    return _page(game, form, answer)


def _posted() -> MultiDict[str, str]:
    """Give the posted text fields; names that cannot be ours are left out."""
    return MultiDict(
        (name, value)
        for name, value in request.form.items(multi=True)
        if name.isascii() and len(name) <= _LONGEST_FIELD
    )


def _new_form(game: AnyGame) -> RoundForm:
    """Make an empty form with the players of last time."""
    least, most = game.seats
    names = list(session.get(NAMES, ()))[:most]
    if len(names) < least:
        names = [f"Player {number}" for number in range(1, min(USUAL_PLAYERS, most) + 1)]
    seats = [{"name": name} for name in names]
    form: RoundForm = form_class(game.key)(formdata=None, data={"players": seats, "dealer": str(len(names) - 1)})
    return form


def _fill_seats(form: RoundForm, game: AnyGame) -> None:
    while len(form.seats) < game.seats[0]:
        form.players.append_entry()


def _add_player(form: RoundForm, game: AnyGame, _seat: str) -> None:
    if len(form.seats) < game.seats[1]:
        taken = {seat.name.data for seat in form.seats}
        number = next(n for n in range(len(form.seats) + 1, 100) if f"Player {n}" not in taken)
        form.players.append_entry({"name": f"Player {number}"})


def _remove_player(form: RoundForm, game: AnyGame, seat: str) -> None:
    """Take a seat out; the seats after it move up, and what points at a seat moves with them."""
    entries = form.players.entries
    gone = seat_number(seat, form)
    if gone is None or len(entries) <= game.seats[0]:
        return
    for field in (form.dealer, *(field for field in form.asked.form if field.type == "RadioField")):
        pointed_at = seat_number(field.data, form)
        if pointed_at == gone:
            field.data = None
        elif pointed_at is not None and pointed_at > gone:
            field.data = str(pointed_at - 1)
    kept = [entry.form.data for number, entry in enumerate(entries) if number != gone]
    while entries:
        form.players.pop_entry()
    for data in kept:
        form.players.append_entry(data)
    if form.dealer.data is None:
        # the one before the dealer who left deals, as if the deal had not passed yet
        form.dealer.data = str((gone - 1) % len(kept))


def _clear(form: RoundForm, _game: AnyGame, seat: str) -> None:
    number = seat_number(seat, form)
    if number is not None:
        clear_hand(form.seats[number])


def _redraw(_form: RoundForm, _game: AnyGame, _seat: str) -> None:
    """Only draw the form again, with the keys of the chosen deck."""


_CHANGES = {"add": _add_player, "remove": _remove_player, "clear": _clear, "rules": _redraw}


def _hand_size(game: AnyGame, form: RoundForm, options: Any) -> int:
    """Tell how many cards a hand has with so many players."""
    seats = tuple(str(number) for number in range(len(form.seats)))
    return min(game.hand_sizes(Round(seats, seats[-1], seats, 1, 0, options, game.entry(), {})))


def _most_cards(game: AnyGame, form: RoundForm, options: Any) -> dict[str, int]:
    """Tell how many cards a hand may have with an answer that names its player, by the question's key."""
    seats = tuple(str(number) for number in range(len(form.seats)))
    named = {q.key: game.entry(**{q.key: seats[0]}) for q in questions_of(game.entry) if q.kind == "player"}
    return {
        key: max(game.hand_sizes(Round(seats, seats[-1], seats, 1, 0, options, entry, {})))
        for key, entry in named.items()
    }


def _is_asked(question: Question, form: RoundForm, options: Any) -> bool:
    """Tell whether a question is on the page: where it matters, or holds something or is wrong."""
    if not question.only_with or getattr(options, question.only_with):
        return True
    fields = [part[question.key] for part in (form.asked.form, *form.seats) if question.key in part]
    return any(field.data or field.errors for field in fields)


def _open_seat(form: RoundForm) -> int | None:
    """Tell whose keys are open: those just cleared, or in a form without hands the first."""
    action, _, seat = request.form.get("do", "").partition("-")
    if action == "clear":
        return seat_number(seat, form)
    return None if any(seat.hand.data or seat.cards.data for seat in form.seats) else 0


def _page(game: AnyGame, form: RoundForm, answer: Answer | None = None) -> str:
    options = chosen_options(form, game)
    pieces = game.pieces(options)
    fit_choices(form, pieces)
    size = _hand_size(game, form, options)
    questions = [q for q in questions_of(game.entry) if _is_asked(q, form, options)]
    redraws = options_that_change_the_set(game) | {q.only_with for q in questions_of(game.entry)}
    return render_template(
        "settle.html",
        game=game,
        form=form,
        pieces=pieces,
        size=size,
        most=_most_cards(game, form, options),
        settled=fingerprint(form, game) if answer and answer.settlement else "",
        spellings={spelling.lower(): piece.text for spelling, piece in pieces.spellings.items()},
        open_seat=_open_seat(form),
        action=request.form.get("do", ""),
        placeholder=" ".join(piece.text for piece in pieces.pieces[_FIRST_SHOWN : _FIRST_SHOWN + size]),
        options=options_of(game.options),
        questions=questions,
        by_seat=by_seat(questions),
        redraws=redraws,
        settlement=answer.settlement if answer else None,
        problems=ids(answer.problems) if answer else [],
    )
