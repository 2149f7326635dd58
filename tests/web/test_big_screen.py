"""The table view: what it shows to whom, and that no card is on it before all hands are turned up."""

from __future__ import annotations

import re

import pytest
from devices import HANDS, Device, PlayedNight, words
from flask import Flask
from pages import Page

ANA, BETO, CARO = HANDS.values()
CARDS = re.compile(r'class="face |#spades"|#hearts"|flush|nines|eights', re.IGNORECASE)


def seen(night: PlayedNight, device: Device) -> str:
    """Give the part of the table view that changes."""
    html = device.get(f"{night.night}/table").text
    return html[html.index('id="news"') :]


def stage(night: PlayedNight, device: Device) -> str:
    found = re.search(r'data-stage="(\w+)"', seen(night, device))
    assert found is not None
    return found[1]


def test_a_viewers_link_suffices_and_nothing_is_tapped_but_the_way_back(night: PlayedNight) -> None:
    page = Page(night.guest("look").get(f"{night.night}/table").text)
    assert not {"button", "form", "input", "select"} & {tag for tag, _ in page.tags}
    assert page.all("a", "href") == ["#main", night.night]
    # without the script it is loaded again now and then
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page.html


@pytest.mark.parametrize(("game", "kind"), [("knock", "card"), ("draw-poker", "card"), ("domino-poker", "tile")])
def test_backs_lie_as_the_faces_will(app: Flask, game: str, kind: str) -> None:
    night = PlayedNight(app, game)
    night.types(night.keeper, players_0_hand="2-3" if kind == "tile" else "As", game=game)
    assert set(re.findall(r'"piece back (\w+)"', seen(night, night.guest("look")))) == {kind}


def test_no_card_is_on_it_before_all_are_turned_up(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    devices = [night.keeper, night.guest("look"), beto, night.joined("Ana")]
    night.types(beto, players_1_hand=BETO)
    # also none that the very device has entered, which all in the room see
    night.types(night.keeper, players_2_hand=CARO)
    for device in devices:
        assert stage(night, device) == "down"
        assert not CARDS.search(seen(night, device))
    assert seen(night, devices[1]).count("Hand is in") == 2
    night.types(night.keeper, asked_knocker="nobody")
    night.types(devices[3], players_0_hand=ANA)
    for device in devices:
        assert stage(night, device) == "shown"
        assert "Full house, nines over fours" in seen(night, device)
        assert seen(night, device).count('class="face ') == 15


def test_a_hand_has_no_more_backs_than_cards(app: Flask) -> None:
    night = PlayedNight(app, "guts")
    night.types(night.keeper, players_0_hand="As", game="guts")
    assert seen(night, night.guest("look")).count('class="piece back card"') == 9


def test_its_size_does_not_tell_the_cards_apart(night: PlayedNight) -> None:
    beto, device = night.joined("Beto"), night.guest("look")
    sizes = set()
    for hand in (BETO, "2c 3d 5h 7s 9c", "Th Td Ts Tc 2c"):
        night.types(beto, players_1_hand=hand)
        sizes.add(len(seen(night, device)))
    assert len(sizes) == 1


def test_how_many_cards_were_entered_is_not_on_it(night: PlayedNight) -> None:
    beto, device = night.joined("Beto"), night.guest("look")
    night.types(beto, players_1_hand="Ah")
    one = seen(night, device)
    night.types(beto, players_1_hand="Ah Kh 8h")
    assert seen(night, device) == one


def test_another_game_in_the_address_turns_nothing_up(night: PlayedNight) -> None:
    night.types(night.joined("Beto"), players_1_hand=BETO)
    html = night.guest("look").get(f"{night.night}/table?game=knock").text
    assert 'data-stage="down"' in html
    assert "Knock Poker" in html


# what was done | the stage of the screen | what it says
STAGES = [
    ("round", "result", ["Ana wins +6", "Beto pays Ana 3", "Caro pays Ana 3", "Flush, ace high"]),
    ("round", "result", ["Knocked · full house, nines", "+6", "−3"]),
    ("round, void 1", "waiting", ["deals, clockwise"]),
    ("round, close", "closed", ["Ana won the night"]),
    ("round, left Ana, close", "closed", ["Ana won the night", "Ana +6", "Beto −3", "Caro −3"]),
    ("round, loan 50 Caro Beto, close", "closed", ["Ana won the night"]),  # who lends wins nothing
    ("close", "closed", ["Nobody won"]),
]


@pytest.mark.parametrize(("done", "on", "said"), STAGES)
def test_the_screen_tells(night: PlayedNight, done: str, on: str, said: list[str]) -> None:
    device = night.plays(done).guest("look")
    text = words(seen(night, device))
    assert stage(night, device) == on
    assert [sentence for sentence in said if sentence not in text] == []


def test_the_screen_tells_what_is_handed_over_with_stacks_or_if_it_was_set_so(night: PlayedNight) -> None:
    night.books(players_2_hand="", players_2_dropped="y")
    assert "Beto pays Ana 3" in night.text("/table")
    night.does("/payments-by", moves="chips")
    assert "Beto gives Ana 2" in night.text("/table")
    assert "Beto gives Ana 2" in words(seen(night.plays("buy-in 20"), night.guest("look")))


def test_who_left_is_only_in_the_standings(night: PlayedNight) -> None:
    page = night.plays("round, left Ana, close").html("/table")
    ring, standings = page.split('class="standings"')
    assert "Ana" not in words(ring[ring.index('class="ring"') : ring.index('class="middle"')])
    assert 'class="sum' not in page
    assert words(standings).index("Ana") < words(standings).index("Beto")


def test_who_left_after_a_round_is_in_its_result_and_then_only_in_the_standings(night: PlayedNight) -> None:
    screen = night.plays("round, left Ana").guest("look")
    ring, standings = seen(night, screen).split('class="standings"')
    seats = words(ring[ring.index('class="ring"') : ring.index('class="middle"')])
    assert re.search(r" Ana .* \+6 .* Beto .* \u22123 .* Caro .* \u22123 ", seats)
    assert words(standings).count("Ana") == 1
    left = list(night.players.values())[1:]
    night.types(night.keeper, number="2", seat=left, players_0_hand=BETO)
    assert stage(night, screen) == "down"
    assert "Ana" not in words(seen(night, screen))


def test_the_code_is_on_it_while_seats_are_free_and_only_for_those_who_may_play(night: PlayedNight) -> None:
    code, player = night.code(), night.joined("Ana")
    assert code in seen(night, player)
    assert code in seen(night, night.keeper)
    # it would let who may only look on play
    assert code not in seen(night, night.guest("look"))
    night.joined("Beto"), night.joined("Caro")
    assert code not in seen(night, player)


def test_what_it_shows_already_is_answered_without_a_page(night: PlayedNight) -> None:
    device = night.guest("look")
    first = device.get(f"{night.night}/table")
    known = {"If-None-Match": first.headers["ETag"]}
    again = device.get(f"{night.night}/table", headers=known)
    state = device.get(
        f"{night.night}/state", headers={"If-None-Match": device.get(f"{night.night}/state").headers["ETag"]}
    )
    assert (again.status_code, again.data, state.status_code) == (304, b"", 304)
    assert "Set-Cookie" not in again.headers
    assert set(again.headers.keys()) <= set(state.headers.keys())
    night.types(night.keeper, players_0_hand="9s")
    assert device.get(f"{night.night}/table", headers=known).status_code == 200


def test_a_knock_and_whose_turn_it_is_are_on_it(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.presses("knocks-{Beto}", beto)
    html = seen(night, night.guest("look"))
    assert "Beto knocked: Caro's last turn" in words(html) and "Knocked" in html
    assert words(html).count("Beto knocked") == 1 and "Last turns: Caro and Ana" in words(html)
    assert re.search(r'class="place turn".*?Caro', html, re.DOTALL)


def test_beside_a_hand_is_what_its_round_brought_and_the_nights_total_only_in_the_standings(night: PlayedNight) -> None:
    def sums() -> list[str]:
        return re.findall(r'class="sum[^"]*">([^<]+)<', seen(night, night.guest("look")))

    night.books()
    night.books()
    assert sums() == ["+6", "−3", "−3"]
    assert re.findall(r"<b[^>]*>([^<]+)</b></li>", seen(night, night.guest("look")))[-3:] == ["+12", "−6", "−6"]
    night.types(night.keeper, players_0_hand=ANA, number="3")
    assert (stage(night, night.guest("look")), sums()) == ("down", [])
    night.plays("close")
    assert sums() == []


# ---- a player's own phone


def test_a_phone_names_all_who_lead(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    night.books(
        players_0_hand="As Kd 8s 5c 3d",
        players_1_hand="Ah Kh 8h 5h 3s",
        players_2_hand="Qc Jd 9s 7d 4h",
        asked_knocker="nobody",
        rules_ante="2",
    )
    assert "Ana and Beto lead with +" in " ".join(Page(caro.get(night.night).text).text.split())


def test_who_lends_or_pays_for_others_does_not_lead(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("round, loan 50 Caro Beto")
    told = "You're down 3 tonight. Ana leads with +6. Costs and loans aren't in this."
    assert told in " ".join(Page(beto.get(night.night).text).text.split())
    night.plays("void 2")
    assert "Costs and loans" not in beto.get(night.night).text
    night.plays("back 2")
    night.plays("close")
    assert "Ana won the night, with +6. Costs and loans" in " ".join(Page(beto.get(night.night).text).text.split())


def test_a_phone_says_what_its_player_gives_and_gets(night: PlayedNight) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    line = night.books().partition("?")[0]
    assert "You pay Ana 3" in " ".join(Page(beto.get(line).text).text.split())
    ana.does(f"{night.night}/payments-by", moves="chips")
    for device, told in (
        (beto, ["You give Ana 2", "You're down 3 tonight. Ana leads with +6."]),
        (ana, ["Beto gives you 2", "You take 3 from the pot", "You're up 6 tonight."]),
    ):
        for path in (line, f"{line}?since=0", night.night):
            text = " ".join(Page(device.get(path).text).text.split())
            assert all(sentence in text for sentence in told), (path, told)
            assert ("leads" in text) == (device is beto), path
    assert "You're up" not in night.keeper.get(line).text


def test_a_phone_counts_rounds_and_not_loans(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    giver, taker = night.players["Beto"], night.players["Ana"]
    night.does("/move", movement="loan", amount="1", from_=giver, to=taker)
    line = night.books().partition("?")[0]
    assert line.endswith("/2") and re.search(r"<small>[^<]*Round 1</small>", beto.get(line).text)
    assert "Fix round 1" in night.keeper.get(f"{line}/correct").text
    assert "Round 2" in night.html("/round")


def test_a_phone_that_slept_catches_up_with_all_rounds_at_once(night: PlayedNight) -> None:
    beto = night.joined("Beto")

    def shown(address: str) -> str:
        return re.sub(r' data-speak="[^"]*"', "", beto.get(address).text)

    night.books()
    line = night.books().partition("?")[0]
    html = shown(f"{line}?since=0")
    assert (html.count("Round 1"), html.count("You pay Ana")) == (1, 2)
    assert "data-result" in html
    # who opened the round by hand is left there, and who keeps score
    assert "data-result" not in shown(line)
    assert "data-result" not in night.keeper.get(f"{line}?since=0").text
    assert beto.get(f"{line}?since=x").status_code == 200
    # only the rounds after the one that it has seen, and none after the one that it is shown
    first = line.replace("/lines/2", "/lines/1")
    assert [shown(path).count("You pay Ana") for path in (f"{line}?since=1", f"{first}?since=0")] == [1, 1]


def test_a_closed_night_tells_a_player_what_is_left_to_pay(night: PlayedNight) -> None:
    phones = night.joined("Beto"), night.joined("Caro")

    def told() -> list[list[str]]:
        return sorted(re.findall(r"You pay Ana (\d+)", night.html("", phone)) for phone in phones)

    for done in ("round, close", "settle"):
        night.plays(done)
        assert told() == [["3"], ["3"]]
    for paid, left in (("1", [["2"], ["3"]]), ("2", [[], ["3"]])):
        night.does(night.plan(), do="pay-0", **{"amount-0": paid})
        assert told() == left


# ---- read aloud


def test_a_phone_that_was_told_to_reads_results_aloud(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    line = night.books()
    told = f"{line.partition('?')[0]}?since=0"
    assert "data-speaks-itself" not in beto.get(told).text
    beto.does("/phone", spoken="yes", theme="auto", suits="four", language="en")
    html = beto.get(told).text
    assert "speech.js" in html
    assert "data-speaks-itself" in html
    assert "data-speaks-itself" not in beto.get(line.partition("?")[0]).text  # an older result, looked up
    assert "Ana wins 6. Ana&#39;s full house beats Beto&#39;s flush. You pay Ana 3." in html
    html = beto.get(f"{night.night}/table").text
    assert "Beto pays Ana 3. Caro pays Ana 3." in html
    assert "checked" in re.findall(r'<input[^>]*name="spoken" value="yes"[^>]*>', beto.get("/phone").text)[0]


def test_who_isnt_in_a_game_for_two_sits_out(app: Flask) -> None:
    night = PlayedNight(app, "gin-rummy")
    viewer = night.guest("look")
    outs = re.compile(r'class="place out">.*?<b>(\w+)</b>\s*<small>(.*?)</small>', re.DOTALL)
    assert outs.findall(seen(night, viewer)) == [("Caro", "Sits out")]
    night.types(night.keeper, asked_knocker="0", game="gin-rummy")
    assert outs.findall(seen(night, viewer)) == [("Caro", "Sits out")]


def test_hands_that_cannot_be_settled_say_why(night: PlayedNight) -> None:
    night.types(night.keeper, players_0_hand=ANA, players_1_hand=BETO, players_2_hand=BETO, asked_knocker="0")
    html = seen(night, night.guest("look"))
    assert 'data-stage="shown"' in html
    assert "A♥ is in Caro's hand and" in words(html)


def test_the_last_bets_take_the_place_of_the_deal(app: Flask) -> None:
    night = PlayedNight(app, "five-card-draw")
    night.plays("rules five-card-draw maximum_bet=100")
    viewer = night.guest("look")
    assert "Caro shuffles and deals" in night.text("/table", viewer)
    # by who keeps score on the round's own page
    line = "; ".join(["check", "check", "check", *["bet 1", "raise 2", "raise 3", "call"]])
    night.types(night.keeper, game="five-card-draw", bets=line, betting="yes", players_0_exchanged="3")
    text = night.text("/table", viewer)
    assert "Caro raises by 1" in text
    assert "Exchanged: Ana (3)" in text
    assert "shuffles and deals" not in text
    assert "Ana checks" not in text
