"""Test tables as text: a row is a line of fields between bars, and an indented line continues the row above it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest


def table(text: str, row: Callable[..., Any] = lambda *fields: fields) -> list[Any]:
    """Parse a table; a row is made of its fields."""
    rows = filter(None, re.sub(r"\n +", " ", text).splitlines())
    return [row(*(field.strip() for field in each.split("|"))) for each in rows]


def each_row(text: str, row: Callable[..., Any] = lambda *fields: fields) -> pytest.MarkDecorator:
    """Run a test for each row of a table; its id is the row's, or its first field."""
    rows = table(text, row)
    return pytest.mark.parametrize("row", rows, ids=[getattr(each, "id", each[0]) for each in rows])
