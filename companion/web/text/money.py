"""Amounts as the table counts them: chips, or money in the night's currency."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache

from babel.core import Locale, get_global
from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_name,
    get_currency_precision,
    get_currency_symbol,
    get_territory_currencies,
    list_currencies,
)
from flask import Flask, g, request
from markupsafe import Markup

from companion.engine.messages import Message, quoted
from companion.engine.money.pots import MAX_UNITS
from companion.engine.names import without_invisible

from .language import dotted, locale, write_amounts
from .numbers import MAX_LENGTH, Readings, decimal_point, read_number

CHIPS = ""
PAGES = "the page's"  # as an argument: the currency of the page
_NUMBER_ALONE = "#,##0.00"  # CLDR pattern; the currency determines the number of decimals
_LETTER_BEFORE_DIGIT = re.compile(r"(?<=[^\W\d])(?=\d)")
_SIGNS = ("+", "-", "\u2212")
# symbols that only one currency has; CLDR would write the code, such as "EUR" in Mexico
_OWN_SYMBOLS = {"EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩"}
USUAL = ("EUR", "USD", "MXN", "GBP", "CHF", "JPY")


def init_app(app: Flask) -> None:
    filters = (units, on_chip, signed, nets_in, typed, averaged, gain_or_loss)
    app.jinja_env.filters.update({written.__name__: written for written in filters})
    app.jinja_env.globals["unit_scale"] = unit_scale
    write_amounts(units)


def set_page_currency(currency: str | None) -> None:
    """Show this page's amounts in a currency; None means chips."""
    g.currency = currency


def _currency_of(currency: str | None) -> str | None:
    chosen: str | None = g.get("currency") if currency == PAGES else currency
    return chosen


def is_currency(code: str) -> bool:
    """Return whether this is a currency code."""
    return code in list_currencies()


def currencies() -> dict[str, str]:
    """Return the names of all currencies in use today, by code, the common ones first."""
    return _currencies_in(str(locale()))


@cache
def _currencies_in(name_of_locale: str) -> dict[str, str]:
    in_use = {
        code
        for used in get_global("territory_currencies").values()
        for code, _since, until, is_tender in used
        if until is None and is_tender
    }
    names = {code: f"{code} · {get_currency_name(code, locale=name_of_locale)}" for code in sorted(in_use)}
    return {code: names[code] for code in (*USUAL, *(code for code in names if code not in USUAL))}


def currency_here() -> str:
    """Return the currency of the country that the browser names ("en-US"), or the page's language, or the commonest."""
    tags = [tag.rpartition("-")[2] for tag in request.accept_languages.values() if "-" in tag]
    countries = filter(None, [*tags, locale().territory])
    return next((found for country in countries for found in get_territory_currencies(country)), USUAL[0])


def usual_currencies(played: str | None) -> dict[str, str]:
    """Return the names of the common currencies, plus the one the table already plays for."""
    names = currencies()
    return {code: names[code] for code in dict.fromkeys((*([played] if played in names else []), *USUAL))}


def read_amount(text: str, currency: str | None = PAGES) -> int | None:
    """Read an amount, with or without the currency's symbol, into units; None if it isn't one, or has two readings."""
    currency = _currency_of(currency)
    number = _number(text, currency)
    return _in_units(number, currency) if isinstance(number, Decimal) else None


def _number(text: str, currency: str | None) -> Decimal | Readings | None:
    if len(text) > MAX_LENGTH:
        return None
    text = without_invisible(text).strip()
    sign = text[:1] if text[:1] in _SIGNS else ""
    alone = text.removeprefix(sign).strip()
    for symbol in _symbols(currency, locale()) if currency else ():
        if alone != (without := alone.removeprefix(symbol).removesuffix(symbol).strip()):
            return read_number(sign + without, _decimals(currency)) if without[:1] not in _SIGNS else None
    return read_number(text, _decimals(currency))


@lru_cache(maxsize=400)
def _symbols(currency: str, locale: Locale) -> tuple[str, ...]:
    """Return what may stand before or after an amount: the currency's symbols, and its code."""
    written = str(get_currency_symbol(currency, locale))
    return tuple(dict.fromkeys((_OWN_SYMBOLS.get(currency, written), written, currency)))


def _decimals(currency: str | None) -> int:
    return int(get_currency_precision(currency)) if currency else 0


def _in_units(number: Decimal, currency: str | None) -> int | None:
    amount = number.scaleb(_decimals(currency))
    return int(amount) if abs(amount) <= MAX_UNITS and amount == amount.to_integral_value() else None


def typed(amount: int, currency: str | None = PAGES) -> str:
    """Write an amount the way it is typed into a field: whole chips, or money with all its decimals, "0.25"."""
    written = f"{Decimal(amount).scaleb(-_decimals(_currency_of(currency))):f}"
    return written.replace(".", decimal_point())


def unit_scale() -> int:
    """Return how many units a typed 1 is on this page: 1 for chips, 100 for a currency with cents."""
    return int(10 ** _decimals(_currency_of(PAGES)))


def read_typed(text: str) -> int | None:
    """Parse an amount typed into one of this page's fields into units; None if it isn't one."""
    amount = read_amount(text)
    return amount if amount is not None and 0 <= amount <= MAX_UNITS else None


def amount_typed(text: str) -> int | str:
    """Parse an amount from a round's form into units; anything else stays as typed, for the contract to report."""
    amount = read_amount(text)
    return text if amount is None else amount


def bet_typed(text: str) -> int | Message:
    """Parse the amount of a bet into units; anything else, and what nobody can bet, becomes why it isn't one."""
    amount = read_amount(text)
    return amount if amount is not None and 0 < amount <= MAX_UNITS else no_amount(text.strip())


def no_amount(text: object, example: int = 100) -> Message:
    """Say that a text isn't an amount, or is missing; `example` is one in units."""
    if text == "":
        return Message("Enter an amount, for example {example}", example=typed(example))
    currency = _currency_of(PAGES)
    number = _number(text, currency) if isinstance(text, str) else None
    if isinstance(number, Readings):
        return _either(text, number, currency)
    template = "“{text}” isn't an amount; enter one like {example}"
    if not _decimals(currency) and number is not None and number != int(number):
        template = "“{text}” isn't a whole amount; enter one like {example}"
    return Message(template, text=quoted(text), example=typed(example))


def two_readings(text: str, currency: str | None = PAGES) -> Message | None:
    """Show both amounts that a text could mean; None if it doesn't have two readings."""
    number = _number(text, currency := _currency_of(currency))
    return _either(text, number, currency) if isinstance(number, Readings) else None


def _either(text: object, readings: Readings, currency: str | None) -> Message:
    usual, other = (_read_aloud(number, currency) for number in (readings.usual, readings.other))
    template = "“{text}” could be {one} or {other}; enter it like one of these"
    return Message(template, text=quoted(text), one=usual, other=other)


def _read_aloud(number: Decimal, currency: str | None) -> str:
    amount = _in_units(number, currency)
    return str(format_decimal(number, locale=locale())) if amount is None else units(amount, currency, symbol=False)


def buy_in_message(text: str, most: int, currency: str | None = PAGES) -> Message:
    """Explain which buy-ins are allowed, up to `most` units, or that the one that was entered has two readings."""
    template = "Enter {least} to {most}, or leave it empty to play without stacks"
    allowed = Message(template, least=typed(1, currency), most=typed(most, currency))
    return two_readings(text, currency) or allowed


def units(amount: int, currency: str | None = PAGES, *, symbol: bool = True) -> str:
    """Write an amount of units; in a column headed by the currency, without its symbol."""
    return _written(amount, _currency_of(currency), locale(), symbol)


def signed(amount: int, currency: str | None = PAGES, *, symbol: bool = True) -> str:
    """Write a gain or loss in the same way, with a plus or a true minus sign."""
    return _signed(amount, _currency_of(currency), locale(), symbol)


def on_chip(amount: int) -> str:
    """Write an amount as short as a drawn chip needs it: without its symbol, and without decimals that are 0."""
    whole_ones, rest = divmod(amount, unit_scale())
    short = units(whole_ones, None)
    return units(amount, symbol=False) if rest or read_amount(short) != amount else short


def gain_or_loss(amount: int) -> str:
    """Return the CSS class that colours a net; none for 0."""
    return "gain" if amount > 0 else "loss" if amount < 0 else ""


def nets_in(nets: Iterable[tuple[str, int]], currency: str | None) -> Markup:
    """List who gained or lost how much: "Ana +8 · Beto −8"; lines break between players, if their names fit."""
    return dotted(f"{name}\u00a0{signed(amount, currency)}" for name, amount in nets)


def averaged(amount: int, number: int, currency: str | None, *, symbol: bool = False) -> str:
    """Write an average gain or loss, rounded half up: money to its smallest unit, chips to a tenth."""
    tenth = Decimal(1) if currency else Decimal("0.1")
    average = (Decimal(abs(amount)) / max(number, 1)).quantize(tenth, ROUND_HALF_UP)
    if currency:
        return signed(int(average) * (1 if amount > 0 else -1), currency, symbol=symbol)
    sign = "+" if amount > 0 else "\u2212" if amount < 0 else ""
    return (sign if average else "") + format_decimal(average, "#,##0.0", locale=locale())


@lru_cache(maxsize=4_000)
def _signed(amount: int, currency: str | None, locale: Locale, symbol: bool) -> str:
    sign = "+" if amount > 0 else "\u2212" if amount < 0 else ""
    written = _written(abs(amount), currency, locale, symbol)
    # keep lines from breaking between the sign and a symbol such as $
    joined = "" if not sign or written[0].isalnum() else "\u2060"
    return f"{sign}{joined}{written}"


@lru_cache(maxsize=4_000)
def _written(amount: int, currency: str | None, locale: Locale, symbol: bool) -> str:
    if amount < 0:
        return _signed(amount, currency, locale, symbol)  # with a true minus sign
    if not currency:
        return str(format_decimal(amount, locale=locale))
    money = Decimal(amount).scaleb(-get_currency_precision(currency))
    written = str(format_currency(money, currency, None if symbol else _NUMBER_ALONE, locale))
    if symbol and currency in _OWN_SYMBOLS:
        written = written.replace(currency, _OWN_SYMBOLS[currency])
    # CLDR: a symbol that consists of letters is separated from its number
    return _LETTER_BEFORE_DIGIT.sub("\u00a0", written)
