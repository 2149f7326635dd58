"""A night's pages: rounds, conflicts, comparing corrections, house rules, seats, history, closing."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from devices import HANDS, WHOLE, PlayedNight, problem, words
from flask import Flask
from pages import Page

from companion.web.ledger_lines.differences import parts

ANA, BETO, CARO = HANDS.values()
CORRECT = "/lines/1/correct"


def rows(html: str, kind: str) -> list[str]:
    """Return the rows of a table."""
    table = re.search(rf'<table class="{kind}[^>]*>.*?</table>', html, re.DOTALL)
    return re.findall(r"<tr.*?</tr>", table[0], re.DOTALL) if table else []


def standings(night: PlayedNight) -> dict[str, str]:
    found = [
        re.search(r'<th scope="row">([^<]*).*?</th>.*?<b class="amount[^>]*>(.*?)</b>', row, re.DOTALL)
        for row in rows(night.html("/money"), "standings")
    ]
    return {row[1]: row[2].replace("\u2212", "-") for row in found if row}


def in_suits(hand: str) -> str:
    """Write a hand the way the history does."""
    symbols = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    return " ".join(f"{card[0].replace('T', '10')}{symbols[card[1]]}\ufe0e" for card in hand.split())


def beside(html: str) -> dict[str, tuple[str, str]]:
    """Read the table that compares another version with one's own."""
    pattern = r'<th scope="row">(.*?)</th>\s*<td>(.*?)</td>\s*<td>(.*?)</td>'
    found = [re.search(pattern, row) for row in rows(html, "beside")]
    return {unescape(row[1]): (unescape(row[2]), unescape(row[3])) for row in found if row}


def again(answer: Any) -> dict[str, Any]:
    """Return what the form of an answer sends."""
    return {name: values for name, values in Page(answer.text).fields.items() if name not in ("csrf_token", "do")}


# what was done | the page | what it says | what it doesn't
TOLD = [
    ("round", "/rounds", ["Ana, full house, nines over fours"], []),
    ("round", "", ["Knock Poker, full house, nines over fours"], []),
    ("round", CORRECT, [], ["It will count again."]),
    ("round", "/lines/1/void", ["What this changes"], []),
    ("round", "/lines/1/undo", ["It will no longer count", "What this changes"], []),
    ("round, void 1", "/lines/1/undo", ["It will count again"], []),
    ("round, void 1", "/lines/1", ["nine of hearts"], ["What changes hands now"]),
    ("round, void 1", "/lines/1?saved=yes", ["What changes hands now"], []),
    ("round, void 1, back 1", "/lines/1", ["counts again"], []),
    ("", "/money", ["Who pays or owes it"], []),
    ("fine 2", "/money", ["Ana → Pot", "2 in the pot", "Into or out of the pot"], ["Ana owes"]),
    ("fine 2, round", "/lines/2", ["Ana wins +8"], []),
    ("fine 2", "/lines/1", ["Ana → Pot", "into or out of the pot"], ["owes"]),
    ("loan 5", "/money", ["Ana owes Beto"], []),
    ("loan 5", "/lines/1", ["Ana owes Beto"], []),
    ("loan 5", "/settle", ["Ana pays Beto 5"], []),
    ("loan 5, round", "/settle?banker=pot", ["Fewest payments"], ["the pot"]),
    (
        "round, fine 2",
        "/close",
        ["The pot holds 2.", "Among those who played the last round: Ana, Beto and Caro."],
        [],
    ),
    ("fine 2", "/close", ["Close and split the pot"], ["Among those"]),
    ("round, close, reopen", "/changes", ["Close", "Reopen", "Round 1"], []),
]


@pytest.mark.parametrize(("done", "page", "said", "unsaid"), TOLD)
def test_a_page_tells(night: PlayedNight, done: str, page: str, said: list[str], unsaid: list[str]) -> None:
    text = night.plays(done).text(page)
    assert [sentence for sentence in said if sentence not in text] == []
    assert [sentence for sentence in unsaid if sentence in text] == []


# what was done | everybody's total
TOTALS = [
    ("round", "Ana +6, Beto -3, Caro -3"),  # KP-2, KP-4: the antes of 3, and 2 of each who stayed in
    ("round, void 1", "Ana 0, Beto 0, Caro 0"),
    ("round, void 1, back 1", "Ana +6, Beto -3, Caro -3"),
    ("loan 5", "Beto +5, Caro 0, Ana -5"),
    ("loan 1000000000000", "Beto +1,000,000,000,000, Caro 0, Ana -1,000,000,000,000"),
    ("round, out Beto, new Dani", "Ana +6, Dani 0, Beto -3, Caro -3"),
]


@pytest.mark.parametrize(("done", "totals"), TOTALS)
def test_the_standings(night: PlayedNight, done: str, totals: str) -> None:
    assert ", ".join(f"{name} {total}" for name, total in standings(night.plays(done)).items()) == totals


def test_a_voided_round_is_struck_out_and_its_hands_stay(night: PlayedNight) -> None:
    html = unescape(night.plays("round, void 1").html("/rounds"))
    assert [part for part in ("<s>Knock Poker</s>", *(f"{name}'s hand" for name in HANDS)) if part not in html] == []


def test_next_round_moves_the_deal_on_beside_the_standings(night: PlayedNight) -> None:
    def told() -> tuple[str, list[tuple[str, str]]]:
        _, _, aside = night.html("/round").partition('<aside class="tonight"')
        return night.form("/round")["dealer"][0], re.findall(r"<b>(.*?)</b>\s*<b[^>]*>(.*?)</b>", aside)

    assert told() == ("2", [])
    assert night.books() == f"{night.night}/lines/1?saved=yes"
    assert told() == ("0", [("Ana", "+6"), ("Beto", "\u22123"), ("Caro", "\u22123")])
    assert ({*night.form("/round")["number"]}, night.form("/round")["players-0-hand"]) == ({"2"}, [""])


def test_who_comes_late_is_added_from_the_saved_round(night: PlayedNight) -> None:
    adds = f'href="{night.night}/people?for=round#newcomer"'
    assert adds in night.keeper.get(night.books()).text
    assert adds not in night.html("/lines/1")
    assert f'action="{night.night}/seats?for=round#newcomer"' in night.html("/people?for=round")
    assert night.does("/seats?for=round", do="new", newcomer="Dani") == f"{night.night}/round"
    assert night.form("/round")["players-3-name"] == ["Dani"]


# ---- two phones at once


def test_a_round_saved_meanwhile_gives_409_and_keeps_what_was_typed(night: PlayedNight) -> None:
    other = night.guest("keep")
    typed = night.round_fields(other, asked_knocker="1", players_2_dropped="y")
    typed |= {"players-0-hand": ANA, "players-1-hand": BETO}
    night.books()
    response = night.post("/round", other, **typed, do="save")
    assert response.status_code == 409
    assert "Round 1 was just saved from another phone" in problem(response.text)
    # only what differs is laid side by side: who knocked, who dropped, and Caro's hand
    rows = beside(response.text)
    assert {("Ana", "Beto"), ("\u2013", "Caro"), (in_suits(CARO), "\u2013")} <= set(rows.values())
    assert "Ana" not in rows
    assert standings(night)["Ana"] == "+6"
    # saving again is a decision of its own
    kept = again(response)
    assert (kept["players-1-hand"], kept["asked-knocker"], kept["number"]) == ([BETO], ["1"], ["2"])
    assert kept["key"] != typed["key"]
    assert night.does("/round", other, **kept, do="save").endswith("/lines/2?saved=yes")


def test_a_form_sent_again_with_another_hand_leads_to_correcting_the_saved_round(night: PlayedNight) -> None:
    night.plays("loan 1")
    whole = night.round_fields(night.keeper) | WHOLE
    assert night.does("/round", **whole, do="save").endswith("/lines/2?saved=yes")
    saved = standings(night)
    answer = night.post("/round", **{**whole, "players-2-hand": BETO, "players-1-hand": CARO}, do="save")
    assert answer.status_code == 409
    assert "This was already saved, with different contents" in problem(answer.text)
    assert re.search(rf'href="{night.night}/lines/2/correct"[^>]*>\s*Fix round 1<', answer.text)
    assert standings(night) == saved


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
    night: PlayedNight, fields: dict[str, str] | None, told: dict[str, tuple[str, str]]
) -> None:
    night.books()
    if fields is None:
        shown = night.html("/lines/1/void")
        night.plays("void 1")
    else:
        typed = night.form(CORRECT, **fields)
        shown = night.post(CORRECT, **typed, do="settle").text
        assert standings(night)["Ana"] == "+6"
        night.does(CORRECT, **typed, do="save")
    assert effects(shown) == told  # and nothing of a pot, which holds nothing either way
    assert standings(night) == {name: after for name, (_, after) in told.items()}


@pytest.mark.parametrize("page", ["/round", CORRECT])
def test_a_page_from_before_players_were_renamed_books_for_the_same_people(night: PlayedNight, page: str) -> None:
    night.books()
    typed = again(night.keeper.get(night.address(page))) | WHOLE | {"asked-knocker": "1"}
    for player, name in (("Ana", "Anita"), ("Beto", "Ana"), ("Ana", "Beto")):
        night.does("{group}/players", do=f"rename-{{{player}}}", **{f"name-{{{player}}}": name})
    assert "Beto wins" in night.post(page, **typed, do="settle").text.replace("\n", " ")
    assert night.post(page, **typed, do="save").status_code == 303
    assert standings(night)["Beto"].startswith("+")


def test_a_correction_of_what_was_corrected_meanwhile_is_laid_beside_it(night: PlayedNight) -> None:
    night.books()
    other = night.guest("keep")
    mine = night.form(CORRECT, other, players_2_hand="8c 8d 8s 7d 4h")
    night.does(CORRECT, **night.form(CORRECT, asked_knocker="1"), do="save")
    after = standings(night)
    response = night.post(CORRECT, other, **mine, do="save")
    assert response.status_code == 409
    assert "Not saved: round 1 was just changed on another phone" in problem(response.text)
    rows, kept = beside(response.text), again(response)
    assert rows["Caro"] == (in_suits(CARO), in_suits("8c 8d 8s 7d 4h"))
    assert ("Beto", "Ana") in rows.values()
    assert len(rows) == 2
    assert standings(night) == after
    assert (kept["seen"], kept["number"], kept["players-2-hand"]) == (["2"], ["1"], ["8c 8d 8s 7d 4h"])
    assert night.post(CORRECT, other, **kept, do="save").status_code == 303


def test_history_tells_what_each_correction_changed(night: PlayedNight) -> None:
    night.books()
    before, after = in_suits(CARO), in_suits("8c 8d 8s 7d 4h")
    night.does(CORRECT, **night.form(CORRECT, players_2_hand="8c 8d 8s 7d 4h"), do="save")
    assert f"Caro: {after} (before: {before})" in " ".join(night.page("/lines/1").text.split())
    assert f"Ana: {in_suits(ANA)}" not in " ".join(night.page("/lines/1").text.split())
    undo = night.page("/lines/1/undo").text
    assert "It will go back to what it was before" in undo
    assert f"Caro: {before} (before: {after})" in undo
    night.plays("back 1")
    assert f"Caro: {before} (before: {after})" in " ".join(night.page("/lines/1").text.split())


def test_undoing_asks_and_leads_on(night: PlayedNight) -> None:
    where = f"{night.night}/lines/1"
    night.books()
    # what was only entered is voided
    links = night.page("/lines/1").all("a", "href")
    assert (f"{where}/undo" in links, f"{where}/void" in links) == (False, True)
    assert "back" not in night.page("/lines/1").buttons
    page = night.page("/lines/1/undo")
    assert (page.buttons, page.fields["seen"]) == (["back"], ["1"])
    night.does("/lines/1", do="back", seen="1")
    assert standings(night)["Ana"] == "0"
    assert f"{where}/undo" in night.page("/lines/1").all("a", "href")
    late = night.post("/lines/1", do="void", seen="1")
    assert late.status_code == 409
    assert "was just changed on another phone" in problem(late.text)


def test_a_correction_of_a_voided_round_says_that_it_counts_again(night: PlayedNight) -> None:
    night.books()
    typed, told = night.form(CORRECT, asked_knocker="1"), '<p class="carried">It will count again.</p>'
    night.plays("void 1")
    # who began the correction before the round was voided is told as well
    refused = night.post(CORRECT, **typed, do="save")
    assert (refused.status_code, told in refused.text) == (409, True)
    typed = night.form(CORRECT, asked_knocker="1")
    assert told in night.post(CORRECT, **typed, do="settle").text
    night.does(CORRECT, **typed, do="save")
    assert "counts again" in night.html("/lines/1")


# an address in the night, and its answer
ADDRESSES = [
    *((f"/lines/{number}", 404) for number in ("9", "0", "99999999999999999999", "x", "9/correct", "9/void")),
    *((f"{page}?game=whist", 404) for page in ("", "/rules", "/round")),
    *((f"/rounds?before={number}", 200) for number in "x1"),
]


@pytest.mark.parametrize(("path", "status"), ADDRESSES)
def test_odd_addresses(night: PlayedNight, path: str, status: int) -> None:
    assert night.keeper.get(night.night + path).status_code == status


# ---- house rules


def test_house_rules_hold_from_the_next_round_on(night: PlayedNight) -> None:
    night.books()
    rules = night.form("/rules")
    assert (rules["game"], rules["rules-ante"]) == (["knock-poker"], ["1"])
    night.does("/rules", **rules | {"rules-ante": "3"}, do="set")
    assert night.form("/round")["rules-ante"] == ["3"]
    assert standings(night)["Ana"] == "+6"
    # antes of 9 instead of 3
    night.books()
    assert standings(night)["Ana"] == "+16"
    # and a correction of the first keeps its own
    assert night.form(CORRECT)["rules-ante"] == ["1"]
    # rules of another game make it the next one
    night.does("/rules", **night.form("/rules?game=dompe") | {"rules-deck": "spanish-40"}, do="set")
    form = night.form("/round")
    assert ({*form["game"]}, form["rules-deck"]) == ({"dompe"}, ["spanish-40"])


@pytest.mark.parametrize("ante", ["", "x", "-1", "1001", "9" * 400])
def test_a_bad_house_rule_stands_at_its_field(night: PlayedNight, ante: str) -> None:
    shown = night.told("/rules", **night.form("/rules") | {"rules-ante": ante}, do="set")
    assert list(shown.errors) == ["rules-ante"]
    assert shown.fields["rules-ante"] == [ante]
    assert night.form("/round")["rules-ante"] == ["1"]


# ---- seats

# what is done in turn, and who then plays in seat order
SEATS = [
    ("up Caro", "Ana Caro Beto"),
    ("down Ana", "Beto Ana Caro"),
    ("up Ana", "Ana Beto Caro"),
    ("out Beto", "Ana Caro"),
    ("out Beto, in Beto", "Ana Beto Caro"),
    ("left Ana", "Beto Caro"),
    ("left Ana, in Ana", "Ana Beto Caro"),
    ("new Dani", "Ana Beto Caro Dani"),
]


@pytest.mark.parametrize(("done", "players"), SEATS)
def test_players_come_go_and_change_places(night: PlayedNight, done: str, players: str) -> None:
    form = night.plays(f"round, {done}").form("/round")
    assert [form[name][0] for name in form if re.fullmatch(r"players-\d-name", name)] == players.split()


@pytest.mark.parametrize(
    "sits_out", ["out Ana, out Beto", "out Ana, out Beto, out Caro"], ids=["one-left", "none-left"]
)
def test_a_round_with_too_few_players_is_told(night: PlayedNight, sits_out: str) -> None:
    opened = night.round_fields(night.keeper)
    night.plays(sits_out)
    said = "Knock Poker needs at least 2 players; let more play under “People”"
    assert problem(night.html("/round")) == said
    for fields, is_told in ((night.round_fields(night.keeper), True), (opened, False)):
        answer = night.post("/round", **fields, do="settle")
        assert (answer.status_code, problem(answer.text) == said) == (200, is_told)


def test_somebody_of_the_group_joins_late_and_an_order_is_dragged(night: PlayedNight) -> None:
    night.does("{group}/players", do="add", name="Dani")
    (join,) = [do for do in night.page("/people").buttons if do.startswith("join-")]
    night.does("/seats", do=join)
    night.does("/seats", do="order", order=[join.removeprefix("join-"), "{Caro}", "{Ana}", "{Beto}"])
    form = night.form("/round")
    assert [form[f"players-{seat}-name"][0] for seat in range(4)] == ["Dani", "Caro", "Ana", "Beto"]


@pytest.mark.parametrize("do", ["", "join-999", "in-999", "dance"])
def test_odd_seats_are_400(night: PlayedNight, do: str) -> None:
    assert night.post("/seats", do=do).status_code == 400


# ---- other movements and closing


def test_the_bank_stands_among_the_players(night: PlayedNight) -> None:
    night.does("/move", movement="buy-in", from_="bank", to="{Ana}", amount="7", note="till Friday")
    assert standings(night) == {"Ana": "+7", "Beto": "0", "Caro": "0", "Bank": "-7"}
    assert "till Friday" in night.html("/money") and "till Friday" in night.html("/lines/1")
    night.plays("close")
    for page in ("/end", "/end.svg", "/money", "/rounds", "/print", "/pictures", "/settle", "/table", "/lines/1"):
        assert night.keeper.get(night.night + page).status_code == 200, page


def test_a_plan_for_all_nights_replaces_the_nights_own(night: PlayedNight) -> None:
    own = night.plays("round, settle").plan()
    night.does("{group}/settle")
    whole = night.plan("{group}/settle")
    assert {whole, night.plan(), night.plan("/money")} == {whole} != {own}
    assert "Since the plan was made" not in night.text("/settle")
    assert "Nobody owes anything" not in night.text("/settle")
    assert "A newer plan replaced this one." in night.post(own, do="pay-0", **{"amount-0": "1"}).text


# the note that is typed, and what is kept of it: emoji of several parts, one newer than Python 3.11, a fixed space
NOTES = [
    ("cake\r\nand \0tea\x07", "cake\nand tea"),
    ("\u202etill Friday", "till Friday"),
    ("\U0001f469\u200d\U0001f373 \U0001fa77", "\U0001f469\u200d\U0001f373 \U0001fa77"),
    ("5\u00a0€", "5\u00a0€"),
]


@pytest.mark.parametrize(("typed", "kept"), NOTES)
def test_a_note_keeps_all_but_control_characters(night: PlayedNight, typed: str, kept: str) -> None:
    night.does("/note", place="", note=typed)
    assert night.page("/people").texts["note"].strip() == kept


# the keys of the forms that are sent, and how many of them count
@pytest.mark.parametrize(("keys", "times"), [(["one key"] * 3, 1), (["a key", "another"], 2)], ids=["same", "own"])
def test_a_movement_and_a_payment_are_booked_once_by_their_form(
    night: PlayedNight, keys: list[str], times: int
) -> None:
    for key in keys:
        night.does("/move", movement="loan", from_="{Ana}", to="{Beto}", amount="5", note="", key=key)
    assert standings(night)["Beto"] == f"+{5 * times}"
    plan = night.plays("settle").plan()
    for key in keys:
        night.does(plan, do="pay-0", key=f"payment by {key}", **{"amount-0": "2"})
    assert f"({2 * times} paid, {3 * times} to go)" in night.html("/settle")
    for _ in keys:
        night.does(plan, do="unpay-0", key="taken back")
    assert " to go)" not in night.html("/settle")


def test_a_plan_as_text_tells_what_is_paid(night: PlayedNight) -> None:
    plan = night.plays("loan 5, settle").plan()
    wrong = night.told(plan, do="pay-0", **{"amount-0": "lots"})
    assert "“lots” isn't an amount" in wrong.texts["payment-0"]
    assert wrong.fields["amount-0"] == ["lots"]
    for do, amount, told in (("pay-0", "2", " (2 paid, 3 to go)"), ("pay-0", "3", " (✓ paid)"), ("unpay-0", "", "")):
        night.does(plan, do=do, **{"amount-0": amount})
        assert f"\nAna pays Beto 5{told}</textarea>" in night.html("/settle")


BAD_MOVES = [
    # 1000000000001 is one more than C-1 lets a pot hold
    *(({"amount": amount}, "” isn't an amount", "amount") for amount in ("x", "0", "-5", "1000000000001")),
    *(({"from": giver}, "Say who pays or owes it", "from") for giver in ("999", "")),
    ({"to": "{Ana}"}, "Nobody can owe themselves", "to"),
    ({"to": "999"}, "Say to whom", "to"),
    *(({end: "pot"}, "For the pot, choose “into or out of the pot” above", "to") for end in ("from", "to")),
    ({"movement": "pot"}, "One of the two is the pot, and the other one a player", "to"),
    ({"movement": "pot", "from": "bank", "to": "pot"}, "One of the two is the pot", "to"),
    ({"movement": "theft"}, "Say what it is", "movement"),
]


def test_no_more_comes_out_of_the_pot_than_it_holds(night: PlayedNight) -> None:
    page = night.plays("fine 2").told("/move", movement="pot", from_="pot", to="{Ana}", amount="3")
    assert problem(page.html) == "The pot holds only 2; enter a smaller amount"


@pytest.mark.parametrize(("changes", "told", "field"), BAD_MOVES, ids=[str(row[0]) for row in BAD_MOVES])
def test_a_bad_movement_is_told_and_kept(night: PlayedNight, changes: dict[str, str], told: str, field: str) -> None:
    fields = {"movement": "loan", "from": "{Ana}", "to": "{Beto}", "amount": "5", "note": "till Friday"} | changes
    page = night.told("/move", **fields)
    assert problem(page.html) == "One thing to fix"
    assert told in page.errors[field]
    assert (list(page.errors), page.marked) == ([field], [field])
    assert page.texts["problems"] in page.texts["moves"]
    assert (page.fields["amount"], page.fields["note"]) == ([fields["amount"]], ["till Friday"])
    assert set(standings(night).values()) == {"0"}


def test_a_loan_begins_without_who_and_whom(night: PlayedNight) -> None:
    page = night.page("/money")
    assert (page.fields["from"], page.fields["to"]) == ([""], [""])
    assert len(re.findall(r'<option value=""[^>]*>Choose…', page.html)) == 2


def test_the_rounds_of_a_long_night_are_paged(night: PlayedNight) -> None:
    night.plays(", ".join(["round"] * 21))
    (older,) = [href for href in night.page("/rounds").all("a", "href") if href.startswith("?before=")]
    assert re.findall(r'class="number">(\d+)<', night.html(f"/rounds{older}")) == ["1"]


def test_a_round_that_is_being_entered_is_announced(night: PlayedNight) -> None:
    assert "is being entered" not in night.text()
    night.types(night.keeper, players_0_hand=ANA)
    assert "Round 1 is being entered" in night.text()
    assert "Round 1 is being entered and isn't saved yet" in night.text("/close")
    night.books(key="the draft's key")
    assert "is being entered" not in night.text()


def test_closing_asks_first(night: PlayedNight) -> None:
    night.books(players_2_dropped="y", players_2_hand="")
    page = night.page("/money")
    assert f"{night.night}/close" in page.all("a", "href")
    assert {"leave", "split", "reopen"}.isdisjoint(page.buttons)
    assert "End the night?" in night.text("/close")
    assert "leave" in night.page("/close").buttons
    assert night.plays("close").page("/close").buttons == ["reopen"]


@pytest.mark.parametrize("tab", ["money", "end"])
def test_payments_are_ticked_where_they_are_told(night: PlayedNight, tab: str) -> None:
    night.plays("round, close")
    for before, after in (("pay-0", "unpay-0"), ("unpay-0", "pay-0")):
        page = night.page(f"/{tab}")
        assert before in page.buttons
        assert ('aria-pressed="true"' in page.html) == (before == "unpay-0")
        sent = {"amount-0": page.fields["amount-0"], "back": page.fields["back"]}
        assert night.does(night.plan(f"/{tab}"), do=before, **sent) == f"{night.night}/{tab}#payments"
        assert after in night.page(f"/{tab}").buttons


def test_what_is_refused_is_told_where_it_was_asked_for(night: PlayedNight) -> None:
    newcomer = {"order": list(night.players.values()), "do": "new", "newcomer": ""}
    wrong = night.told("/seats", **newcomer)
    assert wrong.texts["problems"] in wrong.texts["seats"]
    assert wrong.marked == ["newcomer"]
    taken = night.told("/seats", **{**newcomer, "newcomer": "Ana"})
    assert problem(taken.html) == "Two players are called “Ana”; give one of them another name"
    night.books()
    old = Page(night.post("/lines/1/remark", csrf_token="old", remark="cake").text)
    assert old.texts["problems"] in old.texts["remarks"]
    assert old.fields["remark"] == ["cake"]
    night.plays("close")
    # the forms are gone with the night
    move = {"movement": "loan", "from": "{Ana}", "to": "{Beto}", "amount": "5", "note": ""}
    for place, sent in (("/move", move), ("/seats", newcomer)):
        assert problem(night.post(place, **sent).text), place


def test_a_closed_night_takes_no_round_until_it_is_opened_again(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper) | WHOLE
    response = night.plays("close").post("/round", **fields, do="save")
    assert "This night is closed" in problem(response.text)
    assert Page(response.text).fields["players-0-hand"] == [ANA]
    night.plays("reopen").does("/round", **fields, do="save")
    assert standings(night)["Ana"] == "+6"


LOAN = {"movement": "loan", "from": "{Ana}", "to": "{Beto}", "amount": "5", "note": ""}
NOTE = {"place": "Beto's kitchen", "note": ""}
# what was done, and the form that is sent | what the list of changes says of it, and with what
CHANGES = [
    ("round", "", {}, "Round 1", "Ana: 9♠︎ 9♥︎ 9♦︎ 4♣︎ 4♦︎"),
    ("", "/move", LOAN, "Loan", "To whom: Beto"),
    ("", "/seats", {"do": "out-{Beto}"}, "Seats", "Players: Ana, Beto (sits out), Caro"),
    ("", "/note", NOTE, "Note", "Where you play: Beto's kitchen"),
    ("round", "/lines/1/remark", {"remark": "cake"}, "Note on round 1", "Note: cake"),
    ("close", "", {}, "Close", ""),
]


@pytest.mark.parametrize(("done", "path", "sent", "called", "said"), CHANGES, ids=[row[3] for row in CHANGES])
def test_the_list_of_changes_is_in_words(
    night: PlayedNight, done: str, path: str, sent: dict[str, str], called: str, said: str
) -> None:
    night.plays(done)
    if path:
        night.does(path, **sent)
    html = night.html("/changes")
    newest = html[html.index('<ol class="panel log">') : html.index("</li>")]
    assert called in words(newest)
    told = [f"{label}: {value}" for label, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", newest)]
    assert said in map(unescape, told) if said else not told
    assert all(line.partition(": ")[2] for line in told)


def test_what_is_not_ticked_says_the_same_as_what_was_not_asked(app: Flask) -> None:
    said = {"game": "knock-poker", "players": ["1", "2"], "dealer": "2", "round": {"knocker": "1"}}
    unticked = said | {"round": {"knocker": "1", "knocked_before_drawing": False}}
    with app.test_request_context():
        one, other = (parts(document, {"1": "Ana", "2": "Beto"}) for document in (said, unticked))
        assert one == other
