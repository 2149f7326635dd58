"""A night with stacks, over its pages: the buy-in, bets that the chips suffice for, rebuys, the count at the end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from devices import SECRET, PlayedNight, words
from flask import Flask
from pages import Page, typed
from sample_rounds import ROUNDS

from companion.games import all_games

WITH_BETS = [game.key for game in all_games().values() if any(q.kind == "bets" for q in game.questions)]
DIGITS = "9" * 400


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Give a night of Knock Poker in which everybody starts with 20."""
    return PlayedNight(app, **{"buy-in": "20"})


def plates(night: PlayedNight) -> list[str]:
    return [words(plate) for plate in re.findall(r'<span class="plate">(.*?)</li>', night.html(), re.DOTALL)]


def strip(night: PlayedNight, game: str = "") -> list[str]:
    """Give the chips on the strip of the scorekeeper's entry."""
    html = night.html(f"/round?game={game}" if game else "/round")
    return [words(stack) for stack in re.findall(r'class="stack">(.*?)</small>', html)]


# what was done in a night of 20 each | the page | what it says
TOLD = [
    ("round", "/money", "Ana stack 26 +6"),
    ("round", "/close", "What each player should have Ana 26 Beto 17 Caro 17"),
    ("round, close", "/settle", "What each player should have Ana 26 Beto 17 Caro 17"),
    ("round, close", "/settle", "Ana has 26 in chips"),
    ("buy-in 3, round", "", "Beto is out of chips"),
    ("buy-in 3, round", "", "Caro is out of chips"),
    ("buy-in 3, round, rebuy Beto 3", "/money", "Beto stack 3 · 6 bought −3"),
    ("buy-in 3, round, rebuy Beto 3", "/money", "Rebuy Bank → Beto 3"),
    ("buy-in 3, round, rebuy Beto 3", "/lines/2", "Beto buys 3 in chips"),
    ("buy-in 3, round, rebuy Beto 3", "/print", "rebuy · Beto 3"),
    ("buy-in 3, round, rebuy Beto 3", "/print", "Total +6 −3 −3 Should have 9 3 0"),
    (
        "buy-in 3, round, rebuy Beto 3, rebuy Caro 3, round",
        "/lines/2/void",
        "In round 2, Beto put in 1 but had only 0; record the difference as a rebuy",
    ),
]


@pytest.mark.parametrize(("done", "page", "said"), TOLD)
def test_stacks_are_told(night: PlayedNight, done: str, page: str, said: str) -> None:
    assert said in night.plays(done).text(page)


# the buy-in, and what was done then | what stands at everybody's seat | on the strip of the next round
SEATED = [
    ("20", "round", "Ana stack 26 +6 deals, Beto stack 17 −3, Caro stack 17 −3", "26 17 17"),
    ("3", "round, rebuy Beto 3", "Ana stack 9 +6 deals, Beto stack 3 −3, Caro stack 0 −3", "9 3 0"),
    # who is short has no stack in the next round
    ("2", "round", "Ana stack 8 +6 deals, Beto stack −1 −3, Caro stack −1 −3", "8 0 0"),
    ("", "round, buy-in 10", "Ana stack 16 +6 deals, Beto stack 7 −3, Caro stack 7 −3", "16 7 7"),
]


@pytest.mark.parametrize(("buy_in", "done", "seats", "left"), SEATED)
def test_stacks_stand_in_front_of_the_players(app: Flask, buy_in: str, done: str, seats: str, left: str) -> None:
    night = PlayedNight(app, **{"buy-in": buy_in}).plays(done)
    assert plates(night) == seats.split(", ")
    for game, ante in (("", 0), ("draw-poker", 1), ("domino-poker", 1)):  # with bets, the ante is put in at once
        assert strip(night, game) == [f"stack {max(int(chips) - ante, 0)}" for chips in left.split()]


def test_without_stacks_nothing_is_told_of_them(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    for path in ("", "/money", "/round", "/close", "/settle", "/print"):
        assert not re.search(r"\bstack −?\d", night.text(path)) and "should have" not in night.text(path), path
    assert night.keeper.get(f"{night.night}/count").status_code == 404


def test_the_next_night_is_played_with_as_many(night: PlayedNight) -> None:
    assert night.plays("close").page("{group}").fields["buy-in"] == ["20"]
    night.night = night.does("{group}/tonight", do="again")
    assert "stack 20" in night.text("/money")


SENTENCE = "Enter 1 to 1000000000, or leave it empty to play without stacks"
BAD_AMOUNTS = ["0", "-5", "many", "1.5", "1000000001", DIGITS, "١٢x", "1e3", "\0"]
START = {"order": ["{Ana}", "{Beto}", "{Caro}"], "player": ["{Ana}", "{Beto}", "{Caro}"], "currency": "", "do": "start"}


@pytest.mark.parametrize("given", BAD_AMOUNTS)
def test_a_bad_buy_in_or_rebuy_is_told_at_its_fields(night: PlayedNight, given: str) -> None:
    assert night.told("/buy-in", **{"buy-in": given}).errors["buy-in"] == SENTENCE
    assert "stack 20" in night.text("/money")
    assert night.told("{group}/tonight", **START, game="knock", **{"buy-in": given}).errors == {"buy-in": SENTENCE}
    page = night.told("/rebuy", player="nobody", chips=given)
    assert page.errors["player"] == "Choose who buys chips"
    assert page.errors["chips"].endswith("amount; enter one like 100") or given == "1000000001"
    assert page.fields["chips"][0] == given or given in ("\0", DIGITS)


def test_all_that_is_wrong_with_the_start_is_told_at_once(night: PlayedNight) -> None:
    page = night.told("{group}/tonight", **{**START, "game": "?", "currency": "EUR", "stake": "x", "buy-in": "0"})
    assert set(page.errors) == {"game", "stake", "buy-in"}
    assert page.errors["buy-in"] == "Enter 0.01 to 10000000.00, or leave it empty to play without stacks"


def test_the_buy_in_can_be_left_again_and_is_not_less_than_was_lost(night: PlayedNight) -> None:
    refused = night.plays("round, buy-in 10").told("/buy-in", **{"buy-in": "2"})
    assert refused.errors["buy-in"] == "Beto has lost more than that already; choose 3 or more"
    night.does("/buy-in", **{"buy-in": ""})
    assert plates(night)[0] == "Ana +6 deals"
    told = night.text("/changes").lower()
    assert ("starting stack 10" in told, "starting stack none" in told) == (True, False)


def test_a_rebuy_in_a_closed_night_is_refused(night: PlayedNight) -> None:
    night.plays("close")
    night.told("/rebuy", player="{Ana}", chips="20")
    night.told("/buy-in", **{"buy-in": "30"})
    assert "stack 20" in night.text("/money")


def test_a_rebuy_of_one_tap_leads_back_to_the_table(night: PlayedNight) -> None:
    night.plays("buy-in 3, round")
    assert f"{night.night}/round" not in night.page("/lines/1").all("a", "href")
    once = {"player": "{Beto}", "chips": "3", "back": "table", "key": "one tap"}
    assert [night.does("/rebuy", **once) for _ in range(2)] == [night.night] * 2  # a form that is sent twice
    assert plates(night)[1] == "Beto stack 3 −3"


@pytest.mark.parametrize(("buy_in", "offered"), [(3, "3"), (2, "2"), (1, "3")])
def test_a_rebuy_is_of_as_many_buy_ins_as_give_chips_again(night: PlayedNight, buy_in: int, offered: str) -> None:
    night.plays(f"buy-in {buy_in}, round")  # Beto and Caro pay 3
    assert re.findall(r"Rebuy (\d+)", night.text("")) == [offered] * 2
    assert night.page("/money").fields["chips"] == [offered] * 3  # the last is the form for any player


def test_a_night_of_a_look_link_offers_nothing(night: PlayedNight) -> None:
    looker = night.plays("buy-in 3, round").guest("look")
    assert "Ana stack 9" in night.text("", looker)
    assert "/rebuy" not in night.html("", looker) + night.html("/money", looker)
    assert night.post("/rebuy", looker, player="{Ana}", chips="3").status_code == 403


def fields_of(night: PlayedNight, game: str) -> dict[str, Any]:
    """Fill in the sample round of a game as totals."""
    page = night.page(f"/round?game={game}").fields
    known = {name: values for name, values in page.items() if name not in ("csrf_token", "do")}
    filled = {k: v for k, v in typed(ROUNDS[game]).items() if not k.startswith(("stake", "pot"))}
    return {**known, **filled}


@pytest.mark.parametrize("game", WITH_BETS)
def test_a_bet_above_the_stack_is_told_at_its_field(night: PlayedNight, game: str) -> None:
    paid = ROUNDS[game]["round"]["paid"]
    most = max(paid.values())
    night.plays(f"buy-in {most - 1}")
    fields = fields_of(night, game)
    above = {f"players-{list(paid).index(name)}-paid" for name, units in paid.items() if units >= most}
    for do in ("settle", "save"):
        page = Page(night.post(f"/round?game={game}", **fields, do=do).text)
        assert set(page.errors) == above
        assert all("fix the amount, or record a rebuy first" in told for told in page.errors.values())
        assert not page.has_result
    night.plays(f"buy-in {most}")
    night.does(f"/round?game={game}", **fields, do="save")


def acted(night: PlayedNight, game: str, fields: dict[str, Any], do: str, **more: str) -> Page:
    html = night.post(f"/round?game={game}", **{**fields, **more}, do=do).text
    page = Page(html)
    fields.update({name: page.fields[name] for name in ("bets", "betting")})
    return page


@pytest.mark.parametrize("game", WITH_BETS)
def test_all_in_is_one_tap_and_knows_its_amount(night: PlayedNight, game: str) -> None:
    page, fields = night.page(f"/round?game={game}"), night.form(f"/round?game={game}")
    rest = int(re.findall(r"act-all-in-(\d+)", page.html)[0])
    assert f"{rest} left" in words(page.html)
    page = acted(night, game, fields, "act-bet", bet_amount=str(rest + 1))
    assert page.errors["bet_amount"].endswith(f"has {rest} left: that is all-in; for more, record a rebuy first")
    assert fields["bets"] == [""]
    page = acted(night, game, fields, "act-bet", bet_amount=DIGITS)
    assert "isn't an amount" in page.errors["bet_amount"]
    page = acted(night, game, fields, "act-bet", bet_amount="")
    assert page.errors["bet_amount"] == "Enter an amount, for example 2"
    page = acted(night, game, fields, f"act-bet-{rest + 1}", bet_amount="")
    assert "bet_amount" in page.errors
    page = acted(night, game, fields, f"act-all-in-{rest}")
    assert fields["bets"] == [f"all-in {rest}"]
    # the next one calls with all there is: both ways say the same amount
    assert f"act-all-in-{rest}" in page.buttons
    assert "act-call" in page.buttons
    assert not [button for button in page.buttons if button.startswith("act-raise-")]


def test_who_has_less_than_the_call_goes_all_in_for_less(night: PlayedNight) -> None:
    game = WITH_BETS[0]
    turn = re.search(r"(\w+)'s turn", night.text(f"/round?game={game}"))
    assert turn is not None
    night.does("/rebuy", player=night.players[turn[1]], chips="30")
    page, fields = night.page(f"/round?game={game}"), night.form(f"/round?game={game}")
    first = int(re.findall(r"act-all-in-(\d+)", page.html)[0])
    page = acted(night, game, fields, f"act-all-in-{first}")
    assert "act-call" not in page.buttons
    page = acted(night, game, fields, "act-call")
    assert "left: that is all-in" in page.errors["bet_amount"]


def test_what_is_typed_live_tells_of_the_stack(night: PlayedNight) -> None:
    game = WITH_BETS[0]
    typed_in = {name: values for name, values in typed(ROUNDS[game]).items() if name.startswith(("players", "betting"))}
    fields = {name: values[0] for name, values in typed_in.items() if values and not name.endswith("-name")}
    most = max(ROUNDS[game]["round"]["paid"].values())
    night.plays(f"buy-in {most - 1}")
    told = night.types(night.keeper, **{**fields, "game": game})["live"]
    assert told["settled"] is None
    assert any("record a rebuy first" in wrong["text"] for wrong in told["wrong"])


def test_after_a_change_it_is_told_what_changes_hands(night: PlayedNight) -> None:
    night.books()

    def told() -> str:
        return night.text("/lines/1").partition("What changes hands now")[2][:150]

    assert told() == ""
    night.plays("void 1")
    assert "before this change: Ana gives Beto 3 Ana gives Caro 3 " in told()
    night.plays("back 1")
    assert "before this change: Beto gives Ana 3 Caro gives Ana 3 " in told()


def test_the_count_saves_nothing_unless_it_is_confirmed(night: PlayedNight) -> None:
    night.plays("loan 5 Ana Beto, loan 5 Beto Ana, round")
    counts = {f"count-{night.players[name]}": "" for name in night.players}
    assert f"{night.night}/close" in night.page("/count").all("a", "href")
    page = night.post("/count", **{**counts, "number": "4"}, do="compare")
    assert len(Page(page.text).errors) == 3
    given = dict(zip(counts, ["24", "19", "17"], strict=True))
    page = night.post("/count", **given, number="4", do="compare")
    told = words(page.text)
    assert "The chips don't match the log." in told
    assert "Ana should have 26 −2 Possibly in round 1" in told
    assert plates(night)[0].startswith("Ana stack 26")
    night.does("/count", **given, number="4", do="book")
    assert plates(night)[0] == "Ana stack 24 +4 deals"
    assert "Ana 24" in night.text("/changes")
    assert "Chip count Ana → Beto 2" in night.text("/money")
    assert "The chips match the log." in words(night.post("/count", **given, number="3", do="compare").text)


@pytest.mark.parametrize("number", ["1", "x", DIGITS, ""])
def test_a_count_that_is_old_or_forged_is_not_booked(night: PlayedNight, number: str) -> None:
    night.books()
    given = {f"count-{player}": units for player, units in zip(night.players.values(), ("24", "19", "17"), strict=True)}
    answer = night.post("/count", **given, number=number, do="book")
    assert answer.status_code in (200, 409)
    assert plates(night)[0].startswith("Ana stack 26")


def test_chips_that_are_missing_cannot_be_booked(night: PlayedNight) -> None:
    given = {f"count-{player}": "19" for player in night.players.values()}
    page = night.post("/count", **given, number="1", do="compare").text
    assert "3 missing on the table. Count again, or settle up by the recorded rounds" in words(page)
    assert 'value="book"' not in page


def test_a_printed_night_of_chips_has_what_was_handed_over(app: Flask) -> None:
    for buy_in, first in (("", "pays whom"), ("20", "round by round")):
        night = PlayedNight(app, secret=SECRET + buy_in)
        night.plays(f"buy-in {buy_in}") if buy_in else None
        night.books()
        page = night.text("/print")
        places = {"round by round": page.index("Payments, round by round"), "pays whom": page.index("Who pays whom")}
        assert min(places, key=lambda key: places[key]) == first
        assert "takes" in page[places["round by round"] :]


def test_a_side_bet_is_a_debt_and_a_buy_in_is_not_one(night: PlayedNight) -> None:
    owed = {"from_": night.players["Caro"], "to": "bank", "amount": "7", "note": ""}
    page = Page(night.post("/move", movement="buy-in", **owed).text)
    assert page.errors["movement"] == "Say what it is: choose from the list"
    night.does("/move", movement="loan", **owed)
    assert "Caro stack 20 0" in " ".join(plates(night))
    assert "Caro stack 20 −7 from loans, bets and the like −7" in night.text("/money")


@pytest.mark.parametrize("game", WITH_BETS)
def test_at_the_table_all_in_is_the_whole_stack_whatever_was_typed(app: Flask, game: str) -> None:
    night = PlayedNight(app, game, **{"buy-in": "20"})
    ana, beto = night.joined("Ana"), night.joined("Beto")
    night.presses("bet-{Ana}", ana, amount="20", status=422)
    # the amount that lies ready in the form is the least bet
    assert "All-in 19" in words(ana.get(night.night).text)
    night.presses("allin-{Ana}", ana, amount="1")
    assert night.state(night.keeper)["fields"]["bets"] == "all-in 19"
    assert "19 to call" in words(beto.get(night.night).text)


def test_at_the_table_a_call_above_the_stack_is_not_offered(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker", **{"buy-in": "20"})
    ana, beto = night.joined("Ana"), night.joined("Beto")
    night.plays("rebuy Ana 30")
    night.presses("bet-{Ana}", ana, amount="40")
    html = beto.get(night.night).text
    assert "Your turn: 40 to call" in html
    assert 'value="call-' not in html
    assert "All-in 19" in html
    assert 'name="amount"' not in html[html.index('id="at-table"') :]
    night.presses("call-{Beto}", beto, status=422)
    night.presses("check-{Beto}", beto, status=422)
    night.presses("allin-{Beto}", beto)
    assert night.state(night.keeper)["fields"]["bets"] == "bet 40; all-in 19"


@pytest.mark.parametrize("game", WITH_BETS)
def test_chips_that_are_bet_are_not_in_front_any_more(app: Flask, game: str) -> None:
    night = PlayedNight(app, game, **{"buy-in": "20"})
    assert plates(night)[0].startswith("Ana stack 20 ")
    night.presses("bet-{Ana}", amount="5")
    assert strip(night, game) == ["stack 14", "stack 19", "stack 19"]
    assert [plate.split()[2] for plate in plates(night)] == ["14", "19", "19"]
    assert re.findall(r'class="sum stack">(\d+)<', night.html("/table")) == ["14", "19", "19"]


def test_bets_and_rebuys_reach_phones_that_are_open_already(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker", **{"buy-in": "20"})
    beto = night.joined("Beto")
    night.presses("bet-{Ana}", amount="5")
    before = night.state(beto)
    assert before["in_front"] == {"0": "14", "1": "19", "2": "19"}
    night.plays("rebuy Beto 10")
    after = night.state(beto)
    assert after["in_front"] == {"0": "14", "1": "29", "2": "19"}
    assert after["hand"] != before["hand"]  # the table is drawn anew: Beto may bet more


# the hands of Ana, Beto, who has the best one, and Caro
BEST_OF_BETO = {
    "domino-poker": ("1-5 2-5 3-5 4-5 5-5", "2-2 3-3 4-4 5-6 6-6", "1-2 1-3 1-4 2-3 2-4"),
    "draw-poker": ("Ah Kh 8h 5h 3h", "9s 9h 9d 4c 4d", "8c 8d Js 7d 4h"),
}


def of_one_chip(app: Flask, game: str) -> PlayedNight:
    """Give a night in which Beto's only chip is the ante; Ana and Caro have 20."""
    night = PlayedNight(app, game, **{"buy-in": "1"})
    return night.plays("rebuy Ana 19, rebuy Caro 19")


def stacked(html: str) -> list[str]:
    """Give what everybody has put in, as the page of the table says it."""
    found = re.search(r'class="stacked">(.*?)</p>', html, re.DOTALL)
    assert found is not None
    return [words(one) for one in re.findall(r"<span>(.*?)</span> ", found[1], re.DOTALL)]


@pytest.mark.parametrize("game", BEST_OF_BETO)
def test_who_put_in_the_last_chip_with_the_ante_is_asked_nothing_and_plays_for_it(app: Flask, game: str) -> None:
    night = of_one_chip(app, game)
    beto = night.joined("Beto")
    assert stacked(beto.get(night.night).text) == ["Ana 1", "Beto 1 all-in", "Caro 1"]
    night.presses("bet-{Ana}", amount="4")
    html = beto.get(night.night).text
    assert "Caro's turn" in words(html)
    assert "Your turn" not in html
    night.presses("fold-{Beto}", beto, status=422)
    night.presses("call-{Caro}")
    while "The betting is over" not in night.html():
        turn = re.search(r"(\w+)'s turn|(?<=then )(\w+) begins", night.text())
        assert turn is not None
        (player,) = filter(None, turn.groups())
        assert player != "Beto"
        night.presses(f"check-{{{player}}}")
    number = night.state(night.keeper)["number"]
    hands = {f"players_{seat}_hand": hand for seat, hand in enumerate(BEST_OF_BETO[game])}
    fields = night.round_fields(night.keeper, **hands)
    night.does("/round", **fields, do="save")
    assert plates(night)[1].startswith("Beto stack 3 ")
    # a correction knows it without the stacks, which are others by then
    page = night.page(f"/lines/{number}/correct")
    assert page.fields["bets"][0].startswith("all-in-by-ante 1; bet 4; call")
    fields = {name: values for name, values in page.fields.items() if name not in ("csrf_token", "do")}
    assert "Beto is all-in with the ante" in words(page.html)
    night.does(f"/lines/{number}/correct", **fields, do="save")
    assert plates(night)[1].startswith("Beto stack 3 ")


def test_a_call_with_the_last_chips_is_all_in_and_not_asked_again(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker", **{"buy-in": "20"})
    night.plays("rebuy Ana 20, rebuy Caro 20")
    for do, name, amount in (("bet", "Ana", "19"), ("call", "Beto", ""), ("call", "Caro", "")):
        night.presses(f"{do}-{{{name}}}", amount=amount)
    html = night.html()
    assert stacked(html) == ["Ana 20", "Beto 20 all-in", "Caro 20"]
    night.presses("bet-{Ana}", amount="5")
    assert "Caro's turn" in night.text()


def test_a_line_that_no_page_made_is_told(app: Flask) -> None:
    night = of_one_chip(app, "domino-poker")
    for bets in ("all-in-by-ante 9", "check; all-in-by-ante 0", "all-in-by-ante x"):
        fields = night.round_fields(night.keeper, bets=bets, betting="yes")
        html = night.post("/round", **fields, do="settle").text
        assert "ante" in Page(html).errors["bets"]


@pytest.mark.parametrize("game", WITH_BETS)
def test_all_in_goes_with_the_stacks(app: Flask, game: str) -> None:
    night = PlayedNight(app, game, **{"buy-in": "20"})
    assert "all-in" in night.html().lower()
    # the rules are set from the form, which has all-in ticked
    fields = night.form(f"/rules?game={game}")
    assert fields["rules-all_in"] == ["y"]
    night.does("/rules", **{**fields, "rules-ante": "2", "do": "set"})
    night.plays("close").night = night.does("{group}/tonight", **START, game=game, **{"buy-in": ""})
    assert "Ante: 2" in night.text()
    for buy_in in ("", "30", ""):
        night.does("/buy-in", **{"buy-in": buy_in})
        assert ("all-in" in night.html().lower()) == bool(buy_in)
