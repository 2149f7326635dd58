"""Collects every sentence of the app; as a script, it updates the translation catalogues.

Sentences are in templates as `_("…")`, in code as `Message("…")` or `say("…")`, and in the declarations and docstrings
of games. A catalogue keeps its translations, loses sentences that no longer exist, and gets new ones without a
translation. `python tests/sentences.py more.json` adds translations from a file {"English": "translation"}.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

import companion
from companion.engine.allowed import ACTIONS
from companion.engine.game import Family
from companion.engine.variants import variants
from companion.games import all_games, common_text
from companion.web.help import HelpText, read_text
from companion.web.text.language import TRANSLATIONS

PACKAGE = Path(companion.__file__).resolve().parent
TEMPLATES = PACKAGE.parent / "templates"
Sentence = str | tuple[str, str]  # with a plural
# functions that make a message, and the index of the argument that is its sentence
MAKERS = {"Message": 0, "say": 0, "_bad": 1, "bad": 0, "report": 2, "Misfit": 0, "must_fit": 1, "fits": 1, "gettext": 0}
SCOPES = (ast.FunctionDef, ast.Lambda)


@cache
def sentences() -> dict[Sentence, str]:
    """Return every sentence, with where it first occurs."""
    found: dict[Sentence, str] = {}
    for sentence, place in (*of_templates(), *of_code(), *of_games()):
        if sentence:
            found.setdefault(sentence, place)
    plurals = {sentence[0] for sentence in found if isinstance(sentence, tuple)}
    return {sentence: place for sentence, place in found.items() if sentence not in plurals}


def of_templates() -> Iterator[tuple[Sentence, str]]:
    """Yield the sentences in templates."""
    for path in sorted([*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.svg")]):
        parsed = Environment().parse(path.read_text())
        for _line, _function, given in extract_from_ast(parsed, ("_",)):
            texts = [text for text in (given if isinstance(given, tuple) else (given,)) if text is not None]
            yield (texts[0] if len(texts) == 1 else (texts[0], texts[1])), path.relative_to(TEMPLATES).as_posix()


def of_code() -> Iterator[tuple[Sentence, str]]:
    """Yield the sentences in code: literals, or names that were assigned literals before."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        place = path.relative_to(PACKAGE).as_posix()
        inner = {node: scope for scope in ast.walk(tree) if isinstance(scope, SCOPES) for node in ast.walk(scope)}
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name == "map" and getattr(call.args[0], "id", "") == "Message":
                yield from ((text, place) for text in _texts(call.args[1], []))
            elif name in MAKERS:
                at, scopes = MAKERS[name], [inner.get(call, tree), tree]
                said = [_texts(node, scopes) for node in call.args[at : at + (2 if name == "Message" else 1)]]
                if len(said) == 2:
                    yield from (((one, many), place) for one in said[0] for many in said[1])
                else:
                    yield from ((text, place) for texts in said for text in texts)


def _texts(node: ast.AST, scopes: list[ast.AST]) -> list[str]:
    """Return the texts an expression may have; for a name, everything assigned to it in the innermost scope."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body, scopes), *_texts(node.orelse, scopes)]
    if isinstance(node, ast.List | ast.Tuple):
        return [text for part in node.elts for text in _texts(part, scopes)]
    if isinstance(node, ast.Dict):
        return [text for part in node.values for text in _texts(part, scopes)]
    if isinstance(node, ast.Subscript):
        return _texts(node.value, scopes)
    if isinstance(node, ast.Name):
        found = (_assigned(node.id, scope) for scope in scopes)
        return next(
            ([text for value in values for text in _texts(value, scopes[1:])] for values in found if values), []
        )
    return []


def _assigned(name: str, scope: ast.AST) -> list[ast.AST]:
    found = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple):
                    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(target.elts)
                    pairs = list(zip(target.elts, parts, strict=False))
                found += [value for one, value in pairs if isinstance(one, ast.Name) and one.id == name]
    return found


def of_games() -> Iterator[tuple[Sentence, str]]:
    """Yield the sentences games declare, and their docstrings as shown on help pages."""
    yield from ((text, "games/__init__.py") for text in _of_help(read_text(common_text())))
    yield from ((action, "engine/betting/actions.py") for action in ACTIONS)
    yield from ((family.value, "engine/game.py") for family in Family)
    for key, game in all_games().items():
        place = f"games/{key.replace('-', '_')}.py"
        declared = [game.name, game.summary, game.direction, *(category.name for category in game.categories)]
        for option in game.house_rules:
            declared += [option.label, option.help, option.group, *option.choices.values()]
        for question in game.questions:
            declared += [question.label, question.help, question.nobody]
        for _, options in variants(game):
            pieces = game.pieces(options)
            named = [piece.name for piece in pieces.pieces]
            named += [*getattr(pieces, "rank_names", ()), *getattr(pieces, "rank_plurals", ())]
            declared += [*pieces.noun, *(text for name in named for text in _templates(name))]
        for text in (*declared, *_of_help(read_text(game.text))):
            yield (text if isinstance(text, str) else text.template), place


def _templates(value: object) -> Iterator[str]:
    """Return the templates of a message and of the messages in it."""
    if hasattr(value, "template"):
        yield value.template
        for inner in value.values.values():
            yield from _templates(inner)


def _of_help(text: HelpText) -> Iterator[str]:
    yield from (text.lead, *text.paragraphs, *text.rules.values())
    for row in text.turn:
        yield from row.texts[1:]
    for row in text.payments:
        yield from row.texts
    for _rule, where, how in text.sources:
        yield from (where, how)


def read_catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, path.parents[1].name)


def update(path: Path, more: dict[str, str | list[str]]) -> None:
    """Rewrite a catalogue with the current sentences."""
    old = read_catalogue(path) if path.exists() else Catalog()
    new = Catalog(locale=path.parents[1].name, project="companion", version="1", fuzzy=False)
    if path.exists():  # since 2.19, Babel has a third plural for Spanish millions, which no sentence needs
        new.mime_headers = [("Plural-Forms", old.plural_forms)]
    for sentence, place in sorted(sentences().items(), key=lambda item: (item[1], str(item[0]))):
        known = old.get(sentence if isinstance(sentence, str) else sentence[0])
        text = known.string if known is not None and known.id == sentence else ""
        given = more.get(sentence if isinstance(sentence, str) else sentence[0])
        if given:
            text = tuple(given) if isinstance(given, list) else given
        if isinstance(sentence, tuple) and isinstance(text, str) and text:
            text = (text, str(more.get(sentence[1], "")))
        new.add(sentence, text, locations=[(place, None)])
    # no dates: the same sentences give the same file
    new.creation_date = new.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    with path.open("wb") as file:
        write_po(file, new, width=110, omit_header=False, include_lineno=False)


def outside(path: Path) -> dict[Sentence, str]:
    """Return the sentences of games whose name isn't even in a catalogue; their pages are in English."""
    catalogue = read_catalogue(path)
    files = {f"games/{key.replace('-', '_')}.py" for key, game in all_games().items() if game.name not in catalogue}
    return {sentence: place for sentence, place in sentences().items() if place in files and sentence not in catalogue}


def _is_full(text: str | tuple[str, ...] | list[str]) -> bool:
    return all(text) if isinstance(text, tuple | list) else bool(text)


def missing(path: Path) -> list[Sentence]:
    """List the sentences a catalogue doesn't translate."""
    catalogue = read_catalogue(path)
    found = []
    for sentence in sentences().keys() - outside(path):
        known = catalogue.get(sentence if isinstance(sentence, str) else sentence[0])
        if known is None or known.id != sentence or not _is_full(known.string):
            found.append(sentence)
    return found


if __name__ == "__main__":
    translations = {key: text for name in sys.argv[1:] for key, text in json.loads(Path(name).read_text()).items()}
    for catalogue in sorted(TRANSLATIONS.glob("*/LC_MESSAGES")):
        update(catalogue / "messages.po", translations)
        left = missing(catalogue / "messages.po")
        print(f"{catalogue.parent.name}: {len(left)} to translate in {catalogue / 'messages.po'}")
        print(*(f"- {sentence}" for sentence in left[:20]), *["- …"][: len(left) > 20], sep="\n")
