"""A group's seasons: closing one, who won each, and a picture of it to share."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import SelectField, StringField

from companion.engine.messages import Message
from companion.store.groups import seasons as store
from companion.store.groups.seasons import BY_NET, BY_WINS, Months
from companion.store.history.tallies import Summary
from companion.store.identities import names_in
from companion.store.models import Group, Season

from ..access.actions import refusals_shown
from ..access.devices import ActForm, group_or_404, sent
from ..history import month_words, this_month
from ..http.requests.csrf import redraws
from ..http.requests.parsing import whole
from ..text import share_picture
from ..text.language import isolated, say
from ..text.money import signed

blueprint = Blueprint("seasons", __name__)
DECIDES = {BY_NET: Message("Who won most"), BY_WINS: Message("Who won most rounds")}


class SeasonForm(ActForm):
    """The form that closes the season being played, or with the button "reopen-3" goes on with that one."""

    name = StringField(default="")
    decides = SelectField(validate_choice=False, default=BY_NET)
    until = SelectField(validate_choice=False)


@blueprint.route("/g/<public_id>/seasons", methods=["GET", "POST"])
@redraws
def listed(public_id: str) -> str | Response:
    """List a group's seasons with who won them; the scorekeeper closes the one being played, or reopens the last."""
    form = SeasonForm()
    group = group_or_404(public_id, "keep" if form.is_submitted() else "look")
    if not form.is_submitted():
        return _list_page(group, SeasonForm(formdata=None))
    with refusals_shown(form, lambda problem: _list_page(group, form, problem)):
        if form.do.action == "reopen":
            number = whole(form.do.row)
            store.reopen_season(group, number if isinstance(number, int) else abort(400), sent(form))
        else:
            name, by, until = form.name.data or "", form.decides.data or "", form.until.data or ""
            store.close_season(group, name, by, until, this_month(), sent(form))
    return redirect(url_for("seasons.listed", public_id=public_id), 303)


def _list_page(group: Group, form: SeasonForm, problem: Message | None = None) -> str:
    seasons = store.seasons_of(group)
    months = store.months_to_close(group, this_month())
    form.until.choices = {month: month_words(month) for month in months}
    form.decides.choices = DECIDES
    if not form.is_submitted():
        form.name.data = say("Season {number}", number=len(seasons) + 1)
    return render_template(
        "history/seasons.html",
        group=group,
        form=form,
        seasons=[(season, months, _champions(group, season, months)) for season, months in seasons],
        season_months=in_words,
        months=months,
        decides=DECIDES,
        since=store.month_after(seasons[0][0].until) if seasons else "",
        problem=problem,
    )


def _champions(group: Group, season: Season, months: Months) -> list[tuple[str, str]]:
    """Return who won a season in each currency, as (currency, names)."""
    people = names_in(group)
    champions = []
    for currency, players in store.ranked(group, months, season.ranked_by).items():
        names = [isolated(people[str(player)]) for player in store.champions(players, season.ranked_by)]
        champions.append((currency, ", ".join(names)))
    return [(currency, names) for currency, names in champions if names]


@blueprint.get("/g/<public_id>/seasons/<int:number>")
def season(public_id: str, number: int) -> str:
    """Show a season's champion, its table and its longest streak."""
    return _season_page("history/season.html", public_id, number)


@blueprint.get("/g/<public_id>/seasons/<int:number>/picture.svg")
def picture(public_id: str, number: int) -> Response:
    """Return a season as an SVG picture, which the phone converts to share it."""
    response = make_response(_season_page("history/season.svg", public_id, number))
    response.mimetype = "image/svg+xml"
    return response


def _season_page(template: str, public_id: str, number: int) -> str:
    group = group_or_404(public_id, "look")
    seasons = store.seasons_of(group)
    season, months = next((pair for pair in seasons if pair[0].number == number), None) or abort(404)
    tables = store.ranked(group, months, season.ranked_by)
    people = names_in(group)
    headlines = {currency: _headline(season, players, people) for currency, players in tables.items()}
    values: dict[str, Any] = {
        "group": group,
        "season": season,
        "when": in_words(months),
        "tables": tables,
        "people": people,
        "headlines": headlines,
        "champions": {key: store.champions(players, season.ranked_by) for key, players in tables.items()},
        "decides": DECIDES,
        "streaks": {key: _streak(players) for key, players in tables.items()},
        "art": share_picture,
    }
    return render_template(template, **values, text=_text(values))


def in_words(months: Months) -> str:
    """Return the months of a season in words."""
    last = month_words(months.until)
    if months.since == months.until:
        return last
    if not months.since:
        return say("until {month}", month=last)
    return say("{first} to {last}", first=month_words(months.since), last=last)


def _headline(season: Season, players: list[tuple[int, Summary]], people: dict[str, str]) -> str:
    names = tuple(people[str(player)] for player in store.champions(players, season.ranked_by))
    if not names:
        return say("A season without a champion")
    values = {"n": len(names), "players": names, "season": season.name}
    return say(Message("{players} wins {season}", "{players} share {season}", **values))


def _streak(players: list[tuple[int, Summary]]) -> tuple[int, list[int]]:
    """Return the most wins in a row, and who had them."""
    most = max((sums.streak_best for _, sums in players), default=0)
    return most, [player for player, sums in players if sums.streak_best == most > 1]


def _text(values: dict[str, Any]) -> str:
    """Return a season as a text message to share."""
    lines = [f"{values['group'].name}, {values['season'].name} ({values['when']})"]
    for currency, players in values["tables"].items():
        lines.append(values["headlines"][currency])
        for player, sums in players:
            won = say("won {won} of {n} rounds", won=sums.wins, n=sums.rounds)
            lines.append(f"{isolated(values['people'][str(player)])} {signed(sums.net, currency or None)}, {won}")
    return "\n".join(lines)
