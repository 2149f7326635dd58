"""The code is broken in the places meant, and comments, documentation and imports are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutate import chosen, mutants_of

PYTHON = '''"""Don't change 1."""
from a import b

def f(x: int) -> int:
    """Don't change 2.

    Nor this line,
    if it is true:
    """
    # not 2
    g(x)
    if x < 3 and not h("a"):
        return -x
    return x + 1
'''
SCRIPT = """// not 1
import { b } from './b.js'
export function f(x) {
  g(x)
  if (x?.y === 3 && !h('it\\'s')) return ''
  return x.replace(/[/"]1/g, `${1}`) ?? true
}
"""


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("a.py", PYTHON, "pass, <=, (3 + 1), or, , '', (1 + 1), +, -, not (x < 3 and not h(\"a\")), pass, pass"),
        ("a.js", SCRIPT, "., !==, (3 + 1), ||, , '', 'mutant', &&, false, !(x?.y === 3 && !h('it\\'s')), , "),
    ],
)
def test_mutants(tmp_path: Path, name: str, text: str, made: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    mutants = list(mutants_of(path))
    assert sorted(mutant.text for mutant in mutants) == sorted(made.split(", "))
    assert all(mutant.apply() != text for mutant in mutants)


def test_a_seed_chooses_mutants_of_each_kind(tmp_path: Path) -> None:
    path = tmp_path / "a.js"
    path.write_text(SCRIPT, encoding="utf-8")
    found = chosen([path], 10, 1)
    assert found == chosen([path], 10, 1)
    assert len({mutant.kind for mutant in found}) == len({mutant.kind for mutant in mutants_of(path)})
    assert str(found[0]).count(":") >= 3
