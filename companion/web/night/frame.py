"""What all pages of a night share: their blueprint, header and tabs."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from companion.engine.names import has_control_characters
from companion.store.models import Night, now
from companion.store.night.reading import open_nights, round_counts

from ..access.devices import joined_nights
from ..access.lookup import account_names, has_group_link
from ..ledger_lines.costs import cost_words
from ..round.told import is_in_hand, stakes_news
from ..text.language import say

blueprint = Blueprint("night", __name__, url_prefix="/s/<public_id>")

MAX_LINE_LENGTH, MAX_REMARK_LENGTH, MAX_NOTE_LENGTH = 100, 200, 2_000


def night_page(template: str, night: Night, tab: str, **more: Any) -> str:
    """Render a page of a night; `tab` is the endpoint of the tab to highlight."""
    played, counted = round_counts(night)
    known = {
        "night": night,
        "tab": tab,
        "in_group": has_group_link(),
        "names": account_names(night.group),
        "people": night.group.names,
        "rounds": played,
        "rounds_counted": counted,
    }
    return render_template(template, **known, **more)


blueprint.add_app_template_global(stakes_news)
blueprint.add_app_template_global(cost_words)
blueprint.add_app_template_global(is_in_hand)


@blueprint.app_template_global()
def last_round_words(night: Night) -> str:
    """Say when an open night plays its last round, or that the time has come; by the night's clock. "" without one."""
    if night.last_round is None or night.closed_at is not None:
        return ""
    if is_last_round(night):
        return say("last round: it is past {time}", time=night.last_round)
    return say("last round at {time}", time=night.last_round)


@blueprint.app_template_global()
def night_open_now(night: Night) -> Night | None:
    """Return the open night of a closed night's group if this device may see it, by its link or as it has joined it."""
    found = next(iter(open_nights([night.group], 1)), None) if night.closed_at is not None else None
    if found is None or has_group_link():
        return found
    return found if found.public_id in [joined.public_id for joined in joined_nights()] else None


@blueprint.app_template_global()
def is_last_round(night: Night) -> bool:
    """Return whether an open night plays its last round, by its clock."""
    return night.closed_at is None and night.is_last_round(now())


def without_controls(text: str | None) -> str:
    """Strip a text, and remove control characters except line breaks.

    Joiners within emoji, and emoji newer than this Python, don't count as printable either, but are kept.
    """
    lines = (text or "").replace("\r\n", "\n")
    return "".join(c for c in lines if c == "\n" or not has_control_characters(c)).strip()
