"""Takes nested rules of a style sheet apart: browsers before 2024 can't read them, and old phones get no newer one.

It knows what our style sheets use: at-rules with rules inside may be nested too. See CSS Nesting 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# texts and addresses may have braces and semicolons
_PART = re.compile(r"""("[^"]*"|'[^']*'|url\([^)]*\)|(?:(?!url\()[^"'{};])+)|([{};])""", re.DOTALL)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_HOLDS_RULES = ("@media", "@supports", "@container", "@layer")

# a declaration or statement, with None, or the head of a rule and what is inside
_Item = tuple[str, "list[_Item] | None"]


def unnested(text: str) -> str:
    """Return a style sheet without comments in which no rule stands in another, in the order of the declarations."""
    return "".join(_flat(_items(text)))


def _items(text: str) -> list[_Item]:
    outer: list[tuple[str, list[_Item]]] = []
    items: list[_Item] = []
    said = ""
    for match in _PART.finditer(text):
        other, mark = match.groups()
        if other:
            said += other
            continue
        if mark != "{" and said.strip():
            items.append((said.strip(), None))
        if mark == "{":
            outer.append((said.strip(), items))
            items = []
        elif mark == "}":
            head, inside = outer[-1][0], items
            items = outer.pop()[1]
            items.append((head, inside))
        said = ""
    return items


def _flat(items: Iterable[_Item], parent: str = "") -> Iterator[str]:
    declared: list[str] = []
    for head, inside in items:
        if inside is None and parent:
            declared.append(head)
            continue
        if declared:
            yield f"{parent}{{{';'.join(declared)}}}"
            declared = []
        if inside is None:
            yield f"{head};"
        elif head.startswith(_HOLDS_RULES):
            yield f"{head}{{{''.join(_flat(inside, parent))}}}"
        elif head.startswith("@"):
            yield f"{head}{{{''.join(_as_it_is(inside))}}}"
        else:
            yield from _flat(inside, _within(parent, head) if parent else head)
    if declared:
        yield f"{parent}{{{';'.join(declared)}}}"


def _as_it_is(items: Iterable[_Item]) -> Iterator[str]:
    for head, inside in items:
        yield f"{head};" if inside is None else f"{head}{{{''.join(_as_it_is(inside))}}}"


def _within(parent: str, selectors: str) -> str:
    """Return the selectors of a rule that stands in the one of `parent`."""
    around = _without_arguments(parent)
    # the most specific of several selectors counts for all, as it does in a nested rule
    any_of = f":is({parent})" if "," in around else parent
    whole = f":is({parent})" if re.search("[ ,>+~]", around) else parent
    return ",".join(_selector(selector.strip(), any_of, whole) for selector in _parted(selectors))


def _selector(selector: str, any_of: str, whole: str) -> str:
    if "&" not in selector:
        return f"{any_of}{'' if selector[0] in '>+~' else ' '}{selector}"
    is_first = selector.startswith("&") and selector.count("&") == 1
    return selector.replace("&", any_of if is_first else whole)


def _without_arguments(selectors: str) -> str:
    """Return selectors with dots in the place of what stands in brackets."""
    while (found := _BRACKETS.search(selectors)) is not None:
        selectors = selectors.replace(found[0], "." * len(found[0]))
    return selectors


def _parted(selectors: str) -> Iterator[str]:
    begin = 0
    for selector in _without_arguments(selectors).split(","):
        yield selectors[begin : begin + len(selector)]
        begin += len(selector) + 1
