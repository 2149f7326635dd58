"""Booking transfers, and the nets, pot and payments derived from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.hands.strength import Reading, ShownHand
from companion.engine.messages import Message
from companion.engine.money.settlement import (
    ANTE,
    BETS,
    HAND_BONUS,
    POT,
    POT_SHARE,
    RETURNED,
    Book,
    Reason,
    Settlement,
    Transfer,
    WonPot,
    won_pot,
)

WHY = Message("because")
PLAYERS = ("A", "B", "C")
FEE, MATCH = Reason("fee", "while-playing"), Reason("match", "for-next-pot")
REASONS = {r.key: r for r in (ANTE, BETS, HAND_BONUS, POT_SHARE, RETURNED, FEE, MATCH, *map(Reason, ("owed", "other")))}

# who gives whom how much, the opening pot; nets, pot in/out/closing, payments
SETTLED = {
    "nothing": ("", 0, "A0 B0 C0", (0, 0, 0), ""),
    "nothing, pot stays": ("", 5, "A0 B0 C0", (0, 0, 5), ""),
    "antes won": ("A>pot1 B>pot1 C>pot1 pot>B3", 0, "A-1 B2 C-1", (3, 3, 0), "A>B1 C>B1"),
    "opening pot won": ("A>pot1 pot>A8", 7, "A7 B0 C0", (1, 8, 0), "pot>A7"),
    "pot left": ("A>pot2 B>pot2 pot>A3", 0, "A1 B-2 C0", (4, 3, 1), "B>A1 B>pot1"),
    "between players": ("A>B4 C>B4 B>C1", 0, "A-4 B7 C-3", (0, 0, 0), "A>B4 C>B3"),
    "matched": ("A>pot1 B>pot1 C>pot1 pot>A3 B>pot3", 0, "A2 B-4 C-1", (6, 3, 3), ""),
}


def transfers_of(text: str) -> tuple[Transfer, ...]:
    found = []
    for token in text.split():
        giver, rest = token.split(">")
        taker = "pot" if rest.startswith("pot") else rest[0]
        found.append(Transfer(giver, taker, int(rest.removeprefix(taker)), "pot", "XX-1", WHY))
    return tuple(found)


# the winners, who gives whom how much | of those who gained
@pytest.mark.parametrize(
    ("winners", "text", "ahead"),
    [
        ("ABC", "A>pot9 B>pot9 C>pot4 pot>A10 pot>B6 pot>C6", "AC"),  # a part of a side pot is less than was put in
        ("ABC", "A>pot9 B>pot9 C>pot2 pot>C6 pot>A10 pot>B4", "CA"),  # who won the main pot comes first
        ("AB", "A>pot1 B>pot1 pot>A1 pot>B1", "AB"),
        ("A", "A>B1", "A"),
        ("", "A>B1", ""),
    ],
)
def test_a_headline_is_of_the_winners_who_gained(winners: str, text: str, ahead: str) -> None:
    settled = Settlement(PLAYERS, PLAYERS, tuple(winners), (), WHY, 0, transfers_of(text))
    assert settled.ahead == tuple(ahead)


def test_a_headline_names_all_who_tie_though_one_gains_nothing() -> None:
    hands = tuple(
        ShownHand(player, place, None, Reading((place,), WHY, WHY)) for player, place in (("A", 1), ("B", 3), ("C", 1))
    )
    settled = Settlement(
        PLAYERS, PLAYERS, ("A", "C"), hands, WHY, 1, transfers_of("A>pot1 B>pot1 C>pot1 pot>A3 pot>C1")
    )
    assert (settled.ahead, settled.net["C"]) == (("A", "C"), 0)


@pytest.mark.parametrize(("text", "opening", "nets", "pot", "payments"), SETTLED.values(), ids=SETTLED)
def test_nets_pot_and_payments(text: str, opening: int, nets: str, pot: tuple[int, int, int], payments: str) -> None:
    settled = Settlement(PLAYERS, PLAYERS, ("A",), (), WHY, opening, transfers_of(text))
    assert list(settled.net) == list(PLAYERS)
    assert " ".join(f"{player}{units}" for player, units in settled.net.items()) == nets
    assert (settled.pot_in, settled.pot_out, settled.pot_closing) == pot
    assert sum(settled.net.values()) + settled.pot_closing - settled.pot_opening == 0
    found = settled.payments
    reached = dict.fromkeys((*PLAYERS, POT), 0)
    for payment in found:
        reached[payment.payer] -= payment.amount
        reached[payment.payee] += payment.amount
    assert reached == {**settled.net, POT: settled.pot_closing - opening}
    if payments:
        assert " ".join(f"{p.payer}>{p.payee}{p.amount}" for p in found) == payments


# transfers as they were booked; what is still to be handed over, B being first in turn order, then C, then A
HANDED = {
    "nothing": ("", ""),
    "what was put in while playing": ("A>pot1:ante A>pot2:fee B>pot3:bets C>A1:fee", ""),
    "what the pot pays, by taker": ("pot>A2:pot pot>C1:returned pot>A3:hand-bonus", "pot>C1 pot>A5"),
    "players first, by turn order": ("A>C1:owed A>B2:owed C>B1:owed pot>B4:pot", "C>B1 A>B2 A>C1 pot>B4"),
    "into the pot for its sharers": (
        "A>pot2:owed A>pot1:hand-bonus A>B1:owed C>pot2:owed pot>B7:pot",
        "C>pot2 A>B1 A>pot3 pot>B7",
    ),
    "two players set off": ("A>B5:owed B>A2:other C>A1:owed", "C>A1 A>B3"),
    "two players are quits": ("A>B5:owed B>A5:owed", ""),
    "the next pot is never set off": ("pot>A4:pot A>pot4:match B>pot1:owed", "B>pot1 pot>A4 A>pot4"),
}


@pytest.mark.parametrize(("text", "expected"), HANDED.values(), ids=HANDED)
def test_c_12_handovers(text: str, expected: str) -> None:
    found = []
    for token in text.split():
        moved, reason = token.split(":")
        (transfer,) = transfers_of(moved)
        found.append(replace(transfer, reason=REASONS[reason]))
    settled = Settlement(PLAYERS, ("B", "C", "A"), ("A",), (), WHY, 10, tuple(found))
    assert " ".join(f"{p.payer}>{p.payee}{p.amount}" for p in settled.handovers) == expected


# transfers as they were booked, and what was won from the pot by whom
WON = {
    "nothing": ("", 0, ""),
    "antes, and what was carried": ("A>pot1:ante B>pot1:ante C>pot1:ante pot>B9:pot", 9, "B"),
    "shared": ("A>pot1:ante B>pot1:ante C>pot1:ante pot>B2:pot pot>A1:pot", 3, "BA"),
    "a layer that went back": ("A>pot9:bets B>pot2:bets C>pot2:bets pot>C6:pot pot>A7:returned", 6, "C"),
    "everybody else folded": ("A>pot1:ante B>pot1:ante A>pot9:bets pot>A11:pot", 2, "A"),
    "matched by somebody who folded": ("A>pot9:bets B>pot5:bets C>pot2:bets pot>C6:pot pot>A10:pot", 12, "CA"),
    "no bet matched": ("A>pot9:bets pot>A9:pot", 0, ""),
    "fees differ": ("A>pot4:fee B>pot1:fee pot>A5:pot", 5, "A"),
    "payments to share": ("A>pot1:ante B>pot1:ante C>pot1:ante C>pot2:owed pot>A3:pot pot>B2:pot", 3, "AB"),
    "only payments to share, and the odd one stays": ("C>pot3:owed pot>A1:pot pot>B1:pot", 0, "AB"),
    "into the next pot": ("A>pot1:ante B>pot1:ante pot>A2:pot B>pot2:match", 2, "A"),
}


@pytest.mark.parametrize(("text", "units", "winners"), WON.values(), ids=WON)
def test_what_was_won_from_the_pot(text: str, units: int, winners: str) -> None:
    moves = (token.split(":") for token in text.split())
    booked = [(transfer, REASONS[reason]) for moved, reason in moves for transfer in transfers_of(moved)]
    assert won_pot((t.giver, t.taker, t.amount, reason) for t, reason in booked) == WonPot(units, tuple(winners))


def test_c_12_what_was_paid_while_playing() -> None:
    moved = {"A>pot1": ANTE, "C>pot1": ANTE, "C>pot4": BETS, "C>B2": FEE, "B>A1": REASONS["owed"]}
    found = [replace(transfer, reason=reason) for text, reason in moved.items() for transfer in transfers_of(text)]
    settled = Settlement(PLAYERS, ("B", "C", "A"), ("A",), (), WHY, 10, tuple(found))
    assert " ".join(f"{p.payer}>{p.payee}{p.amount}" for p in settled.paid_while_playing) == "C>pot5 A>pot1 C>B2"


# what moved and why, and what is paid after the round: of it (in brackets) what was due during play
DURING = {
    "the ante": ("A>pot1:ante B>pot1:ante pot>A2:pot B>A2:owed", "B>A3(1)"),
    "everything": ("A>pot1:ante B>pot1:ante B>A1:fee pot>A2:pot", "B>A2(2)"),
    "nothing": ("B>A2:owed", "B>A2(0)"),
    "into the pot that stays": ("A>pot1:ante B>pot1:ante A>pot2:match", "A>pot3(1) B>pot1(1)"),
    "the pot pays": ("A>pot1:ante pot>A5:pot", "pot>A4(?)"),
    "the rest goes to somebody else": ("B>A1:fee C>pot3:ante pot>A3:pot B>C1:owed", "B>A2(?) C>A2(?)"),
    "a carried pot is won": ("A>pot1:ante B>pot1:ante C>pot1:ante pot>A5:pot B>A1:owed", "B>A2(1) C>A1(1) pot>A2(?)"),
}


@pytest.mark.parametrize(("text", "expected"), DURING.values(), ids=DURING)
def test_c_12_what_of_each_payment_was_due_during_play(text: str, expected: str) -> None:
    moves = (token.split(":") for token in text.split())
    found = [replace(one, reason=REASONS[reason]) for moved, reason in moves for one in transfers_of(moved)]
    settled = Settlement(PLAYERS, PLAYERS, ("A",), (), WHY, 10, tuple(found))
    told = ((*one, "?" if part is None else part) for one, part in settled.payments_and_paid)
    assert " ".join(f"{payer}>{payee}{amount}({part})" for payer, payee, amount, part in told) == expected


def booked(book: Book) -> str:
    return " ".join(f"{t.giver}>{t.taker}{t.amount}:{t.reason.key}" for t in book.transfers)


def test_move_books_amounts_and_keeps_the_pot() -> None:
    book = Book(5)
    book.move("A", POT, 3, BETS, "XX-1", WHY)
    book.move(POT, "B", 8, POT_SHARE, "XX-2", WHY)
    book.move("A", "B", 2, FEE, "XX-3", WHY)
    assert book.pot == 0
    assert book.transfers[1] == Transfer(POT, "B", 8, POT_SHARE, "XX-2", WHY)
    assert booked(book) == "A>pot3:bets pot>B8:pot A>B2:fee"


def test_move_asserts_what_no_game_may_do() -> None:
    for giver, taker, amount in [("A", "B", -1), ("A", "A", 1), (POT, "A", 6)]:
        with pytest.raises(AssertionError):
            Book(5).move(giver, taker, amount, POT_SHARE, "XX-1", WHY)


def test_a_book_moves_amounts_divides_the_pot_and_skips_0() -> None:
    book = Book(10)
    book.antes_and_bets("BCA", {"A": 10, "B": 2, "C": 1}, 2, "XX-1")
    book.pay_out(book.pot, "BC", "XX-1", WHY, odd_stays=True)
    book.move("A", POT, 0, BETS, "XX-1", WHY)
    assert booked(book) == "B>pot2:ante C>pot1:ante A>pot2:ante A>pot8:bets pot>B11:pot pot>C11:pot"
    assert book.pot == 1
    book.pay_out(1, "AB", "XX-1", WHY, reason=HAND_BONUS)
    assert booked(book).endswith("pot>A1:hand-bonus")
