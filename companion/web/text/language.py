"""The language of a page: the one chosen on this phone, else the browser's preference, else English.

A catalogue is `companion/translations/<locale>/LC_MESSAGES/messages.po`; adding one adds a language. It is loaded when
its first page is requested. Its keys are the English sentences in the code, with {named} values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from babel.core import Locale
from babel.dates import format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from flask import Flask, Response, has_request_context, redirect, request
from flask import session as cookie
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.messages import ENGLISH, Message, Units, Words
from companion.engine.pieces.sets import Piece
from companion.engine.players import PlayerKey

from .names import name_of

TRANSLATIONS = Path(__file__).resolve().parents[2] / "translations"
AS_THE_BROWSER = ""
_MAX_WISH_LENGTH = 1_000  # characters read of an Accept-Language header
_SOURCE = Locale("en")
_OWN_NAMES = {"en": "English", "es": "Español"}  # Babel knows them too, but loads all it knows of a language first
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_SPACE = re.compile("(?<!M) ")  # a space in a date's pattern that doesn't follow the month
_KEY = "language"  # in this phone's cookie, and in the URL of a link that switches languages
_CATALOGUE = "LC_MESSAGES/messages.po"
_DECIDED = "companion.language"  # in the request's environment


_WRITTEN: dict[type, Callable[[Any], str]] = {}


def write_amounts(written: Callable[[Any], str]) -> None:
    """Set how sentences write amounts of money, which depends on this module."""
    _WRITTEN[Units] = written


def init_app(app: Flask) -> None:
    """Set up translation for every page."""
    app.jinja_env.globals.update(_=sentence, other_languages=_other_languages)
    app.jinja_env.filters.update(say=say, dated=dated, capital=capital, dotted=dotted, isolated=isolated)
    app.context_processor(lambda: {"language": _here().tag})
    app.before_request(_switch)
    app.after_request(_vary)
    _catalogues()


@dataclass(frozen=True, eq=False)
class Language:
    """A language of the pages; `locale` determines how numbers and dates are written."""

    locale: Locale

    @property
    def tag(self) -> str:
        """The locale as pages name it: "es-MX"."""
        return str(self.locale).replace("_", "-")

    @cached_property
    def words(self) -> Words:
        """The catalogue; English needs none, as the code's sentences are English."""
        if self.locale is _SOURCE:
            return ENGLISH
        compiled = BytesIO()
        write_mo(compiled, read_po(BytesIO(_catalogues()[str(self.locale)]), self.locale))
        compiled.seek(0)
        return Translations(compiled)


@cache
def _catalogues() -> dict[str, bytes]:
    """Return the catalogues by locale, as they were when the process started."""
    return {path.parents[1].name: path.read_bytes() for path in sorted(TRANSLATIONS.glob(f"*/{_CATALOGUE}"))}


@cache
def languages() -> dict[str, Language]:
    """Return the available languages by code."""
    locales = [Locale.parse(name) for name in _catalogues()]
    return {locale.language: Language(locale) for locale in (_SOURCE, *locales)}


def _here() -> Language:
    """Return this page's language, decided once per request; outside a request, English."""
    if not has_request_context():
        return languages()[_SOURCE.language]
    language: Language | None = request.environ.get(_DECIDED)
    if language is None:
        language = request.environ[_DECIDED] = languages()[_page_language()]
    return language


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Say everything in another language, for a text that somebody else is going to read."""
    before = _here()
    request.environ[_DECIDED] = languages()[code]
    try:
        yield
    finally:
        request.environ[_DECIDED] = before


def locale() -> Locale:
    """Return this page's locale, for numbers and dates."""
    return _here().locale


def words() -> Words:
    """Return this page's catalogue."""
    return _here().words


def say(text: Message | str, /, **values: object) -> str:
    """Translate a message, a sentence with its values, or a declared label into the page's language."""
    if isinstance(text, Message):
        return _for_page(text).say(words())
    if values:
        return say(Message(text, **values))
    return words().gettext(text) if text else ""


def _for_page(text: Message) -> Message:
    """Show the cards in a message by their symbols ("Q♥", not as typed: "Qh"), and its players by their names."""
    values = {key: _shown(value) for key, value in text.values.items()}
    return text if values == text.values else Message(text.template, text.plural, **values)


def _shown(value: object) -> object:
    if isinstance(value, Piece):
        return value.symbol
    if isinstance(value, PlayerKey):
        return isolated(name_of(value))
    if isinstance(value, Units):
        return _WRITTEN[Units](value)
    if isinstance(value, Message):
        return _for_page(value)
    if isinstance(value, tuple):
        return tuple(_shown(part) for part in value)
    return isolated(value) if isinstance(value, str) else value


def isolated(name: str) -> str:
    """Isolate a name in Hebrew or Arabic script; otherwise an amount or name after it would be shown before it."""
    if name.isascii() or not _RIGHT_TO_LEFT.search(name):
        return name
    return "\N{FIRST STRONG ISOLATE}" + name + "\N{POP DIRECTIONAL ISOLATE}"  # a Markup remains one


def sentence(template: str, plural: str | None = None, /, **values: object) -> Markup:
    """Translate a template's sentence; `n` selects the plural, and values are escaped."""
    safe = {name: _safe(value) for name, value in values.items()}
    return Markup(Message(template, plural, **safe).say(words()))


def _safe(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(_safe(part) for part in value)
    if isinstance(value, int):
        return value
    if isinstance(value, Message):
        return str(escape(say(value)))
    if isinstance(value, PlayerKey):
        value = name_of(value)
    return str(escape(isolated(value) if isinstance(value, str) else value))


def capital(label: str) -> str:
    """Capitalize a label that is also used within sentences. One that begins with a number stays the same."""
    first = next((at for at, letter in enumerate(label) if letter.isalnum()), 0)
    return label[:first] + label[first : first + 1].upper() + label[first + 1 :]


def dotted(parts: Iterable[str | None]) -> Markup:
    """Join parts with dots between them, leaving out empty parts; the style sheet hides the dot at a line break."""
    spans = "</span> <span><i>· </i>".join(escape(part) for part in parts if part)
    return Markup(f'<span class="dotted"><span>{spans}</span></span>' if spans else '<span class="dotted"></span>')


def dated(at: datetime, pattern: str) -> str:
    """Format a time with a CLDR pattern ("d MMMM y") in the page's language, by the clock that it comes from.

    For times of a night, that is `Night.here`; those in UTC would be shown in UTC.

    The spaces don't break, except after the month: "24 de noviembre" stays on one line.
    """
    # without its zone: two times of different zones are the same key for the cache if they are the same moment
    return _dated(at.replace(tzinfo=None), _SPACE.sub("\N{NO-BREAK SPACE}", str(pattern)), locale())


@lru_cache(maxsize=1_000)
def _dated(at: datetime, pattern: str, locale: Locale) -> str:
    return str(format_datetime(at, pattern, locale=locale))


def chosen_code() -> str:
    """Return the code of the language chosen on this phone; `AS_THE_BROWSER` if none."""
    code = cookie.get(_KEY)
    return code if code in languages() else AS_THE_BROWSER


def choose(code: str | None) -> None:
    """Remember a language for this phone; an unknown code leaves the choice to the browser."""
    cookie[_KEY] = code if code in languages() else AS_THE_BROWSER
    cookie.permanent = True


def _page_language() -> str:
    """Return the code of the page's language.

    It is the one chosen on this phone, else the first available one that the browser asks for, else English.
    """
    wanted = parse_accept_header(request.headers.get("Accept-Language", "")[:_MAX_WISH_LENGTH], LanguageAccept)
    asked = (tag.partition("-")[0].lower() for tag, quality in wanted if quality)
    return chosen_code() or next((code for code in asked if code in languages()), _SOURCE.language)


def _other_languages() -> Iterator[tuple[str, str, str]]:
    """Yield (code, its own name, URL) for each language other than the page's.

    The URL is that of this page; one that only takes forms leads to the page above it.
    """
    for code, name in own_names().items():
        if code != locale().language:
            yield code, name, "?" + urlencode([*_other_arguments(), (_KEY, code)])


@cache
def own_names() -> dict[str, str]:
    """Return each language's name for itself, by code."""
    return {code: _OWN_NAMES.get(code, code) for code in languages()}


def _other_arguments() -> list[tuple[str, str]]:
    """Return the arguments of the URL's query string, without the language."""
    return [(name, value) for name, value in request.args.items(multi=True) if name != _KEY]


def _switch() -> AnyResponse | None:
    """Remember the language chosen by a link, and redirect to the URL without it.

    A form sent by a button with that URL is shown again in the new language, with what was typed.
    """
    code = request.args.get(_KEY)
    if code not in languages():
        return None
    choose(code)
    if request.method != "GET":
        return None
    rest = urlencode(_other_arguments())
    # the full URL: a path starting with two slashes would lead to another host
    return redirect(f"{request.base_url}?{rest}" if rest else request.base_url, 303)


def _vary(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.vary.add("Accept-Language")
    return response
