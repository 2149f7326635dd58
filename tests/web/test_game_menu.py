"""The menu of games: the same everywhere, with what the table played last first and no game twice."""

from __future__ import annotations

import re

import pytest
from devices import Device, PlayedNight
from flask import Flask
from pages import opened

from companion.engine.game import Family
from companion.games import all_games
from companion.web.text.game_menu import game_menu

# played, newest first | what comes first
PLAYED = [
    ([], []),
    (["dompe"], ["dompe"]),
    (["any-game", "knock", "gone", "dompe", "guts"], ["any-game", "knock", "dompe"]),
]
# page | where a game leads to
MENUS = [
    ("/", "/settle/{key}"),
    ("/games", "/settle/{key}"),
    ("/help/", "/help/{key}"),
    ("{group}/rules", "{group}/rules/new?game={key}"),
    ("{night}/games", "{night}?game={key}"),
    ("{night}/games?for=round", "{night}/round?game={key}"),
    ("{night}/games?for=rules", "{night}/rules?game={key}"),
]


@pytest.mark.parametrize(("played", "first"), PLAYED)
def test_every_game_is_in_the_menu_once_and_under_its_family(played: list[str], first: list[str]) -> None:
    menu = game_menu(played)
    assert [game.key for game in menu.last] == first
    assert sorted(game.key for game in (*menu.last, *menu.others)) == sorted(all_games())
    assert [heading for heading, _ in menu.families] == [one.value for one in Family if one is not Family.OTHER]
    assert all(game.family.value == heading for heading, games in menu.families for game in games)


@pytest.mark.parametrize(("page", "address"), MENUS)
def test_a_menu_has_a_link_for_each_game_with_players_and_a_line(night: PlayedNight, page: str, address: str) -> None:
    places = {"night": night.night, "group": night.group}
    html = opened(night.keeper.client, page.format(**places)).html
    tiles = dict(re.findall(r'<a class="game" href="([^"]+)"(.*?)</a>', html, re.DOTALL))
    assert tiles.keys() == {address.format(key=key, **places) for key in all_games()}
    for key, game in all_games().items():
        words = tiles[address.format(key=key, **places)]
        assert game.summary in words
        assert f">{' to '.join(map(str, dict.fromkeys(game.seats)))} players<" in words  # not "2 to 2"


def test_what_was_played_last_comes_first_on_all_pages_of_the_table(night: PlayedNight) -> None:
    night.books()
    for page in ("/games?game=dompe", "?game=dompe", "/rules?game=dompe"):
        menu = night.html(page).partition("<nav")[2]
        assert menu.index("game=knock-poker") < menu.index("game=domino-poker"), page
    assert "Knock Poker again" in night.html("/games")
    other = night.text("/games?game=guts")
    assert "Play Guts next" in other and "again" not in other  # it has never been played


def test_only_who_keeps_score_changes_the_game_by_a_tap(night: PlayedNight, app: Flask) -> None:
    assert "data-choose" in night.html("/games")
    assert "data-choose" not in night.html("/games?for=rules")
    player = night.joined("Beto")
    assert "data-choose" not in player.get(f"{night.night}/games").text
    assert Device(app).get(f"{night.night}/games").status_code == 404


def test_the_next_dealer_chooses_the_game_on_the_own_phone(night: PlayedNight) -> None:
    first = {name: night.joined(name) for name in ("Beto", "Caro")}
    assert not [name for name, phone in first.items() if "choose the game" in phone.get(night.night).text]
    night.books()
    dealer = night.keeper.page(night.night).html.partition(" deals</small>")[0].rpartition(">")[2]
    phones = first | {"Ana": night.joined("Ana")}
    offers = [name for name, phone in phones.items() if "You deal: choose the game" in phone.get(night.night).text]
    assert offers == [dealer]
    chosen = {"do": "game", "game": "dompe", "number": "2", "mark": ""}
    for name, phone in sorted(phones.items(), key=lambda one: one[0] == dealer):
        html = phone.get(f"{night.night}/games").text
        assert ("data-choose" in html, "You deal" in phone.get(night.night).text) == (name == dealer,) * 2
        phone.post(f"{night.night}/play", **chosen, key=f"by {name}")
        assert (night.state(night.keeper)["game"] == "dompe") == (name == dealer)
    assert 'class="switch"' in phones[dealer].get(f"{night.night}/round").text
    # not once something of the hand was entered
    night.types(night.keeper, players_0_hand="9s", number="2", game="dompe")
    assert "data-choose" not in phones[dealer].get(f"{night.night}/games").text
    phones[dealer].post(f"{night.night}/play", **{**chosen, "game": "knock"}, key="too late")
    assert night.state(night.keeper)["game"] == "dompe"


def test_in_dealers_choice_every_screen_says_who_chooses_the_game(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in ("Ana", "Beto", "Caro")}

    def said() -> set[str]:
        """Return what the phones, the scorekeeper's and the big screen say of who chooses."""
        pages = [*(phone.get(night.night).text for phone in phones.values()), night.html("/table"), night.html("")]
        return {told for page in pages for told in re.findall(r"\w+ chooses? the game", page)}

    def next_page() -> str:
        (address,) = re.findall(r'button primary" href="([^"]+)" aria-live', night.html("/lines/1"))
        return str(address)

    assert "The scorekeeper chooses the game." in night.text("/rules")
    night.does("/dealers-choice", do="on")
    assert "Each dealer chooses the game, on their own phone" in night.text("/rules")
    assert said() == set()  # the first game was chosen when the night began
    night.books()
    dealer = night.keeper.page(night.night).html.partition(" deals</small>")[0].rpartition(">")[2]
    assert said() == {"You choose the game", f"{dealer} chooses the game"}
    assert next_page() == night.night  # the scorekeeper goes on at the table, where it is chosen
    states = {night.state(phone)["chooses"] for phone in (*phones.values(), night.keeper)}
    assert states == {[*phones].index(dealer)}
    # the same game again is a choice too; without the script, by the button at the table
    menu = phones[dealer].get(f"{night.night}/games").text
    assert 'aria-current="true"' not in menu
    assert re.search(r'class="dock" data-choose="[^"]+".*?Knock Poker again', menu, re.DOTALL)
    assert "Play Knock Poker next" in phones[dealer].get(night.night).text
    (other, *_) = (name for name in phones if name != dealer)
    assert "Play Knock Poker next" not in phones[other].get(night.night).text
    phones[dealer].post(f"{night.night}/play", do="game", game="knock-poker", number="2", mark="", key="again")
    assert said() == set()
    assert night.state(night.keeper)["chooses"] == -1
    # the setting is listed with its changes, goes on in the next night, and can be taken back
    night.books()
    assert "Each dealer chooses the game yes" in night.text("/changes")
    night.plays("close")
    night.keeper.does(f"{night.group}/tonight", do="again")
    (next_night,) = {*re.findall(r'/s/[^"/?]+', night.keeper.get(night.group).text)} - {night.night}
    assert "Each dealer chooses the game, on their own phone" in night.keeper.get(f"{next_night}/rules").text
    night.plays("reopen")
    night.does("/dealers-choice", do="off")
    assert said() == set()
    assert next_page() == f"{night.night}/round"
    assert night.post("/dealers-choice", do="perhaps").status_code == 400


def test_the_name_of_the_game_leads_to_the_menu(night: PlayedNight) -> None:
    for page, menu in ((f"{night.night}/round", f"{night.night}/games"), ("/settle/dompe", "/games")):
        (link,) = re.findall(r'class="switch" href="([^"?]+)', night.keeper.get(page).text)
        assert link == menu
