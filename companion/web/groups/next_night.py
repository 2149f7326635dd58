"""The next night: when and where, who comes, a message to share, and the file for a calendar.

The time is that of the clock of the phone that sets it, or without scripts of the computer that the app runs on.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone

from flask import Blueprint, abort, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField, ValidationError

from companion.store.groups import next_night as store
from companion.store.groups.groups import last_night
from companion.store.models import Group, NextNight, Night, by_clock, next_at, now, offset_here
from companion.store.refusals import Sent

from ..access.devices import known_device, players_address
from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import group_or_404, may
from ..http.network.hosts import public_url
from ..text.language import dated, say

blueprint = Blueprint("next_night", __name__)
_DAY = timedelta(days=1)
_USUAL_LENGTH = timedelta(hours=4)
_AFTER_MIDNIGHT = timedelta(hours=6)
_MAX_OCTETS = 75
_OFFSET = re.compile(r"-?[0-9]{1,5}", re.ASCII)


class PlanForm(ActForm):
    """When and where the next night is; `offset` is how many seconds the phone's clock is ahead of UTC then."""

    day = StringField(default="")
    time = StringField(default="20:00")
    place = StringField(default="")
    last_round = StringField(name="last-round", default="")
    offset = HiddenField(default="")

    def validate_day(self, field: StringField) -> None:
        """Refuse to plan a night without a day; the page's other buttons send none."""
        if self.do.data == "set" and _day(field.data) is None:
            raise ValidationError(say("Choose the day"))

    def validate_time(self, field: StringField) -> None:
        """Refuse to plan a night without a time."""
        if self.do.data == "set" and not store.CLOCK.fullmatch((field.data or "")[:5]):
            raise ValidationError(say("Choose the time, such as 20:00"))

    def planned(self) -> store.Planned:
        """Return what was typed, once it is valid."""
        local = datetime.combine(_day(self.day.data) or abort(400), time.fromisoformat((self.time.data or "")[:5]))
        seconds = self.offset.data or ""
        offset = int(seconds) if _OFFSET.fullmatch(seconds) and abs(int(seconds)) < _DAY.total_seconds() else None
        at = local.astimezone(UTC) if offset is None else local.replace(tzinfo=timezone(timedelta(seconds=offset)))
        place = " ".join((self.place.data or "").split())
        local_offset = offset_here(at) if offset is None else offset
        return store.Planned(at.astimezone(UTC), local_offset, place, (self.last_round.data or "").strip() or None)


def _day(text: str | None) -> date | None:
    """Read a day as browsers send it ("2026-12-04"); None if it isn't one of these centuries."""
    try:
        day = date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
    return day if day.year in range(2000, 2200) else None


@blueprint.route("/g/<public_id>/next", methods=["GET", "POST"])
@redraws
def plan(public_id: str) -> str | Response:
    """Show the next night; the scorekeeper plans it or calls it off, and whoever may play says who comes."""
    form = PlanForm()
    if not form.is_submitted():
        return _page(group_or_404(public_id, "look"), PlanForm(formdata=None))
    group = group_or_404(public_id, "play" if form.do.action in ("yes", "no") else "keep")
    with refusals_shown(form, lambda: _page(group, form)):
        _act(group, form, sent(form))
    return redirect(url_for("next_night.plan", public_id=public_id), 303)


def _act(group: Group, form: PlanForm, sent: Sent) -> None:
    if form.do.data == "set":
        store.plan_night(group, form.planned(), sent)
    elif form.do.data == "cancel":
        store.cancel(group, sent)
    elif form.do.action in ("yes", "no"):
        store.answer(group, form.do.row_id or abort(400), form.do.action == "yes", sent)
    else:
        abort(400)


def _page(group: Group, form: PlanForm) -> str:
    planned, last = store.next_night(group), last_night(group)
    if form.is_submitted():
        pass  # shown as it was typed
    elif planned is not None:
        local = by_clock(planned.at, planned.utc_offset)
        form.day.data, form.time.data = f"{local:%Y-%m-%d}", f"{local:%H:%M}"
        form.place.data, form.last_round.data = planned.place, planned.last_round or ""
    elif last is not None:
        form.day.data, form.place.data = f"{_usual_day(last)}", last.place
    answers, people, device = store.answers(group), group.names, known_device()
    return render_template(
        "group/next_night.html",
        group=group,
        planned=planned,
        when=when_of(planned) if planned else "",
        answers=answers,
        awaited=[player for player in group.players if not player.retired and player.id not in answers],
        people=people,
        # whose seat this phone had in the last night
        me=last.player_on(device) if last is not None and device else None,
        form=form,
        text=_text(group, planned) if planned and may("play") else "",
    )


def _usual_day(last: Night) -> date:
    """Return the next day, after today, of the last night's weekday; begun after midnight, it is of the day before."""
    today = by_clock(now(), last.utc_offset).date()
    weekday = (last.began - _AFTER_MIDNIGHT).weekday()
    return today + _DAY * ((weekday - today.weekday() - 1) % 7 + 1)


def when_of(planned: NextNight) -> str:
    """Return when a planned night is, in words."""
    local = by_clock(planned.at, planned.utc_offset)
    day = dated(local, say("EEEE, d MMMM")).replace("\u00a0", " ")  # on narrow screens it takes two lines
    return f"{day}, {local:%H:%M}"


def _text(group: Group, planned: NextNight) -> str:
    """Return a message that asks who comes."""
    link = players_address(group, "next_night.plan", public_id=group.public_id)
    where = ", ".join(filter(None, (when_of(planned), planned.place)))
    return say("{group}: {when}. Who comes? {link}", group=group.name, when=where, link=link)


@blueprint.get("/g/<public_id>/next.ics")
def calendar(public_id: str) -> Response:
    """Return the next night as a file for calendars (RFC 5545)."""
    group = group_or_404(public_id, "look")
    planned = store.next_night(group) or abort(404)
    response = make_response(ics_of(group, planned, public_url("next_night.plan", public_id=public_id)))
    response.mimetype = "text/calendar"
    response.headers["Content-Disposition"] = 'attachment; filename="next-night.ics"'
    return response


def ics_of(group: Group, planned: NextNight, link: str) -> bytes:
    """Return a calendar with the planned night, in UTC; its UID stays the same, so a changed one replaces the old."""
    begins, ends = planned.at, planned.at + _USUAL_LENGTH
    if planned.last_round:
        ends = next_at(by_clock(begins, planned.utc_offset), planned.last_round)
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Table Companion//Table Companion//EN", "BEGIN:VEVENT"),
        f"UID:{planned.public_id}@table-companion",
        f"SEQUENCE:{planned.revision}",
        f"DTSTAMP:{_utc(now())}",
        *(f"DTSTART:{_utc(begins)}", f"DTEND:{_utc(ends)}"),
        f"SUMMARY:{_escaped(group.name)}",
        *([f"LOCATION:{_escaped(planned.place)}"] if planned.place else []),
        *(f"DESCRIPTION:{_escaped(link)}", f"URL:{link}", "END:VEVENT", "END:VCALENDAR"),
    ]
    return b"".join(_folded(line) + b"\r\n" for line in lines)


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for char in "\\;,":
        text = text.replace(char, f"\\{char}")
    return text.replace("\r\n", "\\n").replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """Break a line after 75 octets at most, never within a character; what follows begins with a space."""
    folded, size = [b""], 0
    for char in line:
        octets = char.encode()
        if size + len(octets) > _MAX_OCTETS:
            folded.append(b" ")
            size = 1
        folded[-1] += octets
        size += len(octets)
    return b"\r\n".join(folded)
