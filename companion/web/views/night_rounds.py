"""A night's rounds tab, with a chart and every round; and the list of all changes."""

from __future__ import annotations

from flask import render_template

from companion.store import night as store
from companion.store.change import changes_of
from companion.store.typed import with_texts

from ..access.devices import session_or_404
from ..access.lookup import account_names
from ..http.parsing import number_asked
from ..ledger_lines.differences import change_parts
from ..ledger_lines.summary import summarize
from ..text import charts
from .night import blueprint, night_page

_ROUNDS_ON_A_PAGE = 20
_MAX_CHANGES = 500


@blueprint.get("/rounds")
def rounds(public_id: str) -> str:
    """List a night's rounds, newest first."""
    session = session_or_404(public_id, "look")
    lines = store.rounds_of(session, number_asked("before"), _ROUNDS_ON_A_PAGE + 1)
    shown = lines[:_ROUNDS_ON_A_PAGE]
    newest = store.rounds_played(session, shown[0].number) if shown else 0
    balances, names = store.sums_of(session).balances, account_names(session.group)
    curves = {names[key]: balance for key, balance in balances.items()}
    return night_page(
        "night/rounds.html",
        session,
        "session.rounds",
        # players count rounds only; line numbers also count loans and the like
        numbered=[(newest - at, summarize(line)) for at, line in enumerate(shown)],
        older=shown[-1].number if len(lines) > _ROUNDS_ON_A_PAGE else None,
        chart=charts.line_chart(curves, ("", "")) if shown else None,
    )


@blueprint.get("/changes")
def changes(public_id: str) -> str:
    """List every change with its time and its device."""
    session = session_or_404(public_id, "look")
    names = account_names(session.group)
    listed = changes_of(session, _MAX_CHANGES)
    contents = with_texts(session.group_id, [change.content for change in listed])
    found = [
        (change, change_parts(change.kind, content, names)) for change, content in zip(listed, contents, strict=True)
    ]
    return render_template("night/changes.html", session=session, changes=found, rounds=store.round_numbers(session))
