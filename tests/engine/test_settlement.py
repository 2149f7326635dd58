"""Transfers booked, and the nets, the pot and the payments that follow from them."""

from __future__ import annotations

import pytest

from companion.engine.messages import Message
from companion.engine.settlement import POT, Book, Settlement, Transfer

WHY = Message("because")
PLAYERS = ("A", "B", "C")

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


@pytest.mark.parametrize(("text", "opening", "nets", "pot", "payments"), SETTLED.values(), ids=SETTLED)
def test_nets_pot_and_payments(text: str, opening: int, nets: str, pot: tuple[int, int, int], payments: str) -> None:
    settled = Settlement(PLAYERS, ("A",), (), WHY, opening, transfers_of(text))
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


def booked(book: Book) -> str:
    return " ".join(f"{t.giver}>{t.taker}{t.amount}:{t.reason}" for t in book.transfers)


def test_move_books_amounts_and_keeps_the_pot() -> None:
    book = Book(5)
    book.move("A", POT, 3, "bets", "XX-1", WHY)
    book.move(POT, "B", 8, "pot", "XX-2", WHY)
    book.move("A", "B", 2, "drop", "XX-3", WHY)
    assert book.pot == 0
    assert book.transfers[1] == Transfer(POT, "B", 8, "pot", "XX-2", WHY)
    assert booked(book) == "A>pot3:bets pot>B8:pot A>B2:drop"


def test_move_books_nothing_for_an_amount_of_0() -> None:
    book = Book(5)
    book.move("A", POT, 0, "bets", "XX-1", WHY)
    assert (book.transfers, book.pot) == ([], 5)


@pytest.mark.parametrize(
    ("giver", "taker", "amount"),
    [("A", "B", -1), ("A", "A", 1), (POT, "A", 6)],
    ids=["negative", "to oneself", "more than the pot holds"],
)
def test_move_refuses_what_no_game_may_do(giver: str, taker: str, amount: int) -> None:
    with pytest.raises(AssertionError):
        Book(5).move(giver, taker, amount, "pot", "XX-1", WHY)


def test_antes_go_in_in_the_order_given() -> None:
    book = Book(0)
    book.antes("BCA", 2, "XX-1")
    assert booked(book) == "B>pot2:ante C>pot2:ante A>pot2:ante"
    assert [(t.rule, str(t.because)) for t in book.transfers] == [("XX-1", "ante")] * 3


def test_no_ante_books_nothing() -> None:
    book = Book(0)
    book.antes("ABC", 0, "XX-1")
    assert book.transfers == []


def test_antes_come_before_the_rest_of_what_was_paid() -> None:
    book = Book(0)
    book.antes_and_bets("BCA", {"A": 10, "B": 2, "C": 1}, 2, "XX-1")
    assert booked(book) == "B>pot2:ante C>pot1:ante A>pot2:ante A>pot8:bets"
    assert book.pot == 13


@pytest.mark.parametrize(
    ("winners", "odd_stays", "expected", "left"),
    [
        ("B", False, "pot>B10:pot", 0),
        ("BCA", False, "pot>B4:pot pot>C3:pot pot>A3:pot", 0),
        ("BCA", True, "pot>B3:pot pot>C3:pot pot>A3:pot", 1),
    ],
)
def test_c_3_pay_out(winners: str, odd_stays: bool, expected: str, left: int) -> None:
    book = Book(10)
    book.pay_out(book.pot, winners, "XX-1", WHY, odd_stays=odd_stays)
    assert booked(book) == expected
    assert book.pot == left


def test_pay_out_has_the_reason_it_is_given() -> None:
    book = Book(1)
    book.pay_out(1, "AB", "XX-1", WHY, reason="hand-bonus")
    assert booked(book) == "pot>A1:hand-bonus"
