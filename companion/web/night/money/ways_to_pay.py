"""The ways to pay a player: what to copy, a payment app's link with the amount, and a QR code."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from urllib.parse import quote, urlencode

from babel.numbers import get_currency_precision
from markupsafe import Markup
from segno.helpers import make_epc_qr

from companion.store.groups.handles import KINDS, handles_of

from ...text.language import say

_GROUP = 4  # digits of an account number


@dataclass(frozen=True)
class Way:
    """A way to make a payment: its kind, what to copy and how it is written, the app's link, and a QR code."""

    kind: str
    text: str
    link: str | None
    code: Markup | None

    @property
    def label(self) -> str:
        return say(KINDS[self.kind].label)

    @property
    def written(self) -> str:
        """The text as it is easiest to compare: account numbers in groups of four."""
        if self.kind not in ("clabe", "iban"):
            return self.text
        return " ".join(self.text[at : at + _GROUP] for at in range(0, len(self.text), _GROUP))


def pay_link(kind: str, text: str, amount: Decimal, currency: str, name: str, note: str) -> str | None:
    """Return a payment app's documented link with the amount, as far as it has one; None if there is nothing to open.

    A handle has only characters that its kind allows, so it can't lead to another place.
    """
    if kind == "venmo" and currency == "USD":
        return f"https://venmo.com/{text}?{urlencode({'txn': 'pay', 'amount': amount, 'note': note}, quote_via=quote)}"
    if kind == "paypal":
        return f"https://paypal.me/{text}/{amount}{currency}"
    if kind == "revolut":  # an amount in its link isn't documented
        return f"https://revolut.me/{text}"
    if kind == "upi" and currency == "INR":
        asked = {"pa": text, "pn": name, "am": amount, "cu": currency, "tn": note}
        return f"upi://pay?{urlencode(asked, quote_via=quote, safe='@')}"
    return None


@lru_cache(maxsize=64)
def _epc_code(name: str, iban: str, amount: Decimal, note: str) -> Markup:
    code = make_epc_qr(name=name[:70], iban=iban, amount=amount, text=note, encoding="utf-8")
    return Markup(code.svg_inline(border=4, light="#fff", omitsize=True))


def ways_of(group_id: int, payee: str, name: str, units: int, currency: str | None, note: str) -> list[Way]:
    """List how a player can be paid some units; in chips there are no links and codes, because they aren't money."""
    ways = []
    money = Decimal(units).scaleb(-get_currency_precision(currency)) if currency else Decimal(0)
    for kind, text in handles_of(group_id, int(payee)).items():
        link = pay_link(kind, text, money, currency, name, note) if currency else None
        code = _epc_code(name, text, money, note) if kind == "iban" and currency == "EUR" and money else None
        ways.append(Way(kind, text, link, code))
    return ways
