"""Saving a round of a night, or its correction, and what the page shows where it couldn't be saved."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import make_response, redirect, url_for
from werkzeug.wrappers import Response

from companion.store.log.replay import LineEntry
from companion.store.night import play, revising
from companion.store.night.drafts import line_of_round, line_saved_with
from companion.store.refusals import Conflict, Refused, Sent

from ..access.devices import device_name
from ..access.forms import new_key
from ..access.lookup import night_or_404
from ..http.monitoring import figures
from ..http.requests.parsing import line_number
from ..ledger_lines.differences import differences_between
from ..round.effects import effects_of
from ..round.form.document import FormResult, document, missing_answers
from ..round.form.fields import RoundForm
from ..round.form.sent_with import sent_with
from ..round.night_part import NightPart, NotSaved
from ..round.result import rarities
from .page import round_page


def saved_at_once(form: RoundForm, part: NightPart) -> Response | None:
    """Save a round without settling it here first, because the store settles it anyway.

    Returns None if it can't be saved; the page then settles it to explain why.
    """
    if missing_answers(form):
        return None
    with suppress(Refused):
        return _saved(part, _entry(document(form)))
    return None


def saved_or_shown(form: RoundForm, result: FormResult, part: NightPart) -> str | Response:
    """Save the round if the button was "save"; otherwise show its result, and what a correction changes."""
    night, is_saved = part.night, sent_with().do.data == "save"
    if is_saved and result.settlement is None and (line := line_saved_with(night, part.key[:64])) is not None:
        # sent again after a lost response: with the draft, hands from other phones are gone
        return _to_line(night.public_id, line)
    if part.not_saved is not None:
        return round_page(form, part)
    if result.settlement is None:
        return round_page(form, part, result)
    entry = _entry(result.document)
    try:
        if is_saved:
            # the first time for a deck, this counts all its hands for half a second; do it before taking the lock
            rarities(form.game, form.options, result.settlement)
            return _saved(part, entry)
        if part.corrects is not None:
            part = replace(part, effects=effects_of(night, LineEntry(part.corrects, entry)))
    except Refused as refused:
        figures.refused(refused)
        not_saved = NotSaved(refused.message, refused.line)
        part = replace(part, not_saved=not_saved, night=night_or_404(night.public_id))
        if isinstance(refused, Conflict):
            not_saved = replace(not_saved, saved_as=refused.line if refused.is_sent_before else None)
            part = _with_other_version(part, not_saved, entry)
            return make_response(round_page(form, part, result), 409)
    return round_page(form, part, result)


def _saved(part: NightPart, entry: dict[str, Any]) -> Response:
    """Save the round or its correction; raises Refused."""
    sent, public_id, number = Sent(part.key[:64], device_name()), part.night.public_id, part.corrects
    if number is not None:
        revising.correct(public_id, number, entry, line_number(part.seen), sent)
    else:
        number = line_of_round(part.night, line_number(part.number), sent.key)
        play.save_round(public_id, number, entry, sent, expected_pot=part.pot)
        figures.round_saved(entry["game"])
    return _to_line(public_id, number)


def _entry(written: Mapping[str, Any]) -> dict[str, Any]:
    """Turn a form's document into one to store: with the dealer, and without the pot, which follows from the log."""
    return {"dealer": written["players"][-1], **{key: value for key, value in written.items() if key != "pot"}}


def _to_line(public_id: str, number: int) -> Response:
    return redirect(url_for("night.line", public_id=public_id, number=number, saved="yes"), 303)


def _with_other_version(part: NightPart, not_saved: NotSaved, mine: dict[str, Any]) -> NightPart:
    """Show this entry next to what the other phone saved; saving it anyway is a new change, with a new key."""
    night, other = part.night, None
    latest = play.find_line(night, not_saved.line) if not_saved.line else None
    if latest is not None:
        (other,) = differences_between(night, [latest.current.document, mine])
    part = replace(part, not_saved=replace(not_saved, other=other), key=new_key())
    corrected = play.find_line(night, part.corrects) if part.corrects else None
    if corrected is not None:
        return replace(part, seen=str(corrected.current.number))
    return replace(part, number=str(play.next_number(night)))
