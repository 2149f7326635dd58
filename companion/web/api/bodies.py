"""Reads the body of a request, and checks it against its schema: the part of JSON Schema that `schemas` uses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import request

from companion.engine.messages import Message, quoted
from companion.engine.names import has_control_characters
from companion.engine.problems import Code, Problem

MAX_DIGITS = 40  # digits to parse; a number this long is out of range anyway
_IS: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str) and not has_control_characters(value),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "text without control characters",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def posted_object() -> dict[str, object] | None:
    """Parse the body; None if it isn't a JSON object. NaN and Infinity aren't JSON."""
    try:
        text = request.get_data().decode("utf-8-sig")
        document = json.loads(text, parse_constant=_no_constant, parse_int=lambda digits: int(digits[:MAX_DIGITS]))
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _no_constant(name: str) -> object:
    raise ValueError(name)


def problems_in(value: Any, schema: Mapping[str, Any], path: str = "") -> Iterator[Problem]:
    """Yield what of a value doesn't fit its schema, each at its path, such as `players.1`."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kind = next((kind for kind in kinds if _IS[kind](value)), None)
    if kind is None:
        yield _bad(path, f"This must be {' or '.join(_WORDS[allowed] for allowed in kinds)}")
    elif kind == "object":
        yield from _in_object(value, schema, path)
    elif kind == "array":
        yield from _size(len(value), schema.get("minItems", 0), schema.get("maxItems"), path, "entries")
        for at, entry in enumerate(value[: schema.get("maxItems")]):
            yield from problems_in(entry, schema["items"], f"{path}.{at}")
    elif kind == "string":
        yield from _size(len(value), schema.get("minLength", 0), schema.get("maxLength"), path, "characters")
        if "enum" in schema and value not in schema["enum"]:
            yield _bad(path, f"{quoted(value)} isn't one of {', '.join(map(str, filter(None, schema['enum'])))}")
    elif kind == "integer":
        yield from _size(value, schema.get("minimum", value), schema.get("maximum"), path, "")


def _in_object(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    inner, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    at = f"{path}." if path else ""
    for key in schema.get("required", ()):
        if key not in value:
            yield _bad(f"{at}{key}", f"The document needs {key}", "missing-field")
    for key, part in value.items():
        if key in inner or isinstance(others, Mapping):
            yield from problems_in(part, inner.get(key, others), f"{at}{key}")
        elif not others:
            yield _bad(f"{at}{key}", f"{quoted(key)} isn't part of this document", "unknown-field")


def _size(size: int, least: int, most: int | None, path: str, of: str) -> Iterator[Problem]:
    if size < least or (most is not None and size > most):
        allowed = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
        yield _bad(path, f"This must be {allowed} {of}".strip())


def _bad(path: str, text: str, code: Code = "bad-value") -> Problem:
    return Problem(path, code, Message(text))
