"""Seasons: closing one by net or by rounds won, its page, text and picture, the leaderboard by season, and the file."""

from __future__ import annotations

import json
from datetime import datetime
from io import BytesIO
from xml.etree import ElementTree

import pytest
from devices import Device, PlayedNight, problem, words
from flask import Flask
from years import make_years

from companion.store.groups import links, seasons
from companion.store.models import Group, Season, Tally, db


@pytest.fixture
def years(app: Flask) -> tuple[Device, str, list[str]]:
    """A phone that keeps score of a group of two years, the group's address, and its months, the newest first."""
    secret = links.new_secret()
    with app.app_context():
        here = f"/g/{make_years(secret, 24, 240).public_id}"
    phone = Device(app)
    assert phone.open(secret) == 303
    with app.app_context():
        months = seasons.months_to_close(db.session.query(Group).one(), "2099-12")
    return phone, here, months


def close(phone: Device, here: str, name: str, by: str, until: str) -> str:
    """Close a season; returns the problem, if there is one."""
    return problem(phone.post(f"{here}/seasons", name=name, decides=by, until=until, do="close").text)


def test_a_season_begins_after_the_one_before_and_what_decides_it_decides(years: tuple[Device, str, list[str]]) -> None:
    phone, here, months = years
    assert close(phone, here, "Spring", "net", months[12]) == ""
    assert close(phone, here, "Summer", "wins", months[2]) == ""
    listed = words(phone.get(f"{here}/seasons").text)
    assert listed.index("Summer") < listed.index("Spring")
    first, second = (words(phone.get(f"{here}/seasons/{number}").text) for number in (1, 2))
    assert "until" in first
    assert "wins Spring" in first
    assert "It is decided by: Who won most rounds." in second
    with phone.client.application.app_context():
        group = db.session.query(Group).one()
        (newer, of_newer), (older, of_older) = seasons.seasons_of(group)
        assert (older.until, of_older.since) == (months[12], "")
        assert (newer.until, of_newer.since) == (months[2], seasons.month_after(months[12]))
        for span, by in ((of_older, "net"), (of_newer, "wins")):
            for players in seasons.ranked(group, span, by).values():
                figures = [getattr(sums, by) for _, sums in players]
                assert figures == sorted(figures, reverse=True)
        whole = seasons.ranked(group, seasons.Months("", months[2]), "net")
        parts = [seasons.ranked(group, one, "net") for one in (of_older, of_newer)]
        rounds = [sum(sums.rounds for of in one.values() for _, sums in of) for one in (whole, *parts)]
        assert rounds[0] == rounds[1] + rounds[2] > 0
    board = phone.page(f"{here}/leaderboard")
    ways = board.all("a", "href")
    assert any(way.endswith(f"until={months[2]}") and f"since={of_newer.since}" in way for way in ways)
    assert ["This season" in board.text, "Spring" in board.text] == [True, True]
    again = phone.post(f"{here}/seasons", do="reopen-1")
    assert (again.status_code, problem(again.text)) == (409, "Only the season that was closed last can be reopened")
    for _ in range(2):  # sent again, it is done once
        phone.does(f"{here}/seasons", do="reopen-2", key="once")
    assert phone.get(f"{here}/seasons/3").status_code == 404
    assert "Summer" not in phone.get(f"{here}/seasons").text


NOT_A_SEASON: list[tuple[str, str, int | str, str]] = [
    ("", "net", 0, "A season needs a name of up to 40 characters"),
    ("x" * 41, "net", 0, "A season needs a name of up to 40 characters"),
    ("a\x00b", "net", 0, "A season needs a name of up to 40 characters"),
    ("spring", "net", 0, "There is already a season with this name; choose another one"),
    ("Summer", "luck", 0, "Choose what decides the season"),
    ("Summer", "net", 5, "A season ends with a month in which you played, after the last one"),
    ("Summer", "net", "2099-01", "A season ends with a month in which you played, after the last one"),
    ("Summer", "net", "soon", "A season ends with a month in which you played, after the last one"),
]


def test_a_season_that_cannot_be(years: tuple[Device, str, list[str]]) -> None:
    phone, here, months = years
    assert close(phone, here, "Spring", "net", months[5]) == ""
    for name, by, until, why in NOT_A_SEASON:
        assert close(phone, here, name, by, months[until] if isinstance(until, int) else until) == why
    assert phone.post(f"{here}/seasons", do="reopen-x").status_code == 400
    assert "What decides is chosen when the season is closed." in words(phone.get(f"{here}/seasons/2").text)


def test_the_picture_and_the_text_have_the_table_and_grow_with_it(app: Flask) -> None:
    night = PlayedNight(app, begins="round, round", currency="EUR", stake="1")
    (month, *_) = night.page("{group}/seasons").fields["until"]
    night.does("{group}/seasons", name="<b> & co", decides="net", until=month, do="close")
    page = night.html("{group}/seasons/1")
    assert "Ana wins &lt;b&gt; &amp; co" in page
    assert "Most wins in a row 2 A Ana" in words(page)
    svg = night.keeper.get(f"{night.group}/seasons/1/picture.svg")
    assert svg.mimetype == "image/svg+xml"
    told = " ".join(
        "".join(node.itertext()) for node in ElementTree.fromstring(svg.data).iter("{http://www.w3.org/2000/svg}text")
    )
    assert "Ana wins <b> & co" in told
    assert all(text in told for text in ("won 2 of 2 rounds", "Most wins in a row: 2", "Caro"))
    assert "Ana +" in words(page).replace("\u2060", "")
    spanish = night.keeper.client.get(f"{night.group}/seasons/1/picture.svg", headers={"Accept-Language": "es-MX"})
    assert "gana" in spanish.text
    looker = night.guest("look")
    assert looker.get(f"{night.group}/seasons/1").status_code == 200
    assert "Close the season" not in looker.get(f"{night.group}/seasons").text


def test_the_season_being_played_shows_who_leads_and_is_shared(app: Flask) -> None:
    night = PlayedNight(app, begins="round, round", currency="EUR", stake="1")
    month = night.page("{group}/seasons").fields["until"][0]
    since = month_words_of(month)
    listed = night.text("{group}/seasons")
    assert f"Season 1 · since {since} Ana leads" in listed, listed
    assert "won 2 of 2 rounds · the last 2 in a row" in listed
    assert "Most wins in a row 2 A Ana" in listed
    looker = night.guest("look")
    page = night.text("{group}/seasons/1", looker)
    assert "What decides is chosen when the season is closed." in page
    assert f"Season 1 (since {since})" in page
    assert "champion" not in page
    svg = night.html("{group}/seasons/1/picture.svg")
    assert ["Ana leads" in svg, f"since {since}" in svg, 'stroke-linejoin="round"/>' in svg] == [True, True, False]
    assert "Ana va ganando" in night.keeper.client.get(f"{night.group}/seasons", headers={"Accept-Language": "es"}).text
    # closed with this month, the next one begins with the next month; its table goes by the same figure
    night.does("{group}/seasons", name="Autumn", decides="wins", until=month, do="close")
    assert "Ana wins Autumn" in night.text("{group}/seasons/1")
    listed = night.text("{group}/seasons")
    begins = f"Season 2 · begins in {month_words_of(seasons.month_after(month))}"
    assert [begins in listed, "leads" in listed] == [True, False], listed
    assert night.page("{group}/seasons").fields.get("decides") is None  # nothing to close
    assert "by: Who won most rounds." in night.text("{group}/seasons/2")
    night.does("{group}/seasons", do="reopen-1")
    night.does("/lines/2", do="void", seen="1")
    assert "Ana leads" in night.text("{group}/seasons")


def month_words_of(month: str) -> str:
    return f"{datetime.strptime(month, '%Y-%m'):%b %Y}"


def test_nobody_leads_before_somebody_has_won(night: PlayedNight, app: Flask) -> None:
    told = night.text("{group}/seasons")
    assert ["Season 1" in told, "since" in told, "leads" in told] == [True, False, False]
    assert "No rounds in this period." in night.text("{group}/seasons/1")
    night.plays("round")
    with app.app_context():
        db.session.query(Tally).update({Tally.net: 0})
        db.session.commit()
    assert "Nobody leads yet" in night.text("{group}/seasons")


def test_a_season_without_rounds_or_a_winner(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    (month, *_) = night.page("{group}/seasons").fields["until"]
    night.does("{group}/seasons", name="Short", decides="net", until=month, do="close")
    night.plays("void 1")
    assert "No rounds in this period." in night.text("{group}/seasons/1")
    assert "No rounds in this period." in night.html("{group}/seasons/1/picture.svg")
    assert "Close the season" not in night.html("{group}/seasons")


def test_the_file_has_the_seasons(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    (month, *_) = night.page("{group}/seasons").fields["until"]
    before = night.keeper.get(f"{night.group}/export/group.json").get_json(force=True)
    assert "seasons" not in before["group"]
    night.does("{group}/seasons", name="Spring", decides="wins", until=month, do="close")
    file = night.keeper.get(f"{night.group}/export/group.json").get_json(force=True)
    assert file["group"]["seasons"] == [{"number": 1, "name": "Spring", "by": "wins", "until": month}]
    night.keeper.does(f"{night.group}/delete")
    with app.app_context():
        assert db.session.query(Season).all() == []
    bad: list[tuple[list[dict[str, object]], str]] = [
        ([{"number": 1, "name": "", "by": "net", "until": month}], "season 1, name"),
        ([{"number": 1, "name": "A", "by": "luck", "until": month}], "isn't one of"),
        ([{"number": 1, "name": "A", "by": "net", "until": "2026-13"}], "isn't allowed"),
        (
            [{"number": n, "name": f"S{n}", "by": "net", "until": month} for n in (1, 2)],
            "isn't after the season before",
        ),
        ([{"number": 2, "name": "A", "by": "net", "until": month}], "instead of 1"),
    ]
    for rows, why in [*bad, (file["group"]["seasons"], "")]:
        document = json.dumps({**file, "group": {**file["group"], "seasons": rows}}).encode()
        answer = night.keeper.post(
            "/groups/import", secret=f"{'i' * 29}{len(why)}", file=(BytesIO(document), "group.json")
        )
        assert (answer.status_code, why in words(answer.text)) == ((200 if why else 303), True), words(answer.text)[
            :900
        ]
    again = night.keeper.get(f"{answer.location}/export/group.json").get_json(force=True)
    assert again["group"]["seasons"] == file["group"]["seasons"]
