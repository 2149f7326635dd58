"""A group's pages: creating it, choosing tonight's players and stakes, searching nights, players and links."""

from __future__ import annotations

import re
from typing import Any

import pytest
from devices import SECRET, Device, PlayedNight, problem
from flask import Flask
from pages import Page

from companion.web.home import home

SIX = ["Ana", "Beto", "Caro", "Dani", "Eva", "Fabi"]


@pytest.fixture
def device(app: Flask) -> Device:
    return Device(app)


def fields_of(*players: str, name: str = "Friday", do: str = "make") -> dict[str, Any]:
    return {"name": name, "player": list(players), "secret": SECRET, "do": do}


def make(device: Device, *players: str, **more: str) -> Page:
    response = device.post("/groups/new", **fields_of(*players, **more))
    assert response.status_code == 200, response.location
    return Page(response.text)


# ---- making a group


def test_a_group_is_made_on_one_page_and_remembered(device: Device, app: Flask) -> None:
    where = device.does("/groups/new", **fields_of("Ana", "", " Beto ", ""))
    page = device.page(where)
    assert page.text.count("Beto") > 0
    assert "Search" not in page.text  # there are no nights yet
    assert "Search" in device.page(f"{where}?game=knock").text
    assert where in device.page("/").all("a", "href")
    assert Device(app).get(where).status_code == 404
    assert where not in Device(app).page("/").all("a", "href")
    # sent again, it is the same group
    assert device.does("/groups/new", **fields_of("Ana", "", " Beto ", "")) == where


def test_a_wrong_name_is_told_of_where_it_was_typed(device: Device) -> None:
    html = make(device, "Ana", "", "ana").html
    assert re.findall(r'id="(\S+)"\s+name="player"\s+value="(\w+)"[^>]+\saria-invalid', html) == [("players.1", "ana")]
    assert 'href="#players.1"' in html


EVIL = "<script>alert(1)</script>"
# the name that is typed, that of the first player, and the title
TITLES = [(" ", "Ana ", "Ana&#39;s table"), (EVIL, EVIL, EVIL.replace("<", "&lt;").replace(">", "&gt;"))]


@pytest.mark.parametrize(("name", "first", "title"), TITLES, ids=["nothing", "a script"])
def test_a_group_has_its_name_or_that_of_its_first_player(device: Device, name: str, first: str, title: str) -> None:
    html = device.get(device.does("/groups/new", **fields_of(first, "Beto", name=name))).text
    assert f"<h1>{title}</h1>" in html
    assert EVIL not in html + device.get("/").text


# the name, the players, and what is told
BAD_GROUPS: list[tuple[str, list[str], str]] = [
    ("", [], "One thing to fix"),  # the name is optional
    ("\u2800", ["Ana", "Beto"], "The group needs a name"),
    *(("Friday", [f"P{at}" for at in range(n)], f"A group has 2 to 12 players; {n} given") for n in (0, 1, 13)),
    ("Friday", ["Ana", "ana"], "ana"),
    ("Friday", ["Ana", "pot"], "pot"),
]


@pytest.mark.parametrize(("name", "players", "told"), BAD_GROUPS, ids=[f"{row[0]}:{len(row[1])}" for row in BAD_GROUPS])
def test_a_bad_group_keeps_what_was_typed(device: Device, name: str, players: list[str], told: str) -> None:
    page = make(device, *players, name=name)
    assert told in page.texts["problems"]
    assert page.fields["player"][: min(len(players), 12)] == players[:12]
    assert (page.fields["name"], page.fields["secret"]) == ([name], [SECRET])


@pytest.mark.parametrize(("names", "empty"), [(["Ana", *[""] * 5], 2), (SIX, 7), ([f"P{at}" for at in range(12)], 0)])
def test_one_more_line_keeps_what_was_typed_and_goes_on_there(device: Device, names: list[str], empty: int) -> None:
    page = make(device, *names, do="add")
    assert page.fields["player"] == ([*names, ""] if empty else names)
    assert ("problems" in page.texts, "add" in page.buttons) == (False, bool(empty))
    focused = re.findall(r'aria-label="Player (\d+)"[^>]*autofocus', page.html)
    assert not empty or focused == [str(empty)]


# ---- tonight


def first_game(page: Page) -> str:
    """Return the game chosen for tonight; the search has a field with the same name."""
    before, found, _ = page.html.partition('id="game"')[2].partition("</fieldset>")[0].partition('" checked')
    return before.rpartition('"')[2] if found else ""


# the order that is sent, a button, and the order that the page has then
ARROWS = [
    ("Ana Beto Caro", "down-{Ana}", "Beto Ana Caro"),
    ("Ana Beto Caro", "up-{Caro}", "Ana Caro Beto"),
    ("Ana Beto Caro", "up-{Ana}", "Ana Beto Caro"),
    ("Ana Beto Caro", "down-{Caro}", "Ana Beto Caro"),
    ("Caro Caro x", "up-{Beto}", "Caro Beto Ana"),
    ("Ana Beto Caro", "up-x", "Ana Beto Caro"),
]


@pytest.mark.parametrize(("start", "do", "order"), ARROWS)
def test_arrows_move_a_row_and_keep_what_was_chosen(night: PlayedNight, start: str, do: str, order: str) -> None:
    ids = night.players
    chosen = {"player": ["{Ana}", "{Caro}"], "game": "dompe", "currency": "EUR", "stake": "0.50"}
    page = night.told("{group}/tonight", order=[ids.get(name, name) for name in start.split()], do=do, **chosen)
    assert page.fields["order"] == [ids[name] for name in order.split()]
    assert [name for name in ids if f'name="player" value="{ids[name]}" checked' in page.html] == ["Ana", "Caro"]
    assert (first_game(page), page.fields["currency"], page.fields["stake"]) == ("dompe", ["EUR"], ["0.50"])


def test_no_first_game_is_chosen_unseen(device: Device) -> None:
    """The list of games goes on below the button that starts the night; a phone's last single round chooses one."""
    where = device.does("/groups/new", **fields_of("Ana", "Beto"))
    page = device.page(where)
    assert first_game(page) == ""
    seats = page.fields["order"]
    told = device.post(f"{where}/tonight", order=seats, player=seats, currency="", do="start")
    assert told.text.count("Choose the first game") == 2


def start(night: PlayedNight, **fields: Any) -> Any:
    seats = list(night.players.values())
    usual = {"order": seats, "player": seats, "game": "knock", "currency": "", "stake": "", "do": "start"}
    return night.post("{group}/tonight", **usual | fields)


# currency, what is typed as the stake, and how the night's page writes it; "" where it is wrong; test_numbers.py
# has the grammar of amounts
STAKES = [
    ("EUR", "0,25", "€0.25"),
    ("EUR", "10000", "€10,000.00"),
    ("JPY", "100", "¥100"),
    ("KWD", "0,250", "KWD\u00a00.250"),
    ("EUR", "", ""),
    ("EUR", "0", ""),
    ("EUR", "-1", ""),
    ("EUR", "10000.01", ""),
    ("JPY", "0.5", ""),
    ("EUR", "much", ""),
    # typed as another currency, of which a stake is worth 2
    ("ARS", "2", "ARS\u00a02.00"),
    ("ars", "2", "ARS\u00a02.00"),
    ("ARS · Argentine Peso", "2", "ARS\u00a02.00"),
]


@pytest.mark.parametrize(("currency", "stake", "written"), STAKES)
def test_a_stake_is_worth_something(night: PlayedNight, currency: str, stake: str, written: str) -> None:
    offered = currency in ("EUR", "JPY", "KWD")
    chosen = {"currency": currency} if offered else {"currency": "EUR", "other-currency": currency}
    response = start(night, stake=stake, **chosen)
    if written:
        assert response.status_code == 303
        assert f"a stake is {written}" in night.keeper.page(response.location).text
        return
    page = Page(response.text)
    assert f"Say what one stake is worth in {currency}" in page.errors["stake"]
    assert (page.fields["currency"], page.fields["stake"]) == ([currency], [stake])


# what is sent | the field at which something is told | what is told
BAD_STARTS = [
    *(
        ({"currency": currency, "stake": "1"}, "currency", "Choose a currency from the list")
        for currency in ("XXQ", "eur", "<b>")
    ),
    *(
        ({"other-currency": other, "stake": "1"}, "other-currency", "Choose a currency from the list")
        for other in ("pesos", "XXQ")
    ),
    ({"game": "whist"}, "game", "Choose the first game"),
    ({"player": ["{Ana}"]}, "", "A night needs at least 2 of the group's players"),
    ({"csrf_token": "old", "stake": "0.5"}, "", "press the button again"),
]


@pytest.mark.parametrize(("sent", "field", "told"), BAD_STARTS, ids=[str(row[0]) for row in BAD_STARTS])
def test_a_bad_start_is_told_and_kept(night: PlayedNight, sent: dict[str, Any], field: str, told: str) -> None:
    page = Page(start(night, **{"game": "dompe", **sent}).text)
    assert told in (page.errors[field] if field else problem(page.html))
    assert [page.fields[name] for name in ("other-currency", "stake") if name in sent] == [
        [sent[name]] for name in ("other-currency", "stake") if name in sent
    ]
    assert field == "game" or first_game(page) == "dompe"


def test_like_last_time(night: PlayedNight) -> None:
    start(
        night,
        order=["{Caro}", "{Ana}", "{Beto}"],
        player=["{Caro}", "{Ana}"],
        game="dompe",
        currency="EUR",
        stake="0.5",
    )
    night.night = night.does("{group}/tonight", do="again")
    form = night.form("/round")
    assert [form[f"players-{seat}-name"] for seat in range(2)] == [["Caro"], ["Ana"]]
    assert ("players-2-name" in form, {*form["game"]}) == (False, {"dompe"})
    assert "a stake is €0.50" in night.text()


def test_start_and_set_the_house_rules_first(night: PlayedNight) -> None:
    response = start(night, do="rules", game="dompe")
    assert response.location.endswith("/rules?game=dompe")
    assert night.keeper.page(response.location).fields["game"] == ["dompe"]


def test_few_currencies_are_offered_and_all_are_found(night: PlayedNight) -> None:
    html = night.html("{group}")
    assert html.partition('id="currency"')[2].partition("</select>")[0].count("<option") <= 8
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
def test_nights_are_searched(night: PlayedNight, asked: str, found: bool) -> None:
    page = night.plays("round, close").page(f"{{group}}?{asked.format(**night.players)}")
    assert (night.night in nights_on(page)) is found
    assert ("No night matches" in page.text) is (not found and "before" not in asked)


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "1.1.2026"])
def test_a_day_that_is_none_is_told_and_kept(night: PlayedNight, day: str) -> None:
    page = night.page(f"{{group}}?since={day}")
    assert "This isn't a day; choose one" in page.texts["since-error"]
    assert "until-error" not in page.texts
    assert page.fields["since"] == [day]
    assert night.night in nights_on(page)


def test_nights_are_paged_with_their_search(night: PlayedNight) -> None:
    for _ in range(11):
        start(night)
    first = night.page(f"{{group}}?player={night.players['Ana']}")
    (older,) = [href for href in first.all("a", "href") if "before=" in href]
    assert f"player={night.players['Ana']}" in older
    second = night.keeper.page(older.partition("#")[0])
    # the newest stands at the head of both pages as well, to go on with
    assert night.night in nights_on(second)
    assert night.night not in nights_on(first)
    assert not [href for href in second.all("a", "href") if "before=" in href and "language=" not in href]


def test_a_night_is_a_card_with_its_winner(night: PlayedNight) -> None:
    html = night.plays("round, round, round, split").html("{group}")
    card = html.partition('class="nights"')[2].partition("</li>")[0]
    assert card.index(">A<") < card.index("Ana\u00a0+18") < card.index('class="spark"')
    assert "podium" in html


def test_an_open_night_stands_at_the_head_only(night: PlayedNight) -> None:
    assert night.night in nights_on(night.page("{group}"))
    assert "None yet." in night.html("{group}")
    # it has no round of that game yet
    assert "still open" not in night.html("{group}?game=knock-poker&since=2020-01-01")
    found = night.html(f"{{group}}?player={night.players['Ana']}")
    assert ("still open" in found, "Ana\u00a00" in found) == (True, False)


# ---- the start page


def test_the_start_page_is_tonight(night: PlayedNight) -> None:
    def felt() -> str:
        return " ".join(night.keeper.page("/").texts["felt"].split())

    night.books()
    told = ("1 round", "Ana +6", "Beto \u22123", "Next round", "Open the night")
    assert [part for part in told if part not in felt()] == []
    links = {night.night, f"{night.night}/round", f"{night.night}/lines/1"}
    assert links <= set(night.keeper.page("/").all("a", "href"))
    night.types(night.keeper, players_0_hand="9s", number="2")
    assert "round 2 under way" in felt() and "Continue round 2" in felt() and "Next round" not in felt()
    watcher = night.guest("look")
    assert links & set(watcher.page("/").all("a", "href")) == links - {f"{night.night}/round"}
    night.plays("close")
    assert "Open the night" not in night.keeper.page("/").text


def test_the_start_page_tells_what_is_unpaid(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    night.books()
    assert "payments due" not in night.keeper.page("/").text
    page = night.plays("close").keeper.page("/")
    assert "2 payments due" in page.text and "more in the groups below" not in page.text
    assert len(re.findall(r"<small>Friday, \d+\s\w+</small>", page.html)) == 2  # of which night they are
    assert f"{night.night}/settle" in page.all("a", "href")
    assert re.search(r"Amount \w+ pays \w+</span>", night.html("/settle"))
    with monkeypatch.context() as patch:
        patch.setattr(home, "_MAX_UNPAID", 1)
        assert "1 more in the groups below" in night.keeper.page("/").text
    for amount, due in (("1", "2 payments due"), ("2", "1 payment due")):
        night.does(night.plan(), do="pay-0", **{"amount-0": amount})
        assert due in night.keeper.page("/").text


# ---- players and links


def test_players_are_added_renamed_retired_and_brought_back(night: PlayedNight) -> None:
    path = "{group}/players"
    night.does(path, do="add", name="Dani")
    night.does(path, do="rename-{Ana}", **{"name-{Ana}": "Anita"})
    assert "Anita" in night.text()
    night.does(path, do="retire-{Ana}")
    assert night.players["Ana"] not in night.page("{group}").fields["order"]
    assert f"return-{night.players['Ana']}" in night.page("{group}/people").buttons
    night.does(path, do="return-{Ana}")
    assert night.players["Ana"] in night.page("{group}").fields["order"]


@pytest.mark.parametrize(("do", "field"), [("add", "name"), ("rename-{Ana}", "name-{Ana}")])
def test_a_bad_name_is_told_and_kept(night: PlayedNight, do: str, field: str) -> None:
    page, field = night.told("{group}/players", do=do, **{field: "BETO"}), field.format(**night.players)
    assert "BETO" in problem(page.html)
    assert (page.fields[field], page.marked) == (["BETO"], [field])


# a form, its button, and the answer
ODD = [
    *(("players", do, status) for do, status in (("rename-999", 404), ("retire-x", 404), ("dance", 400))),
    ("players", "dance-{Ana}", 400),
    *(("links", do, 400) for do in ("renew-", "renew-all", "", "keep")),
]


@pytest.mark.parametrize(("form", "do", "status"), ODD)
def test_odd_buttons(night: PlayedNight, form: str, do: str, status: int) -> None:
    assert night.post(f"{{group}}/{form}", do=do).status_code == status
    assert night.links()["keep"] == SECRET


def test_links_are_shown_with_their_codes(night: PlayedNight, app: Flask) -> None:
    links = night.links()
    assert links["keep"] == SECRET
    assert night.html("{group}/settings").count("<svg") >= 3
    assert {Device(app).open(secret) for secret in links.values()} == {303}
    response = night.post("{group}/links", csrf_token="old", do="renew-keep")
    assert "press the button again" in problem(response.text)
    assert night.links() == links
