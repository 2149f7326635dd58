"""Dompe: hands of five and six cards, near-ties, the pot, and refusals."""

from __future__ import annotations

import pytest
from rounds import (
    Bad,
    Case,
    Hand,
    cases,
    compare,
    document,
    lines,
    listed,
    others,
    places,
    problems,
    rarity,
    settled,
    settled_case,
    transfers,
)

from companion.contract import settle

GAME = "dompe"

FIVES = [
    Hand("9s 9h 9d 9c Jk", "five-of-a-kind", "five of a kind, nines"),
    Hand("7c 6c 5c 4c 3c", "straight-flush", "straight flush, seven high"),
    Hand("Ah Kh Qh Jh Th", "straight-flush", "straight flush, ace high"),
    Hand("Ah Kh Jk Jh Th", "straight-flush", "straight flush, ace high"),
    Hand("9s 9h 9d 9c 4h", "four-of-a-kind", "four of a kind, nines"),
    Hand("9s 9h 9d Jk 4h", "four-of-a-kind", "four of a kind, nines"),
    Hand("9s 9h 9d 4c 4d", "full-house", "full house, nines over fours"),
    Hand("9s 9h Jk 4c 4d", "full-house", "full house, nines over fours"),
    Hand("Ad Kd 8d 5d 3d", "flush", "flush, ace high"),
    Hand("As Ks 9s 5s Jk", "flush", "flush, ace high"),
    Hand("Jh Ts 9d 8d 7c", "straight", "straight, jack high"),
    Hand("5s 4h 3d 2c Ah", "straight", "straight, five high"),
    Hand("Jk 4h 3d 2c Ah", "straight", "straight, five high"),
    Hand("8s 7h 6d Jk 4c", "straight", "straight, eight high"),
    Hand("2s 2h 2d 7c Kd", "three-of-a-kind", "three of a kind, twos"),
    Hand("Ks Kd Jk 9h 4c", "three-of-a-kind", "three of a kind, kings"),
    Hand("Ks Kd 9h 9c 4s", "no-hand", "no qualifying hand"),
    Hand("Ks 9h 7c 4s Jk", "no-hand", "no qualifying hand"),
    Hand("9s 9h 9d 9c 4h", "four-of-a-kind", "four of a kind, nines", "deck=plain"),
    Hand("5o 6c 7e 10b 11o", "straight", "straight, Caballo high", "deck=spanish-40"),
    Hand("7o 10c 11e 12b 1o", "straight", "straight, ace high", "deck=spanish-40"),
    Hand("5o 4c 3e 2b 1o", "straight", "straight, five high", "deck=spanish-40"),
    Hand("5o 6c 7e 10b 11o", "no-hand", "no qualifying hand", "deck=spanish-48"),
    Hand("7o 8c 9e 10b 11o", "straight", "straight, Caballo high", "deck=spanish-48"),
    Hand("9o 10c 11e 12b 1o", "straight", "straight, ace high", "deck=spanish-48"),
    Hand("2o 5c 5e 5b 7o", "four-of-a-kind", "four of a kind, fives", "deck=spanish-40 yuca=true"),
    Hand("2o 5c 5e 5b 7o", "three-of-a-kind", "three of a kind, fives", "deck=spanish-40"),
    Hand("2o 12c 12e 12b 12o", "five-of-a-kind", "five of a kind, Reyes", "deck=spanish-48 yuca=true"),
]

SIXES = [
    Hand("Ad Kd 9d 8d 5d 3d", "six-card-flush", "six-card flush"),
    Hand("Ad Kd 9d 8d 5d Jk", "six-card-flush", "six-card flush"),
    Hand("9d 8d 7d 6d 5d 4d", "six-card-flush", "six-card flush"),
    Hand("Jh Ts 9d 8d 7c 6c", "six-card-straight", "six-card straight"),
    Hand("Ah Ks Qd Jd Tc 9c", "six-card-straight", "six-card straight"),
    Hand("Ah 2s 3d 4d 5c 6c", "six-card-straight", "six-card straight"),
    Hand("Ah 2s Jk 4d 5c 6c", "six-card-straight", "six-card straight"),
    Hand("Ks Kd 9h 9c 4s 4h", "three-pairs", "three pairs"),
    Hand("Ks Kd 9h 9c 4s Jk", "three-pairs", "three pairs"),
    Hand("9s 9h 9d 9c Jk", "five-of-a-kind", "five of a kind, nines"),
    Hand("4o 5c 6e 7b 10o 11c", "six-card-straight", "six-card straight", "deck=spanish-40"),
    Hand("6o 7c 8e 9b 10o 11c", "six-card-straight", "six-card straight", "deck=spanish-48"),
    Hand("1o 3o 5o 2o 7o 12o", "six-card-flush", "six-card flush", "deck=spanish-40"),
    Hand("1c 3c 5c 2o 7c 12c", "six-card-flush", "six-card flush", "deck=spanish-40 yuca=true"),
]

NO_WINS = [
    Hand("9s 9h 9d 9c 4s 4h", "four of a kind, nines", "4h 4s"),
    Hand("9s 9h 9d 4s 4h Jk", "four of a kind, nines", "4h 4s"),
    Hand("9s 9h 9d 4s 4h 4d", "full house, nines over fours", "4h 4s 4d"),
    Hand("9s 9h 9d 9c 4h Jk", "hold a quintilla", "4h"),
    Hand("Qh Ks Ad 2d 3c 4c", "no five of them are a hand", "Qh Ks Ad 2d 3c 4c"),
    Hand("Ks Kd 9h 9c 4s 5h", "no five of them are a hand", "4s 5h"),
    Hand("9s 9h 9d 9c 4h", "four of a kind, nines", ""),
    Hand("9s 8h 7d 6c 5h", "straight, nine high", ""),
    Hand("4o 5c 6e 7b 10o 11c", "no five of them are a hand", "4o 5c 6e 7b 10o 11c", "deck=spanish-48"),
]

ORDER = [
    "9s 9h 9d 9c Jk > Ah Kh Qh Jh Th",
    "5c 4c 3c 2c Ac > As Ah Ad Ks Kd",
    "6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad",
    "2s 2h 2d 2c 3s > As Ah Ad Ks Kd",
    "2s 2h 2d 3c 3d > Ac Kc Qc Jc 9c",
    "7c 5c 4c 3c 2c > As Kh Qd Jd Th",
    "5s 4h 3d 2c Ac > Ks Kh Kd 9c 4d",
    "As Ks 9s 5s Jk > Ah Kh Qh Jh 9h",  # A-A-K-9-5 over A-K-Q-J-9
    "Qs Jd Th 9s 8c > Qc Jh Td 9d 8s",  # the seed: queen of spades over queen of clubs
    "8c 7d 6s Jk 4h > 8d 7h 6d 5d 4s",  # the seed: the joker wins, even as a 5
    "Ad Kd 8d 5d 3d > Ah Kh 8h 5h 3h",
    "Ah Kh 8h 5h 3h > As Ks 8s 5s 3s",
    "As Ks 8s 5s 3s > Ac Kc 8c 5c 3c",
    "5d 4s 3s 2h Ac > 5c 4d 3d 2c Ad",
    "5h 4d 3d 2d Ac > 5s 4h 3c 2c Ad",
    "Ad Kc Qc Jc Tc > Ah Kd Qd Jd Td",
    "As Ah Ks 9d Jk > Qs Qh Qd 7h 2c",
]
SPANISH_ORDER = [
    "1o 12o 7o 5o 3o > 1c 12c 7c 5c 3c",
    "1c 12c 7c 5c 3c > 1e 12e 7e 5e 3e",
    "1e 12e 7e 5e 3e > 1b 12b 7b 5b 3b",
    "5b 4b 2o 6c 7c > 5o 4c 3o 6o 7o",
]

THREE = "Beto,Ana,Caro>pot 1 ante DO-1"
TRIPLE, STRAIGHT, NOTHING = "2s 2h 2d 7c Kd", "Jh Ts 9d 8d 7h", "Ks Qd 9h 9c 4s"

ROUNDS = [
    Case(
        "do_1_turn_order_runs_to_the_right",
        f"Ana called: {STRAIGHT}; Beto: {TRIPLE}; Caro dealer: {NOTHING}; Dani: 3s 4h 5d 6c 8c",
        "Beto,Ana,Dani,Caro>pot 50 ante DO-1; pot>Ana 200 pot DO-7",
        "ante=2",
        stake=25,
    ),
    Case("do_2_no_ante", f"Ana called: {TRIPLE}; Beto: {NOTHING}", "", "ante=0 deck=plain"),
    Case(
        "do_2_spanish_40_the_7_is_next_to_the_sota",
        "Ana called: 5o 6c 7e 10b 11o; Beto: 3o 3c 3e 1b 12o",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
        "deck=spanish-40",
    ),
    Case(
        "do_2_spanish_48_the_7_is_not_next_to_the_sota",
        "Ana: 5o 6c 7e 10b 11o; Beto called: 3o 3c 3e 1b 12o",
        "Ana,Beto>pot 1 ante DO-1; pot>Beto 2 pot DO-7",
        "deck=spanish-48",
    ),
    Case(
        "do_2_yuca",
        "Ana: 2o 4c 4e 1b 12o; Beto called: 3o 3c 3e 1c 12c",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
        "deck=spanish-40 yuca=true",
    ),
    Case(
        "do_3_a_double_ace_flush",
        "Ana: As Ks 9s 5s Jk; Beto called: Ah Kh Qh Jh 9h",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
    ),
    Case(
        "do_4_no_hand_never_wins",
        f"Ana: As Ah Kc Kh 4c; Beto called: {TRIPLE}",
        "Ana,Beto>pot 1 ante DO-1; pot>Beto 2 pot DO-7",
    ),
    Case(
        "do_5_three_pairs",
        "Ana showed: Ks Kd 9h 9c 4s Jk; Beto; Caro",
        f"{THREE}; pot>Ana 3 pot DO-6",
    ),
    Case(
        "do_6_quintilla",
        "Ana; Beto showed: 9s 9h 9d 9c Jk; Caro",
        f"{THREE}; pot>Beto 8 pot DO-6",
        pot=5,
    ),
    Case(
        "do_7_the_caller_is_beaten_and_pays_nothing",
        f"Ana called: {TRIPLE}; Beto: {STRAIGHT}; Caro: Ks Qd 9h 9s 4s",
        f"{THREE}; pot>Beto 3 pot DO-7",
    ),
    Case(
        "do_8_the_joker_wins",
        "Ana: 8c 7d 6s Jk 4h; Beto called: 8d 7h 6d 5d 4s",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
    ),
    Case(
        "do_8_the_highest_cards_suit",
        "Ana: Qs Jd Th 9s 8c; Beto called: Qc Jh Td 9d 8s; Caro: Qh Jc Tc 9h 8h",
        f"{THREE}; pot>Caro 3 pot DO-7",
    ),
    Case(
        "do_9_the_caller_shows_first",
        "Ana: 8c 7d 6s Jk 4h; Beto called: 8d 7h 6d 5d 4s",
        "Ana,Beto>pot 1 ante DO-1; pot>Beto 2 pot DO-7",
        "equal_hands=first-to-show",
    ),
    Case(
        "do_9_then_on_anticlockwise",
        "Ana: Qd Js Ts 9s 8c; Beto: Qc Jh Td 9d 8s; Caro called: 2s 2h 2d 7c Kd",
        f"{THREE}; pot>Beto 3 pot DO-7",
        "equal_hands=first-to-show",
    ),
]

SPADES = "suits=spades-first"
ROUNDS += [
    Case(
        "do_6_an_outright_win_after_a_call",
        "Ana called; Beto showed: 9s 9h 9d 9c Jk; Caro",
        f"{THREE}; pot>Beto 3 pot DO-6",
    ),
    Case(
        "do_6_of_the_caller",
        "Ana called showed: Ks Kd 9h 9c 4s Jk; Beto; Caro",
        f"{THREE}; pot>Ana 3 pot DO-6",
    ),
    Case(
        "do_10_spades_first",
        "Ana: Qs Jd Th 9s 8c; Beto called: Qc Jh Td 9d 8s; Caro: Qh Jc Tc 9h 8h; Dani: Qd Js Ts 9c 8d",
        "Caro,Beto,Ana,Dani>pot 1 ante DO-1; pot>Ana 4 pot DO-7",
        SPADES,
    ),
    Case(
        "do_10_the_wild_card_wins_all_the_same",
        "Ana: 8c 7d 6s Jk 4h; Beto called: 8s 7h 6d 5d 4s",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
        SPADES,
    ),
    Case(
        "do_11_bonus",
        "Ana; Beto showed: 9s 9h 9d 9c Jk; Caro",
        "Beto,Ana,Caro>pot 25 ante DO-1; Ana,Caro>Beto 50 hand-bonus DO-11; pot>Beto 80 pot DO-6",
        "outright_bonus=2",
        pot=5,
        stake=25,
    ),
    Case(
        "do_11_needs_no_hand",
        "Ana; Beto showed won; Caro",
        f"{THREE}; Ana,Caro>Beto 2 hand-bonus DO-11; pot>Beto 3 pot DO-6",
        "outright_bonus=2",
    ),
    Case(
        "do_11_no_bonus_after_a_call",
        f"Ana called: {TRIPLE}; Beto: {NOTHING}",
        "Ana,Beto>pot 1 ante DO-1; pot>Ana 2 pot DO-7",
        "outright_bonus=2",
    ),
]

BAD = [
    Bad(
        "do_6_shown_after_a_call_but_no_win",
        "Ana called; Beto showed: 9s 9h 9d 4d 4s",
        "round.hands.Beto not-an-outright-win",
    ),
    Bad(
        "do_6_only_the_winner_shows",
        f"Ana called: {TRIPLE}; Beto showed: 9s 9h 9d 9c Jk",
        "round.hands.Ana unexpected-hand",
    ),
    Bad("neither_called_nor_shown", "Ana: 2s 2h 2d 7c Kd; Beto: Ks Qd 9h 9c 4s", "round.caller missing-field"),
    Bad("do_7_called_with_two_pairs", f"Ana called: Ks Kc 9h 9c 4s; Beto: {TRIPLE}", "round.hands.Ana invalid-knock"),
    Bad(
        "do_6_nine_nine_nine_nine_four_four",
        "Ana showed: 9s 9h 9d 9c 4s 4h; Beto",
        "round.hands.Ana not-an-outright-win",
    ),
    Bad("do_6_two_triplets", "Ana showed: 9s 9h 9d 4d 4s 4h; Beto", "round.hands.Ana not-an-outright-win"),
    Bad("others_need_not_show", f"Ana showed: 9s 9h 9d 9c Jk; Beto: {TRIPLE}", "round.hands.Beto unexpected-hand"),
    Bad(
        "do_2_yuca_with_a_french_deck",
        f"Ana called: {TRIPLE}; Beto: {NOTHING}",
        "rules.yuca bad-rule-value",
        "yuca=true",
    ),
    Bad(
        "do_2_no_joker_in_a_plain_deck",
        f"Ana called: {TRIPLE}; Beto: Ks Qd 9h 9c Jk",
        "round.hands.Beto bad-card",
        "deck=plain",
    ),
    Bad(
        "do_2_no_eight_in_spanish_40",
        "Ana called: 3o 3c 3e 1b 12o; Beto: 1o 2c 8e 4b 5o",
        "round.hands.Beto bad-card",
        "deck=spanish-40",
    ),
    Bad("six_cards_after_a_call", f"Ana called: {TRIPLE} Kh; Beto: {STRAIGHT}", "round.hands.Ana wrong-hand-size"),
    Bad("four_cards_shown", "Ana showed: 9s 9h 9d 9c; Beto", "round.hands.Ana wrong-hand-size"),
    Bad("the_joker_twice", "Ana called: 9s 9h 9d 8c Jk; Beto: 2s 3h 4d 5c Jk", "round.hands.Beto duplicate-card"),
    Bad(
        "six_players",
        "Ana showed: 9s 9h 9d 9c Jk; Beto; Caro; Dani; Eli; Flor",
        "players too-many-players",
    ),
]


@pytest.mark.parametrize("hand", cases(FIVES))
def test_do_4_five_cards(hand: Hand) -> None:
    caller = others(GAME, hand.cards, hand.rules)  # cards of one suit, so a flush or better
    settlement = settled(document(GAME, f"Ana called: {caller}; Beto: {hand.cards}", hand.rules))
    shown = next(shown for shown in settlement["hands"] if shown["player"] == "Beto")
    assert (shown["category"], shown["description"]) == (hand.category, hand.description)


@pytest.mark.parametrize("hand", cases(SIXES))
def test_do_5_outright_win(hand: Hand) -> None:
    settlement = settled(document(GAME, f"Ana showed: {hand.cards}; Beto", hand.rules))
    (shown,) = settlement["hands"]
    assert (shown["category"], shown["description"]) == (hand.category, hand.description)
    assert settlement["winners"] == ["Ana"]


@pytest.mark.parametrize("hand", cases(NO_WINS))
def test_do_6_no_outright_win_says_what_it_is_and_what_to_discard(hand: Hand) -> None:
    made, discards = hand.category, hand.description.split()
    status, answer = settle(document(GAME, f"Ana showed: {hand.cards}; Beto", hand.rules))
    assert status == 422
    (error,) = answer["errors"]  # type: ignore[misc]
    assert error["code"] == "not-an-outright-win"
    assert made in error["message"]
    assert not discards or any(f"discard {card}" in error["message"] for card in discards)


@pytest.mark.parametrize(
    ("cards", "ranks"),
    [
        ("Ah 2s Jk 4d 5c 6c", "3"),
        ("9s 8h 7d 6c 5s Jk", "T"),
        ("As Kh Qd Jc Ts Jk", "9"),
        ("As 2h 3d 4c 5s Jk", "6"),
        ("Ks Kd 9h 9c 4s Jk", "4"),
    ],
)
def test_do_6_the_wild_card_completes_the_higher_hand(cards: str, ranks: str) -> None:
    (shown,) = settled(document(GAME, f"Ana showed: {cards}; Beto"))["hands"]
    assert [card[0] for card in shown["wild_as"]] == [*ranks]


@pytest.mark.parametrize("row", ORDER)
def test_do_8_order(row: str) -> None:
    assert compare(GAME, row, "called", "") == row


@pytest.mark.parametrize("row", SPANISH_ORDER)
def test_do_8_spanish_order(row: str) -> None:
    assert compare(GAME, row, "called", "", f"deck=spanish-40 yuca={'true' if '2o' in row else 'false'}") == row


def test_do_4_no_hands_share_the_last_place() -> None:
    seats = "Ana: Ks Kd 9h 9c 4s; Beto called: 2s 2h 2d 7c Kc; Caro: Ah Qs Jd 8c 3d"
    assert places(settled(document(GAME, seats))) == "1 Beto, 2 Ana, 2 Caro"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [("", "1 Ana, 2 Beto, 3 Caro"), ("equal_hands=first-to-show", "1 Caro, 2 Beto, 3 Ana")],
)
def test_do_9_the_better_place_too(rules: str, expected: str) -> None:
    seats = "Ana: Qd Js Ts 9s 8c; Beto: Qh Jh Td 9d 8s; Caro called: Qc Jc Tc 9h 8h"
    assert places(settled(document(GAME, seats, rules))) == expected


@pytest.mark.parametrize("case", cases(ROUNDS))
def test_round(case: Case) -> None:
    assert transfers(settled_case(GAME, case)) == lines(case.transfers)


@pytest.mark.parametrize("bad", cases(BAD))
def test_bad_round(bad: Bad) -> None:
    assert sorted(problems(GAME, bad)) == sorted(listed(bad.problems))


SUITS = [
    ("Qs Jd Th 9s 8c > Qh Jc Tc 9h 8h > Qd Js Ts 9c 8d > Qc Jh Td 9d 8s", "deck=plain"),
    ("12e 11o 10c 7e 6b > 12c 11b 10e 7o 6o > 12o 11e 10b 7c 6c > 12b 11c 10o 7b 6e", "deck=spanish-40"),
]


@pytest.mark.parametrize(("row", "rules"), SUITS)
def test_do_10_suits_from_high_to_low(row: str, rules: str) -> None:
    first, *hands = row.split(" > ")
    for hand in hands:
        assert compare(GAME, f"{first} > {hand}", "called", "", f"{rules} {SPADES}") == f"{first} > {hand}"
        first = hand


RARITY = [
    ("called: 9s 9h 9d Jk 4d", "four of a kind: 1 in 920; this hand or better: 1 in 1,775", ""),
    (
        "called: Ah Kh Qh Jh Th",
        "straight flush: 1 in 64,974; this hand or better: 1 in 649,740",
        "deck=plain",
    ),  # 40, no royal apart
    ("called: 9s 9h 9d 9c 4d", "four of a kind: 1 in 4,165; this hand or better: 1 in 8,122", "deck=plain"),
    (
        "called: 9s 9h 9d 9c 4d",
        "four of a kind: 1 in 4,165; this hand or better: 1 in 8,122",
        "deck=plain equal_hands=first-to-show",
    ),
    ("showed: 9s 9h 9d 9c Jk", "five of a kind: 1 in 220,745; this hand or better: 1 in 478,281", ""),
    ("showed: Ad Kd 9d 8d 5d 3d", "six-card flush: 1 in 1,911; this hand or better: 1 in 82", ""),
    ("showed: Ks Kd 9h 9c 4s 4h", "three pairs: 1 in 330; this hand or better: 1 in 193", "deck=plain"),
    ("showed: 12o 12c 9o 9c 2o 4c", "three pairs: 1 in 97; this hand or better: 1 in 60", "deck=spanish-48 yuca=true"),
    (
        "called: 12o 12c 12e 2o 4c",
        "four of a kind: 1 in 408; this hand or better: 1 in 1,434",
        "deck=spanish-40 yuca=true",
    ),
]


@pytest.mark.parametrize(("hand", "words", "rules"), RARITY)
def test_rarity(hand: str, words: str, rules: str) -> None:
    cards = hand.partition(":")[2]
    other = f": {others(GAME, cards, rules)}" if hand.startswith("called") else ""
    assert rarity(GAME, f"Ana {hand}; Beto{other}", rules) == words


def test_rarity_of_no_hand() -> None:
    words = "lesser hand: 9 in 10"
    assert rarity(GAME, "Ana: Ks Kd 9h 9c 4s; Beto called: 7c 7d 7h 2s 3d") == words
