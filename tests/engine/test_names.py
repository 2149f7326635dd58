"""Names that count as the same, although they are written differently, and which name a reference means."""

from __future__ import annotations

import re
import unicodedata

import pytest
from confusable_homoglyphs.confusables import confusables_data

from companion.engine.names import MAX_NAME_LENGTH, find_name, name_key

# the ranges of Unicode's property, from PropList.txt
QUOTATION_MARK = [(0x22, 0x22), (0x27, 0x27), (0xAB, 0xAB), (0xBB, 0xBB), (0x2018, 0x201F), (0x2039, 0x203A)]
QUOTATION_MARK += [(0x2E42, 0x2E42), (0x300C, 0x300F), (0x301D, 0x301F), (0xFE41, 0xFE44), (0xFF02, 0xFF02)]
QUOTATION_MARK += [(0xFF07, 0xFF07), (0xFF62, 0xFF63)]

SAME = [
    ["O'Neil", "O\u2019Neil", "O\u2018Neil"],
    ["O'Neil", "O\u00b4Neil", "O`Neil", "O\u02bcNeil", "O\u2032Neil", "O\uff07Neil", "o'neil"],
    ["Ana-Mar\u00eda", "Ana\u2010Mar\u00eda", "Ana\u2011Mar\u00eda"],
    ["Ana-Mar\u00eda", "Ana\u2013Mar\u00eda", "Ana\u2212Mar\u00eda", "Ana\u2014Mar\u00eda"],
    ["Ana-Mar\u00eda", "Ana--Mar\u00eda", "Ana\uff0dMari\u0301a", "Ana\ufe63Mar\u00eda"],
    ['Ana "la Jefa"', "Ana \u201cla Jefa\u201d", "Ana \u00abla Jefa\u00bb", "Ana 'la Jefa'"],
    ["Ana 'la Jefa'", "Ana ''la Jefa''", "Ana \u201ela Jefa\u201d"],
    ["J. R.", "J\u2024 R\u2024"],
    ["Ana...", "Ana\u2026", "Ana\u2025.", "Ana\u2024\u2024\u2024"],
    ["Gal\u00b7la", "Gal\u2022la", "Gal\u2027la", "Gal\u0387la"],
    ["Ana B", "Ana  B", "Ana\u00a0B", " Ana\u2009B "],
    ["Jos\u00e9", "Jose\u0301", "JOS\u00c9"],
    ["Stra\u00dfe", "STRASSE"],
    ["Ana", "An\u200ba", "A\u00adna"],
]  # fmt: skip


@pytest.mark.parametrize("names", SAME, ids=ascii)
def test_names_that_count_as_the_same(names: list[str]) -> None:
    assert {name_key(name) for name in names} == {name_key(names[0])}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pe\u00f1a", "Pena"),
        ("Jos\u00e9", "Jose'"),
        ("O'Neil", "ONeil"),
        ("O'Neil", "O Neil"),
        ("Ana-Mar\u00eda", "Ana Mar\u00eda"),
        ("Ana", "Ana."),
        ("Ana...", "Ana."),
        ("Ian", "lan"),
    ],
)
def test_names_that_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_every_dash_and_quotation_mark_of_unicode_is_one() -> None:
    """Also what looks like an apostrophe, but for letters and combining marks."""
    all_of_them = [chr(code) for code in range(0x20, 0x20000)]
    dashes = [char for char in all_of_them if unicodedata.category(char) == "Pd"]
    assert len(dashes) > 20
    assert {name_key(f"a{dash}b") for dash in [*dashes, "\u2212"]} == {"a-b"}
    of_property = [chr(code) for first, last in QUOTATION_MARK for code in range(first, last + 1)]
    by_name = [char for char in all_of_them if re.search("QUOTATION MARK|APOSTROPHE", unicodedata.name(char, ""))]
    quotes = [char for char in (*of_property, *by_name) if unicodedata.category(char)[0] in "PS"]
    apostrophes = [row["c"] for row in confusables_data["'"] if unicodedata.category(row["c"][0])[0] in "PS"]
    assert {char for char in [*quotes, *apostrophes] if name_key(f"a{char}b") != "a'b"} == set()


def test_a_reference_means_the_name_as_written_or_the_only_one_that_is_the_same() -> None:
    assert find_name(" O\u2019Neil", ["Ana", "O'Neil"]) == "O'Neil"
    assert find_name("O\u2019Neil", ["O'Neil", "O\u2019Neil"]) == "O\u2019Neil"  # both stored by an earlier version
    assert find_name("O\u00b4Neil", ["O'Neil", "O\u2019Neil"]) is None
    assert find_name("ana", ["Ana", "Beto"]) == "Ana"
    assert find_name("Ana\0", ["Ana", "Beto"]) is None
    assert find_name("Pena", ["Pe\u00f1a"]) is None
    assert find_name("", ["Ana"]) is None
    assert find_name("a" * 10 * MAX_NAME_LENGTH, ["Ana"]) is None
