"""A session's pages: rounds, conflicts, comparing corrections, house rules, seats, history, closing."""

from __future__ import annotations

import re
from html import unescape

import pytest
from devices import HANDS, Device, Night, problem
from flask import Flask
from pages import Page

from companion.web.ledger_lines.differences import differences, parts

ANA, BETO, CARO = HANDS.values()


@pytest.fixture
def night(app: Flask) -> Night:
    return Night(app)


def standings(night: Night) -> dict[str, str]:
    table = re.search(
        r'<table class="standings[^>]*>.*?</table>', night.keeper.get(f"{night.session}/money").text, re.DOTALL
    )
    assert table is not None
    rows = re.findall(r'<th scope="row">(.*?)</th>.*?<b class="amount[^>]*>(.*?)</b>', table[0], re.DOTALL)
    return {name: amount.replace("\u2212", "-") for name, amount in rows}


def in_suits(hand: str) -> str:
    """Write a hand the way the history does."""
    symbols = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    return " ".join(f"{card[0].replace('T', '10')}{symbols[card[1]]}\ufe0e" for card in hand.split())


def beside(html: str) -> dict[str, tuple[str, str]]:
    """Read the table that compares another version with one's own."""
    table = re.search(r'<table class="beside">.*?</table>', html, re.DOTALL)
    if table is None:
        return {}
    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td>(.*?)</td>\s*<td>(.*?)</td>', table[0])
    return {unescape(label): (unescape(saved), unescape(typed)) for label, saved, typed in rows}


def test_a_round_is_saved_and_shown(night: Night) -> None:
    where = night.books()
    assert where == f"{night.session}/lines/1?saved=yes"
    # KP-2, KP-4: the antes of 3, and 2 of each who stayed in
    assert standings(night) == {"Ana": "+6", "Beto": "-3", "Caro": "-3"}
    assert "Ana, full house, nines over fours" in night.keeper.page(f"{night.session}/rounds").text
    assert "Knock Poker, full house, nines over fours" in " ".join(night.keeper.page(night.session).text.split())


def test_a_form_sent_twice_saves_one_round(night: Night) -> None:
    hands = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())}
    fields = night.round_fields(night.keeper, asked_knocker="0") | hands
    where = {night.keeper.does(f"{night.session}/round", **fields, do="save") for _ in range(3)}
    assert len(where) == 1
    assert standings(night)["Ana"] == "+6"


def test_next_round_moves_the_deal_on(night: Night) -> None:
    assert night.round_fields(night.keeper)["dealer"] == ["2"]
    night.books()
    page = night.round_fields(night.keeper)
    assert (page["dealer"], page["number"], page["players-0-hand"]) == (["0"], ["2"], [""])


# ---- two phones at once


def test_the_standings_are_beside_the_next_round_once_there_are_any(night: Night) -> None:
    def beside() -> list[tuple[str, str]]:
        _, _, aside = night.keeper.get(f"{night.session}/round").text.partition('<aside class="tonight"')
        return re.findall(r"<b>(.*?)</b>\s*<b[^>]*>(.*?)</b>", aside)

    assert beside() == []
    night.books()
    assert beside() == [("Ana", "+6"), ("Beto", "\u22123"), ("Caro", "\u22123")]


def test_a_round_saved_meanwhile_gives_409_and_keeps_what_was_typed(night: Night, app: Flask) -> None:
    other = Device(app)
    other.open(night.links()["keep"])
    typed = night.round_fields(other, asked_knocker="1", players_2_dropped="y")
    typed |= {"players-0-hand": ANA, "players-1-hand": BETO}
    night.books()
    response = other.post(f"{night.session}/round", **typed, do="save")
    page = Page(response.text)
    assert response.status_code == 409
    assert "Round 1 was just saved from another phone" in problem(response.text)
    assert (page.fields["players-1-hand"], page.fields["asked-knocker"]) == ([BETO], ["1"])
    # only what differs is laid side by side: who knocked, who dropped, and Caro's hand
    rows = beside(response.text)
    assert ("Ana", "Beto") in rows.values()
    assert ("\u2013", "Caro") in rows.values()
    assert rows["Caro"] == (in_suits(CARO), "\u2013")
    assert "Ana" not in rows
    assert standings(night)["Ana"] == "+6"
    # saving again is a decision of its own
    again = {name: values for name, values in page.fields.items() if name != "csrf_token"}
    assert again["number"] == ["2"]
    assert again["key"] != typed["key"]
    assert other.does(f"{night.session}/round", **again, do="save").endswith("/lines/2?saved=yes")


def test_a_form_sent_again_with_another_hand_leads_to_correcting_the_saved_round(night: Night) -> None:
    giver, taker, *_ = night.players.values()
    night.keeper.does(f"{night.session}/move", movement="loan", amount="1", from_=giver, to=taker)
    hands = {f"players_{seat}_hand": hand for seat, hand in enumerate((ANA, BETO, CARO))}
    whole = night.round_fields(night.keeper, **hands, asked_knocker="0")
    assert night.keeper.does(f"{night.session}/round", **whole, do="save").endswith("/lines/2?saved=yes")
    saved = standings(night)
    again = night.keeper.post(
        f"{night.session}/round", **{**whole, "players-2-hand": BETO, "players-1-hand": CARO}, do="save"
    )
    assert again.status_code == 409
    assert "This was already saved, with different contents" in problem(again.text)
    assert re.search(rf'href="{night.session}/lines/2/correct"[^>]*>\s*Correct round 1<', again.text)
    assert standings(night) == saved


def correction(night: Night, device: Device, **fields: str) -> dict[str, object]:
    page = device.page(f"{night.session}/lines/1/correct").fields
    known = {name: values for name, values in page.items() if name != "csrf_token"}
    return known | {name.replace("_", "-"): value for name, value in fields.items()}


def test_a_correction_shows_what_it_changes_before_it_is_saved(night: Night) -> None:
    night.books()
    fields = correction(night, night.keeper, asked_knocker="1")
    assert fields["players-0-hand"] == [ANA]
    shown = night.keeper.post(f"{night.session}/lines/1/correct", **fields, do="settle")
    assert "What this changes" in shown.text
    assert standings(night)["Ana"] == "+6"
    night.keeper.does(f"{night.session}/lines/1/correct", **fields, do="save")
    assert standings(night)["Ana"] != "+6"


def effects(html: str) -> dict[str, tuple[str, str]]:
    """Read what a change would do: every total before and after."""
    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td>(.*?)</td>\s*<td>(?:<b>)?(.*?)(?:</b>)?</td>', html)
    return {name: (before.replace("\u2212", "-"), after.replace("\u2212", "-")) for name, before, after in rows}


DROPPED = {"players_1_dropped": "y", "players_1_hand": ""}
# KP-2, KP-4: Ana wins the antes and 2 of each, 1 of who dropped; a void round moves nothing
PREVIEWS = [
    ("Beto dropped", DROPPED, {"Ana": ("+6", "+5"), "Beto": ("-3", "-2"), "Caro": ("-3", "-3")}),
    ("an ante more", {"rules_ante": "2"}, {"Ana": ("+6", "+8"), "Beto": ("-3", "-4"), "Caro": ("-3", "-4")}),
    ("void", None, {"Ana": ("+6", "0"), "Beto": ("-3", "0"), "Caro": ("-3", "0")}),
]


@pytest.mark.parametrize(("fields", "told"), [row[1:] for row in PREVIEWS], ids=[row[0] for row in PREVIEWS])
def test_the_preview_of_a_correction_is_what_comes_of_it(
    night: Night, fields: dict[str, str] | None, told: dict[str, tuple[str, str]]
) -> None:
    night.books()
    where = f"{night.session}/lines/1"
    if fields is None:
        shown = night.keeper.get(f"{where}/void").text
        night.keeper.does(where, do="void", seen="1")
    else:
        typed = correction(night, night.keeper, **fields)
        shown = night.keeper.post(f"{where}/correct", **typed, do="settle").text
        assert standings(night)["Ana"] == "+6"
        night.keeper.does(f"{where}/correct", **typed, do="save")
    assert {name: totals for name, totals in effects(shown).items() if name in HANDS} == told
    assert standings(night) == {name: after for name, (_, after) in told.items()}


@pytest.mark.parametrize("page", ["round", "lines/1/correct"])
def test_names_that_were_swapped_meanwhile_book_nothing(night: Night, page: str) -> None:
    night.books()
    typed = {name: v for name, v in night.keeper.page(f"{night.session}/{page}").fields.items() if name != "csrf_token"}
    typed |= {f"players-{seat}-hand": [hand] for seat, hand in enumerate(HANDS.values())} | {"asked-knocker": ["0"]}
    ana, beto, _ = night.players.values()
    for player, name in ((ana, "Anita"), (beto, "Ana"), (ana, "Beto")):
        night.keeper.does(f"{night.group}/players", do=f"rename-{player}", **{f"name-{player}": name})
    before = standings(night)
    for _ in range(2):
        answer = night.keeper.post(f"{night.session}/{page}", **typed, do="save")
        assert problem(answer.text) == "A player was renamed meanwhile; open the round again"
        again = Page(answer.text).fields  # sending the page with the problem again is no way round it
        typed = {name: values for name, values in again.items() if name != "csrf_token"}
    assert standings(night) == before


@pytest.mark.parametrize("page", ["round", "lines/1/correct"])
@pytest.mark.parametrize("do", ["settle", "save"])
def test_a_player_renamed_meanwhile_is_told_and_nothing_is_saved(night: Night, app: Flask, page: str, do: str) -> None:
    night.books()
    other = Device(app)
    other.open(night.links()["keep"])
    typed = {name: v for name, v in other.page(f"{night.session}/{page}").fields.items() if name != "csrf_token"}
    typed |= {f"players-{seat}-hand": [hand] for seat, hand in enumerate(HANDS.values())} | {"asked-knocker": ["1"]}
    ana = night.players["Ana"]
    night.keeper.does(f"{night.group}/players", do=f"rename-{ana}", **{f"name-{ana}": "Anita"})
    answer = other.post(f"{night.session}/{page}", **typed, do=do)
    assert answer.status_code == 200
    assert problem(answer.text) == "A player was renamed meanwhile; open the round again"
    assert Page(answer.text).fields["players-0-hand"] == [ANA]
    assert standings(night) == {"Anita": "+6", "Beto": "-3", "Caro": "-3"}
    assert night.round_fields(night.keeper)["number"] == ["2"]


def test_a_correction_of_what_was_corrected_meanwhile_is_laid_beside_it(night: Night, app: Flask) -> None:
    night.books()
    other = Device(app)
    other.open(night.links()["keep"])
    mine = correction(night, other, players_2_hand="8c 8d 8s 7d 4h")
    theirs = correction(night, night.keeper, asked_knocker="1")
    night.keeper.does(f"{night.session}/lines/1/correct", **theirs, do="save")
    after = standings(night)
    response = other.post(f"{night.session}/lines/1/correct", **mine, do="save")
    page = Page(response.text)
    assert response.status_code == 409
    assert "Not saved: round 1 was just changed on another phone" in problem(response.text)
    assert page.fields["players-2-hand"] == ["8c 8d 8s 7d 4h"]
    rows = beside(response.text)
    assert rows["Caro"] == (in_suits(CARO), in_suits("8c 8d 8s 7d 4h"))
    assert ("Beto", "Ana") in rows.values()
    assert len(rows) == 2
    assert standings(night) == after
    assert (page.fields["seen"], page.fields["number"]) == (["2"], ["1"])
    again = {name: values for name, values in page.fields.items() if name != "csrf_token"}
    assert other.post(f"{night.session}/lines/1/correct", **again, do="save").status_code == 303


def test_history_tells_what_each_correction_changed(night: Night) -> None:
    night.books()
    night.keeper.does(
        f"{night.session}/lines/1/correct",
        **correction(night, night.keeper, players_2_hand="8c 8d 8s 7d 4h"),
        do="save",
    )
    text = " ".join(night.keeper.page(f"{night.session}/lines/1").text.split())
    assert f"Caro: {in_suits('8c 8d 8s 7d 4h')} (before: {in_suits(CARO)})" in text
    assert f"Ana: {in_suits(ANA)}" not in text
    undo = night.keeper.page(f"{night.session}/lines/1/undo")
    assert "It will go back to what it was before" in undo.text
    assert f"Caro: {in_suits(CARO)} (before: {in_suits('8c 8d 8s 7d 4h')})" in undo.text
    night.keeper.does(f"{night.session}/lines/1", do="back", seen="2")
    text = " ".join(night.keeper.page(f"{night.session}/lines/1").text.split())
    assert f"Caro: {in_suits(CARO)} (before: {in_suits('8c 8d 8s 7d 4h')})" in text


def test_undoing_asks_and_says_what_it_does(night: Night) -> None:
    where = f"{night.session}/lines/1"
    night.books()
    # what was only entered is voided
    assert f"{where}/undo" not in night.keeper.page(where).all("a", "href")
    assert f"{where}/void" in night.keeper.page(where).all("a", "href")
    assert "back" not in night.keeper.page(where).buttons
    page = night.keeper.page(f"{where}/undo")
    assert "It will no longer count" in page.text
    assert "What this changes" in page.text
    assert page.buttons == ["back"]
    assert standings(night)["Ana"] == "+6"
    night.keeper.does(where, do="back", seen=page.fields["seen"][0])
    assert standings(night)["Ana"] == "0"
    assert f"{where}/undo" in night.keeper.page(where).all("a", "href")
    assert "It will count again" in night.keeper.page(f"{where}/undo").text


def test_a_line_is_voided_and_taken_back(night: Night) -> None:
    night.books()
    assert "What this changes" in night.keeper.page(f"{night.session}/lines/1/void").text
    night.keeper.does(f"{night.session}/lines/1", do="void", seen="1")
    assert standings(night) == dict.fromkeys(HANDS, "0")
    voided = night.keeper.get(f"{night.session}/rounds").text
    assert "<s>Knock Poker</s>" in voided
    # the hands that were shown are still there
    assert all(f"{name}'s hand" in unescape(voided) for name in HANDS)
    late = night.keeper.post(f"{night.session}/lines/1", do="void", seen="1")
    assert late.status_code == 409
    assert "was just changed on another phone" in problem(late.text)
    night.keeper.does(f"{night.session}/lines/1", do="back", seen="2")
    assert standings(night)["Ana"] == "+6"
    assert "counts again" in night.keeper.get(f"{night.session}/lines/1").text


def test_a_correction_of_a_voided_round_says_that_it_counts_again(night: Night, app: Flask) -> None:
    night.books()
    other, where = Device(app), f"{night.session}/lines/1"
    other.open(night.links()["keep"])
    typed = correction(night, other, asked_knocker="1")
    told = '<p class="carried">It will count again.</p>'  # a notice like the others
    assert told not in other.post(f"{where}/correct", **typed, do="settle").text
    night.keeper.does(where, do="void", seen="1")
    # who began the correction before the round was voided is told as well
    refused = other.post(f"{where}/correct", **typed, do="save")
    assert (refused.status_code, told in refused.text) == (409, True)
    typed = correction(night, night.keeper, asked_knocker="1")
    assert told in night.keeper.post(f"{where}/correct", **typed, do="settle").text
    night.keeper.does(f"{where}/correct", **typed, do="save")
    assert "counts again" in night.keeper.get(where).text


# an address in the session, and its answer
ADDRESSES = [
    ("/lines/9", 404),
    ("/lines/0", 404),
    ("/lines/99999999999999999999", 404),
    ("/lines/x", 404),
    ("/lines/9/correct", 404),
    ("/lines/9/void", 404),
    ("/rules?game=whist", 404),
    ("/round?game=whist", 404),
    ("?game=whist", 404),
    ("/rounds?before=x", 200),
    ("/rounds?before=1", 200),
]


@pytest.mark.parametrize(("path", "status"), ADDRESSES)
def test_odd_addresses(night: Night, path: str, status: int) -> None:
    assert night.keeper.get(night.session + path).status_code == status


@pytest.mark.parametrize(
    "path", ["/round", "/lines/1/correct", "/rules", "/seats", "/move", "/close", "/lines/1", "/draft"]
)
def test_a_form_with_nothing_in_it_is_no_error_of_ours(night: Night, path: str) -> None:
    night.books()
    assert night.keeper.post(night.session + path).status_code < 500


# ---- house rules


def test_house_rules_hold_from_the_next_round_on(night: Night) -> None:
    night.books()
    page = night.keeper.page(f"{night.session}/rules")
    assert (page.fields["game"], page.fields["rules-ante"]) == (["knock-poker"], ["1"])
    fields = {name: values for name, values in page.fields.items() if name not in ("csrf_token", "key")}
    night.keeper.does(f"{night.session}/rules", **fields | {"rules-ante": "3"}, do="set")
    assert night.round_fields(night.keeper)["rules-ante"] == ["3"]
    assert standings(night)["Ana"] == "+6"
    # antes of 9 instead of 3
    night.books()
    assert standings(night)["Ana"] == "+16"
    # and a correction of the first keeps its own
    assert correction(night, night.keeper)["rules-ante"] == ["1"]


@pytest.mark.parametrize("ante", ["", "x", "-1", "1001", "9" * 400])
def test_a_bad_house_rule_stands_at_its_field(night: Night, ante: str) -> None:
    page = night.keeper.page(f"{night.session}/rules").fields
    fields = {name: values for name, values in page.items() if name not in ("csrf_token", "key")}
    response = night.keeper.post(f"{night.session}/rules", **fields | {"rules-ante": ante}, do="set")
    shown = Page(response.text)
    assert response.status_code == 200
    assert list(shown.errors) == ["rules-ante"]
    assert shown.fields["rules-ante"] == [ante]
    assert night.round_fields(night.keeper)["rules-ante"] == ["1"]


def test_rules_of_another_game_make_it_the_next_one(night: Night) -> None:
    page = night.keeper.page(f"{night.session}/rules?game=dompe").fields
    fields = {name: values for name, values in page.items() if name not in ("csrf_token", "key")}
    night.keeper.does(f"{night.session}/rules", **fields | {"rules-deck": "spanish-40"}, do="set")
    form = night.round_fields(night.keeper)
    assert (form["game"], form["rules-deck"]) == (["dompe"], ["spanish-40"])


# ---- seats

# buttons in turn, and who then plays in seat order
SEATS = [
    ("up-{Caro}", "Ana Caro Beto"),
    ("down-{Ana}", "Beto Ana Caro"),
    ("up-{Ana}", "Ana Beto Caro"),
    ("out-{Beto}", "Ana Caro"),
    ("out-{Beto} in-{Beto}", "Ana Beto Caro"),
    ("left-{Ana}", "Beto Caro"),
    ("left-{Ana} in-{Ana}", "Ana Beto Caro"),
]


@pytest.mark.parametrize(("buttons", "players"), SEATS)
def test_players_come_go_and_change_places(night: Night, buttons: str, players: str) -> None:
    night.books()
    before = standings(night)
    for do in buttons.format(**night.players).split():
        night.keeper.does(f"{night.session}/seats", do=do)
    form = night.round_fields(night.keeper)
    names = [form[f"players-{seat}-name"][0] for seat in range(len(players.split()))]
    assert " ".join(names) == players
    assert f"players-{len(names)}-name" not in form
    assert standings(night) == before


@pytest.mark.parametrize("sits_out", [["Ana", "Beto"], ["Ana", "Beto", "Caro"]], ids=["one-left", "none-left"])
def test_a_round_with_too_few_players_is_told(night: Night, sits_out: list[str]) -> None:
    opened = night.round_fields(night.keeper)
    for player in sits_out:
        night.keeper.does(f"{night.session}/seats", do=f"out-{night.players[player]}")
    said = "Knock Poker needs at least 2 players; let more play under “People”"
    assert problem(night.keeper.get(f"{night.session}/round").text) == said
    for fields, is_told in ((night.round_fields(night.keeper), True), (opened, False)):
        again = night.keeper.post(f"{night.session}/round", **fields, do="settle")
        assert again.status_code == 200
        assert (problem(again.text) == said) == is_told


def test_somebody_of_the_group_joins_late(night: Night) -> None:
    night.books()
    night.keeper.does(f"{night.group}/players", do="add", name="Dani")
    (join,) = [do for do in night.keeper.page(f"{night.session}/people").buttons if do.startswith("join-")]
    night.keeper.does(f"{night.session}/seats", do=join)
    assert night.round_fields(night.keeper)["players-3-name"] == ["Dani"]
    assert standings(night)["Dani"] == "0"


def test_a_dragged_order_is_saved(night: Night) -> None:
    ana, beto, caro = night.players.values()
    night.keeper.does(f"{night.session}/seats", do="order", order=[caro, ana, beto])
    assert night.round_fields(night.keeper)["players-0-name"] == ["Caro"]


@pytest.mark.parametrize("do", ["", "join-999", "in-999", "dance"])
def test_odd_seats_are_400(night: Night, do: str) -> None:
    assert night.keeper.post(f"{night.session}/seats", do=do).status_code == 400


# ---- other movements and closing


def test_a_loan_is_paid_back_when_the_night_is_settled(night: Night) -> None:
    ana, beto, _ = night.players.values()
    page = night.keeper.page(f"{night.session}/money")
    assert "Who owes it" in page.text
    assert (page.fields["from"], page.fields["to"]) == ([""], [""])
    assert 'value="pot"' not in page.html
    night.keeper.does(f"{night.session}/move", movement="loan", from_=ana, to=beto, amount="5", note="till Friday")
    assert standings(night) == {"Beto": "+5", "Caro": "0", "Ana": "-5"}
    for where in (f"{night.session}/money", f"{night.session}/lines/1"):
        told = night.keeper.page(where).text
        assert "Ana owes Beto" in told
        assert "till Friday" in told
    assert "Ana <em>pays</em> Beto</span><b>5</b>" in night.keeper.page(f"{night.session}/settle").html


def test_the_bank_stands_among_the_players(night: Night) -> None:
    night.keeper.does(
        f"{night.session}/move", movement="buy-in", from_="bank", to=night.players["Ana"], amount="7", note=""
    )
    assert standings(night) == {"Ana": "+7", "Beto": "0", "Caro": "0", "Bank": "-7"}
    night.keeper.does(f"{night.session}/close", do="leave")
    for page in ("end", "end.svg", "money", "rounds", "print", "pictures", "settle", "table", "lines/1"):
        assert night.keeper.get(f"{night.session}/{page}").status_code == 200, page


def plan_of(night: Night) -> str:
    """Settle the night; returns its plan's URL."""
    night.keeper.does(f"{night.session}/settle")
    return plan_on(night, night.session)


def plan_on(night: Night, address: str) -> str:
    """Return the URL of the plan on the page of a night or group."""
    (plan,) = {form for form in night.keeper.page(f"{address}/settle").all("form", "action") if "/plans/" in form}
    return plan


def test_a_plan_for_all_nights_replaces_the_nights_own(night: Night) -> None:
    night.books()
    own = plan_of(night)
    night.keeper.does(f"{night.group}/settle")
    assert own != plan_on(night, night.group)
    for page in ("settle", "money"):
        assert plan_on(night, night.group) in night.keeper.page(f"{night.session}/{page}").all("form", "action")
    shown = night.keeper.page(f"{night.session}/settle").text
    assert "Since the plan was made" not in shown
    assert "Nobody owes anything" not in shown
    assert "A newer plan replaced this one." in night.keeper.post(own, do="pay-0", **{"amount-0": "1"}).text


# the note that is typed, and what is kept of it: emoji of several parts, one newer than Python 3.11, a fixed space
NOTES = [
    ("cake\r\nand \0tea\x07", "cake\nand tea"),
    ("\u202etill Friday", "till Friday"),
    ("\U0001f469\u200d\U0001f373 \U0001fa77", "\U0001f469\u200d\U0001f373 \U0001fa77"),
    ("5\u00a0€", "5\u00a0€"),
]


@pytest.mark.parametrize(("typed", "kept"), NOTES)
def test_a_note_keeps_all_but_control_characters(night: Night, typed: str, kept: str) -> None:
    night.keeper.does(f"{night.session}/note", place="", note=typed)
    assert night.keeper.page(f"{night.session}/people").texts["note"].strip() == kept


# the keys of the forms that are sent, and how many of them count
@pytest.mark.parametrize(("keys", "times"), [(["one key"] * 3, 1), (["a key", "another"], 2)], ids=["same", "own"])
def test_a_movement_and_a_payment_are_booked_once_by_their_form(night: Night, keys: list[str], times: int) -> None:
    ana, beto, _ = night.players.values()
    for key in keys:
        move = {"movement": "loan", "from": ana, "to": beto, "amount": "5", "note": ""}
        night.keeper.does(f"{night.session}/move", **move, key=key)
    assert standings(night)["Beto"] == f"+{5 * times}"
    plan = plan_of(night)
    for key in keys:
        night.keeper.does(plan, do="pay-0", key=f"payment by {key}", **{"amount-0": "2"})
    settle = f"{night.session}/settle"
    assert f"({2 * times} paid, {3 * times} to go)" in night.keeper.get(settle).text
    for _ in keys:
        night.keeper.does(plan, do="unpay-0", key="taken back")
    assert " to go)" not in night.keeper.get(settle).text


def test_a_key_is_not_taken_for_something_else(night: Night) -> None:
    ana, beto, caro = night.players.values()
    move = {"movement": "loan", "from": ana, "to": beto, "amount": "5", "note": ""}
    night.keeper.does(f"{night.session}/move", **move, key="one key")
    for other in ({"amount": "6"}, {"to": caro}, {"movement": "side-bet"}, {"note": "taxi"}):
        answer = night.keeper.post(f"{night.session}/move", **{**move, **other}, key="one key")
        assert answer.status_code == 409, other
    assert standings(night) == {"Beto": "+5", "Caro": "0", "Ana": "-5"}
    plan = plan_of(night)
    night.keeper.does(plan, do="pay-0", key="paid", **{"amount-0": "2"})
    for do, amount in (("pay-0", "3"), ("unpay-0", "2")):
        assert night.keeper.post(plan, do=do, key="paid", **{"amount-0": amount}).status_code == 409
    assert "(2 paid, 3 to go)" in night.keeper.get(f"{night.session}/settle").text


def test_a_loan_may_be_as_large_as_a_pot(night: Night) -> None:
    ana, beto = night.players["Ana"], night.players["Beto"]
    night.keeper.does(f"{night.session}/move", movement="loan", from_=ana, to=beto, amount="1000000000000", note="")
    assert standings(night)["Beto"] == "+1,000,000,000,000"


def test_a_plan_as_text_tells_what_is_paid(night: Night) -> None:
    ana, beto = night.players["Ana"], night.players["Beto"]
    night.keeper.does(f"{night.session}/move", movement="loan", from_=ana, to=beto, amount="5", note="")
    night.keeper.does(f"{night.session}/settle")
    (plan,) = {form for form in night.keeper.page(f"{night.session}/settle").all("form", "action") if "/plans/" in form}
    wrong = Page(night.keeper.post(plan, do="pay-0", **{"amount-0": "lots"}).text)
    assert "“lots” isn't an amount" in wrong.texts["payment-0"]
    assert wrong.fields["amount-0"] == ["lots"]
    for do, amount, told in (("pay-0", "2", " (2 paid, 3 to go)"), ("pay-0", "3", " (✓ paid)"), ("unpay-0", "", "")):
        night.keeper.does(plan, do=do, **{"amount-0": amount})
        assert f"\nAna pays Beto 5{told}</textarea>" in night.keeper.page(f"{night.session}/settle").html


BAD_MOVES = [
    ({"amount": "x"}, "” isn't an amount", "amount"),
    ({"amount": "0"}, "” isn't an amount", "amount"),
    ({"amount": "-5"}, "” isn't an amount", "amount"),
    ({"amount": "1000000000001"}, "” isn't an amount", "amount"),  # one more than C-1 lets a pot hold
    ({"to": "{Ana}"}, "Nobody can owe themselves", "to"),
    ({"from": "999"}, "Say who owes it", "from"),
    ({"from": ""}, "Say who owes it", "from"),
    ({"from": "pot"}, "Say who owes it", "from"),
    ({"to": "pot"}, "Say to whom", "to"),
    ({"movement": "theft"}, "Say what it is", "movement"),
]


@pytest.mark.parametrize(("changes", "told", "field"), BAD_MOVES, ids=[str(row[0]) for row in BAD_MOVES])
def test_a_bad_movement_is_told_and_kept(night: Night, changes: dict[str, str], told: str, field: str) -> None:
    usual = {"movement": "loan", "from": "{Ana}", "to": "{Beto}", "amount": "5", "note": "till Friday"}
    fields = {name: value.format(**night.players) for name, value in (usual | changes).items()}
    response = night.keeper.post(f"{night.session}/move", **fields)
    assert response.status_code == 200
    assert problem(response.text) == "One thing to fix"
    page = Page(response.text)
    assert told in page.errors[field]
    assert (list(page.errors), page.marked) == ([field], [field])
    assert page.texts["problems"] in page.texts["moves"]
    assert (page.fields["amount"], page.fields["note"]) == ([fields["amount"]], ["till Friday"])
    assert set(standings(night).values()) == {"0"}


def test_rounds_are_numbered_without_the_loans_between(night: Night) -> None:
    night.books()
    loan = {"movement": "loan", "from": night.players["Ana"], "to": night.players["Beto"], "amount": "5", "note": ""}
    night.keeper.does(f"{night.session}/move", **loan)
    assert "Round 2" in night.keeper.page(night.session).text
    night.books()
    rounds = night.keeper.get(f"{night.session}/rounds").text
    assert re.findall(r'class="number">(\d+)<', rounds) == ["2", "1"]
    assert re.findall(r'/lines/(\d+)"', rounds) == ["3", "1"]
    assert "2 rounds" in rounds


def test_the_rounds_of_a_long_night_are_paged(night: Night) -> None:
    for _ in range(21):
        night.books()
    first = night.keeper.page(f"{night.session}/rounds")
    (older,) = [href for href in first.all("a", "href") if href.startswith("?before=")]
    second = night.keeper.get(f"{night.session}/rounds{older}").text
    assert re.findall(r'class="number">(\d+)<', second) == ["1"]


def test_the_game_is_changed_where_its_name_stands(night: Night) -> None:
    page = night.keeper.page(f"{night.session}?game=dompe")
    assert f"{night.session}/round?game=dompe" in page.all("a", "href")
    assert night.keeper.page(f"{night.session}/round?game=dompe").fields["game"] == ["dompe"]


def test_a_round_that_is_being_entered_is_announced(night: Night) -> None:
    assert "is being entered" not in night.keeper.page(night.session).text
    night.types(night.keeper, players_0_hand=ANA)
    assert "Round 1 is being entered" in night.keeper.page(night.session).text
    assert "Round 1 is being entered and isn't saved yet" in night.keeper.page(f"{night.session}/close").text
    night.books(key="the draft's key")
    assert "is being entered" not in night.keeper.page(night.session).text


def test_a_correction_tells_what_changes_hands_once(night: Night) -> None:
    night.books()
    night.keeper.does(f"{night.session}/lines/1", do="void", seen="1")
    told = "What changes hands now"
    assert told in night.keeper.page(f"{night.session}/lines/1?saved=yes").text
    assert told not in night.keeper.page(f"{night.session}/lines/1").text


def test_closing_asks_first(night: Night) -> None:
    night.books(players_2_dropped="y", players_2_hand="")
    page = night.keeper.page(f"{night.session}/money")
    assert f"{night.session}/close" in page.all("a", "href")
    assert {"leave", "split", "reopen"}.isdisjoint(page.buttons)
    asked = night.keeper.page(f"{night.session}/close")
    assert "leave" in asked.buttons
    night.keeper.does(f"{night.session}/close", do="leave")
    assert night.keeper.page(f"{night.session}/close").buttons == ["reopen"]


def test_payments_are_ticked_on_the_money_tab(night: Night) -> None:
    night.books()
    night.keeper.does(f"{night.session}/close", do="leave")
    here = f"{night.session}/money"
    for before, after in (("pay-0", "unpay-0"), ("unpay-0", "pay-0")):
        page = night.keeper.page(here)
        assert before in page.buttons
        (plan,) = {action for action in page.all("form", "action") if "/plans/" in action}
        sent = {"amount-0": page.fields["amount-0"], "back": page.fields["back"]}
        assert night.keeper.does(plan, do=before, **sent) == f"{here}#payments"
        assert after in night.keeper.page(here).buttons


def test_the_pot_is_no_banker(night: Night) -> None:
    loan = {"movement": "loan", "from": night.players["Ana"], "to": night.players["Beto"], "amount": "5", "note": ""}
    night.keeper.does(f"{night.session}/move", **loan)
    night.books(asked_knocker="1")
    settle = night.keeper.page(f"{night.session}/settle?banker=pot")
    assert 'value="pot"' not in settle.html
    assert "Fewest payments" in settle.text


def test_a_newcomer_s_form_that_is_sent_again_is_answered_like_the_first_time(night: Night) -> None:
    sent = {"do": "new", "newcomer": "Dani", "key": "the form's key"}
    assert [night.keeper.post(f"{night.session}/seats", **sent).status_code for _ in range(2)] == [303, 303]
    assert len(night.keeper.page(f"{night.session}/people").fields["order"]) == 4
    again = night.keeper.post(f"{night.session}/seats", **{**sent, "key": "another form's key"})
    assert problem(again.text) == "Two players are called “Dani”; give one of them another name"


def test_what_is_refused_is_told_where_it_was_asked_for(night: Night) -> None:
    ana, beto, _ = order = list(night.players.values())
    move = {"movement": "loan", "from": ana, "to": beto, "amount": "5", "note": ""}
    newcomer = {"order": order, "do": "new", "newcomer": ""}
    wrong = Page(night.keeper.post(f"{night.session}/seats", **newcomer).text)
    assert wrong.texts["problems"] in wrong.texts["seats"]
    assert wrong.marked == ["newcomer"]
    night.books()
    old = Page(night.keeper.post(f"{night.session}/lines/1/remark", csrf_token="old", remark="cake").text)
    assert old.texts["problems"] in old.texts["remarks"]
    assert old.fields["remark"] == ["cake"]
    night.keeper.does(f"{night.session}/close", do="leave")
    # the forms are gone with the night
    for place, sent in (("move", move), ("seats", newcomer)):
        html = night.keeper.post(f"{night.session}/{place}", **sent).text
        assert problem(html), place


def test_a_closed_night_takes_no_round_until_it_is_opened_again(night: Night) -> None:
    hands = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())}
    fields = night.round_fields(night.keeper, asked_knocker="0") | hands
    assert night.keeper.post(f"{night.session}/close", do="leave").status_code == 303
    response = night.keeper.post(f"{night.session}/round", **fields, do="save")
    assert "This night is closed" in problem(response.text)
    assert Page(response.text).fields["players-0-hand"] == [ANA]
    night.keeper.does(f"{night.session}/close", do="reopen")
    night.keeper.does(f"{night.session}/round", **fields, do="save")
    assert standings(night)["Ana"] == "+6"
    changes = night.keeper.page(f"{night.session}/changes").text
    assert all(kind in changes for kind in ("Close", "Reopen", "Round 1"))


# what is done | what the list of changes says of it, and with what
CHANGES = [
    ("round", "Round 1", "Ana: 9♠︎ 9♥︎ 9♦︎ 4♣︎ 4♦︎"),
    ("loan", "Loan", "To whom: Beto"),
    ("seats", "Seats", "Players: Ana, Beto (sits out), Caro"),
    ("note", "Note", "Where you play: Beto's kitchen"),
    ("remark", "Note on round 1", "Note: cake"),
    ("close", "Close", ""),
]


@pytest.mark.parametrize(("done", "called", "said"), CHANGES)
def test_the_list_of_changes_is_in_words(night: Night, done: str, called: str, said: str) -> None:
    ids = night.players
    if done in ("round", "remark"):
        night.books()
    sent: dict[str, tuple[str, dict[str, str]]] = {
        "loan": ("move", {"movement": "loan", "from_": ids["Ana"], "to": ids["Beto"], "amount": "5", "note": ""}),
        "seats": ("seats", {"do": f"out-{ids['Beto']}"}),
        "note": ("note", {"place": "Beto's kitchen", "note": ""}),
        "remark": ("lines/1/remark", {"remark": "cake"}),
        "close": ("close", {"do": "leave"}),
    }
    if done in sent:
        path, fields = sent[done]
        night.keeper.does(f"{night.session}/{path}", **fields)
    html = night.keeper.get(f"{night.session}/changes").text
    newest = html[html.index('<ol class="panel log">') : html.index("</li>")]
    assert called in Page(newest).text
    told = [f"{label}: {value}" for label, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", newest)]
    assert not said or said in map(unescape, told)
    assert bool(told) == bool(said)
    assert all(line.partition(": ")[2] for line in told)


def test_what_is_not_ticked_says_the_same_as_what_was_not_asked(app: Flask) -> None:
    said = {"game": "knock-poker", "players": ["1", "2"], "dealer": "2", "round": {"knocker": "1"}}
    unticked = said | {"round": {"knocker": "1", "knocked_before_drawing": False}}
    with app.test_request_context():
        one, other = (parts(document, {"1": "Ana", "2": "Beto"}) for document in (said, unticked))
        assert differences(one, other) == []
