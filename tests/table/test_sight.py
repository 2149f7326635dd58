"""What others may know of a hand that lies face down, and what a phone sees of a draft."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40, SPANISH_48
from companion.engine.pieces.dominoes import DOMINOES
from companion.table.cells import written
from companion.table.sight import AtOnce, FaceDown, Sight, all_sets, kind_of, see, with_kinds

FRENCH_KIND, SPANISH_KIND = kind_of(FRENCH), kind_of(SPANISH_48)


def test_decks_that_differ_only_in_how_many_cards_they_have_are_of_one_kind() -> None:
    assert kind_of(FRENCH_WITH_JOKER) == FRENCH_KIND
    assert kind_of(SPANISH_40) == SPANISH_KIND
    assert len({FRENCH_KIND, SPANISH_KIND, kind_of(DOMINOES)}) == 3


@pytest.mark.parametrize("pieces", all_sets(), ids=lambda pieces: f"{pieces.pieces[0].text}-{len(pieces)}")
def test_every_piece_of_a_set_counts_once_in_its_kind(pieces: Any) -> None:
    texts = [piece.text for piece in pieces.pieces]
    assert FaceDown.of(" ".join(texts * 3), kind_of(pieces)).size >= len(pieces)
    assert [FaceDown.of(text, kind_of(pieces)).size for text in texts] == [1] * len(texts)


# a hand, the kind of cards it was typed in, and how many it has
COUNTED = [
    ("", FRENCH_KIND, 0),
    ("9s 9h Jk", FRENCH_KIND, 3),
    ("Jk joker *", FRENCH_KIND, 2),
    ("9s 9S ks", FRENCH_KIND, 2),
    ("9sKs", FRENCH_KIND, 2),
    ("9s Zz 1o", FRENCH_KIND, 1),
    ("1o 8o 12b", SPANISH_KIND, 3),
    ("9s 9h Jk", SPANISH_KIND, 0),
    ("6-6 3:2", kind_of(DOMINOES), 2),
    # of a draft that is older than the kinds, every word counts
    ("9s Zz", "", 2),
    ("9s Zz", "of a game that is gone", 2),
]


@pytest.mark.parametrize(("hand", "kind", "size"), COUNTED)
def test_cards_of_the_kind_are_counted(hand: str, kind: str, size: int) -> None:
    assert FaceDown.of(hand, kind) == FaceDown(size, kind)


def test_a_hand_fits_games_of_its_kind_and_an_old_one_any() -> None:
    hand = FaceDown(5, FRENCH_KIND)
    assert (hand.fits(FRENCH_KIND), hand.fits(SPANISH_KIND)) == (True, False)
    assert FaceDown(5, "").fits(SPANISH_KIND)


CELLS: dict[str, Any] = {
    "table": {"bets": ["bet 2", "mine"]},
    "1": {"hand": ["9s 9h", "mine"], "kind": [FRENCH_KIND, "mine"]},
    "2": {"hand": ["Ks Qs Js", "another"], "draws": ["2", "another"], "kind": [FRENCH_KIND, "another"]},
    "3": {"hand": ["", "another"]},
}
OPEN = {"table": {"bets": "bet 2"}, "1": {"kind": FRENCH_KIND}, "2": {"draws": "2", "kind": FRENCH_KIND}, "3": {}}
HANDS = {"1": FaceDown(2, FRENCH_KIND), "2": FaceDown(3, FRENCH_KIND), "3": FaceDown(0, "")}
MY_HAND, OTHERS = {"1": "9s 9h"}, {"2": "Ks Qs Js", "3": ""}
# the device, whether the hands are shown, the hands it sees, and whose lie face down there
SEEN: list[tuple[str | None, bool, dict[str, str], set[str]]] = [
    ("mine", False, MY_HAND, {"2"}),
    ("another", False, OTHERS, {"1"}),
    ("a third", False, {}, {"1", "2"}),
    (None, False, {}, {"1", "2"}),
    ("a third", True, MY_HAND | OTHERS, set()),
    (None, True, MY_HAND | OTHERS, set()),
]


@pytest.mark.parametrize(("device", "is_shown", "hands", "down"), SEEN)
def test_a_phone_sees_the_hands_entered_on_it_until_all_are_shown(
    device: str | None, is_shown: bool, hands: dict[str, str], down: set[str]
) -> None:
    cells = {owner: asked | ({"hand": hands[owner]} if owner in hands else {}) for owner, asked in OPEN.items()}
    assert see(CELLS, device, is_shown=is_shown) == Sight(cells, HANDS, frozenset(down), is_shown)


def test_a_hand_entered_on_a_device_without_an_id_is_seen_by_nobody() -> None:
    assert see({"1": {"hand": ["9s", None]}}, None, is_shown=False).cells == {"1": {}}


_CARDS = st.lists(
    st.sampled_from([piece.text for piece in FRENCH_WITH_JOKER.pieces]), min_size=4, max_size=4, unique=True
)


@given(_CARDS, _CARDS)
def test_of_two_hands_of_one_size_others_see_the_same(one: list[str], other: list[str]) -> None:
    def seen(hand: list[str]) -> Sight:
        typed = with_kinds({"1": {"hand": " ".join(hand)}, "table": {"dealer": "1"}}, FRENCH_KIND)
        return see(written({}, typed, "theirs"), "mine", is_shown=False)

    assert seen(one) == seen(other)


DECISION = AtOnce("out", ("1", "2", "3"))
OUT = {"out": [True, "another"], "secret": ["yes", "another"]}
IN = {"is-in": ["said", "another"], "out": [False, "another"], "secret": ["yes", "another"]}
SHOWS = {
    "is-in": [" hand", "another"],
    "hand": ["Ks Qs Js", "another"],
    "kind": ["As", "another"],
    "foul": [True, "another"],
}
DECIDED = {"out": OUT, "in": IN, "in, with a hand": SHOWS | {"secret": ["yes", "another"]}}


@pytest.mark.parametrize("device", ["mine", "a third", None])
@pytest.mark.parametrize("at_once", [DECISION, None], ids=["the game", "another game"])
def test_gu_3_until_all_have_decided_a_decision_is_told_but_not_which(device: str | None, at_once: Any) -> None:
    mine = {"is-in": ["said", "mine"], "secret": ["yes", "mine"]}
    seen = [see({"1": mine, "2": said}, device, is_shown=False, at_once=at_once) for said in DECIDED.values()]
    assert seen[0] == seen[1] == seen[2]
    assert (seen[0].cells["2"], "2" in seen[0].hands, seen[0].down) == ({}, False, frozenset())
    assert seen[0].undecided == (("3",) if at_once else ())


def test_gu_3_the_last_decision_opens_all() -> None:
    said = {"1": {"out": [True, "mine"]}, "2": SHOWS}
    own = see(said, "another", is_shown=False, at_once=DECISION)
    assert own.cells["2"] == {key: value for key, (value, _) in SHOWS.items()}
    for third in (OUT, IN):
        opened = see({**said, "3": third}, "mine", is_shown=False, at_once=DECISION)
        assert (opened.undecided, opened.hands["2"].size, opened.down) == ((), 3, {"2"})
        assert opened.cells["3"] == {key: value for key, (value, _) in third.items()}
        assert "hand" not in opened.cells["2"]
    shown = see(said, None, is_shown=True, at_once=DECISION)
    assert (shown.undecided, shown.cells["2"]["hand"]) == ((), "Ks Qs Js")
