"""The next night: who comes, the calendar's file, and a night that opens with those who come; a night's last round."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from devices import Device, PlayedNight, problem, words
from flask import Flask

from companion.store.groups import groups, next_night
from companion.store.models import Coming, Group, NextNight, Night, db, now
from companion.web.groups import next_night as pages
from companion.web.groups.next_night import ics_of

FRIDAY = date.today() + timedelta(days=7)


def plans(night: PlayedNight, **more: str) -> str:
    """Plan Friday's night; returns the problem, if there is one."""
    fields = {"day": f"{FRIDAY}", "time": "20:00", "place": "Beto's", "offset": "-21600", "last-round": "01:00", **more}
    page = night.post("{group}/next", do="set", **fields).text
    at_fields = re.findall(r'<li><a href="#[a-z-]+">(.*?)</a>', page)
    return f"{problem(page)}: {', '.join(at_fields)}" if at_fields else problem(page)


def test_who_may_play_says_who_comes_and_the_night_opens_with_them(app: Flask) -> None:
    night = PlayedNight(app, begins="round, close")
    player, looker = night.guest("play"), night.guest("look")
    assert "Plan the next night" in night.text("{group}")
    assert plans(night) == ""
    assert "Next night:" in night.text("{group}", looker)
    for name, do in (("Ana", "yes"), ("Beto", "no"), ("Caro", "no"), ("Caro", "yes")):
        night.does("{group}/next", player, do=f"{do}-{{{name}}}")
    assert night.post("{group}/next", looker, do="yes-{Ana}").status_code == 403
    for do in ("set", "cancel"):
        assert night.post("{group}/next", player, do=do).status_code == 403
    told = night.text("{group}/next", looker)
    assert "20:00 Beto's · last round at 01:00 2 are coming · 1 can't" in told, told
    message = night.text("{group}/next", player)
    assert "Who comes? http://" in message
    # it lets in who gets it, as a player, and leads there alone
    link = urlsplit(message.partition("Who comes? ")[2].partition(" ")[0])
    invited = Device(night.app)
    assert "last round at 01:00" in invited.client.get(f"{link.path}?{link.query}", follow_redirects=True).text
    for to in ("//evil.example", "g/x/next/../..", "s/x", "https://evil.example/g/x/next"):
        assert invited.client.get(link.path, query_string={"to": to}).location == night.group
    assert plans(night, place="Caro's") == ""  # another place, and who comes stays
    assert "20:00 Caro's · last round at 01:00 2 are coming" in night.text("{group}/next", looker)
    assert plans(night) == ""
    with app.app_context():
        group = db.session.query(Group).one()
        at = datetime(FRIDAY.year, FRIDAY.month, FRIDAY.day, 20, tzinfo=UTC) + timedelta(hours=6)
        planned = next_night.next_night(group)
        assert planned is not None
        assert (planned.at, planned.utc_offset) == (at, -21600)
        players = [player.id for player in group.players]
        groups.start_night(group, players, "knock", {}, "too early", opened_at=at - timedelta(hours=13))
        assert db.session.query(Coming).count() == 3
        opened = groups.start_night(group, players, "knock", {}, "in time", opened_at=at + timedelta(minutes=5))
        assert (opened.place, opened.last_round) == ("Beto's", "01:00")
        assert db.session.query(Coming).all() + db.session.query(NextNight).all() == []


def test_a_night_that_is_due_begins_with_those_who_come(app: Flask) -> None:
    night = PlayedNight(app, begins="round, left Beto, new Dani, close")
    with app.app_context():
        group = db.session.query(Group).one()
        next_night.plan_night(group, next_night.Planned(now(), 0), groups_sent("a"))
        dani = next(player.id for player in group.players if player.name == "Dani")
        for key, player in enumerate((dani, int(night.players["Beto"]))):
            next_night.answer(group, player, True, groups_sent(f"b{key}"))
    ticked = re.findall(r'name="player" value="(\d+)" checked', night.html("{group}"))
    assert {*ticked} == {night.players["Beto"], str(dani)}
    begun = night.does("{group}/tonight", do="again")
    with app.app_context():
        found = db.session.query(Night).filter_by(public_id=begun.rpartition("/")[2]).one()
        assert [seat.player.name for seat in found.seats] == ["Beto", "Dani"]


def groups_sent(key: str) -> next_night.Sent:
    return next_night.Sent(key, "a phone")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"day": "soon"}, "One thing to fix: Choose the day"),
        ({"day": ""}, "One thing to fix: Choose the day"),
        ({"day": "", "time": ""}, "2 things to fix: Choose the day, Choose the time, such as 20:00"),
        ({"time": "8 pm"}, "One thing to fix: Choose the time, such as 20:00"),
        ({"day": "1999-01-01"}, "One thing to fix: Choose the day"),
        ({"day": "2020-01-01"}, "Choose a day from today on, in the next three years"),
        ({"day": "2199-01-01"}, "Choose a day from today on, in the next three years"),
        ({"last-round": "25:00"}, "The last round is at a time like 01:00"),
        ({"last-round": "at one"}, "The last round is at a time like 01:00"),
        ({"offset": "99999"}, ""),
        ({"offset": "x"}, ""),
        ({"place": "x" * 300}, ""),
        ({"last-round": ""}, ""),
    ],
)
def test_what_can_be_planned(night: PlayedNight, more: dict[str, str], why: str) -> None:
    assert plans(night, **more) == why
    is_planned = night.keeper.get(f"{night.group}/next.ics").status_code
    assert is_planned == (404 if why else 200)


@pytest.mark.parametrize(
    ("began", "today", "day"),
    [
        ((2026, 12, 4, 20), (2026, 12, 4, 23), "2026-12-11"),
        ((2026, 12, 4, 20), (2026, 12, 9, 12), "2026-12-11"),
        ((2026, 12, 5, 1), (2026, 12, 9, 12), "2026-12-11"),  # after midnight
        ((2026, 12, 4, 20), (2027, 1, 7, 12), "2027-01-08"),
    ],
)
def test_the_usual_day_and_place_are_filled_in(
    night: PlayedNight, monkeypatch: pytest.MonkeyPatch, began: tuple[int, ...], today: tuple[int, ...], day: str
) -> None:
    night.does("/note", place="Beto's", note="")
    assert 'value="Beto&#39;s"' in night.html("{group}/next")
    last = Night(opened_at=datetime(*began, tzinfo=UTC), utc_offset=0)
    monkeypatch.setattr(pages, "now", lambda: datetime(*today, tzinfo=UTC))
    assert f"{pages._usual_day(last)}" == day


def test_my_own_answer_is_asked_first(night: PlayedNight) -> None:
    assert plans(night) == ""
    beto = night.joined("Beto")
    group = night.guest("play")
    assert "Are you coming" not in night.text("{group}/next", group)
    beto.open(night.links()["play"])
    assert "Are you coming, Beto? I'm coming I can't" in night.text("{group}/next", beto)
    night.does("{group}/next", beto, do="yes-{Beto}")
    told = night.html("{group}/next", beto)
    pressed = re.findall(r'value="(.*?)" aria-pressed="true"', told)
    assert pressed == [f"yes-{night.players['Beto']}"] * 2  # above, and on the sheet
    assert "1 is coming · 2 haven't answered" in words(told)


def test_answers_and_plans_that_are_gone(night: PlayedNight) -> None:
    assert problem(night.post("{group}/next", do="yes-{Ana}").text) == "No night is planned any more"
    assert plans(night) == ""
    assert "Only players of this group" in problem(night.post("{group}/next", do="no-999").text)
    for do in ("yes-x", "fly", ""):
        assert night.post("{group}/next", do=do).status_code == 400
    answer, again = (night.keeper.post(f"{night.group}/next", do="cancel", key="once") for _ in range(2))
    assert (answer.status_code, again.status_code) == (303, 303)
    assert "No night is planned." in night.text("{group}/next", night.guest("look"))
    for _ in range(2):
        assert night.keeper.post(f"{night.group}/next", do="yes-1", key="two").status_code == 200


def test_the_file_for_calendars_is_folded_escaped_and_in_utc(app: Flask) -> None:
    with app.app_context():
        group = Group(name="Ñandú; 10,5 \\ \n " + "🂡" * 40)
        at = datetime(2026, 12, 5, 2, tzinfo=UTC)
        planned = NextNight(public_id="abc", at=at, utc_offset=-21600, place="", last_round="01:00", revision=2)
        file = ics_of(group, planned, "http://localhost/g/x/next")
    assert file.endswith(b"END:VCALENDAR\r\n")
    assert b"\n" not in file.replace(b"\r\n", b"")
    lines = file.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() for line in lines[:-1])
    whole = file.decode().replace("\r\n ", "").split("\r\n")
    assert whole[:3] == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Table Companion//Table Companion//EN"]
    assert "UID:abc@table-companion" in whole
    assert "SEQUENCE:2" in whole
    assert "DTSTART:20261205T020000Z" in whole
    assert "DTEND:20261205T070000Z" in whole
    assert not any(line.startswith("LOCATION") for line in whole)
    assert r"SUMMARY:Ñandú\; 10\,5 \\ \n " + "🂡" * 40 in whole
    planned.last_round, planned.place = None, "Beto, upstairs"
    planned.revision = 3
    with app.app_context():
        later = ics_of(group, planned, "http://localhost").decode()
    assert ["DTEND:20261205T060000Z" in later, r"LOCATION:Beto\, upstairs" in later] == [True, True]
    planned.last_round = "23:30"
    with app.app_context():
        assert "DTEND:20261205T053000Z" in ics_of(group, planned, "http://localhost").decode()


def test_the_last_round_is_told_on_every_phone_and_the_big_screen(night: PlayedNight, app: Flask) -> None:
    night.does("/note", place="Here", note="", **{"last-round": "01:00"})
    for page, device in (("", None), ("/money", night.guest("look")), ("/table", None)):
        assert re.search(r"last round( at|: it is past) 01:00", night.text(page, device)), page
    assert problem(night.post("/note", **{"last-round": "1 o'clock"}).text) == "The last round is at a time like 01:00"
    with app.app_context():
        found = db.session.query(Night).one()
        found.opened_at = datetime(2026, 12, 4, 20, tzinfo=UTC)
        found.utc_offset = 3600  # 21:00 there
        times = [(4, 23, 59), (5, 0, 0), (5, 12, 0)]  # in UTC, an hour before
        assert [found.is_last_round(datetime(2026, 12, *at, tzinfo=UTC)) for at in times] == [False, True, True]
        found.last_round = "22:00"
        assert found.is_last_round(datetime(2026, 12, 4, 21, tzinfo=UTC))
        found.last_round = None
        assert not found.is_last_round(datetime(2026, 12, 9, tzinfo=UTC))
        db.session.rollback()
    assert "last_round" in night.keeper.get(f"{night.group}/export/group.json").text
    night.plays("close")
    assert "last round" not in night.text("/money")
    night.does("/note", place="", note="")
    assert words(night.html("/people")).count("01:00") == 0


@pytest.mark.parametrize(("ahead", "told"), [(1, "Caro deals last round at 01:00"), (-2, "Final round Knock Poker")])
def test_the_page_of_a_round_tells_its_last_round_too(night: PlayedNight, app: Flask, ahead: int, told: str) -> None:
    beto = night.joined("Beto")
    night.does("/note", place="", note="", **{"last-round": "01:00"})
    with app.app_context():
        db.session.query(Night).one().opened_at = now() + timedelta(days=ahead)
        db.session.commit()
    for phone in (None, beto):
        assert told in night.text("/round", phone)
    line = night.books()
    assert "Final round" not in night.text(f"{line.partition('?')[0].removeprefix(night.night)}/correct")
