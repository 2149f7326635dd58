"""A night's people tab: the seats, how phones join, the place and the note."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.store.log.ledger import Accounts
from companion.store.models import Night
from companion.store.money.debts import Owed, owed_apart, owed_in_night
from companion.store.night import settings as night_changes

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import my_player, night_or_404
from ..http.network.hosts import public_url, qr_link
from ..text.fields import ListField, order_of, with_row_moved
from .frame import MAX_LINE_LENGTH, MAX_NOTE_LENGTH, blueprint, night_page, without_controls

_FORMS_OF_OPEN_NIGHTS = ("phones", "seats")


class SeatsForm(ActForm):
    """The order of the seats, and a newcomer's name. Buttons are "order", "new", or for a player such as "out-7"."""

    rows = ListField(name="order", default=())
    newcomer = StringField()


class NoteForm(ActForm):
    """The form of a night's place and note, and the time of its last round."""

    place = StringField(filters=[without_controls])
    last_round = StringField(name="last-round", default="")
    note = StringField(filters=[without_controls])


@blueprint.get("/people")
def people(public_id: str) -> str:
    """Show the people tab."""
    return people_page(night_or_404(public_id, "look"))


def people_page(
    night: Night,
    place: str = "",
    seats: SeatsForm | None = None,
    note: NoteForm | None = None,
) -> str:
    """Render the tab; a problem is shown in the form named `place`: "phones", "seats" or "note-of-night"."""
    gone, me = _owed_by_gone(night), my_player(night)
    seated = {seat.player_id for seat in night.seats}
    texts = {"place": night.place, "note": night.note, "last_round": night.last_round or ""}
    return night_page(
        "night/people.html",
        night,
        "night.people",
        join=qr_link("phones.by_code", code=night.join_code) if night.join_code else None,
        join_address=public_url("phones.ask"),
        absent=[player for player in night.group.players if not player.retired and player.id not in seated],
        gone=gone,
        pot=Accounts.of(night).pot if gone else 0,
        me=me,
        is_in=me in night.player_keys("in"),
        place="" if night.closed_at and place in _FORMS_OF_OPEN_NIGHTS else place,
        for_round=_for_round(),
        seats_form=seats or SeatsForm(formdata=None),
        note_form=note or NoteForm(formdata=None, data=texts),
    )


def _for_round() -> str | None:
    """Return "round" if who adds a newcomer came from the round that is entered, and goes back to it."""
    return "round" if request.args.get("for") == "round" else None


def _owed_by_gone(night: Night) -> list[tuple[str, int, str | None, str | None]]:
    """List what those who left still owe (negative) or get: (player, units, currency, currency of costs apart).

    Nothing for a night that is closed: then everybody settles.
    """
    gone = night.player_keys("left") if night.closed_at is None else []
    if not gone:
        return []
    owed: list[tuple[str | None, str | None, Owed]] = [(night.currency, None, owed_in_night(night))]
    owed += [(currency, currency, sums) for currency, sums in owed_apart(night).items()]
    return [(key, sums[key], currency, costs) for key in gone for currency, costs, sums in owed if key in sums]


@blueprint.post("/seats")
@redraws
def seats(public_id: str) -> Response:
    """Reorder the seats, or have a player sit out, leave or join."""
    night, form = night_or_404(public_id), SeatsForm()
    with refusals_shown(form, lambda: people_page(night_or_404(public_id), "seats", seats=form)):
        if form.do.action == "new":
            night_changes.seat_newcomer(public_id, form.newcomer.data or "", sent(form))
            if _for_round():
                return redirect(url_for("night_round.new", public_id=public_id), 303)
        else:
            said = [form.do.data, *form.rows.data]
            night_changes.set_seats(public_id, _order(night, form), sent(form), said)
    place = "newcomer" if form.do.action == "new" else "seats"  # the newcomer's row is the last one, above the field
    return redirect(url_for("night.people", public_id=public_id, _anchor=place), 303)


def _order(night: Night, form: SeatsForm) -> list[tuple[int, str]]:
    """Return the seats after the pressed button, as (player id, state); 400 for unknown buttons."""
    states = {seat.player_id: seat.state for seat in night.seats}
    order, row = order_of(form.rows.data, list(states)), form.do.row
    if form.do.action in ("up", "down"):
        order = with_row_moved(order, row, -1 if form.do.action == "up" else 1)
    elif form.do.action == "join" and row in {str(player.id) for player in night.group.players}:
        order = [*(player for player in order if str(player) != row), int(row)]
        states[int(row)] = "in"
    elif form.do.action in ("in", "out", "left") and row in map(str, states):
        states[int(row)] = form.do.action
    elif form.do.action != "order":
        abort(400)
    return [(player, states[player]) for player in order]


@blueprint.post("/note")
@redraws
def note(public_id: str) -> Response:
    """Set a night's place, note and last round, even after it was closed."""
    night_or_404(public_id)
    form = NoteForm()
    place, text = (form.place.data or "")[:MAX_LINE_LENGTH], (form.note.data or "")[:MAX_NOTE_LENGTH]
    with refusals_shown(form, lambda: people_page(night_or_404(public_id), "note-of-night", note=form)):
        night_changes.write_note(public_id, place, text, sent(form), (form.last_round.data or "").strip() or None)
    return redirect(url_for("night.people", public_id=public_id, _anchor="note-of-night"), 303)
