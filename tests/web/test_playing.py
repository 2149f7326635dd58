"""A hand played from the players' own phones: knock, last turns, bets, counts; and what goes wrong at a table."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from devices import HANDS, Device, PlayedNight, problem
from flask import Flask
from pages import Page
from sqlalchemy import select
from werkzeug.test import TestResponse

from companion.store.models import Revision, db

ANA, BETO, CARO = HANDS.values()


@pytest.fixture
def bets(app: Flask) -> PlayedNight:
    return PlayedNight(app, "domino-poker")


def fields(night: PlayedNight, device: Device) -> dict[str, Any]:
    """Give the fields of the table's form as a phone has them now."""
    page = device.page(night.night).fields
    return {name: page[name][0] for name in ("mark", "number", "game")}


def acts(night: PlayedNight, device: Device, do: str, name: str = "", **more: Any) -> TestResponse:
    """Press a button of the table: "knock", by the name of the player it is for."""
    button = f"{do}-{night.players[name]}" if name else do
    known = {**({} if "mark" in more else fields(night, device)), "sure": "yes"}
    return device.post(f"{night.night}/play", **{**known, "do": button, **more})


def done(night: PlayedNight, device: Device, do: str, name: str = "", **more: Any) -> None:
    answer = acts(night, device, do, name, **more)
    assert answer.status_code == 303, error(answer)


def error(answer: TestResponse) -> str:
    """Give the sentence that says why nothing was done."""
    found = re.search(r'role="alert" class="refused"[^>]*><p class="error">(.*?)</p>', answer.text)
    return unescape(found[1]) if found else ""


def refused(night: PlayedNight, device: Device, do: str, name: str = "", **more: Any) -> str:
    answer = acts(night, device, do, name, **more)
    assert answer.status_code in (409, 422), answer.status_code
    return error(answer)


def cells(night: PlayedNight) -> dict[str, Any]:
    found: dict[str, Any] = night.state(night.keeper)["fields"]
    return found


def told(night: PlayedNight, script: str) -> None:
    """Play the steps of a script and check what they say.

    "Ana: bet 2" is pressed on Ana's phone, "keeper for Ana: bet 2" on the scorekeeper's. "-> why" is how a refusal
    begins. "Ana sees words", "screen lacks words", "bets is call" look at a page and a cell of the form,
    "form: bets=call" is typed there, and "table: left Caro" is a script of `PlayedNight.plays`.
    """
    phones: dict[str, Device] = {"keeper": night.keeper, "screen": night.keeper}

    def phone(name: str) -> Device:
        return phones.get(name) or phones.setdefault(name, night.joined(name))

    for line in filter(None, map(str.strip, re.split(" / |\n", script))):
        looked = re.fullmatch(r"(\w+) (sees|lacks) (.*)", line)
        cell = re.fullmatch(r"(\S+) is ?(.*)", line)
        step, _, why = line.partition(" -> ")
        act = re.fullmatch(r"(\w+)(?: for (\w+))?: (\S+) ?(.*)", step)
        if looked:
            page = night.html("/table" if looked[1] == "screen" else "", phone(looked[1]))
            assert (looked[3] in " ".join(unescape(page).split())) == (looked[2] == "sees"), line
        elif cell:
            assert str(cells(night)[cell[1]]) == cell[2], line
        elif act and act[1] == "table":
            night.plays(f"{act[3]} {act[4]}")
        elif act and act[1] == "form":
            name, _, value = f"{act[3]} {act[4]}".strip().partition("=")
            night.types(night.keeper, game=night.state(night.keeper)["game"], **{name: value})
        elif act:
            is_for_nobody = act[3] in ("over", "lot", "game") or "{" in act[3]
            name = act[2] or (act[1] if act[1] in HANDS and not is_for_nobody else "")
            more = {"game" if act[3] == "game" else "amount": act[4]} if act[4] else {}
            answer = acts(night, phone(act[1]), act[3].format(**night.players), name, **more)
            if why:
                assert answer.status_code in (409, 422), line
                assert error(answer).startswith(why), (line, error(answer))
            else:
                assert answer.status_code == 303, (line, error(answer))
        else:
            raise ValueError(line)


LEFT = "Caro left the table during this hand. Let them back in under People, or start the hand over."
MOVED = "The seats were changed during this hand. Put them back under People, or start the hand over."
STORIES = {
    "nobody knocks for another": "Beto for Ana: knocks -> Your phone can act only for your own seat",
    "a player begins no hand anew": "Beto: over -> Only the scorekeeper can do that",
    "a player names no dealer": "Beto: dealer -> Only the scorekeeper can do that",
    "no turn without a knock": "Beto: stay -> It isn't Beto's turn",
    "no knock to take back": "Beto: unknock -> There is no knock to take back",
    "no bets without betting": "Beto: fold -> The bets of this hand aren't entered one by one",
    "nothing to undo": "Beto: undo -> There is nothing to undo",
    "nothing to allow": "Beto: allow -> There is nothing to undo",
    # ---- a knock, and what follows
    "last turns": """
        Ana: knocks
        Caro sees Ana knocked. Last turns: Beto, then Caro
        Beto: knocks -> Ana has already knocked
        Caro: stay -> It is Beto's turn
        Beto: done -> That can't be done in this turn
        Beto: drop
        Caro sees Ana knocked. Last turn: Caro
        Beto: drop -> It is Caro's turn
        players-1-dropped is True / keeper for Beto: stay / players-1-dropped is False / Caro: stay
        Caro: drop -> Everyone has played their last turn
        asked-knocker is 0
        Ana sees Show your hand: 5 more cards
    """,
    "a drop is taken back until somebody has answered": """
        Ana: knocks / Beto: drop / players-1-dropped is True / Beto: stay / players-1-dropped is False
        Beto: drop -> It is Caro's turn
        keeper for Beto: drop / Caro: drop / players-2-dropped is True
        Beto: stay -> Everyone has played their last turn
        Caro: stay / players-2-dropped is False
        Beto: stay -> Everyone has played their last turn
        Caro: drop -> Everyone has played their last turn
    """,
    "a knock is taken back until somebody has answered": """
        Ana: knocks
        Beto: unknock -> Only the player who knocked
        Ana: unknock / asked-knocker is / Ana: knocks / Beto: drop
        Ana: unknock -> Others have already played their last turn
        keeper for Ana: unknock / asked-knocker is / players-1-dropped is False / Ana: knocks
        Beto: stay
        Ana: unknock -> Others have already played their last turn
        keeper for Ana: unknock / players-1-dropped is False / table: left Caro / Ana: knocks
    """,
    "a drop that the entry form takes back is a stay": """
        keeper for Ana: knocks / keeper for Beto: drop / form: players_1_dropped=
        keeper sees Beto <small>stays in</small>
    """,
    "turns after a knock that was another player's are had again": """
        Ana: knocks / Beto: stay / form: asked_knocker=2 / Ana: stay / Beto: drop
    """,
    "who leaves after a turn is told though the knock was typed": """
        form: asked_knocker=0 / keeper for Beto: stay / table: left Caro
        keeper sees Caro left the table during this hand
    """,
    "a knocker who leaves is nobody's seat in the form": """
        keeper for Ana: knocks / table: left Ana / asked-knocker is
        keeper sees Ana left the table during this hand
    """,
    "dompe: nobody has a turn after the dealer's call": """
        Caro: knocks
        Caro sees Caro called; nobody has another turn, so everyone shows
        Ana: knocks -> Caro has already called
    """,
    "dompe: after a call those up to the dealer have a turn": """
        Beto: knocks / Ana: done
        keeper for Caro: stay -> That can't be done in this turn
        keeper for Caro: done
        Ana sees Show your hand: 5 more cards
    """,
    "a hand begun anew has the cards but no knock": f"""
        form: players_0_hand={ANA} / keeper for Ana: knocks / keeper: over / asked-knocker is
        players-0-hand is {ANA}
    """,
    # ---- bets
    "domino-poker: bets in turn from three phones": """
        Ana: bet 2
        Caro: call -> It is Beto's turn
        Beto: raise 3 / Caro: fold
        Ana sees 3 to call
        keeper for Ana: call / bets is bet 2; raise 5; fold; call
        Ana sees The betting is over.
        keeper for Ana: check -> The betting is over
    """,
    "domino-poker: nobody knocks where bets are made": "keeper for Ana: knocks -> Nobody knocks in Domino Poker",
    "domino-poker: bets that the entry form made wrong are told": """
        form: bets=call
        keeper for Ana: check -> The bets as entered don't add up
    """,
    "domino-poker: who deals bets last": """
        keeper for Ana: dealer
        keeper for Ana: check -> It is Beto's turn
        Beto: check / Caro: check / Ana: check
    """,
    "domino-poker: a request to undo is over with the next bet": """
        Ana: bet 2 / Ana: undo / Beto: call
        Beto: allow -> There is nothing to undo
    """,
    "domino-poker: a request to undo is over once it was granted or the hand begun anew": """
        Ana: bet 2 / Beto: call / Beto: undo / Ana: allow / bets is bet 2
        Ana: allow -> There is nothing to undo
        Ana: undo / keeper: over / Ana: bet 2
        Beto: allow -> There is nothing to undo
    """,
    # nobody need agree to what the scorekeeper could undo at once, even if it was asked for on a phone of the same seat
    "domino-poker: a player asks the table to undo": """
        Ana: bet 2 / Ana: undo / bets is bet 2
        Beto sees Ana asks to undo: Ana bets 2
        Ana: allow -> Somebody else at the table has to agree
        Beto: keep
        Beto: allow -> There is nothing to undo
        Ana: undo / Beto: allow / bets is / Ana: check / Ana: undo / keeper for Ana: allow / bets is
        Ana: check / keeper for Ana: undo / bets is / table: left Caro / keeper for Ana: check
    """,
    "domino-poker: somebody who leaves stops the hand until the table says what to do": f"""
        Ana: bet 2 / table: left Caro
        screen sees Caro left the table during this hand
        screen lacks <p class="pot">
        Beto: fold -> {LEFT}
        table: in Caro
        screen lacks left the table
        Beto: fold / bets is bet 2; fold / table: down Ana
        Beto: fold -> {MOVED}
        keeper: over / bets is
    """,
    "domino-poker: if everybody sits out in the middle of a hand the bets wait": """
        keeper for Ana: bet 2 / table: out Ana / table: out Beto / table: out Caro / bets is bet 2
        screen lacks left the table
        keeper sees Domino Poker
    """,
    "domino-poker: an amount is refused with what may be": f"""
        table: rules domino-poker minimum_bet=2 maximum_bet=4
        Ana: bet x -> “x” isn't an amount; enter one like 100
        Ana: bet 0 -> “0” isn't an amount; enter one like 100
        Ana: bet 1.5 -> “1.5” isn't a whole amount; enter one like 100
        Ana: bet -3 -> “-3” isn't an amount; enter one like 100
        Ana: bet {"9" * 39} -> “{"9" * 39}” isn't an amount; enter one like 100
        Ana: bet 1 -> It must be 2 or more
        Ana: bet 5 -> It can be 4 at most
        Ana: raise 2 -> Ana can't do that now
        Ana: bet -> Enter an amount, for example 100
        Ana: bet 3
        keeper for Beto: raise 1 -> It must be 2 or more
        keeper for Beto: raise 5 -> It can be 4 at most
    """,
    "draw-poker: an all-in is a whole stack and not on top of the call": """
        table: rules draw-poker all_in=y / keeper for Ana: bet 2 / keeper for Beto: allin 9
        bets is bet 2; all-in 9
    """,
    "draw-poker: an exchange is one tap": """
        Ana lacks -exchanged-
        keeper for Ana: check / keeper for Beto: check / keeper for Caro: check
        Ana sees Exchange tiles, then you begin
        Beto sees Exchange tiles, then Ana begins
        Ana: count-{Ana}-exchanged-3 / players-0-exchanged is 3
        Beto sees Exchanged: Ana (3)
    """,
    "five-card-draw: no more are exchanged than the house rule says and none by who folded": """
        keeper for Ana: check / keeper for Beto: check / keeper for Caro: bet 1
        keeper for Ana: call / keeper for Beto: fold
        Ana lacks exchanged-4
        Ana: count-{Ana}-exchanged-4 -> It can be 0 to 3
        Ana: count-{Ana}-exchanged-3 / players-0-exchanged is 3
        Beto lacks exchanged-3
        Beto: count-{Beto}-exchanged-1 -> Beto has folded
        keeper for Ana: check
        Ana: count-{Ana}-exchanged-2 / players-0-exchanged is 2
        table: rules five-card-draw exchange=five
        Ana: count-{Ana}-exchanged-5 / players-0-exchanged is 5
    """,
    "only the scorekeeper chooses another game and not in a hand": """
        Beto: game dompe -> The table is playing Knock Poker now
        keeper: game dompe
        Beto sees Dompe
        Beto: knocks
        keeper: game knock -> The table is playing Dompe now
    """,
    # ---- who deals
    "the scorekeeper sets who deals and the entry form knows": """
        keeper for Ana: dealer / dealer is 0
        Beto sees Ana shuffles and deals
        keeper: dealer-0 -> Only somebody in this round can deal
    """,
    "later deals pass on and are not drawn, but the scorekeeper knows better": """
        table: round
        keeper: lot -> The deal passes on automatically
        keeper for Beto: dealer / dealer is 1
        Caro sees Beto shuffles and deals
        keeper for Caro: dealer / dealer is 2
        Caro sees Caro shuffles and deals
    """,
}


@pytest.mark.parametrize("story", STORIES)
def test_a_hand_is_played(app: Flask, story: str) -> None:
    game, colon, _ = story.partition(":")
    told(PlayedNight(app, game if colon else "knock-poker"), STORIES[story])


def test_the_saved_round_has_what_was_told_at_the_table(night: PlayedNight) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, ana, "knocks", "Ana")
    done(night, beto, "drop", "Beto")
    night.types(ana, players_0_hand=ANA)
    night.post("/round", **night.round_fields(night.keeper, players_2_hand=CARO), do="save")
    line = night.html("/lines/1")
    assert "Beto dropped after Ana's knock" in unescape(line)


def test_a_knock_is_confirmed_where_no_script_lets_it_be_held(night: PlayedNight) -> None:
    ana = night.joined("Ana")
    page = acts(night, ana, "knocks", "Ana", sure="")
    assert (page.status_code, "Did Ana knock?" in page.text) == (200, True)
    assert not cells(night)["asked-knocker"]


def test_a_fold_is_confirmed_where_checking_is_free(bets: PlayedNight) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    older = fields(bets, beto)
    page = acts(bets, ana, "fold", "Ana", sure="")
    assert (page.status_code, "Does Ana fold?" in page.text, "Checking is free." in page.text) == (200, True, True)
    assert not cells(bets)["bets"]
    done(bets, ana, "bet", "Ana", amount="2")
    # one that shows the hand as it was is told that it has moved on, instead of being asked
    assert refused(bets, beto, "fold", "Beto", **older, sure="").startswith("The hand has moved on")
    done(bets, beto, "fold", "Beto", sure="")
    assert cells(bets)["bets"] == "bet 2; fold"


def test_an_all_in_is_confirmed_where_its_player_can_only_ask_to_undo_it(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker")
    night.plays("rules draw-poker all_in=y")
    ana = night.joined("Ana")
    asked = acts(night, ana, "allin", "Ana", amount="9", sure="")
    assert (asked.status_code, "Does Ana go all-in?" in asked.text) == (200, True)
    assert not cells(night)["bets"]
    # what was typed goes with the confirmation
    sent = {name: values[0] for name, values in Page(asked.text).fields.items()}
    assert ana.post(f"{night.night}/play", **{**sent, "sure": "yes"}).status_code == 303
    done(night, night.keeper, "allin", "Beto", amount="9", sure="")
    assert cells(night)["bets"] == "all-in 9; all-in 9"


def test_a_phone_without_a_seat_acts_for_nobody_and_a_viewer_never(night: PlayedNight, app: Flask) -> None:
    seatless, viewer = Device(app), Device(app)
    seatless.get(f"/join/{night.code()}")
    assert refused(night, seatless, "knocks", "Ana") == "Your phone can act only for your own seat"
    assert refused(night, seatless, "lot") == "Only the scorekeeper can do that"
    viewer.open(night.links()["look"])
    known = {"number": "1", "mark": "", "game": "knock-poker", "sure": "yes"}
    assert viewer.post(f"{night.night}/play", do=f"knocks-{night.players['Ana']}", **known).status_code == 403
    assert 'name="do"' not in viewer.get(night.night).text


NO_BUTTONS = ["", "x", "knocks-", "knocks-0", "knocks-abc", "count-1-draws-more", "bet-\u0000"]


@pytest.mark.parametrize("do", NO_BUTTONS, ids=ascii)
def test_a_button_that_is_none_changes_nothing(night: PlayedNight, do: str) -> None:
    before = night.state(night.keeper)["version"]
    assert acts(night, night.keeper, do).status_code in (400, 422)
    assert night.state(night.keeper)["version"] == before


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "0" * 10 + "9" * 30], ids=ascii)
def test_a_broken_form_is_told(night: PlayedNight, number: str) -> None:
    assert acts(night, night.keeper, "knocks", "Ana", number=number).status_code in (409, 422)


def test_a_tap_that_is_sent_twice_counts_once(bets: PlayedNight) -> None:
    ana = bets.joined("Ana")
    saw = fields(bets, ana)
    for _ in range(2):
        assert acts(bets, ana, "check", "Ana", **saw, key="the same").status_code == 303
    assert cells(bets)["bets"] == "check"


# whose phone presses Ana's knock, and what was done since it drew the table | the answer, and what it says
LATE = [
    ("Ana", "Beto: knocks", 409, "The hand has moved on; check where it stands now"),
    ("Ana", "table: round", 409, "Round 1 is saved"),
    ("keeper", "table: close", 422, ""),
]


@pytest.mark.parametrize(("name", "done", "status", "why"), LATE)
def test_a_phone_that_slept_is_told(night: PlayedNight, name: str, done: str, status: int, why: str) -> None:
    phone = night.keeper if name == "keeper" else night.joined(name)
    saw = fields(night, phone)
    told(night, done)
    answer = acts(night, phone, "knocks", "Ana", **saw)
    assert (answer.status_code, error(answer)[: len(why)]) == (status, why)
    assert cells(night)["asked-knocker"] == ("1" if done == "Beto: knocks" else "")


def test_a_script_is_told_as_json(night: PlayedNight) -> None:
    saw = fields(night, night.keeper)
    button = f"knocks-{night.players['Ana']}"
    data = {**saw, "sure": "yes", "do": button, "csrf_token": night.keeper.page("/join").fields["csrf_token"][0]}
    asked = {"headers": {"Accept": "application/json"}, "data": data}
    first = night.keeper.client.post(f"{night.night}/play", **asked)
    second = night.keeper.client.post(f"{night.night}/play", **asked)
    assert (first.status_code, first.get_json()["done"]) == (200, True)
    assert "Beto's turn" not in first.text and "last turn: stay or drop?" in first.get_json()["rail"]
    assert (second.status_code, list(second.get_json())) == (409, ["problem"])


def test_a_stale_page_says_so_and_loses_nothing(night: PlayedNight) -> None:
    answer = acts(night, night.keeper, "knocks", "Ana", csrf_token="old")
    assert (answer.status_code, not cells(night)["asked-knocker"]) == (200, True)
    told = acts(night, night.keeper, "knocks", "Ana", csrf_token="old")
    assert "page" in error(told)


def test_no_hand_is_turned_up_while_somebody_may_still_drop(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in HANDS}
    for seat, name in enumerate(("Ana", "Beto")):
        night.types(phones[name], **{f"players_{seat}_hand": HANDS[name]})
    done(night, phones["Ana"], "knocks", "Ana")
    night.types(night.keeper, players_2_hand=CARO)
    done(night, phones["Beto"], "stay", "Beto")
    for name, device in phones.items():
        assert night.state(device)["live"]["settled"] is None, name
        assert "beats" not in device.get(f"{night.night}/table").text
        for page in (night.night, f"{night.night}/state", f"{night.night}/round"):
            for other, hand in HANDS.items():
                assert other == name or hand not in device.get(page).text, (name, page, other)
    done(night, phones["Caro"], "stay", "Caro")
    assert ANA in night.state(phones["Beto"])["fields"]["players-0-hand"]
    assert "beats" in night.html("/table")
    for device, do in ((night.keeper, f"unknock-{night.players['Ana']}"), (phones["Ana"], "count-1-draws-more")):
        assert refused(night, device, do).startswith("All hands have been shown")


def test_a_hand_entered_after_the_knock_is_its_players_last_turn(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in HANDS}
    night.types(phones["Ana"], players_0_hand=ANA)
    done(night, phones["Ana"], "knocks", "Ana")
    assert "Entering your whole hand means that you stay." in phones["Beto"].get(night.night).text
    night.types(phones["Caro"], players_2_hand=CARO)
    assert "Caro stays in" in night.text("")
    night.types(phones["Caro"], players_2_hand="8c 8d")
    assert "Caro waits" in night.text("")
    for name, seat in (("Caro", 2), ("Beto", 1)):
        assert night.state(phones["Ana"])["live"]["settled"] is None
        night.types(phones[name], **{f"players_{seat}_hand": HANDS[name]})
    assert "Ana's full house beats Beto's flush" in night.state(phones["Ana"])["live"]["settled"]["decided"]


def test_a_host_without_a_seat_enters_the_last_turn_of_who_has_no_phone(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in ("Beto", "Caro")}
    done(night, phones["Caro"], "knocks", "Caro")
    night.types(phones["Beto"], players_1_hand=BETO)
    night.types(phones["Caro"], players_2_hand=CARO)
    assert "last turn" in night.state(night.keeper)["rail"]
    night.types(night.keeper, players_0_hand=ANA)
    assert night.state(phones["Beto"])["live"]["settled"] is not None


TILES = {"Ana": "2-2 3-3 4-4 5-5 6-6", "Beto": "1-2 2-3 3-4 4-5 5-6", "Caro": "1-3 2-4 3-5 4-6 1-6"}


def test_no_hand_is_turned_up_while_somebody_has_to_answer_a_bet(bets: PlayedNight) -> None:
    phones = {name: bets.joined(name) for name in TILES}
    done(bets, phones["Ana"], "bet", "Ana", amount="2")
    for seat, name in enumerate(TILES):
        bets.types(phones[name], game="domino-poker", **{f"players_{seat}_hand": TILES[name]})
    settled = bets.post("/round", **bets.round_fields(bets.keeper), do="settle")
    assert "The betting is not over" in settled.text
    for device in (bets.keeper, *phones.values()):
        for page in (bets.night, f"{bets.night}/state", f"{bets.night}/round"):
            told = device.get(page).text
            for other, hand in TILES.items():
                assert device is phones[other] or hand not in told, (page, other)
    done(bets, phones["Beto"], "fold", "Beto")
    done(bets, phones["Caro"], "call", "Caro")
    assert bets.state(phones["Caro"])["fields"]["players-0-hand"] == TILES["Ana"]


def tiles_seen(night: PlayedNight, device: Device) -> dict[str, str]:
    """Return the hands that a phone is told of, by player."""
    told = night.state(device)["fields"]
    return {name: hand for seat, name in enumerate(TILES) if (hand := told[f"players-{seat}-hand"])}


def saved_hands(night: PlayedNight) -> dict[str, Any]:
    """Save the round as it stands, and return the hands in it."""
    answer = night.post("/round", **night.round_fields(night.keeper), do="save")
    assert answer.status_code == 303, Page(answer.text).texts
    with night.app.app_context():
        found: dict[str, Any] = db.session.scalars(select(Revision)).one().document["round"]["hands"]
        names = {key: name for name, key in night.players.items()}
        return {names[key]: hand for key, hand in found.items() if hand}


# how Beto and Caro answer Ana's bet | whose hands everybody sees then, on the scorekeeper's phone and the own one
SEEN = [("fold", "call", ["Ana", "Caro"]), ("fold", "fold", [])]


@pytest.mark.parametrize(("of_beto", "of_caro", "names"), SEEN)
def test_c_5_a_hand_that_was_folded_or_not_called_is_never_seen(
    bets: PlayedNight, of_beto: str, of_caro: str, names: list[str]
) -> None:
    phones = {name: bets.joined(name) for name in TILES}
    done(bets, phones["Ana"], "bet", "Ana", amount="2")
    for seat, name in enumerate(TILES):
        bets.types(phones[name], game="domino-poker", **{f"players_{seat}_hand": TILES[name]})
    done(bets, phones["Beto"], of_beto, "Beto")
    # one that is undone brings the hand back
    assert tiles_seen(bets, phones["Beto"]) == {}
    done(bets, bets.keeper, "undo", "Beto")
    assert [tiles_seen(bets, phones[name]) for name in TILES] == [{name: hand} for name, hand in TILES.items()]
    done(bets, phones["Beto"], of_beto, "Beto")
    done(bets, phones["Caro"], of_caro, "Caro")
    rest = {name: TILES[name] for name in names}
    for device in (bets.keeper, *phones.values()):
        assert tiles_seen(bets, device) == rest
        assert TILES["Beto"] not in bets.html("/round", device)
    assert saved_hands(bets) == rest


def test_gu_3_no_version_tells_that_somebody_enters_a_hand_or_thinks_again(app: Flask) -> None:
    night = PlayedNight(app, "guts")
    ana, beto = night.joined("Ana"), night.joined("Beto")
    done(night, ana, "in", "Ana")
    before = night.state(beto)
    night.types(ana, game="guts", players_0_hand="As")
    night.types(ana, game="guts", players_0_hand="As Ad 3h")
    done(night, ana, "out", "Ana")
    assert night.state(beto) == before
    done(night, beto, "in", "Beto")
    assert night.state(ana)["version"] > before["version"]
    # once all have decided, hands that change are news; also when they are shown
    done(night, ana, "in", "Ana")
    done(night, night.keeper, "out", "Caro")
    for hand in ("As Ad 4h", "As Ad 5h"):
        version = night.state(beto)["version"]
        night.types(ana, game="guts", players_0_hand=hand)
        assert night.state(beto)["version"] > version
        night.types(beto, game="guts", players_1_hand="Ks Kd 2h")
    assert night.state(beto)["fields"]["players-0-hand"] == "As Ad 5h"


def test_gu_4_who_alone_is_in_shows_nobody_the_hand(app: Flask) -> None:
    night = PlayedNight(app, "guts")
    phones = {name: night.joined(name) for name in night.players}
    night.types(phones["Ana"], game="guts", players_0_hand="As Ad 3h")
    for name, do in (("Beto", "out"), ("Caro", "in")):
        done(night, phones[name], do, name)
    assert tiles_seen(night, phones["Ana"]) == {"Ana": "As Ad 3h"}
    done(night, night.keeper, "out", "Caro")
    for device in (night.keeper, phones["Beto"], phones["Caro"]):
        assert (tiles_seen(night, device), night.state(device)["down"]) == ({}, [])
        assert "As Ad 3h" not in night.html("/round", device)
    assert saved_hands(night) == {}


@pytest.mark.parametrize("said", ["dropped", "foul", "mucked"])
def test_c_5_a_hand_that_is_not_shown_is_never_seen(night: PlayedNight, said: str) -> None:
    phones = {name: night.joined(name) for name in HANDS}
    for seat, (name, hand) in enumerate(HANDS.items()):
        night.types(phones[name], **{f"players_{seat}_hand": hand, f"players_{seat}_{said}": "y" * (name == "Caro")})
    night.types(night.keeper, asked_knocker="0")
    for device in (night.keeper, *phones.values()):
        assert tiles_seen(night, device) == {"Ana": ANA, "Beto": BETO}
    assert saved_hands(night) == {"Ana": ANA, "Beto": BETO}


def test_a_table_for_money_begins_with_a_stake_and_has_short_chips(app: Flask) -> None:
    night = PlayedNight(app, "domino-poker", currency="MXN", stake="2.50")
    html = night.joined("Ana").get(night.night).text
    assert re.findall('name="amount" [^>]*value="(.*?)"', html) == ["2.50"]  # a bet may be 0.01 as well
    assert re.findall(r">(\+.*?)</button>", html) == ["+2.50", "+12.50", "+62.50"]
    html = night.html("/round")
    assert re.findall('aria-label="(Bet .*?)">(.*?)</button>', html)[:2] == [
        ("Bet MX$2.50", "2.50"),
        ("Bet MX$5.00", "5"),
    ]


@pytest.mark.parametrize(("said", "told"), [("dropped", "dropped"), ("mucked", "mucked"), ("foul", "foul hand")])
def test_the_other_phones_read_why_somebody_shows_no_hand(app: Flask, said: str, told: str) -> None:
    night = PlayedNight(app, "knock-poker")
    beto, caro = night.joined("Beto"), night.joined("Caro")
    night.types(beto, **{f"players_1_{said}": "y"})
    assert night.state(caro)["live"]["out"] == {"1": told}
    assert f'id="seat-1" data-seat="1" data-size="5" data-out="{told}"' in " ".join(
        caro.page(f"{night.night}/round").html.split()
    )


def test_what_bets_come_to_without_somebody_who_left_is_not_told(bets: PlayedNight) -> None:
    done(bets, bets.keeper, "bet", "Ana", amount="2")
    done(bets, bets.keeper, "fold", "Beto")
    bets.plays("left Caro")
    for phone in (bets.joined("Beto"), bets.keeper):
        live = bets.state(phone)["live"]
        assert (live["settled"], live["out"]) == (None, {})


@pytest.mark.parametrize("game", ["domino-poker", "knock-poker", "guts"])
def test_an_own_phone_says_what_is_in_the_pot(app: Flask, game: str) -> None:
    night = PlayedNight(app, game)
    beto = night.joined("Beto")
    night.presses("dealt-{Beto}", beto)
    assert re.search(r'<p class="pot"><b>3</b> <span>in the pot</span></p>', night.html("/round?own=yes", beto))


def test_who_leaves_reads_that_the_hand_needs_them(bets: PlayedNight) -> None:
    told = "A hand is being played with Caro. Save it first, or it must be started over."
    page = f"/leave?player={bets.players['Caro']}"
    assert told not in bets.text(page)
    done(bets, bets.keeper, "bet", "Ana", amount="2")
    assert told in bets.text(page)
    assert told in bets.text("/leave", bets.joined("Caro"))
    bets.does("/leave", player="{Caro}", do="out")
    assert told not in bets.text(page)
    assert "Caro left the table during this hand" in bets.text("")


def test_somebody_who_joins_in_the_middle_of_a_hand_sits_it_out(bets: PlayedNight) -> None:
    ana, beto = bets.joined("Ana"), bets.joined("Beto")
    done(bets, ana, "bet", "Ana", amount="2")
    bets.does("/seats", do="new", newcomer="Dani")
    done(bets, beto, "fold", "Beto")
    assert cells(bets)["bets"] == "bet 2; fold"
    dani = Device(bets.app).joins(bets.code())
    dani.does(f"{bets.night}/me", player=bets.page("/people").fields["order"][-1])
    assert "You aren't in this round" in dani.page(bets.night).text
    done(bets, bets.keeper, "fold", "Caro")
    bets.does("/round", **bets.round_fields(bets.keeper), do="save")
    assert "You aren't in this round" not in dani.page(bets.night).text


def test_who_comes_back_in_the_middle_of_a_hand_sits_it_out_and_its_dealer_stays(bets: PlayedNight) -> None:
    bets.plays("new Dani")
    bets.players["Dani"] = bets.page("/people").fields["order"][-1]
    beto = bets.joined("Beto")
    done(bets, bets.keeper, "dealer", "Ana")
    for name in ("Beto", "Caro", "Dani"):
        done(bets, bets.keeper, "fold", name)
    bets.does("/round", **bets.round_fields(bets.keeper), do="save")
    bets.plays("left Beto")
    done(bets, bets.keeper, "bet", "Dani", amount="2")
    bets.does("/me", beto, player="{Beto}")
    assert "You aren't in this round" in beto.page(bets.night).text
    assert "Caro deals" in bets.text("")


@pytest.mark.parametrize("button", ["settle", "save"])
def test_bets_are_not_settled_under_other_seats(bets: PlayedNight, button: str) -> None:
    for name, action in (("Ana", "bet"), ("Beto", "fold"), ("Caro", "call")):
        done(bets, bets.keeper, action, name, amount="2")
    before = bets.round_fields(bets.keeper)
    ids = bets.players
    bets.does("/seats", order=[ids["Beto"], ids["Ana"], ids["Caro"]], do="order")
    form = bets.round_fields(bets.keeper)
    answer = bets.post("/round", **form, do=button)
    assert problem(answer.text) == (
        "The seats were changed during this hand. Put them back under People, or start the hand over."
    )
    # totals don't depend on the seats, nor do bets on a page that was opened before
    totals = {**form, "betting": "", "players-0-paid": "1", "players-1-paid": "3", "players-2-paid": "3"}
    for other in (totals, before):
        assert "The seats were changed" not in bets.post("/round", **other, do=button).text


def test_bets_of_the_round_s_own_page_are_not_settled_under_other_seats(bets: PlayedNight) -> None:
    typed = {"game": "domino-poker", "betting": "yes", "number": "1"}
    ids, moved = bets.players, "The seats were changed during this hand"

    def wrong() -> list[str]:
        return [problem["text"] for problem in bets.state(bets.keeper)["live"]["wrong"] if problem["id"] == ""]

    bets.types(bets.keeper, bets="bet 2", **typed)
    bets.types(bets.keeper, bets="bet 2; fold; call", **typed)
    assert wrong() == []
    order = [ids["Beto"], ids["Ana"], ids["Caro"]]
    bets.does("/seats", order=order, do="order")
    assert wrong() == [moved]
    refusal = bets.post("/round", **bets.round_fields(bets.keeper), do="save")
    assert problem(refusal.text).startswith(moved)
    # whoever takes back one of them has seen only what the new seats make of them
    bets.types(bets.keeper, bets="bet 2; fold", seat=order, **typed)
    assert wrong() == [moved]
    bets.types(bets.keeper, betting="", seat=order, number="1", game="domino-poker")
    assert wrong() == []
    bets.types(bets.keeper, bets="", seat=order, **typed)
    bets.types(bets.keeper, bets="bet 2", seat=order, **typed)
    assert wrong() == []


def test_cards_drawn_are_counted_on_two_phones_at_once(night: PlayedNight) -> None:
    night.plays("rules knock-poker draw_fee=1")
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


@pytest.mark.parametrize(("betting", "out"), [("", {"1": "folded"}), ("yes", {})], ids=["totals", "bets"])
def test_who_folded_is_ticked_only_where_totals_are_entered(app: Flask, betting: str, out: dict[str, str]) -> None:
    night = PlayedNight(app, "draw-poker")
    told = night.types(night.keeper, game="draw-poker", players_1_folded="y", betting=betting)
    assert told["live"]["out"] == out


def test_the_first_dealer_is_drawn_once_and_in_the_list_of_changes(night: PlayedNight) -> None:
    ana = night.joined("Ana")
    done(night, ana, "lot")
    page = night.html()
    assert "was drawn by lot." in page
    assert refused(night, ana, "lot") == "Another phone has just drawn the dealer; check who deals"
    changes = night.html("/changes")
    assert ("Who deals" in changes, "Drawn by lot" in changes) == (True, True)
    other = next(seat for seat, name in enumerate(HANDS) if f"{name} was drawn by lot" not in page)
    night.types(night.keeper, dealer=str(other))
    assert "was drawn by lot" not in night.html()


@pytest.mark.parametrize(("game", "do"), [("knock-poker", "knocks"), ("domino-poker", "check")])
def test_the_pot_of_a_hand_in_play_has_every_ante_in_stakes(app: Flask, game: str, do: str) -> None:
    night = PlayedNight(app, game, currency="MXN", stake="2.50")
    done(night, night.keeper, do, "Ana")
    assert re.search(r"7\.50</b>\s+in the pot", night.html("/table"))


def test_a_button_tells_every_phone_which_game_is_next(night: PlayedNight) -> None:
    beto, shown = night.joined("Beto"), 'value="game"'
    assert shown not in night.html()
    assert shown in night.html("?game=dompe")
    assert shown not in beto.get(f"{night.night}?game=dompe").text
    done(night, night.keeper, "game", game="dompe")
    assert shown not in night.html()
    done(night, beto, "knocks", "Beto")
    assert shown not in night.html("?game=knock")


def test_one_thing_is_brass_on_the_table_s_page(bets: PlayedNight) -> None:
    def brass(device: Device) -> list[str]:
        html = device.get(bets.night).text
        return re.findall(r'class="button\s+primary[^>]*>(?:<b>)?\s*([^<]*?)\s*<', html)

    ana = bets.joined("Ana")
    assert brass(bets.keeper) == ["Enter the hands"]
    done(bets, ana, "bet", "Ana", amount="2")
    assert brass(bets.keeper) == ["Call 2"]  # the table uses its phones
    assert brass(ana) == []
    assert brass(bets.joined("Beto")) == ["Call 2"]
