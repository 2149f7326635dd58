"""What the documents tell people to type exists: commands with their options, extras, settings, tests of a name."""

from __future__ import annotations

import re
import tomllib

import pytest
from test_architecture import CHECKOUT, DOCUMENTS

from companion.config import SETTINGS
from companion.folders import EXTRAS
from companion.serve.commands.main import companion

FOR_DEVELOPERS = {"test", "benchmarks", "train"}
# `python3 companion …` and its like; `flask --app companion` is Flask's own
COMMAND = re.compile(
    r"(?:python3 companion|py companion|bin/companion|-m companion\.serve|uvx table-companion|(?<=`)companion"
    r"|(?<=systemd-run )companion)(?: ([^`\n|#;&]+))?"
)
TEXTS = {path.relative_to(CHECKOUT).as_posix(): path.read_text() for path in DOCUMENTS}


def typed(text: str) -> list[list[str]]:
    """List the words behind `companion` wherever a document says what to type."""
    return [(found[1] or "").split() for found in COMMAND.finditer(text.replace(" \\\n", " "))]


def unknown(words: list[str]) -> list[str]:
    """Return what the command doesn't know of these words: a command, an option, an extra."""
    first, rest = (words[0], words[1:]) if words else ("serve", [])
    if first.startswith("-"):
        first, rest = "serve", words
    command = companion.commands.get(first)
    if command is None:
        return [first]
    known = {name for one in (command, companion) for option in one.params for name in option.opts}
    strange = [word for word in rest if word.startswith("--") and word not in known | {"--help", "--version"}]
    extras = {*EXTRAS, *FOR_DEVELOPERS, "NAME"}
    return strange + [word for word in rest if first == "environment" and word.isalpha() and word not in extras]


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_of_a_document_exists(name: str) -> None:
    assert [words for words in typed(TEXTS[name]) if unknown(words)] == []


def test_commands_are_found_and_strange_ones_noticed() -> None:
    assert sum(len(typed(text)) for text in TEXTS.values()) > 40
    text = "`python3 companion dance`\n    x/bin/companion backup --kepe 3\n`companion environment chess`\n`companion`"
    assert [unknown(words) for words in typed(text)] == [["dance"], ["--kepe"], ["chess"], []]


def test_the_readme_lists_every_command() -> None:
    named = {words[0] for words in typed(TEXTS["README.md"]) if words}
    beside = {"serve", "recount", "try-game"}  # what `companion` does by itself, and what stands in a row of another
    assert {*companion.commands} - named == beside
    assert all(f"`{name}" in TEXTS["README.md"] for name in beside - {"serve"})


def test_every_setting_that_a_document_names_exists() -> None:
    for name, text in TEXTS.items():
        settings = set(re.findall(r"\bCOMPANION_[A-Z_]+\b", text)) - {"COMPANION_", "COMPANION_HOST"}  # compose's own
        assert {one.removesuffix("_FILE") for one in settings} <= {*SETTINGS}, name


def test_every_extra_is_declared_and_every_declared_one_told() -> None:
    declared = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {*EXTRAS} == {*declared} - FOR_DEVELOPERS
    for extra in EXTRAS:
        assert f"`{extra}`" in TEXTS["README.md"]
        assert f"companion environment {extra}`" in TEXTS["companion/locks/README.md"]
