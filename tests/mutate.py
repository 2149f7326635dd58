"""Break the code on purpose, one place at a time, and list what no test notices.

    tests/mutate.py --count 80 companion/store -- .venv/bin/pytest -xq -m "quick or not thorough" tests/store
    tests/mutate.py --count 80 static/scripts -- .venv/bin/pytest -xq tests/scripts -k {stem}

A fixed seed chooses the mutants, as many of each kind as possible; the command tries each in a copy of the repository,
with the broken file's name for {stem}. Python and JavaScript are taken apart into tokens: no types, no names.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
_PYTHON = r"""
    (?P<comment> \#[^\n]* ) | (?P<doc> (?m:^)[ ]*\"{3}.*?\"{3} )
    | (?P<string> (?<!\w)[bfru]{0,2}(?: \"{3}.*?\"{3} | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' ) )
"""
_SCRIPT = r"""
    (?P<comment> //[^\n]* ) | (?P<regex> (?<=[(=,?\s]) /(?![ *]) (?: \\. | \[(?:\\.|[^]\\\n])*\] | [^/\\\n] )+ /[a-z]* )
    | (?P<string> '(?:\\.|[^'\\\n])*' ) | (?P<template> `(?:\\.|[^`\\])*` )
"""
_REST = r"""
    | (?P<number> \b\d[\d_]*(?:\.\d+)?\b ) | (?P<name> [A-Za-z_$][\w$]* )
    | (?P<operator> => | -> | [=!]==? | [<>]=? | && | \|\|=? | \?\?=? | \?\. | //
        | [-+*/%]= | \*\* | \+\+ | -- | \.{3} | [-+*/%!?:;,.(){}\[\]=&|^~@] )
"""
_TOKENS = {".py": _PYTHON + _REST, ".js": _SCRIPT + _REST}
_FLIPPED = {
    "comparison": {"===": "!==", "!==": "===", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    "logic": {"&&": "||", "||": "&&", "and": "or", "or": "and", "??": "&&"},
    "arithmetic": {"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "+", "+=": "-=", "-=": "+="},
    "negation": {"!": "", "not": ""},
    "boolean": {"true": "false", "false": "true", "True": "False", "False": "True"},
    "optional": {"?.": "."},
}
# how a line begins that is more than a statement, or less
_NO_STATEMENT = re.compile(
    r"(import|export|const|let|function|class|def|async|from|return|if|else|elif|for|while|with|try|except|finally|case"
    r"|pass)\b|@|[})\]'\"`.?:&|/#]|\w+: "
)


class Mutant(NamedTuple):
    """A text that replaces a part of a file."""

    path: Path
    kind: str
    start: int
    end: int
    text: str

    def apply(self) -> str:
        whole = self.path.read_text(encoding="utf-8")
        return whole[: self.start] + self.text + whole[self.end :]

    def __str__(self) -> str:
        whole = self.path.read_text(encoding="utf-8")
        line, column = whole.count("\n", 0, self.start) + 1, self.start - whole.rfind("\n", 0, self.start)
        before, after = whole[self.start : self.end].strip(), self.text.strip() or "nothing"
        return f"{os.path.relpath(self.path)}:{line}:{column} {self.kind}: {before} -> {after}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Make all mutants of a file."""
    text = path.read_text(encoding="utf-8")
    tokens = list(re.finditer(_TOKENS[path.suffix], text, re.DOTALL | re.VERBOSE))
    within = [token.span() for token in tokens if token.lastgroup in ("doc", "string", "template") and "\n" in token[0]]
    before = ""
    for token in tokens:
        for kind, new in _changes(token, before):
            yield Mutant(path, kind, *token.span(), new)
        before = token[0]
    for mutant in (*_conditions(path, text), *_statements(path, text)):
        if not any(start < mutant.start < end for start, end in within):
            yield mutant


def _changes(token: re.Match[str], before: str) -> Iterator[tuple[str, str]]:
    old = token[0]
    if token.lastgroup == "number":
        yield "number", f"({old} + 1)"
    elif token.lastgroup == "string" and before not in ("from", "import"):
        yield "string", "'mutant'" if old in ("''", '""') else "''"
    elif token.lastgroup in ("name", "operator") and before not in (".", "is", "not"):
        is_sign = old in ("-", "+", "*") and not re.fullmatch(r"[\w$)\]]+", before)
        for kind, flips in _FLIPPED.items():
            if old in flips and not is_sign:
                yield kind, flips[old]


def _conditions(path: Path, text: str) -> Iterator[Mutant]:
    """Negate each condition of an `if`."""
    if path.suffix == ".py":
        for found in re.finditer(r"(?m)^ *(?:el)?if (.+):$", text):
            yield Mutant(path, "condition", *found.span(1), f"not ({found[1]})")
        return
    for found in re.finditer(r"\bif \(", text):
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield Mutant(path, "condition", found.end(), end - 1, f"!({text[found.end() : end - 1]})")


def _statements(path: Path, text: str) -> Iterator[Mutant]:
    """Leave out each statement of one line, and each early return."""
    nothing = "pass" if path.suffix == ".py" else ""
    is_early = re.compile(r"return\b" if path.suffix == ".py" else r"if \(.*\) return\b")
    for found in re.finditer(r"(?m)^( +)(\S.*)$", text):
        line = found[2]
        if line[-1] in ",({[=&|?:" or any(line.count(one) != line.count(other) for one, other in ("()", "[]", "{}")):
            continue
        if is_early.match(line):
            yield Mutant(path, "early return", *found.span(2), nothing)
        elif not _NO_STATEMENT.match(line):
            yield Mutant(path, "statement", *found.span(2), nothing)


def chosen(paths: Iterable[Path], count: int, seed: int) -> list[Mutant]:
    """Choose mutants, as many of each kind as possible."""
    by_kind: dict[str, list[Mutant]] = {}
    for path in paths:
        for mutant in mutants_of(path):
            by_kind.setdefault(mutant.kind, []).append(mutant)
    order = random.Random(seed)
    for mutants in by_kind.values():
        order.shuffle(mutants)
    found: list[Mutant] = []
    while len(found) < count and any(by_kind.values()):
        found += [mutants.pop() for mutants in by_kind.values() if mutants]
    return found[:count]


def in_a_copy(command: list[str], copy: Path) -> Callable[[Mutant], bool]:
    """Return a function that tries a mutant in a copy of the repository: whether it lives."""
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "instance", "__pycache__"), dirs_exist_ok=True)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}

    def lives(mutant: Mutant) -> bool:
        file = copy / mutant.path.relative_to(ROOT)
        before = file.read_bytes()
        file.write_text(mutant.apply(), encoding="utf-8")
        run = [part.replace("{stem}", file.stem) for part in command]
        try:
            return subprocess.run(run, cwd=copy, env=environment, capture_output=True, timeout=600).returncode == 0
        except subprocess.TimeoutExpired:
            return False  # it never ends
        finally:
            file.write_bytes(before)

    return lives


def main() -> None:
    before = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    own, command = sys.argv[1:before], sys.argv[before + 1 :]  # whose arguments may hold spaces
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="files, or folders with files, to break")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=41)
    given = parser.parse_args(own)
    files = [each for path in given.paths for each in ([path] if path.is_file() else path.rglob("*"))]
    paths = sorted(file.resolve() for file in files if file.suffix in _TOKENS)
    alive = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as copy:
        lives = in_a_copy(command, Path(copy))
        mutants = chosen(paths, given.count, given.seed)
        for at, mutant in enumerate(mutants, 1):
            if lives(mutant):
                alive.append(mutant)
            print(f"{at:4} {'LIVED ' if alive[-1:] == [mutant] else 'killed'} {mutant}", flush=True)
    print(f"{len(mutants)} mutants, {len(mutants) - len(alive)} killed, {len(alive)} alive")
    sys.exit(len(alive) > 0)


if __name__ == "__main__":
    main()
