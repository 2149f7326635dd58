"""The decks, and every accepted spelling of a card from the contract's notation."""

from __future__ import annotations

import pytest

from companion.engine.pieces.cards import (
    FRENCH,
    FRENCH_WITH_JOKER,
    JOKER,
    SPANISH_40,
    SPANISH_48,
    SUIT_NAMES,
    CardSet,
    french,
)

RANKS = tuple("A23456789TJQK")
SYMBOLS = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
SETS = {
    "french": (FRENCH, 52, [rank + suit for suit in "cdhs" for rank in RANKS]),
    "french with a joker": (FRENCH_WITH_JOKER, 53, [*(rank + suit for suit in "cdhs" for rank in RANKS), "Jk"]),
    "french with two jokers": (french(2), 54, [*(rank + suit for suit in "cdhs" for rank in RANKS), "Jk"]),
    "spanish-40": (SPANISH_40, 40, [f"{n}{s}" for s in "oceb" for n in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]),
    "spanish-48": (SPANISH_48, 48, [f"{n}{s}" for s in "oceb" for n in range(1, 13)]),
}


def cased(text: str) -> set[str]:
    return {text, text.lower(), text.upper(), text.swapcase(), text.title()}


@pytest.mark.parametrize(("cards", "size", "texts"), SETS.values(), ids=SETS)
def test_set_holds_its_cards(cards: CardSet, size: int, texts: list[str]) -> None:
    assert len(cards) == size
    assert sorted(card.text for card in cards.pieces) == sorted(texts)


@pytest.mark.parametrize(("cards", "size", "texts"), SETS.values(), ids=SETS)
def test_canonical_notation_goes_both_ways(cards: CardSet, size: int, texts: list[str]) -> None:
    for text in texts:
        card = cards.find(text)
        assert card is not None
        assert repr(card) == card.text == text


@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("rank", RANKS)
def test_every_spelling_of_a_french_card(rank: str, suit: str) -> None:
    ranks = ["T", "10"] if rank == "T" else [rank]
    letters = {spelling for r in ranks for spelling in cased(r + suit)}
    symbols = {c + symbol for r in ranks for c in cased(r) for symbol in SYMBOLS[suit]}
    emoji = {spelling + selector for spelling in symbols for selector in ("\ufe0f", "\ufe0e")}
    for spelling in letters | symbols | emoji | {f" {rank}{suit} "}:
        assert FRENCH.find(spelling) is FRENCH.find(rank + suit), spelling
        assert FRENCH_WITH_JOKER.find(spelling) is FRENCH.find(rank + suit), spelling


@pytest.mark.parametrize("spelling", sorted({"*", *cased("Jk"), *cased("joker"), " joker ", "jOkEr"}))
def test_every_spelling_of_the_joker(spelling: str) -> None:
    assert FRENCH_WITH_JOKER.find(spelling) is JOKER
    assert FRENCH.find(spelling) is None


@pytest.mark.parametrize("cards", [SPANISH_40, SPANISH_48], ids=["40", "48"])
@pytest.mark.parametrize("suit", "oceb")
@pytest.mark.parametrize(("letter", "number"), [("A", 1), ("S", 10), ("C", 11), ("R", 12)])
def test_letters_of_spanish_cards(letter: str, number: int, suit: str, cards: CardSet) -> None:
    card = cards.find(f"{number}{suit}")
    assert card is not None
    for spelling in cased(letter + suit) | cased(f"{number}{suit}"):
        assert cards.find(spelling) is card, spelling


REFUSED = {
    "french": (FRENCH, "1h 11h 0h 13h 9x h A 10 T AhKd 9hh hA 010h joker * Jk 1o 12b 9❤ 9💛 -9h Ah; Ah."),
    "spanish-40": (SPANISH_40, "8o 9o 8b 9b 13o 0o 01o Ah Td Jk * joker To Ko 1h 1 o A 1oo Aod 1♥"),
    "spanish-48": (SPANISH_48, "13o 0o 01o Ah Td Jk * joker To Ko 1h 1 o A 1o2o"),
}


@pytest.mark.parametrize(
    ("cards", "token"),
    [
        pytest.param(cards, token, id=f"{key} {token}")
        for key, (cards, texts) in REFUSED.items()
        for token in texts.split()
    ],
)
def test_cards_outside_the_set_are_not_found(cards: CardSet, token: str) -> None:
    assert cards.find(token) is None


@pytest.mark.parametrize("token", [None, 7, 7.5, True, ["Ah"], {"Ah": 1}, "", " ", "A h"], ids=repr)
def test_text_that_is_not_a_card_is_not_found(token: object) -> None:
    assert FRENCH.find(token) is None


SETS_BY_NAME = {"52": FRENCH, "53": FRENCH_WITH_JOKER, "40": SPANISH_40, "48": SPANISH_48}
# sets | what is typed | what is read, "?" for what is no card of the set
TYPED = [
    ("52 53", "AhKd9s", "Ah Kd 9s"),
    ("52 53", "ahkd9S", "Ah Kd 9s"),
    ("52 53", "Th9hTd", "Th 9h Td"),
    ("52 53", "AhKd 9s,2c3c", "Ah Kd 9s 2c 3c"),
    ("52 53", "9s,9h, 9d ,4c,,4d,", "9s 9h 9d 4c 4d"),
    ("52 53", " 9s\t9h\n9d ", "9s 9h 9d"),
    ("52 53", "10h 9♠️ q♦", "Th 9s Qd"),
    ("52 53", "10hKh8h", "Th Kh 8h"),
    ("52 53", "A♥K♥8♥", "Ah Kh 8h"),
    ("52 53", "a♥️10♠️TS", "Ah Ts Ts"),
    ("53", "9h9d9cJk3d", "9h 9d 9c Jk 3d"),
    ("53", "jk9HJKjK", "Jk 9h Jk Jk"),
    ("53", "AhJokerKd", "Ah Jk Kd"),
    ("53", "**Ah", "Jk Jk Ah"),
    ("53", "JkJhJk", "Jk Jh Jk"),
    ("53", "joker,9h*", "Jk 9h Jk"),
    # a set without jokers says which of the cards it does not have
    ("52", "9h9d9cJk3d", "9h 9d 9c ? 3d"),
    ("52", "AhJokerKd", "Ah ? Kd"),
    ("52", "**Ah", "? ? Ah"),
    *(("53", typed, "?") for typed in ("AhK", "Ah9", "AhJ", "Ah-Kd", "AhKdx", "AhhA", "JKh", "1010h", "10h1", "Ah;Kd")),
    *(("52 40", typed, "") for typed in ("", " ", ",", " , ,\n")),
    *(("40", typed, "1o 10c 12b 12e 11c ?") for typed in ("1o,Sc 12b RE cc 8o", "1oSc12bREcc8o", "Ao10c 12bre 11C8O")),
    *(("48", typed, "?") for typed in ("1o2", "13o1o", "ccc", "1oAh")),
    ("48", "1 2o3", "? ?"),
]


@pytest.mark.parametrize(("sets", "typed", "texts"), TYPED, ids=[ascii(f"{sets} {typed}") for sets, typed, _ in TYPED])
def test_typed_hand(sets: str, typed: str, texts: str) -> None:
    for cards in (SETS_BY_NAME[name] for name in sets.split()):
        found = [cards.find(token) for token in cards.tokens(typed)]
        assert [card.text if card else "?" for card in found] == texts.split()


HEIGHTS = {
    "french": (FRENCH, "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
    "spanish-40": (SPANISH_40, "2b 3b 4b 5b 6b 7b 10b 11b 12b 1b"),
    "spanish-48": (SPANISH_48, "2b 3b 4b 5b 6b 7b 8b 9b 10b 11b 12b 1b"),
}


@pytest.mark.parametrize(("cards", "upward"), HEIGHTS.values(), ids=HEIGHTS)
def test_ranks_go_up_to_the_ace(cards: CardSet, upward: str) -> None:
    found = [card for text in upward.split() if (card := cards.find(text))]
    assert [card.height for card in found] == list(range(cards.heights))
    assert not any(card.is_joker for card in found)


@pytest.mark.parametrize(
    ("cards", "text", "name", "one", "several"),
    [
        (FRENCH, "Ah", "ace of hearts", "ace", "aces"),
        (FRENCH, "6d", "six of diamonds", "six", "sixes"),
        (FRENCH, "Tc", "ten of clubs", "ten", "tens"),
        (FRENCH, "Ks", "king of spades", "king", "kings"),
        (SPANISH_40, "7e", "seven of swords", "seven", "sevens"),
        (SPANISH_40, "10o", "Sota of coins", "Sota", "Sotas"),
        (SPANISH_48, "9c", "nine of cups", "nine", "nines"),
        (SPANISH_48, "12b", "Rey of clubs (bastos)", "Rey", "Reyes"),
        (SPANISH_48, "11b", "Caballo of clubs (bastos)", "Caballo", "Caballos"),
    ],
)
def test_names(cards: CardSet, text: str, name: str, one: str, several: str) -> None:
    card = cards.find(text)
    assert card is not None
    assert str(card.name) == name
    assert str(cards.rank_names[card.height]) == one
    assert str(cards.rank_plurals[card.height]) == several


@pytest.mark.parametrize(
    ("cards", "text", "symbol"),
    [(FRENCH, "Th", "10♥"), (FRENCH, "Qs", "Q♠"), (FRENCH_WITH_JOKER, "Jk", "Jk"), (SPANISH_40, "12o", "12o")],
)
def test_a_card_in_a_sentence(cards: CardSet, text: str, symbol: str) -> None:
    card = cards.find(text)
    assert card is not None
    assert card.symbol == symbol


def test_the_joker_has_no_rank_and_no_suit() -> None:
    assert (JOKER.is_joker, JOKER.suit, str(JOKER.name)) == (True, "", "joker")


def test_all_french_sets_hold_the_same_cards() -> None:
    assert set(FRENCH.pieces) < set(FRENCH_WITH_JOKER.pieces) == set(french(2).pieces)
    assert french(noun=("tile", "tiles")).noun == ("tile", "tiles")


@pytest.mark.parametrize("cards", [FRENCH, SPANISH_40, SPANISH_48], ids=["french", "40", "48"])
def test_groups_are_suits_and_every_suit_has_a_name(cards: CardSet) -> None:
    for group in cards.groups:
        (suit,) = {card.suit for card in group}
        assert str(group[0].name).endswith(f" of {SUIT_NAMES[cards.suits][suit]}")
    assert len(cards.groups) == len(SUIT_NAMES[cards.suits]) == 4
