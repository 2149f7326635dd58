"""A page as a browser sees it, and a round as a browser would post it."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from typing import Any
from weakref import WeakKeyDictionary

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games import all_games

Fields = dict[str, list[str]]
_blank: WeakKeyDictionary[Flask, dict[str, Fields]] = WeakKeyDictionary()  # the forms of games, without players
_VOID = {"input", "meta", "link", "img", "use", "path", "circle", "br"}
# what templates write: all values stand in double quotes. html.parser takes as long as drawing the pages
_ATTRIBUTES = r'((?:[^>"]++|"[^"]*")*+)>'
_TAG = re.compile(rf"<!--.*?-->|<!\w[^>]*>|<(/?)([a-z][^\s/>]*){_ATTRIBUTES}", re.DOTALL)
_OF_FORMS = re.compile(rf"<!--.*?-->|<(/?)(input|select|option|button|label)(?![^\s/>]){_ATTRIBUTES}", re.DOTALL)
_ATTRIBUTE = re.compile(r'([^\s="/]+)(?:="([^"]*)")?')


def _attributes(written: str) -> dict[str, str]:
    return {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(written)}


class _Form:
    """What a page's form would post, its buttons, and the ids of fields inside their label."""

    def __init__(self, html: str) -> None:
        self.fields: Fields = {}
        self.buttons: list[str] = []
        self.wrapped: list[str] = []
        self.moves: str | None = None
        self._select = ""
        self._choices: list[tuple[str, bool]] = []
        labels = 0
        for closing, tag, attributes in _OF_FORMS.findall(html):
            if tag == "label":
                labels += -1 if closing else 1
            elif tag == "select" and closing:
                chosen = [value for value, selected in self._choices if selected] or [self._choices[0][0]]
                self.fields[self._select] = chosen
            elif tag and not closing:
                self._begin(tag, _attributes(attributes), labels > 0)

    def _begin(self, tag: str, about: dict[str, str], is_labelled: bool) -> None:
        if tag == "input" and about.get("id") and is_labelled:
            self.wrapped.append(about["id"])
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


class Page:
    """A parsed page: `tags`, text by id, the fields its form would post, and its buttons.

    Each is read when it is asked for: there are hundreds of tags on a page with a keyboard, and reading all of them
    took longer than drawing it.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    @cached_property
    def _form(self) -> _Form:
        return _Form(self.html)

    @property
    def fields(self) -> Fields:
        """What the form would post."""
        return self._form.fields

    @property
    def buttons(self) -> list[str]:
        """The values of the buttons."""
        return self._form.buttons

    @property
    def wrapped(self) -> list[str]:
        """The ids of fields inside their label."""
        return self._form.wrapped

    @property
    def moves(self) -> str | None:
        """Which list of a result is shown."""
        return self._form.moves

    @cached_property
    def _read(self) -> tuple[str, dict[str, str]]:
        """The text, and that of everything with an id."""
        pieces: list[str] = []
        texts: dict[str, str] = {}
        open_: list[tuple[str, str | None, int]] = []  # with id, and how much text was before
        inside: list[tuple[str, int, int]] = []
        length = at = 0
        for found in _TAG.finditer(self.html):
            if at < found.start():
                pieces.append(unescape(self.html[at : found.start()]))
                length += len(pieces[-1])
            at = found.end()
            closing, tag, attributes = found.groups()
            if tag and not closing:
                identity = _attributes(attributes).get("id") if "id=" in attributes else None
                if identity:
                    texts.setdefault(identity, "")
                if tag not in _VOID:
                    open_.append((tag, identity, length))
            if tag and (closing or attributes.endswith("/")):
                # it closes all that is open in it
                while open_:
                    closed, identity, begin = open_.pop()
                    if identity:
                        inside.append((identity, begin, length))
                    if closed == tag:
                        break
        text = "".join([*pieces, unescape(self.html[at:])])
        for identity, begin, end in inside:
            texts[identity] += text[begin:end]
        return text, texts

    @property
    def text(self) -> str:
        """All of its text."""
        return self._read[0]

    @property
    def texts(self) -> dict[str, str]:
        """The text of everything with an id."""
        return self._read[1]

    @cached_property
    def tags(self) -> list[tuple[str, dict[str, str]]]:
        """List all tags in order, with their attributes."""
        found = _TAG.findall(self.html)
        return [(tag, _attributes(written)) for closing, tag, written in found if tag and not closing]

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
    """Open the game's form and fill in a round, whose rules may ask more than the form did.

    Phones without cookies get the same form but for its token: it is drawn once for each game, which takes longer than
    the answer to most rounds.
    """
    game, blank = document["game"], _blank.setdefault(client.application, {})
    if game in blank and not client._cookies:
        kept = {name: [*values] for name, values in blank[game].items()}
        kept["csrf_token"] = opened(client, "/join").fields["csrf_token"]
    else:
        is_new = not client._cookies
        fields = opened(client, f"/settle/{game}").fields
        kept = {name: values for name, values in fields.items() if name != "asks" and not name.startswith("players-")}
        if is_new:
            blank[game] = {name: [*values] for name, values in kept.items()}
    return {**kept, **typed(document)}


def send(client: FlaskClient, game: str, fields: Fields, do: str = "settle") -> Page:
    """Post a form; the response must be a page."""
    response: TestResponse = client.post(f"/settle/{game}", data={**fields, "do": [do]})
    assert response.status_code == 200
    assert response.mimetype == "text/html"
    return Page(response.text)


GAMES = tuple(all_games())
