"""Names that look the same: rejected when new, accepted when already stored."""

from __future__ import annotations

import unicodedata

import pytest
from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data
from sample_rounds import ROUNDS

from companion.contract import read_round, settle
from companion.contract.naming import renamed
from companion.contract.reading.lookalikes import GROUPS, is_visible, mixes_alphabets
from companion.contract.reading.names import folded, key_of, name_problem, rules_name_problem

# a name, a second one, and what is wrong with the second one given the first
PAIRS = [
    ("Ana", "\u0410na", "duplicate-player"),  # Cyrillic A
    ("Ana", "An\u200ba", "duplicate-player"),
    ("Ana", "A\u00adna\ufeff", "duplicate-player"),
    ("Ana", "\u2060aNA", "duplicate-player"),
    ("Jos\u00e9", "Jose\u034f\u0301", "duplicate-player"),
    ("BETO", "\u0412\u0415\u0422\u041e", "duplicate-player"),  # all Cyrillic
    ("beto", "\u0412\u0415\u0422\u041e", "duplicate-player"),
    ("Capa", "\u0421\u0430\u0440\u0430", "duplicate-player"),
    ("Ian", "lan", "duplicate-player"),
    ("Ana B", "Ana  B", "duplicate-player"),
    ("\u30ed", "\u53e3", "duplicate-player"),  # a kana and a Chinese character
    ("Ana", "\u00c1na", None),
    ("Mario", "Mamio", None),
    ("Player 1", "Player 10", None),
    ("Ana", "\u0410\u043d\u043d\u0430", None),
]


@pytest.mark.parametrize(("one", "other", "code"), PAIRS, ids=ascii)
def test_a_name_that_looks_like_another_is_reported(one: str, other: str, code: str | None) -> None:
    for first, second in ((one, other), (other, one)):
        problem = name_problem("players.1", second, {folded(first): first})
        # the other way round it may be wrong by itself
        assert (problem.code if problem else None) in (
            {code} if (first, second) == (one, other) else {code, "bad-value"}
        )


ALONE = [
    ("\u200b", "is invisible"),
    ("\u0301", "is invisible"),
    ("\u2800", "is invisible"),
    ("\u3164", "is invisible"),
    ("\ue000", "is invisible"),
    ("\u0410na", "alphabets"),
    ("Bet\u03bf", "alphabets"),
    ("\u674eAna", ""),
    ("\u7530\u4e2d\u30ab\u30ca\u30fc", ""),
    ("\uae40Ana", ""),
    ("\uae40\u30ab", "alphabets"),
    ("Ana \u041b\u0435\u043d\u0430", ""),
    ("\u02bbOkina", ""),
    ("O'Brien-Pe\u00f1a 2", ""),
    ("\u0639\u0645\u0631", ""),
    ("\U0001f469\u200d\U0001f467", ""),
    ("\U0001fae9", ""),  # newer than some Pythons
]


@pytest.mark.parametrize(("name", "told"), ALONE, ids=ascii)
def test_a_name_is_visible_and_has_one_alphabet_per_word(name: str, told: str) -> None:
    problem = name_problem("players.0", name, {})
    assert (told in str(problem.message)) if told and problem else (problem is None and not told)


def test_names_stored_before_stricter_checks_still_settle() -> None:
    stored = ROUNDS["knock-poker"]
    names = dict(zip(stored["players"], ["Ana", "\u0410na", "\u3164", "An\u200ba"], strict=False))
    text = renamed(stored, names)
    assert {problem.code for problem in read_round(text).problems} >= {"duplicate-player", "bad-value"}
    assert read_round(text, are_keys=True).problems == ()
    doubled = {**text, "players": ["Ana", *text["players"]]}
    assert "duplicate-player" in {problem.code for problem in read_round(doubled, are_keys=True).problems}


# ---- the table, against the library that has all of Unicode's

ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "DIGIT", "KATAKANA", "HIRAGANA", "CJK", "BOPOMOFO")


def alphabet(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


def is_ours(char: str) -> bool:
    return len(char) == 1 and alphabet(char) in ALPHABETS and unicodedata.category(char)[0] in "LN"


def test_the_table_matches_unicode_s() -> None:
    group = {char: at for at, chars in enumerate(GROUPS) for char in chars}
    assert len(group) == sum(map(len, GROUPS))
    missing = []
    for char, others in confusables_data.items():
        for other in (other["c"] for other in others):
            pair = (char, other)
            if all(map(is_ours, pair)) and len(set(map(alphabet, pair))) > 1:
                is_same = unicodedata.normalize("NFKC", char) == unicodedata.normalize("NFKC", other)
                if not is_same and group.get(char) != group.get(other):
                    missing.append(pair)
    assert [p for p in missing if all(unicodedata.normalize("NFKC", char) == char for char in p)] == []


def test_letters_unicode_names_begin_with_their_alphabet() -> None:
    for script, name in (("LATIN", "LATIN"), ("CYRILLIC", "CYRILLIC"), ("GREEK", "GREEK"), ("HEBREW", "HEBREW")):
        letters = [chr(code) for code in range(0x20, 0x600) if unicodedata.category(chr(code)) in ("Ll", "Lu", "Lo")]
        assert [char for char in letters if alias(char) == script and alphabet(char) != name] in ([], ["\xaa", "\xba"])


def test_mixed_words_are_found_anywhere_in_a_name() -> None:
    assert mixes_alphabets("Ana \u041bena") and mixes_alphabets("x-\u041bena")
    assert not mixes_alphabets("Ana-\u041b\u0435\u043d\u0430")
    assert is_visible("a\u200b")


# ---- the same name, written differently


def test_a_name_that_differs_in_punctuation_alone_is_the_same() -> None:
    for one, other in (("O'Neil", "O\u2019Neil"), ("Ana-Mar\u00eda", "Ana\u2013Mar\u00eda"), ("J...", "J\u2026")):
        problem = name_problem("players.1", other, {key_of(one): one})
        assert problem is not None
        assert problem.code == "duplicate-player"
        assert name_problem("players.1", other, {key_of(one, is_stored=True): one}, is_stored=True) is None
        assert rules_name_problem(other, [one]) is not None


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_references_are_compared_as_names_are(game: str) -> None:
    """Hands, answers, bets and the dealer may write a name in another form than the list of players."""
    there = ["Jos\u00e9 O'Neil", "Ana-Mar\u00eda", "Beto", "Caro"]
    elsewhere = ["JOSE\u0301 O\u2019NEIL", "ana\u2013mar\u00eda", "beto ", "CARO"]
    text = ROUNDS[game]
    named = renamed(text, dict(zip(text["players"], there, strict=False)))
    otherwise = renamed(text, dict(zip(text["players"], elsewhere, strict=False))) | {"players": named["players"]}
    assert otherwise["round"] != named["round"] or otherwise.get("dealer") != named.get("dealer")
    assert settle(named)[0] == 200
    assert settle(otherwise) == settle(named)
