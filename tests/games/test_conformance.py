"""Properties of every round of every game, whatever its rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from math import comb
from random import Random
from typing import Any, get_args

import pytest
from games.rounds import every_reason_is_true
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from companion.contract import read_round, settle
from companion.contract.catalogue import example_document
from companion.contract.random_rounds import NUMBERS, TEXTS, places_in, random_round, rules
from companion.engine.game import EXAMPLE_PLAYERS, Family, Round, turn_order
from companion.engine.hands.strength import ShownHand
from companion.engine.options import ODD_BY_CARDS
from companion.engine.problems import Code
from companion.games import AnyGame, all_games

Document = dict[str, Any]
# games in which points that are entered for one hand are needed for all
POINTS_FOR_ALL = {"gin-rummy"}
GAMES = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.key)
WITH_HANDS = pytest.mark.parametrize(
    "game", [game for game in all_games().values() if game.has_hands], ids=lambda game: game.key
)
Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def rounds(draw: Draw, game: AnyGame, most_players: int = 99, most_stake: int = 30) -> Document:
    """A random round of a game; most are valid."""
    drawn, dealt = draw(st.randoms(use_true_random=False)), Random(draw(st.integers(0, 2**32)))

    def source(what: str) -> Random:
        return dealt if what == "hands" else drawn  # whole decks would be too many draws

    chosen = rules(source, game, {option.key for option in game.house_rules})
    return random_round(source, game, chosen, most_players, most_stake)


def outcome(document: Document) -> Document | None:
    """Settle a round; returns None if it is refused, after checking the refusal."""
    status, answered = settle(document)
    if status == 200:
        return answered
    assert status == 422
    assert answered["errors"]
    return None


@GAMES
def test_menus_have_a_family_and_a_short_line_for_each_game(game: AnyGame) -> None:
    assert len(game.summary) <= 45
    assert (game.family is Family.OTHER) == game.is_named


@GAMES
def test_random_rounds_are_often_valid(game: AnyGame) -> None:
    statuses = []

    @seed(1)
    @settings(max_examples=80, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rounds(game))
    def run(document: Document) -> None:
        statuses.append(settle(document)[0])

    run()
    assert statuses.count(200) >= 8


@GAMES
@given(data=st.data())
def test_invariants_of_every_settlement(game: AnyGame, data: st.DataObject) -> None:
    """Draw each round once for all that holds, because to draw and to settle it takes longest."""
    document = data.draw(rounds(game))
    before = deepcopy(document)
    settlement = outcome(document)
    assert document == before  # settling leaves it alone
    round = read_round(document).round
    assert (settlement is None) == (round is None)
    what_decides_nothing(document, settlement)
    if settlement is None or round is None:
        return
    nothing_is_created_or_lost(game, document, settlement)
    payments_reach_the_nets(document, settlement)
    handovers_are_the_rest_of_the_transfers(document, settlement)
    every_reason_is_true(settlement)
    hands = game.settle(round).hands
    order_is_total(hands)
    every_hand_is_one_of_its_set(game, round, hands)
    the_table_comes_to_the_same_as_the_hands(game, document, settlement, data)
    counted_points_come_to_the_same_as_the_hands(game, document, settlement, data)


def nothing_is_created_or_lost(game: AnyGame, document: Document, settlement: Document) -> None:
    players, pot, net = document["players"], settlement["pot"], settlement["net"]
    accounts = dict.fromkeys([*players, "pot"], 0) | {"pot": document["pot"]}
    rule_ids = {*re.findall(r"^([A-Z]{2}-\d+) ", game.text, re.MULTILINE), "DP-7"}
    for transfer in settlement["transfers"]:
        assert type(transfer["amount"]) is int
        assert transfer["amount"] > 0
        assert transfer["from"] != transfer["to"]
        assert transfer["rule"] in rule_ids
        accounts[transfer["from"]] -= transfer["amount"]
        accounts[transfer["to"]] += transfer["amount"]
        assert accounts["pot"] >= 0
    assert accounts.pop("pot") == pot["closing"] == pot["opening"] + pot["in"] - pot["out"]
    assert net == accounts
    assert sum(net.values()) + pot["closing"] - pot["opening"] == 0


def payments_reach_the_nets(document: Document, settlement: Document) -> None:
    pot = settlement["pot"]
    change = pot["closing"] - pot["opening"]
    left = settlement["net"] | {"pot": change}
    for payment in settlement["payments"]:
        assert payment["amount"] > 0
        left[payment["from"]] += payment["amount"]
        left[payment["to"]] -= payment["amount"]
    assert not any(left.values())
    assert len(settlement["payments"]) <= len(document["players"]) - 1 + bool(change)
    accounts = {name for payment in settlement["payments"] for name in (payment["from"], payment["to"])}
    assert ("pot" in accounts) == bool(change)


def handovers_are_the_rest_of_the_transfers(document: Document, settlement: Document) -> None:
    """Check that payments during play plus handovers add up to every net and the pot. Rule: C-12."""
    game = all_games()[document["game"]]
    when = {reason.key: reason.when for reason in game.reasons}
    order = [*turn_order(document["players"], document["dealer"], game.direction), "pot"]
    while_playing = [t for t in settlement["transfers"] if when[t["reason"]] == "while-playing"]
    reached = dict.fromkeys(order, 0)
    for moved in [*while_playing, *settlement["handovers"]]:
        assert moved["amount"] > 0
        reached[moved["from"]] -= moved["amount"]
        reached[moved["to"]] += moved["amount"]
        assert reached["pot"] + document["pot"] >= 0
    assert reached.pop("pot") == settlement["pot"]["closing"] - settlement["pot"]["opening"]
    assert reached == settlement["net"]
    pairs = [(handover["from"], handover["to"]) for handover in settlement["handovers"]]
    between_players = [frozenset(pair) for pair in pairs if "pot" not in pair]
    assert len(set(between_players)) == len(between_players)
    matched = {(t["from"], "pot") for t in settlement["transfers"] if when[t["reason"]] == "for-next-pot"}
    keys = [
        (2 if pair in matched else int(pair[0] == "pot"), order.index(pair[0]), order.index(pair[1])) for pair in pairs
    ]
    assert sorted(keys) == keys
    assert len(set(keys)) == len(keys)


def order_is_total(hands: Sequence[ShownHand]) -> None:
    strengths = [hand.reading.strength for hand in hands]
    assert sorted(strengths, reverse=True) == strengths
    for hand in hands:
        mine = hand.reading.strength
        better = [other.place for other in hands if other.reading.strength > mine]
        equal = [other.place for other in hands if other.reading.strength == mine]
        worse = [other.place for other in hands if other.reading.strength < mine]
        assert len(better) + len(equal) + len(worse) == len(hands)
        assert hand.place == 1 + len(better)
        assert set(equal) == {hand.place}
        assert all(place < hand.place for place in better)
        assert all(place > hand.place for place in worse)


def every_hand_is_one_of_its_set(game: AnyGame, round: Any, hands: Sequence[ShownHand]) -> None:
    rarities = [game.rarity(round.options, hand.cards, hand.reading) for hand in hands]
    counted = [(hand, rarity) for hand, rarity in zip(hands, rarities, strict=True) if rarity is not None]
    # a game counts all hands of a round, under the usual house rules always
    assert len(counted) == len(hands) or (not counted and round.options != type(round.options)())
    for hand, rarity in counted:
        assert rarity.of == comb(len(game.pieces(round.options)), len(hand.cards))
        assert 1 <= rarity.at_least <= rarity.of
    # a better hand is rarer
    at_least = [rarity.at_least for rarity in rarities if rarity]
    assert at_least == sorted(at_least)


def word_of(game: AnyGame, document: Document, settlement: Document) -> Document | None:
    """Return what a table would have stated about a settled round; None if there is nothing to state."""
    keys = {question.key for question in game.questions}
    best = [hand["player"] for hand in settlement["hands"] if hand["place"] == 1]
    if not best or "won_by" not in keys:
        return None
    return {**deepcopy(document), "round": {**deepcopy(document["round"]), "won_by": best}}


def the_table_comes_to_the_same_as_the_hands(
    game: AnyGame, document: Document, settlement: Document, data: st.DataObject
) -> None:
    told = word_of(game, document, settlement)
    if told is None:
        return
    # with all hands given it comes to the same
    by_word = outcome(told)
    assert by_word is not None
    assert {**by_word, "decided_by": ""} == {**settlement, "decided_by": ""}
    if document["rules"].get("odd_chips") in ODD_BY_CARDS:
        return  # whoever shows no cards comes last. Rule: C-3
    # with some or none of them too, but for a bonus that a hand earns, or a part of the pot that needs more hands
    hands, winners = told["round"]["hands"], told["round"]["won_by"]
    kept = data.draw(st.lists(st.sampled_from(list(hands)), unique=True))
    status, answered = settle(with_hands(told, {player: hands[player] for player in kept}))
    if status == 422:
        whole = read_round(told).round
        assert whole is not None
        assert game.who_must_show_anyway(whole)
        assert {(error["code"], error["field"].rpartition(".")[2] in winners) for error in answered["errors"]} == {
            ("missing-hand", False)
        }
        return
    # DO-11's bonus is for winning outright, whatever the cards
    earned = [t for t in settlement["transfers"] if t["reason"] == "hand-bonus" and t["rule"] != "DO-11"]
    without = [t for t in settlement["transfers"] if t not in earned or {*kept} & {*winners}]
    assert moves(answered["transfers"]) == moves(without)
    assert answered["winners"] == settlement["winners"]
    assert {hand["player"] for hand in answered["hands"]} == {*kept}
    assert {hand["player"] for hand in answered["hands"] if hand["place"] == 1} == {*kept} & {*winners}
    # whoever else is named, the hands say so
    others = [hand["player"] for hand in settlement["hands"] if hand["player"] not in winners]
    if others:
        told["round"]["won_by"] = [data.draw(st.sampled_from(others))]
        status, answered = settle(told)
        assert status == 422
        assert "contradiction" in {error["code"] for error in answered["errors"]}


def moves(transfers: list[Document]) -> list[tuple[Any, ...]]:
    return [(t["from"], t["to"], t["amount"], t["reason"], t["rule"]) for t in transfers]


def counted_points_come_to_the_same_as_the_hands(
    game: AnyGame, document: Document, settlement: Document, data: st.DataObject
) -> None:
    if any(hand["points"] is None for hand in settlement["hands"]) or not settlement["hands"]:
        return
    if document["rules"].get("odd_chips") in ODD_BY_CARDS:
        return  # whoever shows no cards comes last. Rule: C-3
    if document["rules"].get("lay_offs"):
        return  # without the knocker's cards it can't be counted what others hold. Rule: KR-13
    counted = {hand["player"]: hand["points"] for hand in settlement["hands"]}
    hands = document["round"]["hands"]
    kept = [] if game.key in POINTS_FOR_ALL else data.draw(st.lists(st.sampled_from(list(hands)), unique=True))
    told = with_hands(document, {player: hands[player] for player in kept})
    told["round"]["points"] = {player: points for player, points in counted.items() if player not in kept}
    by_word = outcome(told)
    assert by_word is not None
    bare = {"cards": None, "melds": None, "unmatched": None, "wild_as": None}
    if game.key in POINTS_FOR_ALL:  # their cards say more than what they count
        bare |= dict.fromkeys(["description"])
        by_word["hands"] = [hand | {"description": None} for hand in by_word["hands"]]
    expected = [hand if hand["player"] in kept else hand | bare for hand in settlement["hands"]]
    assert by_word == {**settlement, "hands": expected}
    round = read_round(told).round
    assert round is not None
    if len(kept) < len(counted):
        assert game.rarities(round.options, game.settle(round)) == {}


def what_decides_nothing(document: Document, settlement: Document | None) -> None:
    # settling once more
    answered = settle(document)
    assert settlement is None or answered[1] == settlement
    # other names only rename the result
    renamed = json.loads(with_other_names(document))
    assert json.loads(json.dumps(settle(renamed))) == json.loads(with_other_names(answered))
    # how cards are written
    hands = document["round"].get("hands", {})
    typed = with_hands(document, {name: " , ".join(hand).lower() for name, hand in hands.items()})
    written = outcome(typed)
    if written is not None:
        assert {hand["player"]: hand["cards"] for hand in written["hands"]} == hands
        assert written == settlement
    # the order of the cards in a hand
    turned = outcome(with_hands(document, {name: hand[::-1] for name, hand in hands.items()}))
    assert (settlement is None) == (turned is None)
    if settlement is not None and turned is not None:
        assert settlement["transfers"] == turned["transfers"]
        assert [hand["place"] for hand in settlement["hands"]] == [hand["place"] for hand in turned["hands"]]


def with_other_names(what: Any) -> str:
    return re.sub(r"Seat(\d)", lambda seat: f"Name{9 - int(seat[1])}", json.dumps(what))


def with_hands(document: Document, hands: Document) -> Document:
    return {**deepcopy(document), "round": {**deepcopy(document["round"]), "hands": hands}}


def nested(depth: int) -> Any:
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


HOLDERS = [[], {}, [None], [[]], {"": None}, {"Seat0": None}, {"\ud800": "\udfff"}, nested(50), nested(400)]
JUNK = st.sampled_from([None, True, False, *NUMBERS, *TEXTS, *HOLDERS]) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@GAMES
@given(data=st.data())
def test_no_document_raises(game: AnyGame, data: st.DataObject) -> None:
    document = deepcopy(data.draw(rounds(game)))
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places_in(document)))
        what = data.draw(st.sampled_from(["replace", "replace", "remove", "add"]))
        if what == "replace":
            container[key] = deepcopy(data.draw(JUNK))
        elif what == "remove":
            del container[key]
        elif isinstance(container, list):
            container.insert(key, deepcopy(data.draw(JUNK)))
        else:
            container[data.draw(st.text(max_size=3) | st.sampled_from(["\ud800", "\x00", " Seat0 "]))] = deepcopy(
                data.draw(JUNK)
            )
        if not document:
            break
    status, answered = settle(document)
    json.dumps(answered)
    assert status in (200, 422)
    if status == 422:
        assert answered["errors"]
        assert {error["code"] for error in answered["errors"]} <= set(get_args(Code))


@given(JUNK)
def test_no_junk_is_a_round(document: object) -> None:
    assert settle(document)[0] == 422


@pytest.mark.parametrize("pot", [0, 7])
@GAMES
def test_examples_settle_for_every_dealer_and_pot(game: AnyGame, pot: int) -> None:
    players = list(EXAMPLE_PLAYERS[: game.seats[1]])
    assert len(game.examples) >= 3
    for example in game.examples:
        for dealer in players:
            document = {**example_document(game, example), "dealer": dealer, "pot": pot}
            assert read_round(document).problems == (), (example, dealer)


@WITH_HANDS
def test_odds_are_those_of_dealt_hands(game: AnyGame) -> None:
    """Deal two thousand hands: the best tenth, fifth or half occurs as often as the odds say, within five sigma."""
    options, random, dealt = game.options(), Random(31), 2000
    pieces = game.pieces(options)
    deck = [piece for piece in pieces.pieces for _ in range(pieces.copies.get(piece, 1))]
    seats = EXAMPLE_PLAYERS[: game.seats[0]]
    blank = Round(seats, seats[-1], seats, 1, 0, options, game.entry(), {})
    size = min(game.hand_sizes(blank))
    found = []
    for _ in range(dealt):
        hand = tuple(random.sample(deck, size))
        (shown,) = game.place(replace(blank, hands={seats[0]: hand}))
        rarity = game.rarity(options, hand, shown.reading)
        if rarity is None:
            return
        found.append(rarity.at_least / rarity.of)
    assert all(0 < one <= 1 for one in found)
    for share in (0.1, 0.2, 0.5):
        # hands are in steps: those at or below a share are as many as the largest step below it says
        step = max((one for one in found if one <= share), default=0)
        number = sum(one <= step for one in found)
        assert abs(number - dealt * step) <= 5 * (dealt * max(step, 1 / dealt) * (1 - step)) ** 0.5 + 1, (share, step)
