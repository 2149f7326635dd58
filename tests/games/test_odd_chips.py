"""Odd chips by the cards held, against a reading that looks at the written cards alone. Rule: C-3."""

from __future__ import annotations

from random import Random

import pytest
from plain_poker import DECK, RANKS
from rounds import document, settled

HIGH_TO_LOW = ["spades", "hearts", "diamonds", "clubs"]


def plain_highest(how: str, hands: dict[str, list[str]]) -> list[str]:
    """List the players by their cards, highest first, comparing card by card in words."""

    def words(card: str) -> tuple[int, int]:
        rank, suit = RANKS.index(card[0]), 4 - [name[0] for name in HIGH_TO_LOW].index(card[1])
        return (rank, suit) if how == "highest-card" else (suit, rank)

    ordered: list[str] = []
    for player in hands:
        at = 0
        for at, other in enumerate([*ordered, ""]):  # noqa: B007 - the place found
            if not other or sorted(map(words, hands[player]))[::-1] > sorted(map(words, hands[other]))[::-1]:
                break
        ordered.insert(at, player)
    return ordered


@pytest.mark.parametrize("how", ["highest-card", "suit"])
def test_c_3_odd_units_by_the_cards(how: str) -> None:
    """Three players share a pot in Knock, with different cards of the same points."""
    random, said = Random(3), set()
    names = ["Ana", "Beto", "Caro"]
    for _ in range(300):
        dealt = random.sample([card for card in DECK if card[0] in "5Q"], 8)
        rest = [card for card in DECK if card[0] not in "5Q7A"]
        random.shuffle(rest)
        # two fives or queens, and three equal cards in other suits: the same points for three players
        rank = random.choice("23468T")
        suits = random.sample("shdc", 3)
        hands = {
            name: [rank + suit, *dealt[2 * at : 2 * at + 2]]
            for at, (name, suit) in enumerate(zip(random.sample(names, 3), suits, strict=True))
        }
        fill = [card for card in rest if card[0] not in rank]
        of_two_ranks = [[card for card in fill if card[0] == one][:3] for one in random.sample("KJ9", 2)]
        for at, hand in enumerate(hands.values()):
            hand += [cards[at] for cards in of_two_ranks]
        pot = random.randint(0, 9)
        written = document("knock", "; ".join(f"{name}: {' '.join(hands[name])}" for name in names), pot=pot)
        written["rules"]["odd_chips"] = how
        settlement = settled(written)
        winners = settlement["winners"]
        each, odd = divmod(pot + 3, len(winners))
        first = plain_highest(how, {name: hands[name] for name in winners})[:odd]
        paid = {t["from"] + t["to"]: t for t in settlement["transfers"] if t["from"] == "pot"}
        for name in winners:
            transfer = paid["pot" + name]
            assert transfer["amount"] == each + (name in first)
            what = "highest card" if how == "highest-card" else "highest suit"
            assert transfer["because"].endswith(f"; the odd chip for the {what}") == (name in first)
        said.add((len(winners), odd))
    assert said == {(3, 0), (3, 1), (3, 2)}


def test_c_3_whose_cards_are_not_known_comes_last() -> None:
    written = document("knock", "Ana counts=2; Beto: 2s 5h 5d Qs Qh; Caro counts=9", "odd_chips=suit")
    assert settled(written)["net"] == {"Ana": 0, "Beto": 1, "Caro": -1}


def test_c_3_a_joker_is_above_all() -> None:
    rules = "wild=jokers odd_chips=highest-card"
    seats = "Ana paid=1: As Ah Ks Jh 9s; Beto paid=1: Ad Jk Kh Jd 9d; Caro paid=1: 8c 7h 5d 3s 2d"
    assert settled(document("draw-poker", seats, rules))["net"] == {"Ana": 0, "Beto": 1, "Caro": -1}
