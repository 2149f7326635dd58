"""Who may open which page: every route of a group or session, with each kind of link and with none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from devices import Device, PlayedNight
from flask import Flask
from werkzeug.test import TestResponse

# what may be done with less than the link that keeps score; a route that does not stand here needs that link
LOOK = {
    "GET groups.show",
    "GET night.table",
    "GET night.line",
    "GET night.changes",
    "GET draft.state",
    "GET settle_up.of_night",
    "GET night.rounds",
    "GET night.money",
    "GET night.end",
    "GET night.end_picture",
    "GET night.people",
    "GET night.big_screen",
    "GET settle_up.of_group",
    "GET history.leaderboard",
    "GET history.player",
    "GET history.pictures",
    "GET printing.night",
    *("GET next_night.plan", "GET next_night.calendar"),
    *("GET seasons.listed", "GET seasons.season", "GET seasons.picture"),
}
PLAY = {
    *("GET phones.me", "POST phones.me", "POST draft.enter", "POST reminders.choose"),
    *("GET night_round.new", "POST night_round.enter"),
    *("POST night.play", "POST night.payments_by", "POST photo.of_next_round", "GET night.games"),
}
# there are none in a night without stacks
OF_STACKS = {"GET night.count", "POST night.count"}
# these speak of a plan, by an address that nobody guesses
OF_PLANS = {"POST settle_up.pay", "GET paying.payment"}


# what stands in an address besides, and something that there is
_PARTS = {"number": ("<int:number>", "1"), "position": ("<int:position>", "0"), "what": ("<what>", "group.json")}


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Yield the name, method and address of every route of a group or session."""
    for rule in app.url_map.iter_rules():
        if "public_id" in rule.arguments:
            assert rule.arguments <= {"public_id", *_PARTS}, rule
            path = rule.rule
            for part, value in _PARTS.values():
                path = path.replace(part, value)
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield f"{method} {rule.endpoint}", method, path


def answers(device: Device, night: PlayedNight, some: slice = slice(None)) -> dict[str, TestResponse]:
    """Call every route with a phone, or the pages that are opened most and some others."""
    found = {}
    # deleting comes last: after it there is nothing
    every = sorted(routes(night.app), key=lambda route: route[0] == "POST delete_group.delete")
    chosen = [*(route for route in every if route[0] in ("GET groups.show", "GET night.table")), *every[some]]
    for name, method, rule in chosen if some != slice(None) else every:
        whole = night.group if rule.startswith("/g/") else night.night
        path = rule.replace("<public_id>", whole.rpartition("/")[2])
        found[name] = device.get(path) if method == "GET" else device.post(path)
    return found


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app, begins=has_something_of_everything)


def has_something_of_everything(night: PlayedNight) -> None:
    night.books()
    night.does("{group}/rules/new?game=knock", name="Tuesday rules", do="save")
    night.does("{group}/next", day=f"{date.today() + timedelta(days=7)}", time="20:00", do="set")
    months = night.page("{group}/seasons").fields["until"]
    night.does("{group}/seasons", name="Spring", decides="net", until=months[0], do="close")


def without_a_link(night: PlayedNight, device: Device) -> None:
    """Open nothing."""


def with_a_made_up_link(night: PlayedNight, device: Device) -> None:
    assert device.open("made-up") == 404


def with_a_wrong_code(night: PlayedNight, device: Device) -> None:
    device.get("/join/CDFHJK")


def with_another_groups_link(night: PlayedNight, device: Device) -> None:
    other = PlayedNight(night.app, secret="another-secret")
    assert device.open(other.links()["keep"]) == 303


def with_another_sessions_code(night: PlayedNight, device: Device) -> None:
    other = PlayedNight(night.app, secret="another-secret")
    assert device.get(f"/join/{other.code()}").status_code == 303


def with_a_renewed_link(access: str) -> Callable[[PlayedNight, Device], None]:
    def shut_out(night: PlayedNight, device: Device) -> None:
        assert device.open(night.links()[access]) == 303
        assert device.get(night.night).status_code == 200
        night.does("{group}/links", do=f"renew-{access}")

    return shut_out


def with_all_links_renewed(night: PlayedNight, device: Device) -> None:
    assert device.open(night.links()["look"]) == 303
    night.does("{group}/links", do="renew-keep")


STRANGERS = {
    "no link": without_a_link,
    "a made-up link": with_a_made_up_link,
    "a wrong code": with_a_wrong_code,
    "another group's link": with_another_groups_link,
    "another session's code": with_another_sessions_code,
    "an old link to keep score": with_a_renewed_link("keep"),
    "an old link to play": with_a_renewed_link("play"),
    "an old link to look": with_a_renewed_link("look"),
    "an old link to look, all made anew": with_all_links_renewed,
}


# without a link every route is tried; the others share out the routes among themselves
SHARES = [slice(None), *(slice(at, None, len(STRANGERS) - 1) for at in range(len(STRANGERS) - 1))]


@pytest.mark.parametrize(("get_in", "some"), [*zip(STRANGERS.values(), SHARES, strict=True)], ids=STRANGERS)
def test_a_stranger_finds_nothing(
    night: PlayedNight, app: Flask, get_in: Callable[[PlayedNight, Device], None], some: slice
) -> None:
    device = Device(app)
    get_in(night, device)
    found = answers(device, night, some)
    assert {name: response.status_code for name, response in found.items()} == dict.fromkeys(found, 404)
    # and no page tells that there is something
    nowhere = Device(app).get("/g/nothing").text
    for name, response in found.items():
        assert "Friday" not in response.text, name
        assert "Ana" not in response.text, name
    assert found["GET groups.show"].text == nowhere


def test_the_link_that_keeps_score_opens_everything(night: PlayedNight) -> None:
    found = {name: response.status_code for name, response in answers(night.keeper, night).items()}
    assert {name for name, status in found.items() if status in (403, 404)} <= OF_PLANS | OF_STACKS
    assert set(found) >= LOOK | PLAY


@pytest.mark.parametrize(("access", "allowed"), [("look", LOOK), ("play", LOOK | PLAY)])
def test_a_lesser_link_opens_no_more_than_it_says(
    night: PlayedNight, app: Flask, access: str, allowed: set[str]
) -> None:
    device = Device(app)
    assert device.open(night.links()[access]) == 303
    found = {name: response.status_code for name, response in answers(device, night).items()}
    opened = {name for name, status in found.items() if status not in (403, 404)}
    assert opened == allowed
    assert {status for name, status in found.items() if name not in allowed | OF_PLANS | OF_STACKS} == {403}


def test_a_join_code_opens_its_session_to_play_in(night: PlayedNight, app: Flask) -> None:
    device = night.joined("Ana")
    found = {name: response.status_code for name, response in answers(device, night).items()}
    opened = {name for name, status in found.items() if status not in (403, 404)}
    of_the_group = ("groups.show", "of_group", "history.leaderboard", "history.player", "next_night.plan")
    of_the_group += ("next_night.calendar", "seasons.listed", "seasons.season", "seasons.picture")
    # how Ana gets paid and leaves, whose phone it is
    of_ana = {"GET paying.handles", "POST paying.handles", "GET night.leave", "POST night.leave"}
    assert opened == {name for name in LOOK | PLAY if not name.endswith(of_the_group)} | of_ana


@pytest.mark.parametrize("access", ["play", "look"])
def test_a_lesser_device_sees_no_secret(night: PlayedNight, app: Flask, access: str) -> None:
    device = Device(app)
    secrets = night.links()
    device.open(secrets[access])
    paths = [night.group, "/", *(f"{night.night}{tab}" for tab in ("", "/rounds", "/money", "/people"))]
    pages = "".join(device.get(path).text for path in paths)
    assert not any(secret in pages for secret in secrets.values())
    assert "renew-" not in pages
    assert night.code() not in pages


def test_a_renewed_link_keeps_the_device_that_renewed_it(night: PlayedNight) -> None:
    for access in ("keep", "play", "look"):
        night.does("{group}/links", do=f"renew-{access}")
        assert night.keeper.get(night.group).status_code == 200


def test_the_start_page_lists_only_groups_whose_link_is_good(night: PlayedNight, app: Flask) -> None:
    device = Device(app)
    device.open(night.links()["look"])
    assert night.group in device.page("/").all("a", "href")
    night.does("{group}/links", do="renew-look")
    assert night.group not in device.page("/").all("a", "href")
