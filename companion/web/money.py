"""Amounts as the table counts them: chips, or money of the session's currency."""

from __future__ import annotations

from decimal import Decimal

from babel.numbers import format_currency, get_currency_precision, list_currencies
from flask import Flask, g

CHIPS = ""
_LOCALE = "en"


def init_app(app: Flask) -> None:
    """Give the templates their filters for amounts."""
    app.jinja_env.filters["units"] = units
    app.jinja_env.filters["signed"] = signed


def count_in(currency: str | None) -> None:
    """Write the amounts of this page in a currency; without one they are chips."""
    g.currency = currency


def is_currency(code: str) -> bool:
    """Tell whether a code is a currency's."""
    return code in list_currencies()


def units(amount: int) -> str:
    """Write an amount, given in units: chips, or the smallest unit of the currency."""
    currency = g.get("currency")
    if not currency:
        return f"{amount:,}"
    return format_currency(Decimal(amount).scaleb(-get_currency_precision(currency)), currency, locale=_LOCALE)


def signed(amount: int) -> str:
    """Write a gain or a loss, with a true minus sign."""
    sign = "+" if amount > 0 else "\u2212" if amount < 0 else ""
    return sign + units(abs(amount))
