"""A night's people tab: the seats, how phones join, the place and the note."""

from __future__ import annotations

from flask import abort, redirect, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message
from companion.store import night_changes
from companion.store.models import PlaySession

from ..access.actions import refusals_shown
from ..access.devices import ActForm, my_player, sent, session_or_404
from ..http.csrf import redraws
from ..http.hosts import public_url, qr_link
from ..text.fields import ListField, order_of, with_row_moved
from .night import MAX_LINE_LENGTH, MAX_NOTE_LENGTH, blueprint, night_page, without_controls

_FORMS_OF_OPEN_NIGHTS = ("phones", "seats")


class SeatsForm(ActForm):
    """The order of the seats, and a newcomer's name. Buttons are "order", "new", or for a player such as "out-7"."""

    rows = ListField(name="order", default=())
    newcomer = StringField()


class NoteForm(ActForm):
    """The form of a night's place and note."""

    place = StringField(filters=[without_controls])
    note = StringField(filters=[without_controls])


@blueprint.get("/people")
def people(public_id: str) -> str:
    """Show the people tab."""
    return people_page(session_or_404(public_id, "look"))


def people_page(
    session: PlaySession,
    problem: Message | None = None,
    place: str = "",
    seats: SeatsForm | None = None,
    note: NoteForm | None = None,
) -> str:
    """Render the tab; a problem is shown in the form named `place`: "phones", "seats" or "note-of-session"."""
    seated = {seat.player_id for seat in session.seats}
    told = {"place": session.place, "note": session.note}
    return night_page(
        "night/people.html",
        session,
        "session.people",
        join=qr_link("phones.by_code", code=session.join_code) if session.join_code else None,
        join_address=public_url("phones.ask"),
        absent=[p for p in session.group.players if not p.retired and p.id not in seated],
        problem=problem,
        me=my_player(session),
        place="" if session.closed_at and place in _FORMS_OF_OPEN_NIGHTS else place,
        seats_form=seats or SeatsForm(formdata=None),
        note_form=note or NoteForm(formdata=None, data=told),
    )


@blueprint.post("/seats")
@redraws
def seats(public_id: str) -> Response:
    """Reorder the seats, or have a player sit out, leave or join."""
    session, form = session_or_404(public_id), SeatsForm()
    with refusals_shown(form, lambda problem: people_page(session_or_404(public_id), problem, "seats", seats=form)):
        if form.do.action == "new":
            night_changes.seat_newcomer(public_id, form.newcomer.data or "", sent(form))
        else:
            said = [form.do.data, *form.rows.data]
            night_changes.set_seats(public_id, _order(session, form), sent(form), said)
    return redirect(url_for("session.people", public_id=public_id, _anchor="seats"), 303)


def _order(session: PlaySession, form: SeatsForm) -> list[tuple[int, str]]:
    """Return the seats after the pressed button, as (player id, state); 400 for unknown buttons."""
    states = {seat.player_id: seat.state for seat in session.seats}
    order, given = order_of(form.rows.data, list(states)), form.do.row
    if form.do.action in ("up", "down"):
        order = with_row_moved(order, given, -1 if form.do.action == "up" else 1)
    elif form.do.action == "join" and given in {str(player.id) for player in session.group.players}:
        order = [*(player for player in order if str(player) != given), int(given)]
        states[int(given)] = "in"
    elif form.do.action in ("in", "out", "left") and given in map(str, states):
        states[int(given)] = form.do.action
    elif form.do.action != "order":
        abort(400)
    return [(player, states[player]) for player in order]


@blueprint.post("/note")
@redraws
def note(public_id: str) -> Response:
    """Set a night's place and note, even after it was closed."""
    session_or_404(public_id)
    form = NoteForm()
    place, text = (form.place.data or "")[:MAX_LINE_LENGTH], (form.note.data or "")[:MAX_NOTE_LENGTH]
    with refusals_shown(form, lambda why: people_page(session_or_404(public_id), why, "note-of-session", note=form)):
        night_changes.write_note(public_id, place, text, sent(form))
    return redirect(url_for("session.people", public_id=public_id, _anchor="note-of-session"), 303)
