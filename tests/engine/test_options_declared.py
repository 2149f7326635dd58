"""House rules: what each kind of option accepts, and that everything derives from the declaration."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.engine.options import MAX_STAKES, Option, all_in, ante, choice, integer, odd_chips, options_of, toggle


@dataclass(frozen=True)
class Declared:
    """Options of every kind."""

    ante: int = ante("XX-1")
    deck: str = choice("plain", "Deck", choices={"plain": "52", "joker": "53"}, help="Which?", rule="XX-2")
    match: bool = toggle(True, "Match", help="Match it?", rule="XX-3")
    fee: int = integer(3, "Fee", help="How much?", rule="XX-4", minimum=2, maximum=5)
    odd_chips: str = odd_chips()
    all_in: bool = all_in("XX-5")


OPTIONS = {option.key: option for option in options_of(Declared)}


def test_options_are_listed_as_declared_and_defaults_are_the_fields() -> None:
    assert list(OPTIONS) == ["ante", "deck", "match", "fee", "odd_chips", "all_in"]
    assert {key: option.default for key, option in OPTIONS.items()} == vars(Declared())
    assert [option.rule for option in OPTIONS.values()] == ["XX-1", "XX-2", "XX-3", "XX-4", "C-3", "XX-5"]
    assert all(option.label and option.help for option in OPTIONS.values())


@pytest.mark.parametrize(
    ("key", "kind", "default", "choices", "bounds"),
    [
        ("ante", "integer", 1, [], (0, 1000)),
        ("deck", "choice", "plain", ["plain", "joker"], (None, None)),
        ("match", "toggle", True, [], (None, None)),
        ("fee", "integer", 3, [], (2, 5)),
        ("odd_chips", "choice", "turn-order", ["turn-order", "stay-in-pot"], (None, None)),
        ("all_in", "toggle", False, [], (None, None)),
    ],
)
def test_declaration(
    key: str, kind: str, default: object, choices: list[str], bounds: tuple[int | None, int | None]
) -> None:
    option = OPTIONS[key]
    assert (option.kind, option.default, list(option.choices)) == (kind, default, choices)
    assert (option.minimum, option.maximum) == bounds


def test_c_1_amounts_are_at_most_a_thousand_stakes() -> None:
    assert MAX_STAKES == 1000


ACCEPTED = {
    "ante": [0, 1, 2, 999, 1000],
    "deck": ["plain", "joker"],
    "match": [True, False],
    "fee": [2, 3, 4, 5],
}
REFUSED = {
    "ante": [-1, 1001, 10**400, True, False, 1.0, 0.0, "1", None, [1], {}, float("nan"), float("inf")],
    "deck": ["", "Plain", "plain ", "spanish-40", "52", None, True, 0, ["plain"], {"plain": 1}],
    "match": [0, 1, None, "true", "on", "", [], 1.0],
    "fee": [0, 1, 6, -3, True, 3.0, "3", None],
}
ROWS = [(key, value, True) for key, values in ACCEPTED.items() for value in values]
ROWS += [(key, value, False) for key, values in REFUSED.items() for value in values]


@pytest.mark.parametrize(("key", "value", "accepted"), ROWS, ids=[f"{k} {v!r:.20} {a}" for k, v, a in ROWS])
def test_accepts_only_its_own_type_within_its_bounds(key: str, value: object, accepted: bool) -> None:
    assert OPTIONS[key].accepts(value) is accepted


def test_an_integer_without_bounds_accepts_any() -> None:
    free = Option("n", "integer", 1, "N", "", "XX-1", {}, None, None)
    assert free.accepts(-(10**9))
    assert not free.accepts(True)


def test_the_default_of_a_choice_is_one_of_its_values() -> None:
    with pytest.raises(AssertionError):
        choice("other", "Deck", choices={"plain": "52"}, help="", rule="XX-2")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("deck", "joker", "53"), ("match", True, "on"), ("match", False, "off"), ("ante", 1000, "1,000")],
)
def test_a_setting_in_words(key: str, value: object, said: str) -> None:
    assert str(OPTIONS[key].in_words(value)) == said
