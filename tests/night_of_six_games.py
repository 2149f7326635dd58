"""Four phones and a screen in the room play a night of all six games by taps.

What the pages say is compared with a plain list of who paid whom, worked out by hand. test_table_in_browser.py plays a
round of each of them and of four more games, the probe six_games.py all rounds, with pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from browser import PHONE, code_of, join_night, open_seat, start_night, tap_cards, tick
from playwright.sync_api import Browser, Page, expect

NAMES = ("Ana", "Beto", "Caro", "Dani")
SCREEN = {"width": 1280, "height": 720}


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
# a round each of four more games, for a night of ten
MORE = (
    # 31 in spades
    Hand("thirty-one", ("As Ks Qs", "Ah Kh 5d", "7d 7c 8h", "2s 2h 6d"), "antes, pot Ana", KNOCKER),
    # the full house beats a flush
    Hand(
        "whisky-poker",
        ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd"),
        "antes, pot Ana",
        KNOCKER,
    ),
    # the same hands, and everyone put in 4 more
    Hand(
        "straight-poker",
        ("Ah Kh 8h 5h 3h", "9s 9h 9d 4c 4d", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd"),
        "antes, Ana pot 4, Beto pot 4, Caro pot 4, Dani pot 4, pot Beto",
        bets="act-bet-4 act-call act-call act-call",
    ),
    # a royal flush, after an exchange
    Hand(
        "five-card-draw",
        ("2c 2d 2h 2s 3c", "8c 8d Jd 7d 4h", "As Ks Qs Js Ts", "9s 9h 6d Tc Qd"),
        "antes, Ana pot 4, Beto pot 4, Caro pot 4, Dani pot 4, pot Caro",
        bets="act-bet-4 act-call act-call act-call act-check act-check act-check act-check",
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


Tap = Callable[[Page, str], None]
Picture = Callable[["Table", str], None]


def no_picture(_table: Table, _name: str) -> None:
    """Take no picture."""


class Table:
    """The scorekeeper's phone, which Ana has, three more phones, and the screen.

    `picture` is called with a name of what all of them show at that moment. `tap` enters a hand on a player's phone.
    """

    def __init__(
        self, browser: Browser, address: str, stack: ExitStack, picture: Picture = no_picture, tap: Tap = tap_cards
    ) -> None:
        def opened(size: dict[str, int]) -> Page:
            settings = {"reduced_motion": "reduce", "has_touch": size is PHONE, "service_workers": "allow"}
            context = browser.new_context(viewport=size, **settings)  # type: ignore[arg-type]
            stack.callback(context.close)
            return context.new_page()

        self._picture, self._tap, self._address = picture, tap, address
        self.keeper, *others = (opened(PHONE) for _ in NAMES)
        self.screen = opened(SCREEN)
        self.phones = dict(enumerate(others, 1))
        self.news = self.screen.locator("#news")

    @property
    def pages(self) -> list[Page]:
        """Every page of the table, the screen last."""
        return [self.keeper, *self.phones.values(), self.screen]

    def sit_down(self, game: str) -> None:
        """Start the night: the players join with the code, and the screen opens the table view."""
        self.night = start_night(self.keeper, self._address, NAMES, game)
        code = code_of(self.keeper, self.night)
        self.keeper.goto(self.night)
        for seat, page in self.phones.items():
            join_night(page, self._address, code, NAMES[seat])
        self.screen.goto(f"{self._address}join/{code}")
        self.screen.get_by_role("link", name="Table view").click()
        expect(self.news).to_have_attribute("data-stage", "waiting")
        expect(self.screen.locator(".join")).to_contain_text(code)

    def play(self, hands: Sequence[Hand], away: int) -> Iterator[str]:
        """Play the hands; yields what is wrong. Dani's phone has no signal in the one numbered `away`, from 0."""
        ledger, before = Ledger(), hands[0].game
        self.sit_down(before)
        for at, hand in enumerate(hands):
            self.to_table(self.keeper)
            if hand.game != before:
                self._choose(hand.game)
            before = hand.game
            brought = self._round(at, hand, is_away=at == away)
            wanted = ledger.book(hand.paid)
            if brought != wanted:
                yield f"round {at + 1}, {hand.game}: {brought}, by the list {wanted}"
            for what in differences(ledger.balances, self.screen, self.phones):
                yield f"round {at + 1}: {what}"

    def close(self) -> None:
        """Close the night: every phone goes back to its table, which says so."""
        self.keeper.goto(f"{self.night}/close")
        self.keeper.get_by_role("button", name="End the night").click()
        for page in self.phones.values():
            page.wait_for_url(self.night)
            expect(page.locator("#news")).to_contain_text("This night is closed")

    def to_table(self, page: Page) -> None:
        """Go to the night's table by a link of the page, as a thumb does."""
        if page.url.partition("?")[0] != self.night:
            page.locator(f'a[href="{urlsplit(self.night).path}"]:visible').first.click()
        page.wait_for_url(re.compile(re.escape(self.night) + r"($|[?#])"))

    def _choose(self, game: str) -> None:
        self.keeper.locator(f'.pick a[href$="game={game}"]').click()
        expect(self.keeper.locator(f'.pick a[aria-current][href$="game={game}"]')).to_be_visible()
        for page in self.phones.values():
            page.wait_for_url("**/round?own=yes")  # they follow by themselves; a tap before that would be lost

    def _round(self, at: int, hand: Hand, *, is_away: bool) -> dict[str, int]:
        name = f"{at + 1:02}-{hand.game}"
        playing = {seat: page for seat, page in self.phones.items() if not (is_away and seat == 3)}
        if is_away:
            self.phones[3].context.set_offline(True)
        if hand.bets == "on the phones":
            self._check()
            self._picture(self, f"{name}-bets")
        self.keeper.locator("#rail [data-place=hands], .next a[href*='/round']").first.click()
        for button in hand.bets.split() if hand.bets.startswith("act") else ():
            self._bet(button)
        self._enter(0, hand.hands[0])
        for seat, page in playing.items():
            page.wait_for_url("**/round?own=yes")
            self._tap(page, hand.hands[seat])
            if seat == 2:
                # nothing of it is on the screen yet
                expect(self.screen.locator(".in .back").first).to_be_attached()
                assert self.screen.locator(".place .face").count() == 0
                self._picture(self, f"{name}-hands")
        if is_away:
            self._enter(3, hand.hands[3])
        if hand.tick:
            tick(self.keeper, hand.tick)
        expect(self.news).to_have_attribute("data-stage", "shown")
        brought = dict.fromkeys(NAMES, 0) | save(self.keeper)
        if is_away:
            self.phones[3].context.set_offline(False)
        expect(self.news).to_have_attribute("data-stage", "result")
        for page in self.phones.values():
            page.wait_for_url(re.compile(rf"/lines/{at + 1}\?since="))
        self._picture(self, f"{name}-result")
        return brought

    def _enter(self, seat: int, cards: str) -> None:
        open_seat(self.keeper, seat)
        self._tap(self.keeper, cards)

    def _bet(self, button: str) -> None:
        log = self.keeper.locator("#betting [name=bets]")
        before = log.input_value()
        self.keeper.locator(f'#betting button[value="{button}"]').click()
        expect(log).not_to_have_value(before)

    def _check(self) -> None:
        """Let everyone check on their own phone, Ana on the scorekeeper's, until the betting is over."""
        hand, says = self.keeper.locator("#at-table"), self.keeper.locator("#rail [role=status]")
        for page in self.phones.values():
            self.to_table(page)
        while "betting is over" not in hand.inner_text():
            mark, turn = hand.get_attribute("data-mark") or "", says.inner_text()
            seat = next(at for at, name in enumerate(NAMES) if f"{name}'s turn" in turn or f"{name} begins" in turn)
            self.phones.get(seat, self.keeper).locator("#rail [value^=check]").click()
            expect(hand).not_to_have_attribute("data-mark", mark)


def number(text: str) -> int:
    return int(text.replace("\u2212", "-").replace("\u2060", "").replace("+", ""))


def differences(sums: dict[str, int], screen: Page, phones: dict[int, Page]) -> Iterator[str]:
    """Compare what the screen and every player's phone say of the night with a plain sum of its rounds."""
    rows = {name: screen.locator(".standings li", has_text=name).locator("b") for name in sums}
    standings = {name: number(row.inner_text()) for name, row in rows.items()}
    if standings != sums:
        yield f"the screen says {standings}, the list {sums}"
    for (name, total), page in ((list(sums.items())[seat], page) for seat, page in phones.items()):
        line = page.locator(".tonight")
        expect(line, f"{name}'s phone at {page.url}").to_be_attached()
        told = line.inner_text()
        means = f"You're {'up' if total > 0 else 'down'} {abs(total)} tonight" if total else "You're even tonight"
        if means not in told:
            yield f"{name}'s phone says {told}, the list {total}"


def nets(keeper: Page) -> dict[str, int]:
    """Read from a result what the round brought each player."""
    rows = keeper.locator(".result .rows > li")
    told = [(row.locator("strong").inner_text(), row.locator("> div > b").inner_text()) for row in rows.all()]
    return {name: number(net) for name, net in told}


def save(keeper: Page) -> dict[str, int]:
    keeper.locator("[data-save]").click()
    keeper.wait_for_url("**/lines/*")  # the form's own page may already say who won
    expect(keeper.locator("#won")).to_be_visible()
    return nets(keeper)
