"""Four phones and a screen play a night of all six games by taps, two rounds each; one phone is offline for a round.

    .venv/bin/python tests/probes/six_games.py FOLDER

compares what the pages say with a plain list of who paid whom, worked out by hand, and saves pictures of all phones
side by side: of each game while it is played, and of its result. It takes three minutes; exits with 0 if all is right.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "web"), str(TESTS.parent)]

from browser import (  # noqa: E402
    PHONE,
    SCRIPT_ERRORS,
    chromium,
    code_of,
    enter_hand,
    join_night,
    served,
    start_night,
    tap_cards,
    tick,
)
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, expect  # noqa: E402
from test_table_in_browser import differences, save  # noqa: E402

NAMES = ("Ana", "Beto", "Caro", "Dani")
SCREEN = {"width": 1280, "height": 720}
GAP = 12
AWAY = 5  # the round for which Dani's phone has no signal


@dataclass(frozen=True)
class Hand:
    """A round: the hands, what else is tapped, and who pays what. `bets` are buttons of the scorekeeper's form;
    "on the phones" if everyone checks on their own phone.
    """

    game: str
    hands: Sequence[str]
    paid: str
    tick: str = ""
    bets: str = ""


# "antes": everyone puts 1 into the pot; "Ana pot 4": Ana puts in 4; "pot Ana": Ana takes the pot;
# "Ana Beto 2": Ana pays Beto 2
KNOCKER, CALLER = '[name=asked-knocker][value="0"]', '[name=asked-caller][value="0"]'
NIGHT = (
    # 3.5 points, 29, 0 and 40: Caro wins, and Ana, who knocked, matches the pot of 4 for the next round
    Hand(
        "knock",
        ("5s Qh 7d Ac 2s", "Ks Kh 2d 3c 4s", "5h Qd Qc 5c 5d", "Kd 9h 9d 9c 3s"),
        "antes, pot Caro, Ana pot 4",
        KNOCKER,
    ),
    # 29, 3.5, 40 and 0: Dani takes the 4 that Ana matched and the antes, and Ana matches these 8
    Hand(
        "knock",
        ("Ks Kh 2d 3c 4s", "5s Qh 7d Ac 2s", "Kd 9h 9d 9c 3s", "5h Qd Qc 5c 5d"),
        "antes, pot Dani, Ana pot 8",
        KNOCKER,
    ),
    # the knocker's full house takes the pot of 12 and 2 from each
    Hand(
        "knock-poker",
        ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd"),
        "antes, pot Ana, Beto Ana 2, Caro Ana 2, Dani Ana 2",
        KNOCKER,
    ),
    # three sevens beat the knocker, who pays everyone 2
    Hand(
        "knock-poker",
        ("Ts 9h 8d 4c 2d", "Ac Kh 8h 5h 5s", "7c 7h 7s Jd 4h", "2s 3h 6d Tc Qd"),
        "antes, pot Caro, Ana Beto 2, Ana Caro 2, Ana Dani 2",
        KNOCKER,
    ),
    # three eights beat the caller's three sevens
    Hand(
        "dompe",
        ("7c 7d 7h 2s 3d", "Ks Kd 9h 9c 4s", "8s 8h 8d Kc 3c", "Ac Qd Jh 5s 2c"),
        "antes, pot Caro",
        CALLER,
    ),
    # the caller's full house beats a flush
    Hand(
        "dompe",
        ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd"),
        "antes, pot Ana",
        CALLER,
    ),
    # all five doubles; everyone put in 4 more
    Hand(
        "domino-poker",
        ("2-2 3-3 4-4 5-5 6-6", "1-6 2-6 3-6 4-6 5-6", "1-2 1-3 1-4 1-5 2-3", "2-4 2-5 3-4 3-5 4-5"),
        "antes, Ana pot 4, Beto pot 4, Caro pot 4, Dani pot 4, pot Ana",
        bets="act-bet-4 act-call act-call act-call",
    ),
    # everyone checks, and Beto has the doubles
    Hand(
        "domino-poker",
        ("1-6 2-6 3-6 4-6 5-6", "2-2 3-3 4-4 5-5 6-6", "1-2 1-3 1-4 1-5 2-3", "2-4 2-5 3-4 3-5 4-5"),
        "antes, pot Beto",
        bets="on the phones",
    ),
    # 2 against 10, 23 and 49 deadwood
    Hand(
        "knock-rummy",
        ("4s 4h 4d 6c 7c 8c 2d", "As 2s 3s 9h 9d 9c Qh", "Kh Ks Kd 5h 5s Jd 3c", "2c 3h 6d Tc Qd 8s Jh"),
        "Beto Ana 8, Caro Ana 21, Dani Ana 47",
        KNOCKER,
    ),
    # Dani has 1 and gets the differences to 2, 10 and 25, and 10 more from the knocker
    Hand(
        "knock-rummy",
        ("4s 4h 4d 6c 7c 8c 2d", "As 2s 3s 9h 9d 9c Qh", "Kh Ks Kd 6h 6s Jd 3c", "5c 5d 5h Ts Js Qs Ac"),
        "Ana Dani 11, Beto Dani 9, Caro Dani 24",
        KNOCKER,
    ),
    # a royal flush; everyone put in 4 before the exchange and nothing after it
    Hand(
        "draw-poker",
        ("2c 2d 2h 2s 3c", "As Ks Qs Js Ts", "8c 8d Jd 7d 4h", "9s 9h 6d Tc Qd"),
        "antes, Ana pot 4, Beto pot 4, Caro pot 4, Dani pot 4, pot Beto",
        bets="act-bet-4 act-call act-call act-call act-check act-check act-check act-check",
    ),
    # everyone checks twice, and Ana has the royal flush
    Hand(
        "draw-poker",
        ("As Ks Qs Js Ts", "2c 2d 2h 2s 3c", "8c 8d Jd 7d 4h", "9s 9h 6d Tc Qd"),
        "antes, pot Ana",
        bets="on the phones",
    ),
)


@dataclass
class Ledger:
    """Everybody's balance and the pot."""

    balances: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))
    pot: int = 0

    def book(self, paid: str) -> dict[str, int]:
        """Write down who paid whom; gives what the round brought each player."""
        before = dict(self.balances)
        for payment in paid.split(", "):
            match payment.split():
                case ["antes"]:
                    for name in NAMES:
                        self._pay_in(name, 1)
                case ["pot", name]:
                    self.balances[name] += self.pot
                    self.pot = 0
                case [name, "pot", amount]:
                    self._pay_in(name, int(amount))
                case [payer, payee, amount]:
                    self.balances[payer] -= int(amount)
                    self.balances[payee] += int(amount)
        return {name: self.balances[name] - before[name] for name in NAMES}

    def _pay_in(self, name: str, amount: int) -> None:
        self.balances[name] -= amount
        self.pot += amount


class Table:
    """The scorekeeper's phone, which Ana has, three more phones, and the screen."""

    def __init__(self, browser: Browser, address: str, folder: Path, stack: ExitStack) -> None:
        def opened(size: dict[str, int]) -> Page:
            context = browser.new_context(viewport=size, reduced_motion="reduce", has_touch=size is PHONE)  # type: ignore[arg-type]
            stack.callback(context.close)
            return context.new_page()

        self._folder = folder
        self.keeper, *others = (opened(PHONE) for _ in NAMES)
        self.screen = opened(SCREEN)
        self.phones = dict(enumerate(others, 1))
        self.session = start_night(self.keeper, address, NAMES, NIGHT[0].game)
        code = code_of(self.keeper, self.session)
        self.keeper.goto(self.session)
        for seat, page in self.phones.items():
            join_night(page, address, code, NAMES[seat])
        self.screen.goto(f"{address}join/{code}")
        self.screen.get_by_role("link", name="Table view").click()
        self.news = self.screen.locator("#news")

    def play(self) -> Iterator[str]:
        """Play the night; yields what is wrong."""
        ledger, before = Ledger(), NIGHT[0].game
        for at, hand in enumerate(NIGHT):
            self.to_table(self.keeper)
            if hand.game != before:
                self._choose(hand.game)
            before = hand.game
            brought = self._round(at, hand)
            wanted = ledger.book(hand.paid)
            if brought != wanted:
                yield f"round {at + 1}, {hand.game}: {brought}, by the list {wanted}"
            for what in differences(ledger.balances, self.screen, self.phones):
                yield f"round {at + 1}: {what}"

    def to_table(self, page: Page) -> None:
        """Go to the night's table by a link of the page, as a thumb does."""
        if page.url.partition("?")[0] != self.session:
            page.locator(f'a[href="{urlsplit(self.session).path}"]:visible').first.click()
        page.wait_for_url(re.compile(re.escape(self.session) + r"($|[?#])"))

    def _choose(self, game: str) -> None:
        self.keeper.locator(f'.pick a[href$="game={game}"]').click()
        self.keeper.locator('#at-table [value="game"]').click()
        expect(self.keeper.locator('#at-table [value="game"]')).to_have_count(0)

    def _round(self, at: int, hand: Hand) -> dict[str, int]:
        is_away = at == AWAY
        playing = {seat: page for seat, page in self.phones.items() if not (is_away and seat == 3)}
        if is_away:
            self.phones[3].context.set_offline(True)
        if hand.bets == "on the phones":
            self._check()
            self._picture(at, hand, "bets")
        self.keeper.locator(".next .primary").click()
        for button in hand.bets.split() if hand.bets.startswith("act") else ():
            self._bet(button)
        enter_hand(self.keeper, 0, hand.hands[0])
        for seat, page in playing.items():
            page.wait_for_url("**/round")
            tap_cards(page, hand.hands[seat])
            if seat == 2:
                self._picture(at, hand, "hands")
        if is_away:
            enter_hand(self.keeper, 3, hand.hands[3])
        expect(self.news).to_have_attribute("data-stage", "shown")
        if hand.tick:
            tick(self.keeper, hand.tick)
        brought = dict.fromkeys(NAMES, 0) | save(self.keeper)
        if is_away:
            self.phones[3].context.set_offline(False)
        expect(self.news).to_have_attribute("data-stage", "result")
        for page in self.phones.values():
            page.wait_for_url(re.compile(rf"/lines/{at + 1}\?since="))
        self._picture(at, hand, "result")
        return brought

    def _bet(self, button: str) -> None:
        log = self.keeper.locator("#betting [name=bets]")
        before = log.input_value()
        self.keeper.locator(f'#betting button[value="{button}"]').click()
        expect(log).not_to_have_value(before)

    def _check(self) -> None:
        """Let everyone check on their own phone, Ana on the scorekeeper's, until the betting is over."""
        hand = self.keeper.locator("#at-table")
        for page in self.phones.values():
            self.to_table(page)
        while "betting is over" not in hand.inner_text():
            mark = hand.get_attribute("data-mark") or ""
            turn = hand.locator(".turn").inner_text()
            seat = next(seat for seat, name in enumerate(NAMES) if f"{name}'s turn" in turn)
            self.phones.get(seat, self.keeper).locator("#at-table .call").click()
            expect(hand).not_to_have_attribute("data-mark", mark)

    def _picture(self, at: int, hand: Hand, what: str) -> None:
        """Save all phones side by side, and the screen below them."""
        shots = [Image.open(BytesIO(page.screenshot())) for page in (self.keeper, *self.phones.values(), self.screen)]
        *phones, screen = shots
        width = sum(shot.width + GAP for shot in phones)
        whole = Image.new("RGB", (width, phones[0].height + GAP + screen.height), "gray")
        for place, shot in enumerate(phones):
            whole.paste(shot, (place * (shot.width + GAP), 0))
        whole.paste(screen, (0, phones[0].height + GAP))
        whole.save(self._folder / f"{at + 1:02}-{hand.game}-{what}.png")


def main(arguments: Sequence[str]) -> int:
    """Play the night; returns how many things are wrong."""
    folder = Path(arguments[0] if arguments else "instance/six-games")
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        browser, address = stack.enter_context(chromium()), stack.enter_context(served())
        wrong = [*Table(browser, address, folder, stack).play(), *SCRIPT_ERRORS]
    print("\n".join(wrong) or f"{len(NIGHT)} rounds of six games: every screen says what the list says")
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
