"""A group's pages: creating it, choosing tonight's players and stakes, searching nights, players and links."""

from __future__ import annotations

import re
from typing import Any

import pytest
from devices import HANDS, SECRET, Device, Night, problem
from flask import Flask
from pages import Page

from companion.web.views import home

SIX = ["Ana", "Beto", "Caro", "Dani", "Eva", "Fabi"]


@pytest.fixture
def night(app: Flask) -> Night:
    return Night(app)


@pytest.fixture
def device(app: Flask) -> Device:
    return Device(app)


def make(device: Device, *players: str, name: str = "Friday", do: str = "make") -> Page:
    response = device.post("/groups/new", name=name, player=list(players), secret=SECRET, do=do)
    assert response.status_code == 200, response.location
    return Page(response.text)


# ---- making a group


def test_a_group_is_made_on_one_page_and_remembered(device: Device, app: Flask) -> None:
    where = device.does("/groups/new", name="Friday", player=["Ana", "", " Beto ", ""], secret=SECRET, do="make")
    page = device.page(where)
    assert page.text.count("Beto") > 0
    assert "Search" not in page.text  # there are no nights yet
    assert "Search" in device.page(f"{where}?game=knock").text
    assert where in device.page("/").all("a", "href")
    assert Device(app).get(where).status_code == 404
    assert where not in Device(app).page("/").all("a", "href")


def test_a_wrong_name_is_told_of_where_it_was_typed(device: Device) -> None:
    html = device.post("/groups/new", name="Friday", player=["Ana", "", "ana"], secret=SECRET, do="make").text
    assert re.findall(r'id="(\S+)"\s+name="player"\s+value="(\w+)"[^>]+\saria-invalid', html) == [("players.1", "ana")]
    assert 'href="#players.1"' in html


def test_a_form_sent_twice_makes_one_group(device: Device) -> None:
    made = [
        device.does("/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make") for _ in range(2)
    ]
    assert made[0] == made[1]


def test_a_group_without_a_name_is_its_first_players(device: Device) -> None:
    where = device.does("/groups/new", name=" ", player=["Ana ", "Beto"], secret=SECRET, do="make")
    assert "<h1>Ana&#39;s table</h1>" in device.get(where).text


# the name, the players, and what is told
BAD_GROUPS: list[tuple[str, list[str], str]] = [
    ("", [], "One thing to fix"),  # the name is optional
    ("\u2800", ["Ana", "Beto"], "The group needs a name"),
    ("Friday", ["Ana"], "A group has 2 to 12 players; 1 given"),
    ("Friday", [], "A group has 2 to 12 players; 0 given"),
    ("Friday", [f"P{at}" for at in range(13)], "A group has 2 to 12 players; 13 given"),
    ("Friday", ["Ana", "ana"], "ana"),
    ("Friday", ["Ana", "pot"], "pot"),
]


@pytest.mark.parametrize(("name", "players", "told"), BAD_GROUPS, ids=[f"{row[0]}:{len(row[1])}" for row in BAD_GROUPS])
def test_a_bad_group_keeps_what_was_typed(device: Device, name: str, players: list[str], told: str) -> None:
    page = make(device, *players, name=name)
    assert told in page.texts["problems"]
    assert page.fields["name"] == [name]
    assert page.fields["player"][: min(len(players), 12)] == players[:12]
    assert page.fields["secret"] == [SECRET]


def test_one_more_line_keeps_what_was_typed(device: Device) -> None:
    page = make(device, *SIX, do="add")
    assert page.fields["player"] == [*SIX, ""]
    assert "problems" not in page.texts
    assert "add" not in make(device, *[f"P{at}" for at in range(12)], do="add").buttons


@pytest.mark.parametrize(("names", "empty"), [(["Ana", *[""] * 5], 2), (SIX, 7)])
def test_one_more_line_goes_on_at_the_first_empty_name(device: Device, names: list[str], empty: int) -> None:
    focused = re.findall(r'aria-label="Player (\d+)"[^>]*autofocus', make(device, *names, do="add").html)
    assert focused == [str(empty)]


def test_names_are_escaped(device: Device) -> None:
    evil = "<script>alert(1)</script>"
    where = device.does("/groups/new", name=evil, player=[evil, "Beto"], secret=SECRET, do="make")
    assert evil not in device.get(where).text
    assert evil not in device.get("/").text


# ---- tonight


def order_of(page: Page) -> list[str]:
    return page.fields["order"]


def first_game(page: Page) -> str:
    """Return the game chosen for tonight; the search has a field with the same name."""
    chosen = page.html.partition('id="game"')[2].partition("</select>")[0]
    return chosen.partition('" selected')[0].rpartition('"')[2]


def test_arrows_move_a_row_and_keep_what_was_chosen(night: Night) -> None:
    ana, beto, caro = night.players.values()
    chosen = {"player": [ana, caro], "game": "dompe", "currency": "EUR", "stake": "0.50"}
    path = f"{night.group}/tonight"
    for start, do, order in (
        ([ana, beto, caro], f"down-{ana}", [beto, ana, caro]),
        ([ana, beto, caro], f"up-{caro}", [ana, caro, beto]),
        ([ana, beto, caro], f"up-{ana}", [ana, beto, caro]),
        ([ana, beto, caro], f"down-{caro}", [ana, beto, caro]),
        ([caro, caro, "x"], f"up-{beto}", [caro, beto, ana]),
        ([ana, beto, caro], "up-x", [ana, beto, caro]),
    ):
        response = night.keeper.post(path, order=start, do=do, **chosen)
        page = Page(response.text)
        assert (response.status_code, order_of(page)) == (200, order), do
        assert [id for id in (ana, beto, caro) if f'name="player" value="{id}" checked' in page.html] == [ana, caro]
        assert first_game(page) == "dompe"
        assert (page.fields["currency"], page.fields["stake"]) == (["EUR"], ["0.50"])


def start(night: Night, **fields: Any) -> Any:
    seats = list(night.players.values())
    usual = {"order": seats, "player": seats, "game": "knock", "currency": "", "stake": "", "do": "start"}
    return night.keeper.post(f"{night.group}/tonight", **usual | fields)


# currency, what is typed as the stake, and how the session's page writes it; "" where it is wrong
STAKES = [
    ("EUR", "0.25", "€0.25"),
    ("EUR", "0,25", "€0.25"),
    ("EUR", " 1 ", "€1.00"),
    ("EUR", "10000", "€10,000.00"),
    ("JPY", "100", "¥100"),
    ("EUR", "", ""),
    ("EUR", "0", ""),
    ("EUR", "-1", ""),
    ("EUR", "0.255", ""),
    ("EUR", "1,000", "€1,000.00"),
    ("EUR", "€ 1 000.50", "€1,000.50"),
    ("EUR", "1.000,50", "€1,000.50"),
    ("EUR", "1_0", ""),
    ("EUR", "1e1", ""),
    ("JPY", "1,000", "¥1,000"),
    ("JPY", "1.00", "¥1"),
    ("KWD", "0,250", "KWD\u00a00.250"),
    ("EUR", "10000.01", ""),
    ("JPY", "0.5", ""),
    ("EUR", "much", ""),
    ("EUR", "NaN", ""),
    ("EUR", "Infinity", ""),
    ("EUR", "1e999999", ""),
    ("EUR", "٣", "€3.00"),
]


@pytest.mark.parametrize(("currency", "stake", "written"), STAKES)
def test_a_stake_is_worth_something(night: Night, currency: str, stake: str, written: str) -> None:
    response = start(night, currency=currency, stake=stake)
    if written:
        assert response.status_code == 303
        assert f"a stake is {written}" in night.keeper.page(response.location).text
        return
    page = Page(response.text)
    assert response.status_code == 200
    assert f"Say what one stake is worth in {currency}" in page.errors["stake"]
    assert (page.fields["currency"], page.fields["stake"]) == ([currency], [stake])


@pytest.mark.parametrize("currency", ["XXQ", "eur", "<b>"])
def test_an_unknown_currency_stands_at_its_field(night: Night, currency: str) -> None:
    page = Page(start(night, currency=currency, stake="1").text)
    assert "Choose a currency from the list" in page.errors["currency"]


def test_an_unknown_game_stands_at_its_field(night: Night) -> None:
    assert "Choose the first game" in Page(start(night, game="whist").text).errors["game"]


def test_one_player_is_no_night(night: Night) -> None:
    response = start(night, player=[night.players["Ana"]])
    assert "A night needs at least 2 of the group's players" in problem(response.text)


def test_a_night_is_started_once_by_its_form(night: Night) -> None:
    again = [start(night, key="the same key").location for _ in range(2)]
    assert again[0] == again[1]


def test_like_last_time(night: Night) -> None:
    ana, beto, caro = night.players.values()
    start(night, order=[caro, ana, beto], player=[caro, ana], game="dompe", currency="EUR", stake="0.5")
    again = night.keeper.does(f"{night.group}/tonight", do="again")
    page = night.keeper.page(f"{again}/round")
    assert [page.fields[f"players-{seat}-name"] for seat in range(2)] == [["Caro"], ["Ana"]]
    assert "players-2-name" not in page.fields
    assert page.fields["game"] == ["dompe"]
    assert "a stake is €0.50" in night.keeper.page(again).text


def test_start_and_set_the_house_rules_first(night: Night) -> None:
    response = start(night, do="rules", game="dompe")
    assert response.status_code == 303
    assert response.location.endswith("/rules?game=dompe")
    assert night.keeper.page(response.location).fields["game"] == ["dompe"]


def test_a_page_that_was_open_for_too_long_loses_nothing(night: Night) -> None:
    response = start(night, csrf_token="old", stake="0.5", currency="EUR", game="dompe")
    page = Page(response.text)
    assert "press the button again" in problem(response.text)
    assert (page.fields["stake"], first_game(page)) == (["0.5"], "dompe")


# what is typed as another currency, and how the session's page writes a stake of 2; "" where it is wrong
OTHERS = [
    ("ARS", "ARS\u00a02.00"),
    ("ars", "ARS\u00a02.00"),
    ("ARS · Argentine Peso", "ARS\u00a02.00"),
    ("pesos", ""),
    ("XXQ", ""),
]


@pytest.mark.parametrize(("typed", "written"), OTHERS)
def test_another_currency_is_typed(night: Night, typed: str, written: str) -> None:
    response = start(night, currency="EUR", stake="2", **{"other-currency": typed})
    if written:
        assert f"a stake is {written}" in night.keeper.page(response.location).text
        return
    page = Page(response.text)
    assert "Choose a currency from the list" in page.errors["other-currency"]
    assert page.fields["other-currency"] == [typed]


def test_few_currencies_are_offered_and_all_are_found(night: Night) -> None:
    html = night.keeper.get(night.group).text
    few = html.partition('id="currency"')[2].partition("</select>")[0].count("<option")
    assert few <= 8
    assert 'value="ARS"' in html.partition('id="currencies"')[2]


# ---- nights


def nights_on(page: Page) -> set[str]:
    return {href for href in page.all("a", "href") if href.startswith("/s/")}


# what is asked, and whether the only night, of today and of Ana, Beto and Caro, is found
SEARCHES = [
    ("player={Ana}", True),
    ("player=999", False),
    ("player=x", True),
    ("player=99999999999999999999", True),
    ("game=knock-poker", True),
    ("game=dompe", False),
    ("since=2020-01-01", True),
    ("since=9999-12-31", False),
    ("until=2020-01-01", False),
    ("until=9999-12-31", True),
    ("player={Ana}&game=knock-poker&since=2020-01-01&until=9999-12-31", True),
    ("player={Ana}&game=dompe&since=2020-01-01", False),
    ("before=1", False),
    ("before=x", True),
    ("before=-1", True),
    ("before=99999999999999999999", True),
]


@pytest.mark.parametrize(("asked", "found"), SEARCHES)
def test_nights_are_searched(night: Night, asked: str, found: bool) -> None:
    night.books()
    night.keeper.does(f"{night.session}/close", do="leave")
    page = night.keeper.page(f"{night.group}?{asked.format(**night.players)}")
    assert (night.session in nights_on(page)) is found
    assert ("No night matches" in page.text) is (not found and "before" not in asked)


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "1.1.2026"])
def test_a_day_that_is_none_is_told_and_kept(night: Night, day: str) -> None:
    page = night.keeper.page(f"{night.group}?since={day}")
    assert "This isn't a day; choose one" in page.texts["since-error"]
    assert "until-error" not in page.texts
    assert page.fields["since"] == [day]
    assert night.session in nights_on(page)


def test_nights_are_paged_with_their_search(night: Night) -> None:
    for _ in range(11):
        start(night)
    asked = f"{night.group}?player={night.players['Ana']}"
    first = night.keeper.page(asked)
    (older,) = [href for href in first.all("a", "href") if "before=" in href]
    assert f"player={night.players['Ana']}" in older
    second = night.keeper.page(older.partition("#")[0])
    # the newest stands at the head of both pages as well, to go on with
    assert night.session in nights_on(second)
    assert night.session not in nights_on(first)
    assert not [href for href in second.all("a", "href") if "before=" in href and "language=" not in href]


def test_a_night_is_a_card_with_its_winner(night: Night) -> None:
    for _ in range(3):
        night.books()
    night.keeper.does(f"{night.session}/close", do="split")
    card = night.keeper.get(night.group).text.partition('class="nights"')[2].partition("</li>")[0]
    assert card.index(">A<") < card.index("Ana\u00a0+18") < card.index('class="spark"')
    assert "podium" in night.keeper.get(night.group).text


def test_an_open_night_stands_at_the_head_only(night: Night) -> None:
    assert night.session in nights_on(night.keeper.page(night.group))
    assert "None yet." in night.keeper.get(night.group).text
    found = night.keeper.get(f"{night.group}?game=knock-poker&since=2020-01-01")
    assert "still open" not in found.text  # it has no round of that game yet
    found = night.keeper.get(f"{night.group}?player={night.players['Ana']}")
    assert "still open" in found.text
    assert "Ana\u00a00" not in found.text


# ---- the start page


def test_the_start_page_is_tonight(night: Night) -> None:
    night.books()
    html = night.keeper.get("/").text
    text = " ".join(Page(html).texts["felt"].split())
    assert "1 round" in text
    assert all(part in text for part in ("Ana +6", "Beto \u22123", "Next round", "Open the night"))
    assert {night.session, f"{night.session}/round", f"{night.session}/lines/1"} <= set(Page(html).all("a", "href"))
    night.types(night.keeper, players_0_hand="9s", number="2")
    begun = Page(night.keeper.get("/").text).texts["felt"]
    assert all(part in begun for part in ("round 2 under way", "Continue round 2"))
    assert "Next round" not in begun
    night.keeper.does(f"{night.session}/close", do="leave")
    assert "Open the night" not in night.keeper.page("/").text


def test_a_watcher_s_start_page_has_no_next_round(night: Night, app: Flask) -> None:
    watcher = Device(app)
    watcher.open(night.links()["look"])
    assert night.session in watcher.page("/").all("a", "href")
    assert f"{night.session}/round" not in watcher.page("/").all("a", "href")


def test_the_start_page_tells_what_is_unpaid(night: Night) -> None:
    night.books()
    assert "payments due" not in night.keeper.page("/").text
    night.keeper.does(f"{night.session}/close", do="leave")
    page = night.keeper.page("/")
    assert "2 payments due" in page.text
    assert len(re.findall(r"<small>Friday, \d+\s\w+</small>", page.html)) == 2  # of which night they are
    assert f"{night.session}/settle" in page.all("a", "href")
    (plan,) = {a for a in night.keeper.page(f"{night.session}/settle").all("form", "action") if "/plans/" in a}
    assert re.search(r"Amount \w+ pays \w+</span>", night.keeper.get(f"{night.session}/settle").text)
    night.keeper.does(plan, do="pay-0", **{"amount-0": "1"})
    assert "2 payments due" in night.keeper.page("/").text
    night.keeper.does(plan, do="pay-0", **{"amount-0": "2"})
    assert "1 payment due" in night.keeper.page("/").text


def test_the_start_page_tells_how_many_payments_it_leaves_out(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    night.books()
    night.keeper.does(f"{night.session}/close", do="leave")
    assert "more in the groups below" not in night.keeper.page("/").text
    monkeypatch.setattr(home, "_MAX_UNPAID", 1)
    assert "1 more in the groups below" in night.keeper.page("/").text


# ---- players and links


def test_players_are_added_renamed_retired_and_brought_back(night: Night) -> None:
    path, ana = f"{night.group}/players", night.players["Ana"]
    night.keeper.does(path, do="add", name="Dani")
    night.keeper.does(path, do=f"rename-{ana}", **{f"name-{ana}": "Anita"})
    assert "Anita" in night.keeper.page(night.session).text
    night.keeper.does(path, do=f"retire-{ana}")
    assert ana not in night.keeper.page(night.group).fields["order"]
    assert f"return-{ana}" in night.keeper.page(f"{night.group}/people").buttons
    night.keeper.does(path, do=f"return-{ana}")
    assert ana in night.keeper.page(night.group).fields["order"]


@pytest.mark.parametrize(("do", "field"), [("add", "name"), ("rename-{Ana}", "name-{Ana}")])
def test_a_bad_name_is_told_and_kept(night: Night, do: str, field: str) -> None:
    do, field = do.format(**night.players), field.format(**night.players)
    response = night.keeper.post(f"{night.group}/players", do=do, **{field: "BETO"})
    assert response.status_code == 200
    assert "BETO" in problem(response.text)
    page = Page(response.text)
    assert page.fields[field] == ["BETO"]
    assert page.marked == [field]


@pytest.mark.parametrize(
    ("do", "status"), [("rename-999", 404), ("retire-x", 404), ("dance", 400), ("dance-{Ana}", 400)]
)
def test_odd_buttons(night: Night, do: str, status: int) -> None:
    assert night.keeper.post(f"{night.group}/players", do=do.format(**night.players)).status_code == status


def test_a_device_gets_a_name_that_stands_in_the_changes(night: Night) -> None:
    night.keeper.does(f"{night.group}/players", do="device", device="  Ana's phone  ")
    night.books()
    night.keeper.does(f"{night.session}/note", place="Beto's café", note="")
    changes = night.keeper.page(f"{night.session}/changes").text
    assert re.search("Round 1 .*\u00a0· Ana's phone", re.sub(r"\s*\n\s*", " ", changes))
    assert "Beto's café" in changes


def test_links_are_shown_with_their_codes(night: Night, app: Flask) -> None:
    links = night.links()
    assert links["keep"] == SECRET
    assert night.keeper.get(f"{night.group}/settings").text.count("<svg") >= 3
    for secret in links.values():
        assert Device(app).open(secret) == 303


@pytest.mark.parametrize("do", ["renew-", "renew-all", "", "keep"])
def test_an_unknown_link_is_not_renewed(night: Night, do: str) -> None:
    assert night.keeper.post(f"{night.group}/links", do=do).status_code == 400
    assert night.links()["keep"] == SECRET


def test_a_link_is_not_renewed_without_a_token(night: Night) -> None:
    response = night.keeper.post(f"{night.group}/links", csrf_token="old", do="renew-keep")
    assert "press the button again" in problem(response.text)
    assert night.links()["keep"] == SECRET


def test_the_list_of_players_is_that_of_the_hands(night: Night) -> None:
    assert list(night.players) == list(HANDS)
