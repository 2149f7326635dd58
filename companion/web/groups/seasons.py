"""A group's seasons: the one being played, closing it, who won each, and a picture of it to share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, abort, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import SelectField, StringField

from companion.engine.messages import Message
from companion.store.groups import seasons as store
from companion.store.groups.seasons import BY_NET, BY_WINS, Months, OpenSeason
from companion.store.history.tallies import Summary
from companion.store.models import Group, Season

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import group_or_404
from ..history import month_words, this_month
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
    with refusals_shown(form, lambda: _list_page(group, form)):
        if form.do.action == "reopen":
            store.reopen_season(group, form.do.row_id or abort(400), sent(form))
        else:
            name, by, until = form.name.data or "", form.decides.data or "", form.until.data or ""
            store.close_season(group, name, by, until, this_month(), sent(form))
    return redirect(url_for("seasons.listed", public_id=public_id), 303)


def _list_page(group: Group, form: SeasonForm) -> str:
    seasons = store.seasons_of(group)
    open_one, since = store.open_season(seasons)
    months = store.months_to_close(group, this_month())
    form.until.choices = {month: month_words(month) for month in months}
    form.decides.choices = DECIDES
    if not form.is_submitted():
        form.name.data = _name(open_one)
        form.decides.data = open_one.ranked_by
    return render_template(
        "history/seasons.html",
        form=form,
        seasons=[(season, months, _champions(group, season, months)) for season, months in seasons],
        season_months=in_words,
        months=months,
        since=since.since,
        **_figures(group, open_one, since),
    )


def _champions(group: Group, season: Season, months: Months) -> list[tuple[str, str]]:
    """Return who won a season in each currency, as (currency, names)."""
    people = group.names
    champions = []
    for currency, players in store.ranked(group, months, season.ranked_by).items():
        names = [isolated(people[str(player)]) for player in store.champions(players, season.ranked_by)]
        champions.append((currency, ", ".join(names)))
    return [(currency, names) for currency, names in champions if names]


@blueprint.get("/g/<public_id>/seasons/<int:number>")
def season(public_id: str, number: int) -> str:
    """Show a season's champion, or who leads the one being played, its table and its longest streak."""
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
    known: list[tuple[Season | OpenSeason, Months]] = [*seasons, store.open_season(seasons)]
    season, months = next((pair for pair in known if pair[0].number == number), None) or abort(404)
    values = _figures(group, season, months)
    return render_template(template, **values, art=share_picture, text=_text(values))


def _figures(group: Group, season: Season | OpenSeason, months: Months) -> dict[str, Any]:
    """Return what the pages and the picture show of a season."""
    name, tables = _name(season), store.ranked(group, months, season.ranked_by)
    champions = {currency: store.champions(players, season.ranked_by) for currency, players in tables.items()}
    people = group.names
    return {
        "group": group,
        "season": season,
        "name": name,
        "is_open": isinstance(season, OpenSeason),
        "when": in_words(months) if months.until else _since(months.since or store.first_month(group)),
        "tables": tables,
        "people": people,
        "headlines": {currency: _headline(season, champions[currency], people) for currency in tables},
        "champions": champions,
        "decides": DECIDES,
        "streaks": {key: _streak(players) for key, players in tables.items()},
    }


def _name(season: Season | OpenSeason) -> str:
    """Return a season's name; that of the one being played is only a suggestion."""
    return season.name if isinstance(season, Season) else say("Season {number}", number=season.number)


def _since(month: str) -> str:
    """Return in words when the season being played began or begins; "" if there are no rounds yet."""
    if not month:
        return ""
    text = "begins in {month}" if month > this_month() else "since {month}"
    return say(text, month=month_words(month))


def in_words(months: Months) -> str:
    """Return the months of a closed season in words."""
    last = month_words(months.until)
    if months.since == months.until:
        return last
    if not months.since:
        return say("until {month}", month=last)
    return say("{first} to {last}", first=month_words(months.since), last=last)


def _headline(season: Season | OpenSeason, champions: Iterable[int], people: dict[str, str]) -> str:
    names = tuple(people[str(player)] for player in champions)
    values = {"n": len(names), "players": names, "season": _name(season)}
    if isinstance(season, OpenSeason):
        return say(Message("{players} leads", "{players} lead", **values)) if names else say("Nobody leads yet")
    if not names:
        return say("A season without a champion")
    return say(Message("{players} wins {season}", "{players} share {season}", **values))


def _streak(players: list[tuple[int, Summary]]) -> tuple[int, list[int]]:
    """Return the most wins in a row, and who had them."""
    most = max((sums.streak_best for _, sums in players), default=0)
    return most, [player for player, sums in players if sums.streak_best == most > 1]


def _text(values: dict[str, Any]) -> str:
    """Return a season as a text message to share."""
    when = f" ({values['when']})" if values["when"] else ""
    lines = [f"{values['group'].name}, {values['name']}{when}"]
    for currency, players in values["tables"].items():
        lines.append(values["headlines"][currency])
        for player, sums in players:
            won = Message("won {won} of {n} round", "won {won} of {n} rounds", won=sums.wins, n=sums.rounds)
            lines.append(f"{isolated(values['people'][str(player)])} {signed(sums.net, currency or None)}, {say(won)}")
    return "\n".join(lines)
