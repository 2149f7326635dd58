"""How many taps a round costs on a phone, from "next round" to the settlement."""

from __future__ import annotations

import pytest
from browser import NAMES, drawn, start_night
from playwright.sync_api import Locator, Page, Request, expect
from sample_rounds import ROUNDS

FULL, FLUSH, PAIR = "9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h"


def hands(game: str) -> list[str]:
    held = ROUNDS[game]["round"]["hands"]
    return [held.get(name, "") for name in NAMES]


# game, hands, what is tapped when its player is entered, who wins, and the most taps besides the cards
GAMES: list[tuple[str, list[str], list[str], str, int]] = [
    ("knock-poker", [FULL, FLUSH, PAIR], ["knocked 0"], "Ana wins +6", 3),
    ("dompe", hands("dompe"), ["called 1"], "Caro wins +2", 3),
    ("knock-rummy", hands("knock-rummy"), ["knocked 0"], "Ana wins +29", 3),
    ("knock", hands("knock"), ["knocked 0"], "Caro wins +2", 3),
    ("draw-poker", hands("draw-poker"), ["act-bet-4", "act-call", "act-fold", *["act-check"] * 2], "Beto wins +6", 7),
    ("domino-poker", hands("domino-poker"), ["act-bet-4", "act-call", "act-fold"], "Ana wins +6", 5),
]


class Thumb:
    """Taps and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def answer(self, said: str) -> None:
        """Tap a player's answer ("knocked 0") or a betting button ("act-bet-4")."""
        if said.startswith("act-"):
            log = self.page.locator("#betting [name=bets]")
            before = log.input_value()
            self.tap(self.page.locator(f'#betting button[value="{said}"]'))
            expect(log).not_to_have_value(before)
            return
        answer, seat = said.split()
        self.tap(self.page.locator(f"#seat-{seat} label.chip", has_text=answer))


@pytest.mark.parametrize(("game", "held", "answers", "won", "most"), GAMES, ids=[row[0] for row in GAMES])
def test_a_round_costs_one_tap_a_card_and_few_more(
    page: Page, address: str, game: str, held: list[str], answers: list[str], won: str, most: int
) -> None:
    start_night(page, address, game=game, at="")
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("link", name="Enter the hands"))
    expect(page.locator(".playing")).to_be_visible()
    for said in answers:
        if said.startswith("act-"):
            thumb.answer(said)
    for seat, hand in enumerate(held):
        if not hand:
            continue
        # one tap a card, and the next player is there by itself
        expect(page.locator(".seat.active")).to_have_id(f"seat-{seat}")
        for said in answers:
            if said.endswith(f" {seat}"):
                thumb.answer(said)
        for card in hand.split():
            thumb.tap(page.locator(f'[data-picker] [data-piece="{card}"]'))
    for seat, hand in enumerate(held):
        expect(page.locator(f"[name=players-{seat}-hand]")).to_have_value(hand)
    expect(page.locator("[data-missing]")).to_contain_text(won)
    thumb.tap(page.locator("[data-save]"))
    expect(page.locator("#won")).to_have_text(won)
    assert thumb.taps - len(" ".join(held).split()) <= most


# game, what is tapped, who wins: "won 0" taps a player, "points 7" a number of the pad, anything else an answer
BY_WORD: list[tuple[str, list[str], str]] = [
    ("knock-poker", ["won 0", "knocked 0", "dropped 2"], "Ana wins +5"),
    ("dompe", ["won 2", "called 1"], "Caro wins +2"),
    ("knock-rummy", ["points 0", "points 10", "points 19", "knocked 0"], "Ana wins +79"),
    ("knock", ["won 2", "knocked 0"], "Caro wins +2"),
    ("knock", ["points 9", "points 7", "points 5", "knocked 0"], "Caro wins +2"),
]


@pytest.mark.parametrize(("game", "said", "won"), BY_WORD, ids=[f"{row[0]} {row[1][0]}" for row in BY_WORD])
def test_a_round_by_the_tables_word_costs_six_taps_at_most(
    page: Page, address: str, game: str, said: list[str], won: str
) -> None:
    night = start_night(page, address, game=game, at="/round")
    thumb = Thumb(page)
    thumb.tap(page.locator("[data-way]", has_text="Who won" if said[0].startswith("won") else "Points"))
    for what in said:
        kind, _, which = what.partition(" ")
        if kind == "won":
            thumb.tap(page.locator(f"#seat-{which} .won"))
        elif kind == "points":
            thumb.tap(page.locator("[data-pad] .key").get_by_text(which, exact=True))
        else:
            thumb.answer(what)
    expect(page.locator("[data-missing]")).to_contain_text(won)
    thumb.tap(page.locator("[data-save]"))
    expect(page.locator("#won")).to_have_text(won)
    assert thumb.taps <= 6
    # the next round of this table begins the same way, without a tap
    page.goto(f"{night}/round")
    expect(page.locator("body.by-word")).to_be_visible()
    expect(page.locator("[data-picker]")).to_be_hidden()


# what is typed into the fields of what the losers pay, one after another; nothing: one tap lets all pay a stake
@pytest.mark.parametrize(("typed", "won"), [("", "Ana wins +3"), ("2 5 10", "Ana wins +17")])
def test_any_other_game_costs_four_taps_after_the_menu_and_digits(
    page: Page, address: str, typed: str, won: str
) -> None:
    night = start_night(page, address, (*NAMES, "Dani"), at="/games?for=round")
    thumb = Thumb(page)
    page.get_by_role("link", name="Any other game").tap()
    page.wait_for_url("**/round?game=any-game")
    thumb.tap(page.locator("#called"))
    page.keyboard.type("Perudo")
    thumb.tap(page.locator("#seat-0 .won"))
    if typed:
        thumb.tap(page.locator(".pays input:visible").first)
        for amount in typed.split():
            page.keyboard.type(amount)
            page.keyboard.press("Enter")
    else:
        thumb.tap(page.locator(".named .step", has_text="+").first)
    thumb.tap(page.locator("[data-save]"))
    expect(page.locator("#won")).to_have_text(won)
    assert thumb.taps == 4
    # the same game again: its name is there
    page.goto(f"{night}/round")
    expect(page.locator("#called")).to_have_value("Perudo")


def test_a_hand_in_the_wrong_place_moves_in_two_taps(page: Page, address: str) -> None:
    start_night(page, address, at="/round")
    expect(page.locator(".playing")).to_be_visible()
    thumb = Thumb(page)
    for card in f"{FULL} {FLUSH}".split():
        page.locator(f'[data-picker] [data-piece="{card}"]').tap()
    hands = [page.locator(f"[name=players-{seat}-hand]") for seat in range(3)]
    page.locator('[data-tab="1"]').tap()
    # to somebody without a hand
    thumb.tap(page.locator("#seat-1 [data-move-hand]"))
    thumb.tap(page.locator(".move .button", has_text="no hand yet"))
    assert thumb.taps == 2
    expect(hands[1]).to_have_value("")
    expect(hands[2]).to_have_value(FLUSH)
    # and a card of it is taken where no key is
    expect(page.locator(".seat.active")).to_have_id("seat-1")
    page.locator('[data-picker] [data-piece="Ah"]').tap(force=True)
    taken = page.get_by_role("button", name="Take ace of hearts from Caro")
    box, keys = taken.bounding_box(), page.locator("[data-picker]").bounding_box()
    assert box is not None
    assert keys is not None
    assert box["y"] >= keys["y"] + keys["height"]
    taken.tap()
    expect(hands[1]).to_have_value("Ah")
    expect(hands[2]).to_have_value("Kh 8h 5h 3h")
    # in exchange, and back
    page.locator('[data-tab="0"]').tap()
    thumb.tap(page.locator("#seat-0 [data-move-hand]"))
    thumb.tap(page.locator(".move .button", has_text="they change places").last)
    assert thumb.taps == 4
    expect(hands[0]).to_have_value("Kh 8h 5h 3h")
    thumb.tap(page.get_by_role("button", name="Undo the move"))
    expect(hands[0]).to_have_value(FULL)


def test_two_quick_taps_on_save_leave_the_answer_in_sight(page: Page, address: str) -> None:
    start_night(page, address, game="knock", at="/round")
    page.locator("[data-way=won_by]").tap()
    page.locator("#seat-2 .won").tap()
    page.locator("#seat-0 label.chip", has_text="knocked").tap()
    save = page.locator("[data-save]")
    expect(save).to_be_visible()
    box = save.bounding_box()
    assert box is not None
    save.tap()
    expect(page.locator(".saved")).to_be_visible()
    left: list[Request] = []
    page.on("request", lambda request: left.append(request) if request.is_navigation_request() else None)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drawn(page)
    assert left == []
    expect(page.locator("#won")).to_have_text("Caro wins +2")
    # and nothing but the word stands where Settle stood
    assert page.evaluate("document.elementFromPoint(360, 812).closest('a, button')") is None
