"""The leaderboard, a player's page and a night's charts: content, access and cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from pages import Page, opened
from sqlalchemy import Engine, select
from statements import heard
from years import make_years

from companion import create_app
from companion.store.groups import links
from companion.store.history import results as history
from companion.store.history.results import Span
from companion.store.history.tallies import Summary
from companion.store.models import Group, Night, db, now
from companion.web.history import month_words, rarest_first
from companion.web.text.money import averaged, gain_or_loss

FEW, MANY = (1, 40), (10, 120)  # nights and rounds


def years(folder: Path, nights: int, rounds: int) -> tuple[Flask, str]:
    app = create_app({"INSTANCE": folder, "TESTING": True})
    secret = links.new_secret()
    with app.app_context():
        make_years(secret, nights, rounds)
        db.session.remove()
        db.engine.dispose()
    return app, secret


@pytest.fixture(scope="module")
def many(new_instance: Callable[[], Path]) -> tuple[Flask, str]:
    return years(new_instance(), *MANY)


@pytest.fixture
def phone(many: tuple[Flask, str]) -> Iterator[FlaskClient]:
    app, secret = many
    client = app.test_client()
    assert client.get(f"/open/{secret}").status_code == 303
    with app.app_context():
        yield client
        db.session.remove()


def group() -> Group:
    return db.session.scalars(select(Group)).one()


def newest() -> Night:
    found = db.session.scalars(select(Night).order_by(Night.id.desc()).limit(1)).one()
    assert found.lines
    return found


def addresses() -> dict[str, str]:
    here = f"/g/{group().public_id}"
    return {
        "group": here,
        "night": f"/s/{newest().public_id}",
        "leaderboard": f"{here}/leaderboard",
        "one game": f"{here}/leaderboard?game=knock&since=2024-01&until=2030-01",
        "player": f"{here}/players/{newest().seats[0].player_id}",
        "player, one game": f"{here}/players/{newest().seats[0].player_id}?game=knock",
        "pictures": f"/s/{newest().public_id}/pictures",
    }


PAGES = ["leaderboard", "one game", "player", "player, one game", "pictures"]


def rows(html: str) -> list[list[str]]:
    """List the rows of all tables on a page."""
    found = []
    for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        found.append([re.sub(r'<span class="player[^>]*>.*?</span>|<[^>]+>', "", cell).strip() for cell in cells])
    return found


def test_the_leaderboard_says_what_is_kept(phone: FlaskClient) -> None:
    html = phone.get(addresses()["leaderboard"]).text
    standings = history.standings(group(), Span())
    assert set(standings) == {"", "EUR"}
    names = {player.id: player.name for player in group().players}
    told = rows(html)
    for player, summary in standings[""].items():
        net = f"{summary.net:+,}".replace("-", "\u2212") if summary.net else "0"
        ahead = [
            names[player],
            net,
            averaged(summary.net, summary.rounds, None),
            str(summary.rounds),
            str(summary.wins),
        ]
        assert ahead in told
        assert [names[player], str(summary.knocks), str(summary.good_knocks), str(summary.folds)] in told
    assert len(re.findall(r"1 in [0-9,]+</a>", html)) > 6


def test_a_hand_leads_to_the_round_where_it_was_shown(phone: FlaskClient) -> None:
    page = opened(phone, addresses()["leaderboard"])
    (first, *_) = [link for link in page.all("a", "href") if "/lines/" in link]
    assert "1 in" in opened(phone, first).text


def test_last_month_is_a_tap_away_from_the_group(phone: FlaskClient) -> None:
    before = now().replace(day=1) - timedelta(days=1)
    (asked,) = {link for link in opened(phone, f"/g/{group().public_id}").all("a", "href") if "since=" in link}
    assert asked.endswith(f"/leaderboard?since={before:%Y-%m}&until={before:%Y-%m}")
    assert 'aria-current="true">✓ Last month</a>' in phone.get(asked).text


def test_this_month_is_that_of_this_computers_clock(
    phone: FlaskClient, six_hours_behind: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.history.now", lambda: datetime(2027, 1, 1, 3, tzinfo=UTC))
    asked = opened(phone, addresses()["leaderboard"]).all("a", "href")
    assert [link.partition("since=")[2] for link in asked if "since=2026" in link] == [
        "2026-01&until=2026-12",
        "2026-12&until=2026-12",
        "2026-11&until=2026-11",
    ]


def test_months_and_games_are_chosen(phone: FlaskClient) -> None:
    here = addresses()["leaderboard"]
    empty = opened(phone, f"{here}?since=2031-01")
    assert "No rounds in this period" in empty.text
    assert "?" in empty.all("a", "href")
    assert "?" not in opened(phone, here).all("a", "href")
    wrong = opened(phone, f"{here}?since=2031-01&until=soon").texts
    assert "This isn't a month; choose one" in wrong["until-error"]
    assert "since-error" not in wrong
    nights = {f"{night.opened_at:%Y-%m}" for night in db.session.scalars(select(Night))}
    assert len(nights) > 5
    first = opened(phone, f"{here}?since={min(nights)}&until={min(nights)}").text
    assert first != opened(phone, here).text
    assert 'value="knock" selected' in phone.get(f"{here}?game=knock").text
    strange, plain = (phone.get(address).text.partition("<footer")[0] for address in (f"{here}?game=chess", here))
    assert strange == plain


@pytest.mark.parametrize(("language", "told"), [("en", "Nov 2026"), ("es", "nov 2026")])
def test_a_month_is_called_as_the_language_calls_it(many: tuple[Flask, str], language: str, told: str) -> None:
    with many[0].test_request_context(headers={"Accept-Language": language}):
        assert month_words("2026-11") == told


def test_a_player_against_the_others(phone: FlaskClient) -> None:
    one = newest().seats[0].player
    html = phone.get(addresses()["player"]).text
    names = {player.id: player.name for player in group().players}
    for versus in history.head_to_head(one, Span()).values():
        for other, found in versus.items():
            told = [f"{names[other]} {found.rounds} rounds", str(found.better), str(found.worse)]
            assert told in [[" ".join(row[0].split()), *row[2:]] for row in rows(html)]
    assert phone.get(f"/g/{group().public_id}/players/99999").status_code == 404


def test_the_pictures_and_their_table_tell_the_same(phone: FlaskClient) -> None:
    page = opened(phone, addresses()["pictures"])
    balances = {account.key: account.balance for account in newest().accounts}
    last = next(row for row in rows(page.html) if row[0] == str(newest().lines[-1].number))
    ends = [balances[str(seat.player_id)] for seat in newest().seats]
    assert [int(cell.replace("\u2212", "-").replace(",", "")) for cell in last[1:]] == ends
    images = [about for tag, about in page.tags if tag == "svg" and about.get("role") == "img"]
    assert len(images) == 2
    assert all("the table below has the numbers" in (about["aria-label"] or "") for about in images)
    assert page.html.count("<polyline") == len(ends)


def test_a_record_names_everybody_who_holds_it(app: Flask) -> None:
    night = PlayedNight(app, begins="round")  # Ana wins 6; Beto and Caro lose 3 each
    page = night.html("{group}/leaderboard")
    records = re.findall(r'<li class="panel">.*?</li>', page, re.DOTALL)
    told = [[name for name in night.players if name in record] for record in records]
    assert told == [["Ana"], ["Beto", "Caro"], ["Ana"], ["Ana"]]


def test_a_night_without_rounds_has_no_pictures(app: Flask) -> None:
    client = app.test_client()
    secret = links.new_secret()
    with app.app_context():
        made = make_years(secret, 1, 0)
        client.get(f"/open/{secret}")
        page = opened(client, f"/s/{newest_of(made)}/pictures")
        assert "Nothing has been played yet" in page.text
        empty = opened(client, f"/g/{made.public_id}/leaderboard")
        assert "No rounds in this period" in empty.text
        assert "?" not in empty.all("a", "href")


def newest_of(made: Group) -> str:
    return db.session.scalars(select(Night.public_id).filter_by(group_id=made.id)).one()


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """Record the statements that reach the database."""
    said: list[str] = []
    with heard(engine, lambda statement, _values: said.append(statement)):
        yield said


def counted(app: Flask, secret: str) -> dict[str, int]:
    found = {}
    client = app.test_client()
    client.get(f"/open/{secret}")
    with app.app_context():
        pages, engine = addresses(), db.engine
    # each page in a context of its own: in a shared one, a page finds whatever was not yet collected of those before
    for name, address in pages.items():
        with statements(engine) as said:
            assert client.get(address).status_code == 200
        found[name] = len(said)
    return found


def test_many_rounds_ask_the_database_no_more_than_few(many: tuple[Flask, str], instance: Path) -> None:
    few = counted(*years(instance, *FEW))
    assert {name: number for name, number in counted(*many).items() if number > few[name]} == {}


AVERAGES = [
    (10, 4, None, "+2.5"),
    (-10, 3, None, "\u22123.3"),
    (-1, 100, None, "0.0"),
    (0, 0, None, "0.0"),
    (1, 2, "EUR", "+0.01"),
    (-250, 2, "EUR", "\u22121.25"),
    (1, 3, "EUR", "0.00"),
    (1, 1, None, "+1.0"),
    (-1, 1, None, "\u22121.0"),
]


@pytest.mark.parametrize(("amount", "number", "currency", "words"), AVERAGES)
def test_averages(amount: int, number: int, currency: str | None, words: str) -> None:
    assert averaged(amount, number, currency) == words


def test_a_net_of_a_single_unit_is_coloured_too() -> None:
    assert [gain_or_loss(amount) for amount in (-1, 0, 1)] == ["loss", "", "gain"]


def test_the_answer_says_how_rare_each_hand_is(client: FlaskClient) -> None:
    from pages import as_posted, send
    from sample_rounds import ROUNDS

    page: Page = send(client, "knock-poker", as_posted(client, ROUNDS["knock-poker"]))
    assert "1 in 1,109 hands is this good" in page.text


def test_best_hands_are_ordered_by_how_rare_they_are(phone: FlaskClient) -> None:
    html = phone.get(f"/g/{group().public_id}/leaderboard").text
    shown = [part.partition("<details")[0] for part in html.split("shown-hands")[1:]]
    assert shown
    for currency, hands in zip(sorted(history.standings(group(), Span())), shown, strict=True):
        sums = history.standings(group(), Span())[currency].values()
        rarest = sorted(s.best_at_least / s.best_of for s in sums if s.best_of and s.best_at_least is not None)
        names = {player.name: player.id for player in group().players}
        told = [history.standings(group(), Span())[currency][names[n]] for n in re.findall(r"<div><b>(\w+)</b>", hands)]
        assert [s.best_at_least / s.best_of for s in told if s.best_of and s.best_at_least is not None] == rarest


@pytest.mark.parametrize(
    ("shares", "order"),
    [([(9, 10), None, (1, 700), (1, 2)], [2, 3, 0]), ([(2, 4), (1, 2)], [0, 1]), ([None], [])],
)
def test_players_without_a_hand_are_not_among_the_best(shares: list[tuple[int, int] | None], order: list[int]) -> None:
    players = [
        (at, Summary(best_at_least=one[0], best_of=one[1], best_line_id=at) if one else Summary())
        for at, one in enumerate(shares)
    ]
    assert [at for at, _ in rarest_first(players)] == order
