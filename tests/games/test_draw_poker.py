"""Draw Poker with CARDominoes: hands with wild tiles, bets and side pots, exchanges, and refusals."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rounds import (
    Bad,
    Case,
    Hand,
    cases,
    compare,
    document,
    every_reason_is_true,
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

from companion.contract import read_round, settle
from companion.engine.settlement import won_pot
from companion.games import all_games

GAME = "draw-poker"
OFF = "five_of_a_kind=off"

HANDS = [
    Hand("Td Jd Qd Kd Ad", "royal-flush", "royal flush"),
    Hand("8s 7s 6s 5s 4s", "straight-flush", "straight flush, eight high"),
    Hand("6s 6h 6d 6c Ad", "four-of-a-kind", "four of a kind, sixes"),
    Hand("Qs Qh Qd 3c 3d", "full-house", "full house, queens over threes"),
    Hand("Kc Jc 8c 5c 2c", "flush", "flush, king high"),
    Hand("9h 8s 7d 6c 5h", "straight", "straight, nine high"),
    Hand("5h 4s 3d 2c Ah", "straight", "straight, five high"),
    Hand("7s 7h 7d Kc 2d", "three-of-a-kind", "three of a kind, sevens"),
    Hand("As Ah 8d 8c 5d", "two-pairs", "two pair, aces and eights"),
    Hand("Ts Th 9d 6c 3d", "pair", "pair of tens"),
    Hand("As Jh 9d 6c 3d", "high-card", "high card, ace"),
    Hand("Ks Kh Kd Kc Jk", "five-of-a-kind", "five of a kind, kings", "wild=jokers"),
    Hand("Ks Kh Kd Jk Jk", "five-of-a-kind", "five of a kind, kings", "wild=jokers"),
    Hand("As Ks 9s 5s Jk", "flush", "flush, ace high", "wild=jokers"),
    Hand("As Ks Jk Ts Jk", "royal-flush", "royal flush", "wild=jokers"),
    Hand("2s 2h 2d 2c Ks", "five-of-a-kind", "five of a kind, kings", 'wild="2"'),
    Hand("As Ah Ad Ac Ks", "five-of-a-kind", "five of a kind, kings", "wild=A"),
    Hand("Ks Kh Kd Kc 2s", "four-of-a-kind", "four of a kind, kings", f'wild="2" {OFF}'),
    Hand("Ks Kh Kd 2c 2s", "four-of-a-kind", "four of a kind, kings", f'wild="2" {OFF}'),
    Hand("2s 2h 2d 2c Ks", "royal-flush", "royal flush", f'wild="2" {OFF}'),
    Hand("Ks Kh Kd Kc 2s", "four-of-a-kind", "four of a kind, kings", 'wild="3"'),
    *(
        Hand(f"{rank}s {a}s {b}h {c}d {d}c", "pair", f"pair of {name}", f'wild="{rank}"')
        for row in (
            "2 K T 7 3 kings",
            "3 K T 7 4 kings",
            "4 K T 7 2 kings",
            "5 K T 7 2 kings",
            "6 K T 7 2 kings",
            "7 K T 5 2 kings",
            "8 K T 5 2 kings",
            "9 K 8 5 2 kings",
            "T K 8 5 2 kings",
            "J K 8 5 2 kings",
            "Q K 8 5 2 kings",
            "K Q 8 5 2 queens",
            "A K 8 5 2 kings",
        )
        for rank, a, b, c, d, name in [row.split()]
    ),
]

ORDER = [
    "Ah Kh Qh Jh Th > Kd Qd Jd Td 9d",
    "6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad",
    "5d 4d 3d 2d Ad > As Ah Ac Kd Kc",
    "6h 5s 4d 3d 2c > 5h 4s 3s 2d Ac",
    "Ah Ks Qd Jd Tc > Kh Qs Js Td 9c",
    "Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h",
]
WILD_ORDER = [
    ("2s 2h 2d 2c Jk > Ah Kh Qh Jh Th", "wild=jokers"),
    ("Ah Kh Qh Jh Th > 3s 3h 3d 3c Jk", f"wild=jokers {OFF}"),
    ("As Ks 9s 5s Jk > Ah Kh Qh Jh 9h", "wild=jokers"),
    ("Ks Kh Kd Kc Jk > Qs Qh Qd Qc Ad", f"wild=jokers {OFF}"),
    ("9s 9h 9d Ac Jk > 8s 8h 8d 8c Ad", "wild=jokers"),
    ("8c 7d 6s Jk 4h = 8d 7h 6d 5d 4s", "wild=jokers"),
]

PAIR, FLUSH, HIGH = "8c 8d Js 7d 4h", "Ah Kh 8h 5h 3h", "Kd Qs Jh Tc 6h"
SAME = "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"
ANTES = "Ana,Beto,Caro>pot 1 ante DR-1"

ROUNDS = [
    Case(
        "dr_1_best_hand",
        f"Ana paid=5: {PAIR}; Beto paid=5: {FLUSH}; Caro paid=3 folded",
        f"{ANTES}; Ana,Beto>pot 4 bets DR-1; Caro>pot 2 bets DR-1; pot>Beto 13 pot DR-1",
    ),
    Case(
        "dr_1_last_one_left_need_not_show",
        "Ana paid=3 folded; Beto paid=4; Caro paid=2 folded",
        "Ana,Beto,Caro>pot 2 ante DR-1; Ana>pot 1 bets DR-1; Beto>pot 2 bets DR-1; pot>Beto 19 pot DR-1",
        "ante=2",
        pot=10,
    ),
    Case(
        "dr_1_side_pots",
        f"Ana paid=2: {FLUSH}; Beto paid=5: {PAIR}; Caro paid=6: {HIGH}",
        f"""{ANTES}; Ana>pot 1 bets DR-1; Beto>pot 4 bets DR-1; Caro>pot 5 bets DR-1
        pot>Ana 6 pot DR-1; pot>Beto 6 pot DR-1; pot>Caro 1 returned DR-1""",
        "all_in=true",
    ),
    Case(
        "dr_1_a_tie_shares_a_layer",
        f"Ana paid=1: {SAME[0]}; Beto paid=4: {SAME[1]}; Caro paid=4: Kd Qs Jh Tc 6h",
        f"{ANTES}; Beto,Caro>pot 3 bets DR-1; pot>Ana 2 pot DR-1; pot>Beto 1 pot DR-1; pot>Beto 6 pot DR-1",
        "all_in=true",
    ),
    Case(
        "dr_2_equal_hands_share",
        f"Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded",
        f"{ANTES}; pot>Ana 2 pot DR-2; pot>Beto 1 pot DR-2",
    ),
    Case(
        "dr_2_odd_unit_stays",
        f"Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded",
        f"{ANTES}; pot>Ana,Beto 1 pot DR-2",
        "odd_chips=stay-in-pot",
    ),
    Case(
        "dr_3_a_joker_makes_the_flush_a_a_k_9_5",
        "Ana paid=1: As Ks 9s 5s Jk; Beto paid=1: Ah Kh Qh Jh 9h",
        "Ana,Beto>pot 1 ante DR-1; pot>Ana 2 pot DR-1",
        "wild=jokers",
    ),
    Case(
        "dr_3_deuces_wild",
        "Ana paid=1: As Ah 9d 5c 2s; Beto paid=1: Ks Kh Qd Qc 9h",
        "Ana,Beto>pot 1 ante DR-1; pot>Ana 2 pot DR-1",
        'wild="2"',
    ),
    Case(
        "dr_3_every_rank_once",
        "Ana paid=1: As Kh 8d 5c 2s; Beto paid=1: Qs Jh 9d 7c 3s; Caro paid=1: Th 6d 4c 5h Jd",
        f"{ANTES}; pot>Ana 3 pot DR-1",
    ),
    Case(
        "dr_4_five_of_a_kind_is_on_top",
        "Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk",
        "Ana,Beto>pot 1 ante DR-1; pot>Beto 2 pot DR-1",
        "wild=jokers",
    ),
    Case(
        "dr_4_five_of_a_kind_is_off",
        "Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk",
        "Ana,Beto>pot 1 ante DR-1; pot>Ana 2 pot DR-1",
        f"wild=jokers {OFF}",
    ),
    Case(
        "dr_5_the_ace_is_low_in_a_straight",
        "Ana paid=1: 5h 4s 3s 2d Ac; Beto paid=1: 6h 5s 4d 3d 2c",
        "Ana,Beto>pot 1 ante DR-1; pot>Beto 2 pot DR-1",
    ),
    Case(
        "dr_6_four_exchanged_with_an_ace",
        f"Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1 exchanged=3: {PAIR}; Caro paid=1 folded exchanged=4",
        f"{ANTES}; pot>Ana 3 pot DR-1",
    ),
]

ROUNDS += [
    Case(
        "dr_7_two_rounds_of_betting",
        f"Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 2, Beto call, Caro fold / Ana check, Beto bet 3, Ana call",
        f"{ANTES}; Ana,Beto>pot 5 bets DR-1; pot>Ana 13 pot DR-1",
    ),
    Case(
        "dr_7_one_left_before_the_exchange",
        "Ana; Beto; Caro / Ana check, Beto bet 1, Caro fold, Ana fold",
        f"{ANTES}; Beto>pot 1 bets DR-1; pot>Beto 4 pot DR-1",
    ),
    Case(
        "dr_7_nothing_to_bet_after_all_but_one_are_all_in",
        f"Ana: {PAIR}; Beto: {FLUSH} / Ana bet 5, Beto all-in 3",
        "Ana,Beto>pot 1 ante DR-1; Ana>pot 5 bets DR-1; Beto>pot 3 bets DR-1; pot>Beto 8 pot DR-1; "
        "pot>Ana 2 returned DR-1",
        "all_in=true",
    ),
    Case(
        "dr_7_a_bet_of_less_than_a_stake",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana bet 10, Beto call / Ana check, Beto check",
        "Ana,Beto>pot 25 ante DR-1; Ana,Beto>pot 10 bets DR-1; pot>Ana 70 pot DR-1",
        stake=25,
    ),
]

OPENERS = "openers=pair-of-jacks"
TWO_JOKERS, ONE_JOKER = "Ks Jk Jk 7d 4h", "Kh Kd Jk 7s 4c"

ROUNDS += [
    Case(
        "dr_7_limits_of_a_raise",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 4, Ana call / Ana check, Beto check",
        "Ana,Beto>pot 1 ante DR-1; Ana,Beto>pot 4 bets DR-1; pot>Ana 10 pot DR-1",
        "minimum_bet=3 minimum_raise=1",
    ),
    Case(
        "dr_7_the_largest_raise",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 5, Ana call / Ana check, Beto check",
        "Ana,Beto>pot 1 ante DR-1; Ana,Beto>pot 5 bets DR-1; pot>Ana 12 pot DR-1",
        "maximum_bet=3 maximum_raise=2",
    ),
    Case(
        "dr_7_raises_in_both_rounds",
        f"""Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
        / Ana bet 1, Beto raise 2, Ana raise 2, Beto call""",
        "Ana,Beto>pot 1 ante DR-1; Ana,Beto>pot 9 bets DR-1; pot>Ana 20 pot DR-1",
        "most_raises=2",
    ),
    *(
        Case(
            f"dr_8_passed_in_without_{openers}",
            "Ana passed; Beto; Caro",
            "Ana,Beto,Caro>pot 2 ante DR-1",
            f"ante=2 openers={openers}",
            pot=5,
        )
        for openers in ("pair-of-jacks", "pair-of-aces", "two-pairs")
    ),
    Case("dr_8_the_antes_may_be_told", "Ana passed paid=1; Beto paid=1; Caro paid=1", ANTES, OPENERS),
    Case(
        "dr_8_less_than_the_ante_all_in",
        "Ana passed paid=3; Beto paid=1; Caro paid=0",
        "Ana>pot 3 ante DR-1; Beto>pot 1 ante DR-1",
        f"{OPENERS} ante=3 all_in=true",
    ),
    Case("dr_8_everybody_checked", "Ana passed; Beto; Caro / Ana check, Beto check, Caro check", ANTES, OPENERS),
    Case(
        "dr_8_everybody_checked_and_plays_on",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana check, Beto check / Ana check, Beto check",
        "Ana,Beto>pot 1 ante DR-1; pot>Ana 2 pot DR-1",
        OPENERS,
    ),
    Case(
        "dr_9_equal_hands_share",
        f"Ana paid=1: {ONE_JOKER}; Beto paid=1: As Qd 8h 5c 2s; Caro paid=1: Ks Kc Jk 7d 4h",
        f"{ANTES}; pot>Ana 2 pot DR-2; pot>Caro 1 pot DR-2",
        "wild=jokers",
    ),
    Case(
        "dr_9_natural_first",
        "Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h",
        "Ana,Beto>pot 1 ante DR-1; pot>Beto 2 pot DR-1",
        "wild=jokers equal_hands=natural-first",
    ),
    Case(
        "dr_9_a_wild_rank_is_wild_where_it_stands_for_itself",
        "Ana paid=1: 2s 2h Kd 9c 7h; Beto paid=1: Ks Kh Kc 9d 7s",
        "Ana,Beto>pot 1 ante DR-1; pot>Beto 2 pot DR-1",
        'wild="2" equal_hands=natural-first',
    ),
    Case(
        "dr_9_as_many_wild_tiles_are_equal",
        f"Ana paid=1: {ONE_JOKER}; Beto paid=1: Ks Kc Jk 7d 4h",
        "Ana,Beto>pot 1 ante DR-1; pot>Ana,Beto 1 pot DR-2",
        "wild=jokers equal_hands=natural-first",
    ),
]

BAD = [
    Bad(
        "dr_7_no_raise_left",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call",
        "round.bets.2 illegal-bet",
        "most_raises=1",
    ),
    Bad(
        "dr_7_the_all_in_of_a_caller_is_a_call",
        f"Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto all-in 3",
        "round.bets.4 illegal-bet",
        "all_in=true",
    ),
    Bad("dr_8_without_openers", "Ana passed; Beto", "round.passed_in bad-value"),
    Bad("dr_8_without_openers_but_with_hands", f"Ana passed: {PAIR}; Beto", "round.passed_in bad-value"),
    Bad("dr_8_with_bets", "Ana passed paid=2; Beto paid=2", "round.passed_in bad-value", OPENERS),
    Bad(
        "dr_8_with_a_bet_told",
        "Ana passed; Beto / Ana check, Beto bet 2, Ana call",
        "round.passed_in bad-value",
        OPENERS,
    ),
    Bad(
        "dr_8_with_bets_after_an_exchange",
        "Ana passed; Beto / Ana check, Beto check / Ana check, Beto check",
        "round.passed_in bad-value",
        OPENERS,
    ),
    Bad("dr_8_with_a_fold", "Ana passed folded; Beto", "round.passed_in bad-value", OPENERS),
    Bad("dr_8_with_a_hand", f"Ana passed: {PAIR}; Beto", "round.passed_in bad-value", OPENERS),
    Bad(
        "dr_8_with_bets_and_a_fold",
        f"Ana passed paid=2: {PAIR}; Beto paid=1 folded",
        "round.passed_in bad-value; round.passed_in bad-value",
        OPENERS,
    ),
    Bad(
        "dr_8_less_than_the_ante",
        "Ana passed paid=1; Beto paid=2",
        "round.paid.Ana bad-value; round.paid.Ana unequal-bets",
        f"{OPENERS} ante=2",
    ),
    Bad("dr_8_an_ante_missing", "Ana passed paid=1; Beto", "round.paid.Beto missing-field", OPENERS),
    Bad("dr_8_won_by_somebody", "Ana passed won; Beto", "round.won_by bad-value", OPENERS),
    Bad("dr_8_bets_not_over", "Ana passed; Beto / Ana check", "round.bets missing-field", OPENERS),
    Bad(
        "dr_7_who_called_raises",
        f"Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto raise 9",
        "round.bets.4 illegal-bet",
    ),
    Bad(
        "dr_7_second_round_missing",
        f"Ana: {FLUSH}; Beto: {PAIR} / Ana check, Beto check",
        "round.bets_after_exchange missing-field",
    ),
    Bad(
        "dr_7_first_round_missing", f"Ana: {FLUSH}; Beto: {PAIR} /  / Ana check, Beto check", "round.bets missing-field"
    ),
    Bad(
        "dr_7_smallest_above_largest",
        "Ana paid=1; Beto paid=1 folded",
        "rules.maximum_bet bad-value",
        "minimum_bet=3 maximum_bet=2",
    ),
    Bad(
        "dr_6_four_without_an_ace",
        f"Ana paid=1 exchanged=4: {PAIR}; Beto paid=1: {FLUSH}",
        "round.exchanged.Ana bad-value",
    ),
    Bad("dr_6_five", f"Ana paid=1: {PAIR}; Beto paid=1 exchanged=5: {FLUSH}", "round.exchanged.Beto bad-value"),
    Bad("stayed_for_less", f"Ana paid=5: {PAIR}; Beto paid=4: {FLUSH}", "round.paid.Beto unequal-bets"),
    Bad(
        "less_than_the_ante",
        f"Ana paid=1: {PAIR}; Beto paid=1: {FLUSH}",
        "round.paid.Ana bad-value; round.paid.Beto bad-value",
        "ante=2",
    ),
    Bad(
        "folded_for_more",
        f"Ana paid=1: {PAIR}; Beto paid=1: {FLUSH}; Caro paid=2 folded",
        "round.paid.Caro unequal-bets",
    ),
    Bad("everybody_folded", "Ana paid=1 folded; Beto paid=1 folded", "round.folded bad-value"),
    Bad("no_joker", f"Ana paid=1: As Ks 9s 5s Jk; Beto paid=1: {PAIR}", "round.hands.Ana bad-card"),
    Bad(
        "three_jokers",
        "Ana paid=1: Ks Qs 9d Jk Jk; Beto paid=1: 2s 3h 4d 5c Jk",
        "round.hands.Beto duplicate-card",
        "wild=jokers",
    ),
    Bad("no_such_wild_tile", f"Ana paid=1: {PAIR}; Beto paid=1: {FLUSH}", "rules.wild bad-rule-value", 'wild="1"'),
    Bad(
        "seven_players", "Ana paid=1; " + "; ".join(f"{n} paid=1 folded" for n in "BCDEFG"), "players too-many-players"
    ),
]


@pytest.mark.parametrize("hand", cases(HANDS))
def test_dr_2_hand(hand: Hand) -> None:
    (shown,) = settled(document(GAME, f"Ana paid=1: {hand.cards}; Beto paid=1 folded", hand.rules))["hands"]
    assert (shown["category"], shown["description"]) == (hand.category, hand.description)


@pytest.mark.parametrize("row", ORDER)
def test_dr_5_order(row: str) -> None:
    assert compare(GAME, row, "paid=1", "paid=1") == row


@pytest.mark.parametrize(("row", "rules"), WILD_ORDER)
def test_dr_3_order(row: str, rules: str) -> None:
    assert compare(GAME, row, "paid=1", "paid=1", rules) == row


@pytest.mark.parametrize(
    ("cards", "rules", "ranks"),
    [
        ("Ks Kh Kd Kc Jk", f"wild=jokers {OFF}", "A"),
        ("As Ah Ad Ac Jk", f"wild=jokers {OFF}", "K"),
        ("Ks Kh Kd Kc Jk", "wild=jokers", "K"),
        ("Ks Jk Qd Jh Jk", "wild=jokers", "AT"),
    ],
)
def test_dr_4_wild_tiles_stand_for(cards: str, rules: str, ranks: str) -> None:
    (shown,) = settled(document(GAME, f"Ana paid=1: {cards}; Beto paid=1 folded", rules))["hands"]
    assert sorted(tile[0] for tile in shown["wild_as"]) == sorted(ranks)


@pytest.mark.parametrize("case", cases(ROUNDS))
def test_round(case: Case) -> None:
    assert transfers(settled_case(GAME, case)) == lines(case.transfers)


def test_dr_8_nobody_wins_a_passed_in_round() -> None:
    settlement = settled(document(GAME, "Ana passed; Beto", OPENERS, pot=3))
    assert (settlement["winners"], settlement["hands"]) == ([], [])
    assert settlement["decided_by"] == "Nobody opened, so the antes stay in the pot"
    assert settlement["pot"] == {"opening": 3, "in": 2, "out": 0, "closing": 5}


@pytest.mark.parametrize("bets", [[], None])
def test_dr_8_empty_bets_count_as_not_given(bets: object) -> None:
    written = document(GAME, "Ana passed; Beto", OPENERS)
    if bets is not None:
        written["round"] |= {"bets": bets, "bets_after_exchange": bets, "paid": {}, "folded": []}
    assert transfers(settled(written)) == lines("Ana,Beto>pot 1 ante DR-1")


@pytest.mark.parametrize("given", [None, 1, "yes"], ids=str)
def test_dr_8_an_invalid_answer_leaves_open_who_shows(given: object) -> None:
    written = document(GAME, "Ana paid=1; Beto paid=1", OPENERS)
    written["round"]["passed_in"] = given
    status, answer = settle(written)
    assert status == 422
    assert [(e["field"], e["code"]) for e in answer["errors"]] == [("round.passed_in", "bad-value")]  # type: ignore[attr-defined]


def test_dr_9_says_what_decided() -> None:
    seats = "Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h"
    settlement = settled(document(GAME, seats, "wild=jokers equal_hands=natural-first"))
    assert places(settlement) == "1 Beto, 2 Ana"
    assert settlement["decided_by"] == (
        "Beto's three of a kind beats Ana's three of a kind: 0 wild tiles against 2 wild tiles"
    )


@settings(max_examples=300)
@given(st.data())
def test_dr_9_the_fewest_wild_tiles_among_the_best(data: st.DataObject) -> None:
    """Deals from few ranks, so that hands are often equal, and counts wild tiles by their text."""
    wild = data.draw(st.sampled_from(["jokers", "2", "K"]))
    letters = "K92"
    tiles = [rank + suit for rank in letters for suit in "shdc"] + ["Jk", "Jk"] * (wild == "jokers")
    dealt = data.draw(st.permutations(tiles))
    hands = {"Ana": dealt[:5], "Beto": dealt[5:10]}
    seats = "; ".join(f"{player} paid=1: {' '.join(hand)}" for player, hand in hands.items())
    rule = json.dumps(wild)
    shared = settled(document(GAME, seats, f"wild={rule}"))["winners"]
    fewest = {p: sum(tile == "Jk" or tile[0] == wild for tile in hands[p]) for p in shared}
    expected = [player for player in shared if fewest[player] == min(fewest.values())]
    assert settled(document(GAME, seats, f"wild={rule} equal_hands=natural-first"))["winners"] == expected


ALL_SHOW = ("As Ad Ah 9c 2c", "Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c", "Qh Jh 9s 7d 4d")


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.sampled_from((0, 0, 3, 3, 5)), st.booleans()), min_size=2, max_size=4),
    st.sampled_from((0, 7)),
    st.data(),
)
def test_dr_1_of_a_bet_only_what_somebody_else_put_in_is_won(
    seats: list[tuple[int, bool]], pot: int, data: st.DataObject
) -> None:
    """Counts chip by chip: of each player's n-th chip, those that two players or more put in can be won."""
    most = max((paid for paid, folds in seats if not folds), default=0)
    assume(any(not folds for _, folds in seats) and all(paid <= most for paid, folds in seats if folds))
    hands = data.draw(st.permutations(ALL_SHOW))
    written = "; ".join(
        f"{name} paid={paid}{' folded' if folds else f': {hand}'}"
        for name, (paid, folds), hand in zip(("Ana", "Beto", "Caro", "Dani"), seats, hands, strict=False)
    )
    entry = document(GAME, written, "ante=0 all_in=true", pot=pot)
    every_reason_is_true(settled(entry))
    entered = read_round(entry).round
    assert entered is not None
    settlement = all_games()[GAME].settle(entered)
    won = won_pot((t.giver, t.taker, t.amount, t.reason) for t in settlement.transfers)
    columns = [sum(paid > chip for paid, _ in seats) for chip in range(most)]
    assert won.units == pot + sum(number for number in columns if number > 1)
    assert set(won.winners) <= set(settlement.winners)
    assert bool(won.winners) == bool(won.units)


@pytest.mark.parametrize("bad", cases(BAD))
def test_bad_round(bad: Bad) -> None:
    assert sorted(problems(GAME, bad)) == sorted(listed(bad.problems))


RARITY = [
    ("Ts Th Tc Kd Kc", "full house: 1 in 694; this hand or better: 1 in 1,394", ""),
    ("Ts Th Tc Kd Jk", "four of a kind: 1 in 338; this hand or better: 1 in 854", "wild=jokers"),
    ("9s 9h 9d 9c Jk", "five of a kind: 1 in 40,545; this hand or better: 1 in 87,848", "wild=jokers"),
    ("As Ah Ad Ac Jk", "four of a kind: 1 in 335; this hand or better: 1 in 4,583", "wild=jokers five_of_a_kind=off"),
    ("As Ks Qs 2h 2d", "royal flush: 1 in 5,370; this hand or better: 1 in 2,248", 'wild="2"'),
]


@pytest.mark.parametrize(("hand", "words", "rules"), RARITY)
def test_rarity(hand: str, words: str, rules: str) -> None:
    assert rarity(GAME, f"Ana paid=1: {hand}; Beto paid=1: {others(GAME, hand, rules)}", rules) == words


# what Ana, Beto and Caro, who holds the best hand, paid; why the pot pays what it pays
REASONS = [
    ((5, 5, 0), ["Ana: pair of kings is best of Ana and Beto in this part of the pot"]),
    (
        (5, 5, 2),
        [
            "Caro: three of a kind, aces is best of Ana, Beto and Caro in this part of the pot",
            "Ana: pair of kings is best of Ana and Beto in this part of the pot",
        ],
    ),
    ((5, 5, 5), ["Caro: best hand: three of a kind, aces"]),
    (
        (5, 0, 2),
        [
            "Caro: three of a kind, aces is best of Ana and Caro in this part of the pot",
            "Ana: nobody else paid into this part of the pot",
        ],
    ),
]


@pytest.mark.parametrize(("paid", "reasons"), REASONS)
def test_dr_1_why_somebody_takes_a_part_of_the_pot(paid: tuple[int, ...], reasons: list[str]) -> None:
    held = zip(("Ana", "Beto", "Caro"), paid, ("Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c", "As Ad Ah 9c 2c"), strict=True)
    seats = "; ".join(f"{player} paid={units}: {hand}" for player, units, hand in held)
    told = settled(document(GAME, seats, "ante=0 all_in=true"))["transfers"]
    assert [f"{t['to']}: {t['because']}" for t in told if t["from"] == "pot"] == reasons
