"""Whole numbers as options of commands: digits only, although Python reads `1_0` as ten."""

from __future__ import annotations

import re
from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "integer"  # also in the sentence, where click writes "integer range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what has more than a sign and digits, in the sentence for what isn't a number."""
        if isinstance(value, str) and not re.fullmatch("-?[0-9]+", value):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return super().convert(value, param, ctx)
