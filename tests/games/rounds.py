"""Short notation for the games' test tables: rounds, transfers and problems as lines of text.

A round lists its players in seat order: "Ana knocked: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro dropped". The last
player deals unless another is marked as dealer. Results stated by the table: "Ana won", "Beto counts=7.5". Bets follow
a slash, those after an exchange another: "Ana: ...; Beto: ... / Ana check, Beto bet 4, Ana call / Ana check, Beto
check". Transfers are "Beto>Ana 50 stayed-in KP-4"; several givers or takers are separated by commas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from tables import each_row

from companion.contract import read_round, settle
from companion.engine.game import AnyRound
from companion.games import AnyGame, all_games

Document = dict[str, Any]
Test = Callable[..., None]

_ONE = {"knocked": "knocker", "called": "caller", "showed": "shown_by"}
_FLAGS = {
    "first": "knocked_before_drawing",
    "drew-late": "drew_after_knocking",
    "passed": "passed_in",
    "last": "last_round",
    "stays": "pot_stays",
}
_SEVERAL = {
    "dropped": "dropped",
    "folded": "folded",
    "out": "out",
    "foul": "foul",
    "mucked": "mucked",
    "won": "won_by",
    "false": "false_openers",
}
_NUMBERS = {
    "paid": "paid",
    "drew": "draws",
    "exchanged": "exchanged",
    "counts": "points",
    "kept": "kept",
    "pays": "pays",
    "gets": "gets",
}


class Case(NamedTuple):
    """A round and its transfers; the test id begins with the rule it shows."""

    id: str
    seats: str
    transfers: str = ""
    rules: str = ""


class Hand(NamedTuple):
    """A hand, its category and its description."""

    cards: str
    category: str
    description: str
    rules: str = ""

    @property
    def id(self) -> str:
        return f"{self.cards} {self.rules}".strip()


class Order(NamedTuple):
    """Two hands, compared."""

    cards: str
    rules: str = ""

    id = Hand.id


class Rare(NamedTuple):
    """A hand and how often one as good is dealt."""

    cards: str
    words: str
    rules: str = ""

    id = Hand.id


class Bad(NamedTuple):
    """A round that can't be settled, and its problems: "field code; field code"."""

    id: str
    seats: str
    problems: str
    rules: str = ""


def settles(game: str, rounds: str) -> Test:
    """Make the test of a table of rounds and their transfers."""

    @each_row(rounds, Case)
    def test(row: Case) -> None:
        settlement = settled(document(game, row.seats, row.rules))
        assert transfers(settlement) == lines(row.transfers)
        if settlement["hands"]:  # else the table stated the result
            every_reason_is_true(settlement)

    return test


def refuses(game: str, rounds: str) -> Test:
    """Make the test of a table of rounds that can't be settled."""

    @each_row(rounds, Bad)
    def test(row: Bad) -> None:
        assert sorted(problems(document(game, row.seats, row.rules))) == sorted(listed(row.problems))

    return test


def reads(game: str, hands: str, seats: str) -> Test:
    """Make the test of a table of hands: Ana's in "Ana: {}; Beto: {other}", with any other cards for {other}."""

    @each_row(hands, Hand)
    def test(row: Hand) -> None:
        about = seats.format(row.cards, other=others(game, row.cards, row.rules))
        shown = hand_of("Ana", settled(document(game, about, row.rules)))
        assert row.category in (shown["category"], shown["points"])
        assert shown["description"] == row.description

    return test


def orders(game: str, pairs: str, seats: str) -> Test:
    """Make the test of a table of two hands each, "one > another" or "one = another", and house rules."""

    @each_row(pairs, Order)
    def test(row: Order) -> None:
        one, sign, other = re.split(" ([>=]) ", row.cards)
        settlement = settled(document(game, seats.format(one, other), row.rules))
        ana, beto = (hand_of(player, settlement)["place"] for player in ("Ana", "Beto"))
        assert sign == ("=" if ana == beto else ">" if ana < beto else "<")

    return test


def is_as_rare(game: str, hands: str, seats: str) -> Test:
    """Make the test of a table of hands and how rare they are; for the seats see `reads`."""

    @each_row(hands, Rare)
    def test(row: Rare) -> None:
        assert rarity(game, seats.format(row.cards, other=others(game, row.cards, row.rules)), row.rules) == row.words

    return test


def values(text: str) -> Document:
    """Parse "ante=2 bonuses=true deck=plain"."""
    pairs = (pair.split("=") for pair in text.split())
    return {key: _value(value) for key, value in pairs}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def document(game: str, seats: str, rules: str = "", *, pot: int = 0, stake: int = 1) -> Document:
    """Parse the short notation into a round document; "stake" and "pot" may stand among the house rules."""
    found = all_games()[game]
    round: Document = {"hands": {}} if found.has_hands else {}
    given = {"stake": stake, "pot": pot} | values(rules)
    written: Document = {"game": game, "stake": given.pop("stake"), "pot": given.pop("pot"), "rules": given}
    written |= {"players": [], "round": round, **({"called": found.example_name} if found.is_named else {})}
    about_seats, *bets = seats.split(" / ")
    round |= {key: actions(text) for key, text in zip(("bets", "bets_after_exchange"), bets, strict=False)}
    for seat in about_seats.split(";"):
        about, _, cards = seat.partition(":")
        name, *marks = about.split()
        written["players"].append(name)
        if cards.strip():
            round["hands"][name] = cards.strip()
        for mark in marks:
            _mark(written, name, mark)
    return written


def actions(text: str) -> list[Document]:
    """Parse actions: "Ana check, Beto bet 4"."""
    words = [item.split() for item in text.split(",") if item.strip()]
    return [
        {"player": player, "action": action, **({"amount": int(amount[0])} if amount else {})}
        for player, action, *amount in words
    ]


def _mark(written: Document, name: str, mark: str) -> None:
    key, _, number = mark.partition("=")
    if key == "dealer":
        written["dealer"] = name
    elif key in _FLAGS:
        written["round"][_FLAGS[key]] = True
    elif key in _ONE:
        written["round"][_ONE[key]] = name
    elif key in _SEVERAL:
        written["round"].setdefault(_SEVERAL[key], []).append(name)
    else:
        written["round"].setdefault(_NUMBERS[key], {})[name] = _value(number)


def settled(written: Document) -> Document:
    """Settle a valid round."""
    status, settlement = settle(written)
    assert status == 200, settlement
    return settlement


def hand_of(player: str, settlement: Document) -> Document:
    """Return what a player showed."""
    return next(hand for hand in settlement["hands"] if hand["player"] == player)


def transfers(settlement: Document) -> list[str]:
    """Write the transfers of a settlement as lines."""
    return ["{from}>{to} {amount} {reason} {rule}".format(**transfer) for transfer in settlement["transfers"]]


def handovers(settlement: Document) -> list[str]:
    """Write the handovers of a settlement as lines."""
    return ["{from}>{to} {amount}".format(**handover) for handover in settlement["handovers"]]


def lines(text: str) -> list[str]:
    """Parse transfers in short notation: one line per giver and taker."""
    found = []
    for row in listed(text):
        accounts, rest = row.split(" ", 1)
        givers, takers = (side.split(",") for side in accounts.split(">"))
        found += [f"{giver}>{taker} {rest}" for giver in givers for taker in takers]
    return found


def problems(written: Document) -> list[str]:
    """Return the problems of a round that can't be settled as "field code"."""
    status, answer = settle(written)
    assert status == 422, answer
    return [f"{error['field']} {error['code']}" for error in answer["errors"]]


def listed(text: str) -> list[str]:
    """Split a list at semicolons."""
    return [item.strip() for item in text.split(";") if item.strip()]


def others(game: str, cards: str, rules: str = "") -> str:
    """Return as many cards or tiles as a hand has, the first of the deck that aren't in it."""
    found = all_games()[game]
    pieces = found.pieces(found.options(**values(rules)))
    held = pieces.hand(cards)
    return " ".join([piece.text for piece in pieces.pieces if piece not in held][: len(held)])


def entered(written: Document) -> tuple[AnyGame, AnyRound]:
    """Read a valid round."""
    found = read_round(written)
    assert found.game is not None
    assert found.round is not None, found.problems
    return found.game, found.round


def rarity(game: str, seats: str, rules: str = "") -> str:
    """Settle a round and return how rare the first player's hand is."""
    found, round = entered(document(game, seats, rules))
    hand = next(hand for hand in found.settle(round).hands if hand.player == round.players[0])
    rarity = found.rarity(round.options, hand.cards, hand.reading)
    return str(rarity and rarity.odds)


def every_reason_is_true(settlement: Document) -> None:
    """A transfer's reason may say of a hand only what the shown hands bear out, for the players it concerns."""
    shown = {hand["player"]: hand for hand in settlement["hands"]}
    shares = {t["reason"] for t in settlement["transfers"] if t["to"] == "pot"} & {"stayed-in"}
    for transfer in settlement["transfers"]:
        why, taker = transfer["because"].partition("; the odd chip")[0], shown.get(transfer["to"])
        rivals = set(shown)
        if among := re.fullmatch(r"(.+) is best of (.+) in this part of the pot", why):
            rivals = set(re.split(", | and ", among[2]))
        elif not re.search(r"best hand|fewest points", why):
            assert "those outside the tie paid" not in why or shares
            continue
        assert taker is not None
        assert taker["place"] == min(shown[player]["place"] for player in rivals), transfer
        described = among[1] if among else why.partition("best hand: ")[2]
        assert described in ("", taker["description"]), transfer


def places(settlement: Document) -> str:
    """Write the places: "1 Beto, 2 Ana"."""
    return ", ".join(f"{hand['place']} {hand['player']}" for hand in settlement["hands"])
