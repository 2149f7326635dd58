"""Spanish and English: how a page's language is chosen, that everything is translated, and how numbers are written."""

from __future__ import annotations

import re
import shutil
import string
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from devices import PlayedNight
from flask import Flask, current_app
from flask.testing import FlaskClient
from markupsafe import Markup
from pages import Page, opened
from sentences import PACKAGE, missing, outside, read_catalogue, sentences, update
from sqlalchemy import select
from years import make_years

from companion import create_app
from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.games import all_games
from companion.store.groups import links
from companion.store.models import Group, Night, by_clock, db
from companion.web.text.labels import COUNTED, unbroken
from companion.web.text.language import TRANSLATIONS, dated, isolated, languages, own_names, say, sentence
from companion.web.text.money import averaged, signed

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.8"}
CATALOGUES = sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po"))
NOON = datetime(2026, 11, 21, 12, 30, 5)
# words of English that no Spanish sentence has
ENGLISH_WORDS = re.compile(r"\b(the|and|with|you|your|this|is|are|of|from|who|to|for|not|or|at|by|wins|pays)\b", re.I)


def test_the_same_moment_has_another_date_by_another_clock(app: Flask) -> None:
    moment = datetime(2026, 12, 1, 2, 30, tzinfo=UTC)
    with app.test_request_context():
        for offset, date in ((-6 * 3600, "30\xa0November 20:30"), (0, "1\xa0December 02:30")):
            assert dated(by_clock(moment, offset), "d MMMM HH:mm") == date


def test_every_language_has_the_name_it_calls_itself() -> None:
    for code, name in own_names().items():
        assert name == languages()[code].locale.languages[code].capitalize()


def test_spanish_is_a_catalogue() -> None:
    assert list(languages()) == ["en", "es"]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
@pytest.mark.filterwarnings("default:No translation of")
def test_every_sentence_is_translated(path: Path) -> None:
    """`python tests/sentences.py` adds missing sentences to the catalogue for the translator."""
    assert missing(path) == []
    for file in sorted(set(outside(path).values())):
        warnings.warn(f"No translation of {file}; its pages are in English", stacklevel=1)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_a_catalogue_holds_nothing_else(path: Path) -> None:
    assert {entry.id for entry in read_catalogue(path) if entry.id} == set(sentences()) - set(outside(path))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_updating_a_catalogue_keeps_its_plurals_and_translations(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("babel.messages.catalog.get_plural", lambda locale: (3, "n % 3"))  # what Babel knows may change
    copy = tmp_path / path.relative_to(TRANSLATIONS)
    copy.parent.mkdir(parents=True)
    shutil.copy(path, copy)
    update(copy, {})
    assert missing(copy) == []
    old, new = (re.sub("Generated-By: .*", "", file.read_text()) for file in (path, copy))
    assert old == new


def test_what_stays_on_one_line_begins_with_a_number_in_every_language() -> None:
    said = [text.say(language.words) for text in COUNTED for language in languages().values()]
    assert [text for text in said if not text.split()[0].isdigit()] == []


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_translations_have_the_values_of_their_sentence(path: Path) -> None:
    for entry in read_catalogue(path):
        if entry.id:
            ids, texts = (given if isinstance(given, tuple | list) else [given] for given in (entry.id, entry.string))
            # one of something may be said without its number
            assert fields(texts[-1]) == fields(ids[-1]), entry.id
            assert fields(texts[0]) <= fields(ids[-1]), entry.id


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("es", "es-MX"),
        ("es-ES,es;q=0.9", "es-MX"),
        ("en-US,es;q=0.5", "en"),
        ("de,es;q=0.7,en;q=0.3", "es-MX"),
        ("de", "en"),
        ("es;q=0", "en"),
        ("de,es;q=0.000", "en"),
        ("es;q=0.001", "es-MX"),
        ("*", "en"),
    ],
)
def test_the_browser_says_which_language(client: FlaskClient, asked: str, language: str) -> None:
    answer = client.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{language}"' in answer.text
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_link_on_every_page_switches_and_is_remembered(client: FlaskClient) -> None:
    page = opened(client, "/settle/knock")
    assert "?language=es" in page.all("a", "href")
    answer = client.get("/settle/knock?language=es&a=1")
    assert (answer.status_code, answer.location) == (303, "http://localhost/settle/knock?a=1")
    assert '<html lang="es-MX"' in client.get("/").text
    assert "?language=en" in opened(client, "/help/").all("a", "href")
    assert client.get("/?language=xx").status_code == 200


def test_a_switch_stays_on_this_site(client: FlaskClient) -> None:
    path = {"PATH_INFO": "//elsewhere.example/"}
    answer = client.get("/?language=es", environ_overrides=path)
    assert answer.location.startswith("http://localhost/")


def test_the_page_of_this_phone_keeps_the_language(client: FlaskClient) -> None:
    assert "?language=es" not in opened(client, "/phone").all("a", "href")  # it would lose what isn't saved
    for chosen, language in (("es", "es-MX"), ("", "en"), ("xx", "en")):
        page = opened(client, "/phone")
        client.post("/phone", data={**page.fields, "language": chosen})
        assert f'<html lang="{language}"' in client.get("/").text


def test_a_new_group_s_form_changes_language_with_what_was_typed(client: FlaskClient) -> None:
    page = opened(client, "/groups/new")
    assert (page.all("button", "formaction"), page.all("button", "form")) == (["?language=es"], ["new-group"])
    sent = {**page.fields, "name": ["Viernes"], "player": ["Ana", "", "Beto"], "do": ["show"]}
    answer = client.post("/groups/new?language=es", data=sent)
    assert '<html lang="es-MX"' in answer.text
    shown = Page(answer.text).fields
    assert (shown["name"], shown["player"]) == (["Viernes"], ["Ana", "", "Beto", "", "", ""])
    assert '<html lang="es-MX"' in client.get("/").text


def test_a_page_that_is_also_the_answer_to_its_form_keeps_its_address(client: FlaskClient) -> None:
    assert "?language=es" in Page(client.post("/join", data={"code": "?"}).text).all("a", "href")


def test_a_page_that_a_form_was_sent_to_leads_to_the_one_above(night: PlayedNight) -> None:
    form = night.page("/people").fields
    answer = night.post("/seats", newcomer="", do="new", csrf_token=form["csrf_token"])
    (link,) = {link for link in Page(answer.text).all("a", "href") if "language=es" in link}
    page = night.keeper.get(f"{night.night}/seats{link}", follow_redirects=True)
    assert (page.status_code, page.request.path) == (200, night.night)
    assert '<html lang="es-MX"' in page.text


def test_the_api_stays_english(client: FlaskClient) -> None:
    answers = [client.post("/api/settle", json={"game": "?"}, headers=asked).text for asked in ({}, SPANISH)]
    assert answers[0] == answers[1]


def paid(payer: str, payee: str) -> str:
    """Describe a payment the way pages do."""
    macros = current_app.jinja_env.get_template("components/pieces.html").module
    return str(macros.pays(Payment(payer, payee, 1))).strip()


def hands_left(n: int, nouns: str) -> str:
    text = "Show your hand: {n} more {nouns}"
    return say(Message(text, text, n=n, nouns=Message(nouns)))


TWO = partial(sentence, "One thing to fix", "{n} things to fix", n=2)
OFTEN = 'pair: <span class="unbroken">1 in 2,598</span>'
WRITTEN: dict[str, tuple[Callable[[], object], str, str]] = {
    "date": (lambda: dated(NOON, sentence("d MMMM y")), "21\xa0November 2026", "21\xa0de\xa0noviembre de\xa02026"),
    "chips": (lambda: signed(-1234500, None), "\u22121,234,500", "\u22121,234,500"),
    "pesos": (lambda: signed(123450, "MXN"), "+MX$1,234.50", "+\u2060$1,234.50"),
    "francs": (lambda: signed(100, "CHF"), "+CHF\u00a01.00", "+CHF\u00a01.00"),
    "euros": (lambda: signed(63, "EUR"), "+\u2060€0.63", "+\u2060€0.63"),
    "dollars": (lambda: signed(63, "USD"), "+\u2060$0.63", "+USD\u00a00.63"),
    "odds": (lambda: unbroken("pair: 1 in 2,598"), OFTEN, OFTEN),
    "points": (lambda: unbroken("3½ points"), *2 * ('<span class="unbroken">3½ points</span>',)),
    "points in Spanish": (lambda: unbroken("½ punto"), "½ punto", '<span class="unbroken">½ punto</span>'),
    "odds in Spanish": (
        lambda: unbroken("9 de cada 10"),
        "9 de cada 10",
        '<span class="unbroken">9 de cada 10</span>',
    ),
    "deadwood": (
        lambda: unbroken(say(Message("Knock with {n} deadwood or less", n=10))),
        'Knock with <span class="unbroken">10 deadwood</span> or less',
        'Se puede tocar con <span class="unbroken">10 en sobrantes</span> o menos',
    ),
    "average": (lambda: averaged(7, 2, None), "+3.5", "+3.5"),
    "payment": (lambda: paid("Ana", "Beto"), "Ana <em>pays</em> Beto", "Ana <em>le paga a</em> Beto"),
    "to the pot": (lambda: paid("Ana", "pot"), "Ana <em>pays</em> the pot", "Ana <em>le paga</em> al bote"),
    "from the pot": (lambda: paid("pot", "Ana"), "The pot <em>pays</em> Ana", "El bote <em>le paga a</em> Ana"),
    "nothing": (lambda: say(""), "", ""),
    "plural": (TWO, "2 things to fix", "Faltan 2 cosas por corregir"),
    "a card": (lambda: hands_left(1, "card"), "Show your hand: 1 more card", "Muestra tu mano: falta 1 carta"),
    "cards": (lambda: hands_left(2, "cards"), "Show your hand: 2 more cards", "Muestra tu mano: faltan 2 cartas"),
    "names": (lambda: sentence("{players} win", players=("A&B", "C")), "A&amp;B and C win", "Ganan A&amp;B y C"),
}


@pytest.mark.parametrize("what", WRITTEN)
def test_values_are_written_as_the_language_has_them(app: Flask, what: str) -> None:
    said, english, spanish = WRITTEN[what]
    for headers, written in (({}, english), (SPANISH, spanish)):
        with app.test_request_context(headers=headers):
            assert str(said()) == written


@pytest.mark.parametrize("name", ["דנה", "سارة", "Ana דנה"])
def test_names_written_from_right_to_left_keep_their_place(app: Flask, name: str) -> None:
    kept = f"\u2068{name}\u2069"
    with app.test_request_context():
        assert sentence("{payer} <em>pays</em> the pot", payer=name) == f"{kept} <em>pays</em> the pot"
        assert say("{players} win", players=(name, "Ana")) == f"{kept} and Ana win"
        assert say("{first} and {last}", first=Message("{player} (5)", player=name), last=0) == f"{kept} (5) and 0"
    assert isolated(Markup(f"{name}&amp;")) == Markup(f"\u2068{name}&amp;\u2069")
    assert [isolated(other) for other in ("Ana", "Zoë", "Ольга", "太郎")] == ["Ana", "Zoë", "Ольга", "太郎"]


def translated_games() -> list[str]:
    return [key for key, game in all_games().items() if game.name in read_catalogue(CATALOGUES[0])]


class Visible(HTMLParser):
    """A page's visible and spoken text; input shown in <code> is excluded."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("code", "script")
        self.texts += [
            value for name, value in attrs if name in ("aria-label", "placeholder", "title", "alt") and value
        ]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("code", "script")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.texts.append(" ".join(data.split()))


@cache
def known_and_kept() -> tuple[set[str], set[str]]:
    """Return the app's sentences, and the texts that stay English: sources' titles, and what is the same in Spanish."""
    entries = [entry for entry in read_spanish() if isinstance(entry.id, str)]
    known = {entry.id for entry in entries}
    # the titles of sources stay as they are
    kept = {" ".join(str(entry.string).split()) for entry in entries}
    kept |= {" ".join(str(sentence).split()) for sentence in outside(CATALOGUES[0])}
    return known, kept


def english_in(html: str) -> list[str]:
    """List English text on a Spanish page: a sentence of the app, or anything with an English word."""
    known, kept = known_and_kept()
    return [text for text in Visible(html).texts if text not in kept and (text in known or ENGLISH_WORDS.search(text))]


@cache
def read_spanish() -> Catalog:
    return read_catalogue(CATALOGUES[0])


@pytest.fixture(scope="module")
def table(new_instance: Callable[[], Path]) -> Iterator[tuple[FlaskClient, Group]]:
    app = create_app({"INSTANCE": new_instance(), "TESTING": True})
    secret = links.new_secret()
    client = app.test_client()
    with app.app_context():
        make_years(secret, 3, 24)
        client.get(f"/open/{secret}", headers=SPANISH)
        yield client, db.session.scalars(select(Group)).one()
        db.session.remove()


def addresses(group: Group) -> Iterator[str]:
    yield from ("/", "/help/", "/phone", "/join", "/groups/new", "/groups/import", "/nowhere", "/offline")
    yield "/join/NOCODE"
    for key in translated_games():
        yield from (f"/help/{key}", f"/settle/{key}")
    page = f"/g/{group.public_id}"
    yield from (page, f"{page}?since=x", f"{page}/leaderboard", f"{page}/leaderboard?since=x", f"{page}/settle")
    yield from (f"{page}/players/{player.id}" for player in group.players)
    for session in db.session.scalars(select(Night)):
        night = f"/s/{session.public_id}"
        yield from (night + part for part in ("", "/changes", "/pictures", "/settle", "/rules", "/round", "/me"))
        for line in session.lines:
            yield from (f"{night}/lines/{line.number}{part}" for part in ("", "/void", "/correct"))


def test_no_page_is_left_in_english(table: tuple[FlaskClient, Group]) -> None:
    client, group = table
    left = {}
    for address in addresses(group):
        answer = client.get(address, headers=SPANISH)
        assert answer.mimetype == "text/html", address
        for text in english_in(answer.text):
            left.setdefault(text, address)
    assert left == {}


@pytest.mark.parametrize("key", translated_games())
def test_no_problem_is_left_in_english(client: FlaskClient, key: str) -> None:
    client.get("/?language=es")
    page = opened(client, f"/settle/{key}")
    for hand, action in (("", "settle"), ("?", "settle"), ("", "act-on"), ("", "add"), ("?", "rules")):
        answer = client.post(f"/settle/{key}", data={**page.fields, "players-0-hand": hand, "do": action})
        assert english_in(answer.text) == []


@pytest.mark.parametrize("path", sorted((PACKAGE.parent / "static").rglob("*.js")), ids=lambda path: path.name)
def test_scripts_say_nothing_of_their_own(path: Path) -> None:
    """Scripts get their words from the page."""
    code = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    assert re.findall(r"""textContent = ['"`]\w|['"`]\w+ [a-z]+ [a-z]""", code) == []


@pytest.mark.parametrize(
    ("page", "action", "sent"),
    [
        ("/groups/new", "/groups/new", {"name": "", "player": ["Ana", "ana"], "do": "make"}),
        ("/groups/import", "/groups/import", {}),
        ("/join", "/join", {"code": "XXXXXX"}),
        ("{group}", "{group}/players", {"do": "add", "name": ""}),
        ("{group}", "{group}/players", {"do": "pin", "new-pin": "1"}),
        ("{group}", "{group}/tonight", {"do": "start", "game": "", "currency": "XXX"}),
        ("{group}", "{group}/tonight", {"do": "start", "currency": "MXN", "stake": "x", "player": []}),
        ("{group}/settle", "{group}/settle", {}),
        ("{night}", "{night}/move", {"movement": "loan", "from": "1", "to": "1", "amount": "x"}),
        ("{night}", "{night}/move", {"movement": "loan", "from": "1", "to": "2", "amount": "x"}),
        ("{night}", "{night}/seats", {"do": "left-1"}),
        ("{night}", "{night}/close", {"do": "split"}),
        ("{night}/rules", "{night}/rules", {"rules-ante": "-1"}),
        ("{night}/round", "{night}/round", {"do": "settle"}),
        ("{night}/round", "{night}/round", {"do": "save"}),
    ],
    ids=lambda given: given if isinstance(given, str) else "-".join(given),
)
def test_no_answer_to_a_form_is_left_in_english(
    table: tuple[FlaskClient, Group], page: str, action: str, sent: dict[str, object]
) -> None:
    client, group = table
    night = db.session.scalars(select(Night).order_by(Night.id.desc())).first()
    assert night is not None
    places = {"group": f"/g/{group.public_id}", "night": f"/s/{night.public_id}"}
    client.get("/?language=es")
    form = opened(client, page.format(**places)).fields
    answer = client.post(action.format(**places), data={**form, **sent}, follow_redirects=True)
    assert answer.status_code in (200, 400, 409)
    assert english_in(answer.text) == []
