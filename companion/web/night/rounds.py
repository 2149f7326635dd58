"""A night's rounds tab, with a chart and every round; and the list of all changes."""

from __future__ import annotations

from flask import render_template

from companion.store.log.typed import with_texts
from companion.store.night import reading as store
from companion.store.night.change import changes_of

from ..access.lookup import account_names, night_or_404
from ..http.requests.parsing import page_before
from ..ledger_lines.differences import change_parts
from ..ledger_lines.summary import summarize
from ..text import charts
from .frame import blueprint, night_page

_ROUNDS_ON_A_PAGE = 20
_MAX_CHANGES = 500


@blueprint.get("/rounds")
def rounds(public_id: str) -> str:
    """List a night's rounds, newest first."""
    night = night_or_404(public_id, "look")
    lines = store.rounds_of(night, page_before(), _ROUNDS_ON_A_PAGE + 1)
    shown = lines[:_ROUNDS_ON_A_PAGE]
    newest = store.rounds_played(night, shown[0].number) if shown else 0
    won, names = store.sums_of(night).results, account_names(night.group)
    curves = {names[key]: running for key, running in won.items()}
    return night_page(
        "night/rounds.html",
        night,
        "night.rounds",
        # players count rounds only; line numbers also count loans and the like
        numbered=[(newest - at, summarize(line)) for at, line in enumerate(shown)],
        older=shown[-1].number if len(lines) > _ROUNDS_ON_A_PAGE else None,
        chart=charts.line_chart(curves, ("", ""), night.group.names.values()) if shown else None,
    )


@blueprint.get("/changes")
def changes(public_id: str) -> str:
    """List every change with its time and its device."""
    night = night_or_404(public_id, "look")
    names = account_names(night.group)
    listed = changes_of(night, _MAX_CHANGES)
    contents = with_texts(night.group_id, [change.content for change in listed])
    described = [
        (change, change_parts(change.kind, content, names)) for change, content in zip(listed, contents, strict=True)
    ]
    return render_template("night/changes.html", night=night, changes=described, rounds=store.round_numbers(night))
