"""A hand played from the players' own phones: knock, last turns, bets, counts; and what goes wrong at a table."""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from typing import Any

import pytest
from devices import HANDS, Device, Night, problem
from flask import Flask
from pages import Page
from sqlalchemy import select
from werkzeug.test import TestResponse

from companion.store.models import Revision, db

ANA, BETO, CARO = HANDS.values()


@pytest.fixture
def night(app: Flask) -> Night:
    return Night(app)


@pytest.fixture
def bets(app: Flask) -> Night:
    return Night(app, "domino-poker")


def fields(night: Night, device: Device) -> dict[str, Any]:
    """Give the fields of the table's form as a phone has them now."""
    page = device.page(night.session).fields
    return {name: page[name][0] for name in ("mark", "number", "game")}


def acts(night: Night, device: Device, do: str, name: str = "", **more: Any) -> TestResponse:
    """Press a button of the table: "knock", by the name of the player it is for."""
    button = f"{do}-{night.players[name]}" if name else do
    known = {**({} if "mark" in more else fields(night, device)), "sure": "yes"}
    return device.post(f"{night.session}/play", **{**known, "do": button, **more})


def done(night: Night, device: Device, do: str, name: str = "", **more: Any) -> None:
    answer = acts(night, device, do, name, **more)
    assert answer.status_code == 303, error(answer)


def error(answer: TestResponse) -> str:
    """Give the sentence that says why nothing was done."""
    found = re.search(r'role="alert" class="refused"[^>]*><p class="error">(.*?)</p>', answer.text)
    return unescape(found[1]) if found else ""


def refused(night: Night, device: Device, do: str, name: str = "", **more: Any) -> str:
    answer = acts(night, device, do, name, **more)
    assert answer.status_code in (409, 422), answer.status_code
    return error(answer)


def cells(night: Night) -> dict[str, Any]:
    found: dict[str, Any] = night.state(night.keeper)["fields"]
    return found


def test_a_knock_and_the_last_turns_are_in_the_entry_form(night: Night) -> None:
    beto, caro = night.joined("Beto"), night.joined("Caro")
    ana = night.joined("Ana")
    done(night, ana, "knocks", "Ana")
    assert "Ana knocked. Last turns: Beto, then Caro" in caro.get(night.session).text
    done(night, beto, "drop", "Beto")
    done(night, caro, "stay", "Caro")
    told = cells(night)
    assert told["asked-knocker"] == "0"
    assert (told["players-1-dropped"], told["players-2-dropped"]) == (True, False)
    assert "Everyone shows" in ana.get(night.session).text


def test_the_saved_round_has_what_was_told_at_the_table(night: Night) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, ana, "knocks", "Ana")
    done(night, beto, "drop", "Beto")
    night.types(ana, players_0_hand=ANA)
    night.keeper.post(f"{night.session}/round", **night.round_fields(night.keeper, players_2_hand=CARO), do="save")
    line = night.keeper.get(f"{night.session}/lines/1").text
    assert "Beto dropped after Ana's knock" in unescape(line)


def test_a_knock_is_confirmed_where_no_script_lets_it_be_held(night: Night) -> None:
    ana = night.joined("Ana")
    page = acts(night, ana, "knocks", "Ana", sure="")
    assert (page.status_code, "Did Ana knock?" in page.text) == (200, True)
    assert not cells(night)["asked-knocker"]


# what a phone asks for, whose phone it is, and the sentence that says no
RIGHTS: list[tuple[str, str, str, str]] = [
    ("knocks", "Beto", "Ana", "Your phone can act only for your own seat"),
    ("over", "Beto", "", "Only the scorekeeper can do that"),
    ("dealer", "Beto", "Beto", "Only the scorekeeper can do that"),
    ("stay", "Beto", "Beto", "It isn't Beto's turn"),
    ("unknock", "Beto", "Beto", "There is no knock to take back"),
    ("fold", "Beto", "Beto", "The bets of this hand aren't entered one by one"),
    ("undo", "Beto", "Beto", "There is nothing to undo"),
    ("allow", "Beto", "Beto", "There is nothing to undo"),
]


@pytest.mark.parametrize(("do", "phone", "name", "why"), RIGHTS, ids=[row[0] for row in RIGHTS])
def test_a_player_s_phone_is_told_what_it_may_not_do(night: Night, do: str, phone: str, name: str, why: str) -> None:
    assert refused(night, night.joined(phone), do, name) == why


def test_a_phone_without_a_seat_acts_for_nobody_and_a_viewer_never(night: Night, app: Flask) -> None:
    seatless, viewer = Device(app), Device(app)
    seatless.get(f"/join/{night.code()}")
    assert refused(night, seatless, "knocks", "Ana") == "Your phone can act only for your own seat"
    assert refused(night, seatless, "lot") == "Only the scorekeeper can do that"
    viewer.open(night.links()["look"])
    known = {"number": "1", "mark": "", "game": "knock-poker", "sure": "yes"}
    assert viewer.post(f"{night.session}/play", do=f"knocks-{night.players['Ana']}", **known).status_code == 403
    assert 'name="do"' not in viewer.get(night.session).text


NO_BUTTONS = ["", "x", "knocks-", "knocks-0", "knocks-abc", "count-1-draws-more", "bet-\u0000"]


@pytest.mark.parametrize("do", NO_BUTTONS, ids=ascii)
def test_a_button_that_is_none_changes_nothing(night: Night, do: str) -> None:
    before = night.state(night.keeper)["version"]
    assert acts(night, night.keeper, do).status_code in (400, 422)
    assert night.state(night.keeper)["version"] == before


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "0" * 10 + "9" * 30], ids=ascii)
def test_a_broken_form_is_told(night: Night, number: str) -> None:
    assert acts(night, night.keeper, "knocks", "Ana", number=number).status_code in (409, 422)


# ---- two at once, and late


def test_two_knock_at_once_and_the_second_is_told(night: Night) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    saw = fields(night, beto)
    done(night, ana, "knocks", "Ana")
    answer = acts(night, beto, "knocks", "Beto", **saw)
    assert answer.status_code == 409
    assert error(answer) == "The hand has moved on; check where it stands now"
    assert refused(night, beto, "knocks", "Beto") == "Ana has already knocked"
    assert cells(night)["asked-knocker"] == "0"


def test_a_tap_that_is_sent_twice_counts_once(bets: Night) -> None:
    ana = bets.joined("Ana")
    saw = fields(bets, ana)
    for _ in range(2):
        assert acts(bets, ana, "check", "Ana", **saw, key="the same").status_code == 303
    assert cells(bets)["bets"] == "check"


def test_a_phone_that_slept_through_the_round_is_told_that_it_is_saved(night: Night) -> None:
    ana = night.joined("Ana")
    saw = fields(night, ana)
    night.books()
    answer = acts(night, ana, "knocks", "Ana", **saw)
    assert (answer.status_code, error(answer)) == (409, "Round 1 is saved")
    assert "Ana deals" not in error(answer)
    done(night, ana, "knocks", "Ana")
    assert night.state(night.keeper)["number"] == 2


def test_a_closed_night_takes_nothing(night: Night) -> None:
    saw = fields(night, night.keeper)
    night.keeper.does(f"{night.session}/close", do="leave")
    answer = acts(night, night.keeper, "knocks", "Ana", **saw)
    assert answer.status_code == 422


def test_a_script_is_told_as_json(night: Night) -> None:
    saw = fields(night, night.keeper)
    button = f"knocks-{night.players['Ana']}"
    data = {**saw, "sure": "yes", "do": button, "csrf_token": night.keeper.page("/join").fields["csrf_token"][0]}
    asked = {"headers": {"Accept": "application/json"}, "data": data}
    first = night.keeper.client.post(f"{night.session}/play", **asked)
    second = night.keeper.client.post(f"{night.session}/play", **asked)
    assert (first.status_code, first.get_json()) == (200, {"done": True})
    assert (second.status_code, list(second.get_json())) == (409, ["problem"])


def test_a_stale_page_says_so_and_loses_nothing(night: Night) -> None:
    answer = acts(night, night.keeper, "knocks", "Ana", csrf_token="old")
    assert (answer.status_code, not cells(night)["asked-knocker"]) == (200, True)
    told = acts(night, night.keeper, "knocks", "Ana", csrf_token="old")
    assert "page" in error(told)


# ---- a knock, and what follows


def test_a_knock_is_taken_back_until_somebody_has_answered(night: Night) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, ana, "knocks", "Ana")
    assert refused(night, beto, "unknock", "Beto").startswith("Only the player who knocked")
    done(night, ana, "unknock", "Ana")
    assert not cells(night)["asked-knocker"]
    done(night, ana, "knocks", "Ana")
    for turn in ("drop", "stay"):
        done(night, beto, turn, "Beto")
        assert refused(night, ana, "unknock", "Ana").startswith("Others have had their last turn already")
        done(night, night.keeper, "unknock", "Ana")
        told = cells(night)
        assert (told["asked-knocker"], told["players-1-dropped"]) == ("", False)
        done(night, ana, "knocks", "Ana")


def test_after_a_knock_that_was_taken_back_the_seats_may_change(night: Night) -> None:
    ana = night.joined("Ana")
    done(night, ana, "knocks", "Ana")
    done(night, ana, "unknock", "Ana")
    night.keeper.does(f"{night.session}/seats", do=f"left-{night.players['Caro']}", order=[*night.players.values()])
    done(night, ana, "knocks", "Ana")


def test_last_turns_are_had_in_order_and_the_scorekeeper_overrules(night: Night) -> None:
    beto, caro = night.joined("Beto"), night.joined("Caro")
    done(night, night.keeper, "knocks", "Ana")
    assert refused(night, caro, "stay", "Caro") == "It is Beto's turn"
    assert refused(night, beto, "done", "Beto") == "That can't be done in this turn"
    done(night, beto, "drop", "Beto")
    assert refused(night, beto, "stay", "Beto") == "It is Caro's turn"
    done(night, night.keeper, "stay", "Beto")
    assert cells(night)["players-1-dropped"] is False
    done(night, caro, "stay", "Caro")
    assert refused(night, caro, "drop", "Caro").startswith("Everyone has had the last turn")


def test_a_drop_that_the_entry_form_takes_back_is_a_stay(night: Night) -> None:
    done(night, night.keeper, "knocks", "Ana")
    done(night, night.keeper, "drop", "Beto")
    night.types(night.keeper, players_1_dropped="")
    assert "Beto <small>stays in</small>" in night.keeper.get(night.session).text


def test_nobody_has_a_turn_after_the_dealer_s_call(app: Flask) -> None:
    night = Night(app, "dompe")
    caro = night.joined("Caro")
    done(night, caro, "knocks", "Caro")
    assert "Caro called; nobody has another turn, so everyone shows" in caro.get(night.session).text
    assert refused(night, night.joined("Ana"), "knocks", "Ana") == "Caro has already called"


def test_after_a_call_those_up_to_the_dealer_have_a_turn(app: Flask) -> None:
    night = Night(app, "dompe")
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, beto, "knocks", "Beto")
    done(night, ana, "done", "Ana")
    assert refused(night, night.keeper, "stay", "Caro") == "That can't be done in this turn"
    done(night, night.keeper, "done", "Caro")
    assert "Everyone shows" in ana.get(night.session).text


def test_no_hand_is_turned_up_while_somebody_may_still_drop(night: Night) -> None:
    phones = {name: night.joined(name) for name in HANDS}
    for seat, name in enumerate(HANDS):
        if name != "Caro":
            night.types(phones[name], **{f"players_{seat}_hand": HANDS[name]})
    done(night, phones["Ana"], "knocks", "Ana")
    night.types(phones["Caro"], players_2_hand=CARO)
    done(night, phones["Beto"], "stay", "Beto")
    for name, device in phones.items():
        assert night.state(device)["live"]["settled"] is None, name
        assert "beats" not in device.get(f"{night.session}/table").text
        for page in (night.session, f"{night.session}/state", f"{night.session}/round"):
            for other, hand in HANDS.items():
                assert other == name or hand not in device.get(page).text, (name, page, other)
    done(night, phones["Caro"], "stay", "Caro")
    assert ANA in night.state(phones["Beto"])["fields"]["players-0-hand"]
    assert "beats" in night.keeper.get(f"{night.session}/table").text
    for device, do in ((night.keeper, f"unknock-{night.players['Ana']}"), (phones["Ana"], "count-1-draws-more")):
        assert refused(night, device, do).startswith("All hands have been shown")


# ---- bets


TILES = {"Ana": "2-2 3-3 4-4 5-5 6-6", "Beto": "1-2 2-3 3-4 4-5 5-6", "Caro": "1-3 2-4 3-5 4-6 1-6"}


def test_no_hand_is_turned_up_while_somebody_has_to_answer_a_bet(bets: Night) -> None:
    phones = {name: bets.joined(name) for name in TILES}
    done(bets, phones["Ana"], "bet", "Ana", amount="2")
    for seat, name in enumerate(TILES):
        bets.types(phones[name], game="domino-poker", **{f"players_{seat}_hand": TILES[name]})
    settled = bets.keeper.post(f"{bets.session}/round", **bets.round_fields(bets.keeper), do="settle")
    assert "The betting is not over" in settled.text
    for device in (bets.keeper, *phones.values()):
        for page in (bets.session, f"{bets.session}/state", f"{bets.session}/round"):
            told = device.get(page).text
            for other, hand in TILES.items():
                assert device is phones[other] or hand not in told, (page, other)
    done(bets, phones["Beto"], "fold", "Beto")
    done(bets, phones["Caro"], "call", "Caro")
    assert bets.state(phones["Caro"])["fields"]["players-0-hand"] == TILES["Ana"]


def test_bets_in_turn_from_three_phones(bets: Night) -> None:
    ana, beto, caro = (bets.joined(name) for name in HANDS)
    done(bets, ana, "bet", "Ana", amount="2")
    assert refused(bets, caro, "call", "Caro") == "It is Beto's turn"
    done(bets, beto, "raise", "Beto", amount="3")
    done(bets, caro, "fold", "Caro")
    assert "3 to call" in ana.get(bets.session).text
    done(bets, bets.keeper, "call", "Ana")
    assert cells(bets)["bets"] == "bet 2; raise 5; fold; call"
    assert "The betting is over." in ana.get(bets.session).text
    assert refused(bets, bets.keeper, "check", "Ana") == "The betting is over"


def tiles_seen(night: Night, device: Device) -> dict[str, str]:
    """Return the hands that a phone is told of, by player."""
    told = night.state(device)["fields"]
    return {name: hand for seat, name in enumerate(TILES) if (hand := told[f"players-{seat}-hand"])}


def saved_hands(night: Night) -> dict[str, Any]:
    """Save the round as it stands, and return the hands in it."""
    answer = night.keeper.post(f"{night.session}/round", **night.round_fields(night.keeper), do="save")
    assert answer.status_code == 303, Page(answer.text).texts
    with night.app.app_context():
        found: dict[str, Any] = db.session.scalars(select(Revision)).one().document["round"]["hands"]
        names = {key: name for name, key in night.players.items()}
        return {names[key]: hand for key, hand in found.items() if hand}


@pytest.fixture
def dealt(bets: Night) -> Night:
    """Everybody has entered a hand on a phone; Ana has bet."""
    bets.phones = {name: bets.joined(name) for name in TILES}  # type: ignore[attr-defined]
    done(bets, phone(bets, "Ana"), "bet", "Ana", amount="2")
    for seat, name in enumerate(TILES):
        bets.types(phone(bets, name), game="domino-poker", **{f"players_{seat}_hand": TILES[name]})
    return bets


def phone(night: Night, name: str) -> Device:
    device: Device = night.phones[name]  # type: ignore[attr-defined]
    return device


def test_c_5_a_folded_hand_is_never_seen(dealt: Night) -> None:
    done(dealt, phone(dealt, "Beto"), "fold", "Beto")
    done(dealt, phone(dealt, "Caro"), "call", "Caro")
    rest = {name: hand for name, hand in TILES.items() if name != "Beto"}
    for device in (dealt.keeper, *map(partial(phone, dealt), TILES)):
        assert tiles_seen(dealt, device) == rest
        assert TILES["Beto"] not in device.get(f"{dealt.session}/round").text
    assert saved_hands(dealt) == rest


def test_c_5_whom_nobody_called_shows_nothing(dealt: Night) -> None:
    done(dealt, phone(dealt, "Beto"), "fold", "Beto")
    done(dealt, phone(dealt, "Caro"), "fold", "Caro")
    for device in (dealt.keeper, *map(partial(phone, dealt), TILES)):
        assert tiles_seen(dealt, device) == {}
    assert saved_hands(dealt) == {}


def test_a_fold_that_is_undone_brings_the_hand_back(dealt: Night) -> None:
    done(dealt, phone(dealt, "Beto"), "fold", "Beto")
    assert tiles_seen(dealt, phone(dealt, "Beto")) == {}
    done(dealt, dealt.keeper, "undo", "Beto")
    assert tiles_seen(dealt, phone(dealt, "Beto")) == {"Beto": TILES["Beto"]}
    assert tiles_seen(dealt, phone(dealt, "Ana")) == {"Ana": TILES["Ana"]}


def test_c_5_a_hand_that_was_dropped_is_never_seen(night: Night) -> None:
    phones = {name: night.joined(name) for name in HANDS}
    for seat, (name, hand) in enumerate(HANDS.items()):
        night.types(phones[name], **{f"players_{seat}_hand": hand, f"players_{seat}_dropped": "y" * (name == "Caro")})
    night.types(night.keeper, asked_knocker="0")
    for device in (night.keeper, *phones.values()):
        assert tiles_seen(night, device) == {"Ana": ANA, "Beto": BETO}
    assert saved_hands(night) == {"Ana": ANA, "Beto": BETO}


def test_a_table_for_money_begins_with_a_stake_and_has_short_chips(app: Flask) -> None:
    night = Night(app, "domino-poker", currency="MXN", stake="2.50")
    html = night.joined("Ana").get(night.session).text
    assert re.findall('name="amount" [^>]*value="(.*?)"', html) == ["2.50"]  # a bet may be 0.01 as well
    assert re.findall(r">(\+.*?)</button>", html) == ["+2.50", "+12.50", "+62.50"]
    html = night.keeper.get(f"{night.session}/round").text
    assert re.findall('aria-label="(Bet .*?)">(.*?)</button>', html)[:2] == [
        ("Bet MX$2.50", "2.50"),
        ("Bet MX$5.00", "5"),
    ]


# what is typed for a bet after one of 2 (the least 2, the most 4), and why it is not taken
AMOUNTS = [
    ("", "Enter an amount, for example 100"),
    ("x", "“x” isn't an amount; enter one like 100"),
    ("0", "“0” isn't an amount; enter one like 100"),
    ("1.5", "“1.5” isn't a whole amount; enter one like 100"),
    ("-3", "“-3” isn't an amount; enter one like 100"),
    ("9" * 39, f"“{'9' * 39}” isn't an amount; enter one like 100"),
    ("1", "It must be 2 or more"),
    ("5", "It can be 4 at most"),
]


@pytest.mark.parametrize(("amount", "why"), AMOUNTS, ids=[row[0] or "nothing" for row in AMOUNTS])
def test_an_amount_is_refused_with_what_may_be(bets: Night, amount: str, why: str) -> None:
    rules = bets.keeper.page(f"{bets.session}/rules?game=domino-poker").fields
    limits = {"rules-minimum_bet": "2", "rules-maximum_bet": "4", "do": "set", "game": "domino-poker"}
    bets.keeper.does(f"{bets.session}/rules", **{**rules, **limits})
    ana = bets.joined("Ana")
    assert refused(bets, ana, "bet", "Ana", amount=amount) == why
    assert refused(bets, ana, "raise", "Ana", amount="2").startswith("Ana can't do that now")


def test_what_a_raise_may_be_is_told_without_its_call(bets: Night) -> None:
    rules = bets.keeper.page(f"{bets.session}/rules?game=domino-poker").fields
    limits = {"rules-minimum_bet": "2", "rules-maximum_bet": "4", "do": "set", "game": "domino-poker"}
    bets.keeper.does(f"{bets.session}/rules", **{**rules, **limits})
    done(bets, bets.keeper, "bet", "Ana", amount="3")
    assert refused(bets, bets.keeper, "raise", "Beto", amount="1") == "It must be 2 or more"
    assert refused(bets, bets.keeper, "raise", "Beto", amount="5") == "It can be 4 at most"


def test_an_all_in_is_a_whole_stack_and_not_on_top_of_the_call(app: Flask) -> None:
    night = Night(app, "draw-poker")
    rules = night.keeper.page(f"{night.session}/rules?game=draw-poker").fields
    night.keeper.does(f"{night.session}/rules", **{**rules, "rules-all_in": "y", "do": "set", "game": "draw-poker"})
    done(night, night.keeper, "bet", "Ana", amount="2")
    done(night, night.keeper, "allin", "Beto", amount="9")
    assert cells(night)["bets"] == "bet 2; all-in 9"


def test_a_request_to_undo_is_over_with_the_next_bet(bets: Night) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    done(bets, ana, "bet", "Ana", amount="2")
    done(bets, ana, "undo", "Ana")
    done(bets, beto, "call", "Beto")
    assert refused(bets, beto, "allow", "Beto") == "There is nothing to undo"


def test_a_request_to_undo_is_over_once_it_was_granted_or_the_hand_begun_anew(bets: Night) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    done(bets, ana, "bet", "Ana", amount="2")
    done(bets, beto, "call", "Beto")
    done(bets, beto, "undo", "Beto")
    done(bets, ana, "allow", "Ana")
    assert cells(bets)["bets"] == "bet 2"
    assert refused(bets, ana, "allow", "Ana") == "There is nothing to undo"
    done(bets, ana, "undo", "Ana")
    done(bets, bets.keeper, "over")
    done(bets, ana, "bet", "Ana", amount="2")
    assert refused(bets, beto, "allow", "Beto") == "There is nothing to undo"


def test_after_the_only_bet_was_undone_the_seats_may_change(bets: Night) -> None:
    done(bets, bets.keeper, "bet", "Ana", amount="2")
    done(bets, bets.keeper, "undo", "Ana")
    bets.keeper.does(f"{bets.session}/seats", do=f"left-{bets.players['Caro']}", order=[*bets.players.values()])
    done(bets, bets.keeper, "check", "Ana")


def test_a_hand_begun_anew_has_the_cards_but_no_knock(night: Night) -> None:
    night.types(night.keeper, players_0_hand=ANA)
    done(night, night.keeper, "knocks", "Ana")
    done(night, night.keeper, "over")
    assert (cells(night)["asked-knocker"], cells(night)["players-0-hand"]) == ("", ANA)


def test_turns_after_a_knock_that_was_another_player_s_are_had_again(night: Night) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, ana, "knocks", "Ana")
    done(night, beto, "stay", "Beto")
    night.types(night.keeper, asked_knocker="2")
    done(night, ana, "stay", "Ana")
    done(night, beto, "drop", "Beto")


def test_who_leaves_after_a_turn_is_told_though_the_knock_was_typed(night: Night) -> None:
    night.types(night.keeper, asked_knocker="0")
    done(night, night.keeper, "stay", "Beto")
    order = list(night.players.values())
    night.keeper.does(f"{night.session}/seats", do=f"left-{night.players['Caro']}", order=order)
    assert "Caro left the table during this hand" in night.keeper.get(night.session).text


def test_a_player_asks_the_table_to_undo(bets: Night) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    done(bets, ana, "bet", "Ana", amount="2")
    done(bets, ana, "undo", "Ana")
    assert cells(bets)["bets"] == "bet 2"
    assert "Ana asks to undo: Ana bets 2" in beto.get(bets.session).text
    assert refused(bets, ana, "allow", "Ana") == "Somebody else at the table has to agree"
    done(bets, beto, "keep", "Beto")
    assert refused(bets, beto, "allow", "Beto") == "There is nothing to undo"
    done(bets, ana, "undo", "Ana")
    done(bets, beto, "allow", "Beto")
    assert cells(bets)["bets"] == ""
    # nobody need agree to what the scorekeeper could undo at once, even if it was asked for on a phone of the same seat
    done(bets, ana, "check", "Ana")
    done(bets, ana, "undo", "Ana")
    done(bets, bets.keeper, "allow", "Ana")
    assert cells(bets)["bets"] == ""
    done(bets, ana, "check", "Ana")
    done(bets, bets.keeper, "undo", "Ana")
    assert cells(bets)["bets"] == ""


def test_somebody_who_leaves_stops_the_hand_until_the_table_says_what_to_do(bets: Night) -> None:
    ana, order = bets.joined("Ana"), list(bets.players.values())
    done(bets, ana, "bet", "Ana", amount="2")
    bets.keeper.does(f"{bets.session}/seats", do=f"left-{bets.players['Caro']}", order=order)
    beto = bets.joined("Beto")
    screen = bets.keeper.get(f"{bets.session}/table").text
    assert "Caro left the table during this hand" in screen
    assert '<p class="pot">' not in screen
    # nor does the form say what it comes to without Caro
    for phone in (beto, bets.keeper):
        live = bets.state(phone)["live"]
        assert live["wrong"][0] == {"id": "", "text": "Caro left the table during this hand"}
        assert live["settled"] is None
    assert refused(bets, beto, "fold", "Beto") == (
        "Caro left the table during this hand. Let them back in under People, or start the hand over."
    )
    bets.keeper.does(f"{bets.session}/seats", do=f"in-{bets.players['Caro']}", order=order)
    assert "left the table" not in bets.keeper.get(f"{bets.session}/table").text
    assert bets.state(beto)["live"]["wrong"] == []
    done(bets, beto, "fold", "Beto")
    assert cells(bets)["bets"] == "bet 2; fold"
    bets.keeper.does(f"{bets.session}/seats", do=f"down-{order[0]}", order=order)
    assert refused(bets, beto, "fold", "Beto") == (
        "The seats were changed during this hand. Put them back under People, or start the hand over."
    )
    done(bets, bets.keeper, "over")
    assert cells(bets)["bets"] == ""


def test_what_bets_come_to_without_somebody_who_left_is_not_told(bets: Night) -> None:
    done(bets, bets.keeper, "bet", "Ana", amount="2")
    done(bets, bets.keeper, "fold", "Beto")
    bets.keeper.does(f"{bets.session}/seats", do=f"left-{bets.players['Caro']}", order=list(bets.players.values()))
    for phone in (bets.joined("Beto"), bets.keeper):
        live = bets.state(phone)["live"]
        assert (live["settled"], live["out"]) == (None, [])


def test_somebody_who_joins_in_the_middle_of_a_hand_sits_it_out(bets: Night) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    done(bets, ana, "bet", "Ana", amount="2")
    bets.keeper.does(f"{bets.session}/seats", do="new", newcomer="Dani")
    assert refused(bets, beto, "fold", "Beto") == (
        "Dani joined the table during this hand. Let them sit this hand out under People, or start the hand over."
    )
    dani = bets.keeper.page(f"{bets.session}/people").fields["order"][-1]
    bets.keeper.does(f"{bets.session}/seats", do=f"out-{dani}")
    done(bets, beto, "fold", "Beto")
    assert cells(bets)["bets"] == "bet 2; fold"


def test_if_everybody_sits_out_in_the_middle_of_a_hand_the_bets_wait(bets: Night) -> None:
    done(bets, bets.keeper, "bet", "Ana", amount="2")
    for player in bets.players.values():
        bets.keeper.does(f"{bets.session}/seats", do=f"out-{player}")
    assert "needs at least 2 players" in bets.keeper.get(f"{bets.session}/round").text
    assert cells(bets)["bets"] == "bet 2"
    assert [bets.keeper.get(bets.session + page).status_code for page in ("", "/table", "/people")] == [200] * 3


@pytest.mark.parametrize("button", ["settle", "save"])
def test_bets_are_not_settled_under_other_seats(bets: Night, button: str) -> None:
    for name, action in (("Ana", "bet"), ("Beto", "fold"), ("Caro", "call")):
        done(bets, bets.keeper, action, name, amount="2")
    before = bets.round_fields(bets.keeper)
    ids = bets.players
    bets.keeper.does(f"{bets.session}/seats", order=[ids["Beto"], ids["Ana"], ids["Caro"]], do="order")
    form = bets.round_fields(bets.keeper)
    answer = bets.keeper.post(f"{bets.session}/round", **form, do=button)
    assert problem(answer.text) == (
        "The seats were changed during this hand. Put them back under People, or start the hand over."
    )
    # totals don't depend on the seats, nor do bets on a page that was opened before
    totals = {**form, "betting": "", "players-0-paid": "1", "players-1-paid": "3", "players-2-paid": "3"}
    for other in (totals, before):
        assert "The seats were changed" not in bets.keeper.post(f"{bets.session}/round", **other, do=button).text


def test_bets_of_the_round_s_own_page_are_not_settled_under_other_seats(bets: Night) -> None:
    typed = {"game": "domino-poker", "betting": "yes", "number": "1"}
    ids, moved = bets.players, "The seats were changed during this hand"

    def wrong() -> list[str]:
        return [problem["text"] for problem in bets.state(bets.keeper)["live"]["wrong"] if problem["id"] == ""]

    bets.types(bets.keeper, bets="bet 2", **typed)
    bets.types(bets.keeper, bets="bet 2; fold; call", **typed)
    assert wrong() == []
    order = [ids["Beto"], ids["Ana"], ids["Caro"]]
    bets.keeper.does(f"{bets.session}/seats", order=order, do="order")
    assert wrong() == [moved]
    refusal = bets.keeper.post(f"{bets.session}/round", **bets.round_fields(bets.keeper), do="save")
    assert problem(refusal.text).startswith(moved)
    # whoever takes back one of them has seen only what the new seats make of them
    bets.types(bets.keeper, bets="bet 2; fold", seat=order, **typed)
    assert wrong() == [moved]
    bets.types(bets.keeper, betting="", seat=order, number="1", game="domino-poker")
    assert wrong() == []
    bets.types(bets.keeper, bets="", seat=order, **typed)
    bets.types(bets.keeper, bets="bet 2", seat=order, **typed)
    assert wrong() == []


def test_a_knocker_who_leaves_is_nobody_s_seat_in_the_form(night: Night) -> None:
    done(night, night.keeper, "knocks", "Ana")
    order = list(night.players.values())
    night.keeper.does(f"{night.session}/seats", do=f"left-{night.players['Ana']}", order=order)
    assert not cells(night)["asked-knocker"]
    assert "Ana left the table during this hand" in night.keeper.get(night.session).text


def test_bets_that_the_entry_form_made_wrong_are_told(bets: Night) -> None:
    bets.types(bets.keeper, game="domino-poker", bets="call")
    assert refused(bets, bets.keeper, "check", "Ana").startswith("The bets as entered don't add up")


# ---- counts


def test_cards_drawn_are_counted_on_two_phones_at_once(night: Night) -> None:
    rules = night.keeper.page(f"{night.session}/rules?game=knock-poker").fields
    night.keeper.does(f"{night.session}/rules", **{**rules, "rules-draw_fee": "1", "do": "set"})
    ana, beto = night.joined("Ana"), night.joined("Beto")
    saw = fields(night, ana)
    for device, name in ((ana, "Ana"), (beto, "Beto"), (ana, "Ana")):
        assert acts(night, device, f"count-{night.players[name]}-draws-more", **saw).status_code == 303
    done(night, ana, f"count-{night.players['Ana']}-draws-less")
    assert (cells(night)["players-0-draws"], cells(night)["players-1-draws"]) == ("1", "1")
    assert refused(night, ana, f"count-{night.players['Beto']}-draws-more").startswith("Your phone can act only")
    wrong = ("draws-x", "draws-1001", "draws-99999999", "draws", "exchanged-1")
    assert all(refused(night, ana, f"count-{night.players['Ana']}-{given}") for given in wrong)
    night.types(night.keeper, players_2_hand=CARO)
    done(night, night.keeper, "over")
    assert (cells(night)["players-0-draws"], cells(night)["players-2-hand"]) == ("", CARO)


def test_an_exchange_is_one_tap(app: Flask) -> None:
    night = Night(app, "draw-poker")
    ana = night.joined("Ana")
    assert "-exchanged-" not in ana.get(night.session).text
    for name in HANDS:
        done(night, night.keeper, "check", name)
    assert "after the exchange" in ana.get(night.session).text
    done(night, ana, f"count-{night.players['Ana']}-exchanged-3")
    assert cells(night)["players-0-exchanged"] == "3"


@pytest.mark.parametrize(("betting", "out"), [("", [1]), ("yes", [])], ids=["totals", "bets"])
def test_who_folded_is_ticked_only_where_totals_are_entered(app: Flask, betting: str, out: list[int]) -> None:
    night = Night(app, "draw-poker")
    told = night.types(night.keeper, game="draw-poker", players_1_folded="y", betting=betting)
    assert told["live"]["out"] == out


# ---- who deals, and which game


def test_the_first_dealer_is_drawn_once_and_in_the_list_of_changes(night: Night) -> None:
    ana = night.joined("Ana")
    done(night, ana, "lot")
    page = night.keeper.get(night.session).text
    assert "was drawn by lot." in page
    assert refused(night, ana, "lot") == "Another phone has just drawn the dealer; check who deals"
    changes = night.keeper.get(f"{night.session}/changes").text
    assert ("Who deals" in changes, "Drawn by lot" in changes) == (True, True)
    other = next(seat for seat, name in enumerate(HANDS) if f"{name} was drawn by lot" not in page)
    night.types(night.keeper, dealer=str(other))
    assert "was drawn by lot" not in night.keeper.get(night.session).text


def test_the_scorekeeper_sets_who_deals_and_the_entry_form_knows(night: Night) -> None:
    done(night, night.keeper, "dealer", "Ana")
    assert cells(night)["dealer"] == "0"
    assert "Ana shuffles and deals" in night.joined("Beto").get(night.session).text
    assert refused(night, night.keeper, "dealer-0") == "Only somebody in this round can deal"


def test_who_deals_bets_last(bets: Night) -> None:
    done(bets, bets.keeper, "dealer", "Ana")
    assert refused(bets, bets.keeper, "check", "Ana") == "It is Beto's turn"
    for name in ("Beto", "Caro", "Ana"):
        done(bets, bets.keeper, "check", name)


@pytest.mark.parametrize(("game", "do"), [("knock-poker", "knocks"), ("domino-poker", "check")])
def test_the_pot_of_a_hand_in_play_has_every_ante_in_stakes(app: Flask, game: str, do: str) -> None:
    night = Night(app, game, currency="MXN", stake="2.50")
    done(night, night.keeper, do, "Ana")
    assert re.search(r"7\.50</b>\s+in the pot", night.keeper.get(f"{night.session}/table").text)


def test_later_deals_pass_on_and_are_not_drawn(night: Night) -> None:
    night.books()
    assert refused(night, night.keeper, "lot").startswith("The deal passes on automatically")
    caro = night.joined("Caro")
    for seat, name in enumerate(HANDS):  # the scorekeeper knows better
        done(night, night.keeper, "dealer", name)
        assert (cells(night)["dealer"], f"{name} shuffles and deals" in caro.get(night.session).text) == (
            str(seat),
            True,
        )


def test_only_the_scorekeeper_chooses_another_game_and_not_in_a_hand(night: Night) -> None:
    beto = night.joined("Beto")
    assert refused(night, beto, "knocks", "Beto", game="dompe").startswith("The table is playing Knock Poker now")
    done(night, night.keeper, "game", game="dompe")
    assert "Dompe" in beto.get(night.session).text
    done(night, beto, "knocks", "Beto")
    assert refused(night, night.keeper, "game", game="knock").startswith("The table is playing Dompe now")
    assert acts(night, night.keeper, "game", game="whist").status_code == 400


def test_a_button_tells_every_phone_which_game_is_next(night: Night) -> None:
    beto, shown = night.joined("Beto"), 'value="game"'
    assert shown not in night.keeper.get(night.session).text
    assert shown in night.keeper.get(f"{night.session}?game=dompe").text
    assert shown not in beto.get(f"{night.session}?game=dompe").text
    done(night, night.keeper, "game", game="dompe")
    assert shown not in night.keeper.get(night.session).text
    done(night, beto, "knocks", "Beto")
    assert shown not in night.keeper.get(f"{night.session}?game=knock").text


def test_nobody_knocks_where_bets_are_made(bets: Night) -> None:
    assert refused(bets, bets.keeper, "knocks", "Ana") == "Nobody knocks in Domino Poker"


def test_one_thing_is_brass_on_the_table_s_page(bets: Night) -> None:
    def brass(device: Device) -> list[str]:
        html = device.get(bets.session).text
        return re.findall(r'class="button\s+primary[^>]*>\s*([^<]*?)\s*<', html)

    ana = bets.joined("Ana")
    assert brass(bets.keeper) == ["Enter the hands"]
    done(bets, ana, "bet", "Ana", amount="2")
    assert brass(bets.keeper) == ["Call 2"]  # the table uses its phones
    assert brass(ana) == ["My hand"]
    assert brass(bets.joined("Beto")) == ["Call 2"]
