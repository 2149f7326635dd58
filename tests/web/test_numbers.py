"""Numbers as people type them: what the app writes is read back, and what has two readings is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from math import isnan

import pytest
from babel.core import Locale
from babel.numbers import format_currency, format_decimal, get_currency_precision, list_currencies
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import Page, as_posted, send
from playwright.sync_api import Page as BrowserPage
from sample_rounds import ROUNDS

from companion import create_app
from companion.engine.money.pots import MAX_UNITS
from companion.web.text.language import languages
from companion.web.text.money import no_amount, on_chip, read_amount, set_page_currency, signed, typed, units
from companion.web.text.numbers import Readings, decimal_point, read_number, whole_typed

CURRENCIES = ["", *sorted(list_currencies())]
ELSEWHERE = [Locale.parse(name) for name in ("de", "fr", "de_CH", "es_ES", "en_IN", "ar_KW", "ja", "pt_BR", "fa")]


@pytest.fixture(scope="module")
def other_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app({"INSTANCE": str(tmp_path_factory.mktemp("numbers"))})


@contextmanager
def page_of(app: Flask, language: str, currency: str) -> Iterator[None]:
    with app.test_request_context(headers={"Accept-Language": language}):
        set_page_currency(currency or None)
        yield


amounts = st.one_of(st.integers(0, 10_000), st.integers(0, MAX_UNITS), st.integers(0, 10**6).map(lambda n: n * 1000))


@pytest.mark.parametrize("language", sorted(languages()))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(currency=st.sampled_from(CURRENCIES), amount=amounts)
def test_what_the_app_writes_it_reads(other_app: Flask, language: str, currency: str, amount: int) -> None:
    with page_of(other_app, language, currency):
        written = [units(amount), units(amount, symbol=False), typed(amount), on_chip(amount), signed(amount)]
        for text in written:
            assert read_amount(text) == amount, text
        assert read_amount(signed(-amount)) == -amount
        # and with Babel's own formats, in their variants
        locale = languages()[language].locale
        number = Decimal(amount).scaleb(-(get_currency_precision(currency) if currency else 0))
        pattern = "#,##0." + "0" * get_currency_precision(currency) if currency else "#,##0"
        by_babel = [
            format_decimal(number, pattern, locale),
            format_decimal(number, pattern.replace("#,##", ""), locale),
        ]
        if currency:
            by_babel += [
                format_currency(number, currency, locale=locale),
                f"{currency} {number:f}",
                f"{number:f}{currency}",
            ]
        for text in by_babel:
            assert read_amount(text) == amount, text


@pytest.mark.parametrize("language", sorted(languages()))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(currency=st.sampled_from(CURRENCIES), amount=amounts, elsewhere=st.sampled_from(ELSEWHERE), short=st.booleans())
def test_an_amount_in_the_format_of_another_country_is_never_misread(
    other_app: Flask, language: str, currency: str, amount: int, elsewhere: Locale, short: bool
) -> None:
    with page_of(other_app, language, currency):
        decimals = get_currency_precision(currency) if currency else 0
        number = Decimal(amount).scaleb(-decimals)
        pattern = "#,##0." + "0" * decimals if decimals else "#,##0"
        if short and number == int(number):
            pattern = "#,##0"
        text = format_decimal(number, pattern, elsewhere, numbering_system="default")
        # a full amount in another country's format may look like one of ours: "1.500" dinars are 1,500 in Kuwait's
        of_ours = {format_decimal(n, pattern, languages()[language].locale) for n in (number, number / 1000)}
        assert read_amount(text) in (amount, None) or text in of_ours or (decimals == 3 and short)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(text=st.text("0123456789.,' +-_e\u00a0\u202f\u0663\uff11½x", max_size=12), currency=st.sampled_from(CURRENCIES))
def test_what_has_two_readings_shows_both_and_they_can_be_entered(other_app: Flask, text: str, currency: str) -> None:
    with page_of(other_app, "en", currency):
        decimals = get_currency_precision(currency) if currency else 0
        found = read_number(text, decimals)
        if not isinstance(found, Readings):
            return
        assert read_amount(text) is None
        told = no_amount(text).values
        assert told["one"] != told["other"]
        for shown, number in ((told["one"], found.one), (told["other"], found.other)):
            at_once = read_number(str(shown), decimals)
            assert at_once == number


READ = [
    # currency, text, and the amount in units; None if it isn't one
    ("KWD", "1,500", None),
    ("KWD", "1.500", 1_500),
    ("KWD", "1,500.000", 1_500_000),
    ("KWD", "1500", 1_500_000),
    ("KWD", "0,500", 500),
    ("KWD", "12345,678", 12_345_678),
    ("KWD", "KWD\u00a01,501.500", 1_501_500),
    ("BHD", "\u0661\u066b\u0665\u0660\u0660", 1_500),
    ("BHD", "\u0661\u066c\u0665\u0660\u0660", None),
    ("EUR", "1,500", 150_000),
    ("EUR", "1.500", None),
    ("EUR", "1.500,00", 150_000),
    ("EUR", "1.500.000", 150_000_000),
    ("EUR", "12,50", 1_250),
    ("EUR", "12,5", 1_250),
    ("EUR", ",50", 50),
    ("EUR", "5.", 500),
    ("EUR", "5 €", 500),
    ("EUR", "€5", 500),
    ("EUR", "eur 5", None),
    ("EUR", "$5", None),
    ("EUR", "€", None),
    ("EUR", "€€5", None),
    ("EUR", "€+5", None),
    ("EUR", "0.255", None),
    ("EUR", "1 500,50", 150_050),
    ("EUR", "1\u00a0500,50", 150_050),
    ("EUR", "1\u202f500.50", 150_050),
    ("EUR", "1\u2019500.50", 150_050),
    ("EUR", "1 50", None),
    ("EUR", "1,50,000", None),
    ("EUR", "1,500 500", None),
    ("EUR", "1_5", None),
    ("EUR", "1_000", None),
    ("EUR", "1e3", None),
    ("EUR", "0x10", None),
    ("EUR", "NaN", None),
    ("EUR", "5²", None),
    ("EUR", "+5", 500),
    ("EUR", "\u22125", -500),
    ("EUR", "- 5", -500),
    ("EUR", "+-5", None),
    ("EUR", "5-", None),
    ("EUR", "\u0663", 300),
    ("EUR", "\uff11\uff15", 1_500),
    ("EUR", "1\u0663", None),  # digits of two scripts
    ("EUR", "1\u200b5", 1_500),
    ("EUR", "1" + " " * 60 + "5", None),
    ("EUR", "9" * 29, None),
    ("JPY", "1,500", 1_500),
    ("JPY", "1.500", None),
    ("JPY", "5.00", 5),
    ("JPY", "5.5", None),
    ("", "1,500", 1_500),
    ("", "1.500", None),
    ("", "1_000", None),
    ("", "1e3", None),
    ("", "\u0663", 3),
    ("", "1.5", None),
    ("", "", None),
    ("", ".", None),
]


@pytest.mark.parametrize(("currency", "text", "amount"), READ, ids=ascii)
@pytest.mark.parametrize("language", sorted(languages()))
def test_amounts_in_all_currencies_have_one_grammar(
    other_app: Flask, language: str, currency: str, text: str, amount: int | None
) -> None:
    with page_of(other_app, language, currency):
        assert read_amount(text) == amount


def test_a_language_with_a_decimal_comma_reads_its_own_numbers() -> None:
    """The app has no such language yet."""
    comma = decimal_point(Locale.parse("de"))
    assert (comma, decimal_point(Locale.parse("fa"))) == (",", ".")
    assert read_number("1,500", 3, comma) == Decimal("1.500")
    assert read_number("1.500", 2, comma) == 1500
    assert read_number("1.500", 3, comma) == Readings(Decimal(1500), Decimal("1.500"))
    assert read_number("1,500", 2, comma) == Readings(Decimal("1.500"), Decimal(1500))


def test_counts_and_house_rules_are_read_like_chips(other_app: Flask) -> None:
    with page_of(other_app, "en", ""):
        given = ["1,500", "\u0663", " 7 ", "+7", "-7", "1_5", "1e3", "1.5", "1.0", "1.500", "x", None]
        assert [whole_typed(text) for text in given] == [
            1500,
            3,
            7,
            7,
            -7,
            "1_5",
            "1e3",
            "1.5",
            "1.0",
            "1.500",
            "x",
            "",
        ]


def test_a_loan_with_two_readings_is_refused_with_both(night: PlayedNight) -> None:
    seats = list(night.players.values())
    tonight = {"do": "start", "game": "knock", "currency": "", "other-currency": "KWD", "stake": "0.250"}
    session = night.post("{group}/tonight", order=seats, player=seats, **tonight).location
    loan = {"movement": "loan", "from": night.players["Ana"], "to": night.players["Beto"], "note": ""}
    page = Page(night.keeper.post(f"{session}/move", **loan, amount="1,500").text)
    assert page.errors["amount"] == "“1,500” could be 1,500.000 or 1.500; enter it like one of these"
    assert page.fields["amount"] == ["1,500"]
    for text in ("1,500.000", "1.500"):
        night.keeper.does(f"{session}/move", **loan, amount=text)
    assert "KWD\u00a01,501.500" in night.keeper.page(f"{session}/money").text
    page = Page(night.keeper.post(f"{session}/buy-in", **{"buy-in": "1,500"}).text)
    assert page.errors["buy-in"] == "“1,500” could be 1,500.000 or 1.500; enter it like one of these"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("players-0-paid", "1.500", "“1.500” could be 1.5 or 1,500; enter it like one of these"),
        ("players-0-paid", "1_5", "“1_5” isn't an amount; enter one like 100"),
        ("everyone-paid", "1.500", "“1.500” could be 1.5 or 1,500; enter it like one of these"),
        ("pot", "1.500", "“1.500” could be 1.5 or 1,500; enter it like one of these"),
        ("pot", "1e3", "The pot must be a whole number from 0 to 1,000,000,000,000, not “1e3”"),
        ("rules-ante", "1.000", "“1.000” could be 1 or 1,000; enter it like one of these"),
    ],
)
def test_a_number_of_a_round_with_two_readings_is_refused_with_both(
    client: FlaskClient, name: str, text: str, told: str
) -> None:
    fields = as_posted(client, ROUNDS["draw-poker"]) | {name: text}
    if name == "everyone-paid":
        fields["players-0-paid"] = ""
    page = send(client, "draw-poker", fields)
    assert not page.has_result
    assert page.errors["players-0-paid" if name == "everyone-paid" else name] == told
    assert page.fields[name] == [text]


def test_a_round_is_read_with_the_thousands_that_the_page_shows(client: FlaskClient) -> None:
    page = send(client, "draw-poker", as_posted(client, ROUNDS["draw-poker"]) | {"pot": "1,500"})
    assert page.has_result


def test_the_chips_script_reads_numbers_like_the_server(page: BrowserPage, address: str) -> None:
    """They add to what was typed. The script leaves other scripts' digits, signs and symbols to the server."""
    texts = [(text, get_currency_precision(currency) if currency else 0) for currency, text, _ in READ]
    texts = [(text, decimals) for text, decimals in texts if text.isascii() and "-" not in text and len(text) < 25]
    page.goto(address)
    read = "(rows) => import('/static/scripts/at_table/number.js').then((m) => rows.map((row) => m.readNumber(...row)))"
    for (text, decimals), found in zip(texts, page.evaluate(read, [list(row) for row in texts]), strict=True):
        number = read_number(text, decimals, ".")
        assert isnan(found) if not isinstance(number, Decimal) else found == float(number), text
