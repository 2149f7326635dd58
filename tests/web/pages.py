"""A page as a browser sees it, and a round as a browser would post it."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games import all_games

Fields = dict[str, list[str]]
_VOID = {"input", "meta", "link", "img", "use", "path", "circle", "br"}
# what templates write: all values stand in double quotes. html.parser takes as long as drawing the pages
_TAG = re.compile(r'<!--.*?-->|<!\w[^>]*>|<(/?)([a-z][^\s/>]*)((?:[^>"]++|"[^"]*")*+)>', re.DOTALL)
_ATTRIBUTE = re.compile(r'([^\s="/]+)(?:="([^"]*)")?')


_FIELDS = {"input", "select", "option", "button"}


def _attributes(written: str) -> dict[str, str]:
    return {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(written)}


class Page:
    """A parsed page: `tags`, text by id, the fields its form would post, and its buttons.

    Only what has an id and what fields are made of is looked into at once: there are hundreds of other tags on a page
    with a keyboard, and reading them took longer than drawing it.
    """

    def __init__(self, html: str) -> None:
        self.html = html
        self.texts: dict[str, str] = {}
        self.fields: Fields = {}
        self.buttons: list[str] = []
        self.wrapped: list[str] = []  # ids of fields inside their label
        self.moves: str | None = None
        self._tags: list[tuple[str, str]] = []  # with their attributes as written
        self._open: list[tuple[str, str | None, int]] = []  # with id, and how much text was before
        self._select = ""
        self._choices: list[tuple[str, bool]] = []
        self.text = self._read()

    def _read(self) -> str:
        """Read the fields, then return the text and keep that of everything with an id."""
        texts, length, at = [], 0, 0
        inside: list[tuple[str, int, int]] = []
        for found in _TAG.finditer(self.html):
            if at < found.start():
                texts.append(unescape(self.html[at : found.start()]))
                length += len(texts[-1])
            at = found.end()
            closing, tag, attributes = found.groups()
            if tag and not closing:
                self._begin(tag, attributes, length)
            if tag and (closing or attributes.endswith("/")):
                inside += [(identity, begin, length) for identity, begin in self._end(tag)]
        text = "".join([*texts, unescape(self.html[at:])])
        for identity, begin, end in inside:
            self.texts[identity] += text[begin:end]
        return text

    def _begin(self, tag: str, attributes: str, length: int) -> None:
        self._tags.append((tag, attributes))
        about = _attributes(attributes) if tag in _FIELDS or "id=" in attributes else {}
        identity = about.get("id")
        if identity:
            self.texts.setdefault(identity, "")
        if tag == "input" and identity and any(opened == "label" for opened, _, _ in self._open):
            self.wrapped.append(identity)
        if tag not in _VOID:
            self._open.append((tag, identity, length))
        if tag == "input" and ("name" not in about or about.get("type") == "file"):
            return  # the script's camera, or a file that nobody chose
        if tag == "input" and about["name"] == "moves":  # no part of the form: which list of a result is shown
            self.moves = about.get("value") if "checked" in about else self.moves
        elif tag == "input" and (about.get("type") not in ("checkbox", "radio") or "checked" in about):
            self.fields.setdefault(about["name"], []).append(about.get("value", ""))
        elif tag == "select":
            self._select, self._choices = about["name"], []
        elif tag == "option":
            self._choices.append((about["value"], "selected" in about))
        elif tag == "button" and "value" in about:
            self.buttons.append(about["value"])

    def _end(self, tag: str) -> list[tuple[str, int]]:
        """Close a tag and all in it; returns the ids that end here, and where their text began."""
        ended = []
        while self._open:
            closed, identity, begin = self._open.pop()
            if identity:
                ended.append((identity, begin))
            if closed == tag:
                break
        if tag == "select":
            chosen = [value for value, selected in self._choices if selected] or [self._choices[0][0]]
            self.fields[self._select] = chosen
        return ended

    @cached_property
    def tags(self) -> list[tuple[str, dict[str, str]]]:
        """List all tags in order, with their attributes."""
        return [(tag, _attributes(written)) for tag, written in self._tags]

    def all(self, tag: str, attribute: str) -> list[str]:
        """List an attribute of every tag of a kind."""
        return [about[attribute] for name, about in self.tags if name == tag and attribute in about]

    @property
    def errors(self) -> dict[str, str]:
        """The error texts by the id of their field."""
        return {key.removesuffix("-error"): text for key, text in self.texts.items() if key.endswith("-error")}

    @property
    def marked(self) -> list[str]:
        """The ids of the fields marked as invalid."""
        return [about["id"] for _, about in self.tags if about.get("aria-invalid") == "true"]

    @property
    def has_result(self) -> bool:
        return any(tag == "section" and about.get("aria-labelledby") == "won" for tag, about in self.tags)


def opened(client: FlaskClient, path: str) -> Page:
    """Get a page, which must exist."""
    response = client.get(path)
    assert response.status_code == 200, path
    return Page(response.text)


def typed(document: dict[str, Any]) -> Fields:
    """Convert a round document to form fields, with hands typed."""
    names, asked = document["players"], document["round"]
    fields: Fields = {
        "dealer": [str(names.index(document["dealer"]))],
        "stake": [str(document.get("stake", 1))],
        "pot": [str(document.get("pot", 0))],
    }
    if "called" in document:
        fields["called"] = [document["called"]]
    if "paid" in asked:
        fields["betting"] = [""]  # the totals are entered
    for key, value in document.get("rules", {}).items():
        fields[f"rules-{key}"] = ["y"] * value if isinstance(value, bool) else [str(value)]
    for at, name in enumerate(names):
        fields[f"players-{at}-name"] = [name]
        fields[f"players-{at}-hand"] = [asked.get("hands", {}).get(name, "")]
    for key, value in asked.items():
        if isinstance(value, dict) and key != "hands":
            fields |= {f"players-{names.index(name)}-{key}": [str(number)] for name, number in value.items()}
        elif isinstance(value, list):
            fields |= {f"players-{names.index(name)}-{key}": ["y"] for name in value}
        elif value in names:
            fields[f"asked-{key}"] = [str(names.index(value))]
        elif key != "hands":
            fields[f"asked-{key}"] = ["y"] * value if isinstance(value, bool) else ["nobody"]
    return fields


def as_posted(client: FlaskClient, document: dict[str, Any]) -> Fields:
    """Open the game's form and fill in a round."""
    blank = opened(client, f"/settle/{document['game']}").fields
    kept = {name: values for name, values in blank.items() if not name.startswith("players-")}
    return {**kept, **typed(document)}


def send(client: FlaskClient, game: str, fields: Fields, do: str = "settle") -> Page:
    """Post a form; the response must be a page."""
    response: TestResponse = client.post(f"/settle/{game}", data={**fields, "do": [do]})
    assert response.status_code == 200
    assert response.mimetype == "text/html"
    return Page(response.text)


GAMES = tuple(all_games())
