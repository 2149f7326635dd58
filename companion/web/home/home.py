"""The home page: the open night, unpaid payments, settling a single round, this phone's groups, and the demo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for

from companion.engine.money.settlement import POT
from companion.store.groups import groups as group_store
from companion.store.log import ledger
from companion.store.models import Group, Night
from companion.store.money.unpaid import unpaid_in
from companion.store.night import play
from companion.store.night.reading import open_nights, round_counts, sums_of

from ..access.devices import joined_nights, may_in, opened_groups
from ..access.pin import NewGroupForm, asks_passphrase, may_make_groups
from ..ledger_lines.summary import ShortLine, summarize
from ..text.money import set_page_currency

blueprint = Blueprint("home", __name__)
_MAX_UNPAID = 6


@dataclass(frozen=True)
class Tonight:
    """The open night on the home page. `ranked` has each player's key, gain and gain after each line, highest first.

    `rounds` are all of them, `rounds_counted` those that aren't voided.
    """

    night: Night
    people: dict[str, str]
    ranked: Sequence[tuple[str, int, list[int]]]
    pot: int
    rounds: int
    rounds_counted: int
    last: ShortLine | None
    may_play: bool


@blueprint.get("/")
def home() -> str:
    """Show the home page."""
    return home_page()


@blueprint.get("/games")
def games() -> str:
    """Show the menu of games for a single round."""
    back = url_for("home.home")
    return render_template("games.html", place=lambda key: url_for("single_round.settle", key=key), back_to=back)


def home_page() -> str:
    """Render the home page; a problem is why the demo wasn't created."""
    groups = opened_groups()
    played = [group for group in groups if not group.is_demo] or groups  # nobody owes what a demo made up
    unpaid = unpaid_in(played)
    people = group_store.names_by_group(groups) if unpaid else {}
    nights = open_nights(groups)
    of_played = [night for night in nights if night.group in played]
    tonight = _tonight((of_played or nights)[0], groups) if nights else None
    return render_template(
        "home.html",
        groups=groups,
        joined=[night for night in joined_nights() if night.group not in groups],
        tonight=tonight,
        playing={night.group_id for night in nights},
        newest=played[0] if played else None,
        unpaid=[(payment, people[payment.group]) for payment in unpaid[:_MAX_UNPAID]],
        unpaid_in_all=len(unpaid),
        demo=NewGroupForm(formdata=None) if may_make_groups() and not any(group.is_demo for group in groups) else None,
        asks_passphrase=asks_passphrase(),
        is_deleted="deleted" in request.args,
    )


def _tonight(night: Night, groups: Sequence[Group]) -> Tonight:
    """Return what the page shows of the open night of one of these groups, and show its amounts in that currency."""
    set_page_currency(night.currency)
    people, balances, last = night.group.names, ledger.balances(night), play.last_round(night)
    won = sums_of(night).results
    ranked = sorted(((key, running[-1], running) for key, running in won.items()), key=lambda row: -row[1])
    return Tonight(
        night,
        people,
        ranked,
        balances.get(POT, 0),
        *round_counts(night),
        summarize(last) if last else None,
        may_in(next(group for group in groups if group.id == night.group_id), "play"),
    )
