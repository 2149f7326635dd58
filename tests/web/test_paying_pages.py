"""How players get paid: who sees it by each link, page, file, log and picture; links and codes; bad input."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from decimal import Decimal
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser import start_night
from devices import Device, PlayedNight, words
from flask import Flask
from playwright.sync_api import Page

from companion.store.groups.handles import is_clabe, is_iban, tidied
from companion.store.models import PayHandle, db
from companion.store.refusals import Refused
from companion.web.night.money.ways_to_pay import pay_link

CLABE, IBAN = "032180000118359719", "DE89370400440532013000"


@pytest.mark.parametrize(
    ("kind", "given", "stored"),
    [
        ("clabe", " 0321 8000 0118 3597 19 ", CLABE),
        ("clabe", "032180000118359718", None),
        ("clabe", "03218000011835971", None),
        ("clabe", "０32180000118359719", None),
        ("iban", "de89 3704 0044 0532 0130 00", IBAN),
        ("iban", "GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"),
        ("iban", "DE88370400440532013000", None),
        ("iban", "DE89", None),
        # their check digits are right, but a digit is missing or too much, the country isn't one, a letter is no digit
        ("iban", "DE5137040044053201300", None),
        ("iban", "DE813704004405320130000", None),
        ("iban", "XX46370400440532013000", None),
        ("iban", "GB18NWBK6016133192681X", None),
        ("phone", "+52 55 1234-5678", "+525512345678"),
        ("phone", "tel:55", None),
        ("venmo", "@ana-luz", "ana-luz"),
        ("venmo", "https://venmo.com/u/ana-luz", "ana-luz"),
        ("venmo", "https://venmo.com.evil.example/ana", None),
        ("venmo", "javascript:alert(1)", None),
        ("paypal", "https://www.paypal.me/AnaLuz", "AnaLuz"),
        ("paypal", "paypal.me.evil/Ana", None),
        ("paypal", "Ana/../x", None),
        ("revolut", "@ana1", "ana1"),
        ("revolut", "аna1", None),  # a Cyrillic letter
        ("upi", "ana.luz@okbank", "ana.luz@okbank"),
        ("upi", "ana@bank&am=1", None),
        ("cash", "after the game", "after the game"),
        ("other", "javascript:alert(1)", "javascript:alert(1)"),  # it is only ever shown
        ("other", "a\x00b", None),
        ("other", "x" * 101, None),
        ("bitcoin", "x", None),
    ],
)
def test_handles_are_tidied_and_checked(kind: str, given: str, stored: str | None) -> None:
    if stored is None:
        with pytest.raises(Refused):
            tidied(kind, given)
    else:
        assert tidied(kind, given) == stored


@pytest.mark.parametrize("check", [is_clabe, is_iban])
def test_a_wrong_digit_is_always_noticed(check: Callable[[str], bool]) -> None:
    right = CLABE if check is is_clabe else IBAN
    assert check(right)
    for at, digit in enumerate(right):
        if digit.isdigit():
            wrong = [f"{right[:at]}{other}{right[at + 1 :]}" for other in "0123456789" if other != digit]
            assert not any(check(one) for one in wrong), at


def test_links_go_to_the_app_alone_with_amount_and_note() -> None:
    note = "Friday & co, 27 November?"
    rows = [
        ("venmo", "ana-luz", "USD"),
        ("paypal", "AnaLuz", "EUR"),
        ("revolut", "ana1", "EUR"),
        ("upi", "a@bank", "INR"),
    ]
    links = {kind: str(pay_link(kind, text, Decimal("9.50"), code, "Ana Ñ", note)) for kind, text, code in rows}
    assert {kind: (urlsplit(link).scheme, urlsplit(link).netloc) for kind, link in links.items()} == {
        "venmo": ("https", "venmo.com"),
        "paypal": ("https", "paypal.me"),
        "revolut": ("https", "revolut.me"),
        "upi": ("upi", "pay"),
    }
    assert parse_qs(urlsplit(links["venmo"]).query) == {"txn": ["pay"], "amount": ["9.50"], "note": [note]}
    assert urlsplit(links["paypal"]).path == "/AnaLuz/9.50EUR"
    found = {"pa": ["a@bank"], "pn": ["Ana Ñ"], "am": ["9.50"], "cu": ["INR"], "tn": [note]}
    assert parse_qs(urlsplit(links["upi"]).query) == found
    wrong = [("venmo", "EUR"), ("upi", "EUR"), ("clabe", "MXN"), ("other", "USD"), ("iban", "EUR")]
    assert [pay_link(kind, "x", Decimal(1), code, "", "") for kind, code in wrong] == [None] * len(wrong)


def plan_of(night: PlayedNight) -> str:
    """Return the address of the plan of a night that just ended."""
    return re.findall(r'action="(/plans/[^"]+)"', night.html("/end"))[0]


def test_a_handle_is_shown_to_who_pays_and_to_nobody_else(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    night = PlayedNight(app, currency="EUR", stake="1")
    ana, beto = night.joined("Ana"), night.joined("Beto")
    stranger, looker, player = (Device(app) for _ in range(3))
    looker.open(night.links()["look"])
    player.open(night.links()["play"])
    night.books()  # Ana wins
    assert ana.does(f"{night.night}/paid-by", kind="iban", text=IBAN)
    assert night.does("/paid-by", player="{Ana}", kind="clabe", text=CLABE)
    night.does("/close", do="leave")
    plan = plan_of(night)
    of_beto = next(at for at in (0, 1) if "Beto" in words(night.keeper.get(f"{plan}/{at}").text))
    seen = {
        name: device.get(f"{plan}/{of_beto}").status_code
        for name, device in {"keeper": night.keeper, "beto": beto, "ana": ana, "looker": looker, "play": player}.items()
    }
    assert seen == {"keeper": 200, "beto": 200, "ana": 303, "looker": 303, "play": 303}
    assert stranger.get(f"{plan}/{of_beto}").status_code == 404
    assert beto.get(f"{plan}/{1 - of_beto}").status_code == 303  # what Caro pays
    for device in (night.keeper, beto):
        text = device.get(f"{plan}/{of_beto}").text
        assert "0321 8000 0118 3597 19" in text
        assert "DE89 3704 0044 0532 0130 00" in text
        assert text.count("<svg") >= 2  # the code for the IBAN
    assert ana.get(f"{night.night}/paid-by").text.count("DE89") == 1
    for device in (beto, looker, player):
        assert device.get(f"{night.night}/paid-by?player={night.players['Ana']}").status_code == 403
        assert night.post("/paid-by", device, player="{Ana}", kind="cash", text="x").status_code == 403
    tabs = (
        "",
        "/rounds",
        "/money",
        "/people",
        "/end",
        "/end.svg",
        "/table",
        "/print",
        "/changes",
        "/settle",
        "/pictures",
    )
    addresses = [f"{night.night}{tab}" for tab in tabs]
    addresses += [night.group, f"{night.group}/leaderboard", f"{night.group}/settle?currency=EUR"]
    addresses += [f"{night.group}/export/{name}" for name in ("group.json", "rounds.csv", "transfers.csv")]
    for device in (night.keeper, ana, beto, looker, player):
        for address in addresses:
            text = device.get(address).text.replace(" ", "")
            assert CLABE not in text, address
            assert IBAN not in text, address
    consented = night.keeper.get(f"{night.group}/export/group.json?paid-by=yes")
    assert CLABE in consented.text
    assert looker.get(f"{night.group}/export/group.json?paid-by=yes").status_code == 403
    assert CLABE not in caplog.text
    assert IBAN not in caplog.text
    night.does("/paid-by", player="{Ana}", kind="clabe", text="")
    assert "0321 8000" not in night.keeper.get(f"{plan}/{of_beto}").text
    night.keeper.does(f"{night.group}/delete")
    with app.app_context():
        assert db.session.query(PayHandle).all() == []


def test_a_tick_says_how(app: Flask) -> None:
    night = PlayedNight(app, begins="round", currency="MXN", stake="1")
    night.does("/paid-by", player="{Ana}", kind="clabe", text=CLABE)
    night.does("/close", do="leave")
    plan = plan_of(night)
    fields = {name: values[0] for name, values in night.keeper.page(f"{plan}/0").fields.items()}
    assert night.keeper.does(plan, **{**fields, "do": "pay-0", "how": "clabe"}).endswith("/end#payments")
    assert "CLABE" in words(night.html("/end"))
    assert "✓ paid, CLABE" in words(night.html("/settle"))
    night.keeper.does(plan, do="unpay-0", **{"amount-0": "1"})
    assert "CLABE" not in words(night.html("/settle"))
    night.keeper.does(plan, do="pay-0", how="<script>", **{"amount-0": fields["amount-0"]})
    assert "✓ paid" in words(night.html("/settle"))


def test_a_reminder_has_the_amount_and_the_link_in_both_languages_and_no_handle(app: Flask) -> None:
    night = PlayedNight(app, begins="round", currency="MXN", stake="1")
    night.does("/paid-by", player="{Ana}", kind="clabe", text=CLABE)
    night.does("/close", do="leave")
    address = f"{plan_of(night)}/0"
    html = night.keeper.get(address).text
    texts = re.findall(r"<textarea[^>]*>(.*?)</textarea>", html, re.DOTALL)
    assert [address[1:] in text and "Beto, " in text and "3.00" in text for text in texts] == [True, True]
    assert ["still open" in texts[0], "te falta pagarle" in texts[1]] == [True, True]
    assert CLABE not in "".join(texts)
    links = [
        parse_qs(urlsplit(unescape(link)).query)["text"] for link in re.findall(r'href="(https://wa.me/[^"]+)"', html)
    ]
    assert links == [[unescape(text)] for text in texts]
    # whoever gets it may have no link yet, and sees the night's payments; on the payer's own phone there is no reminder
    link = urlsplit(re.findall(r"http://\S+", texts[0])[0])
    caro = Device(app)
    assert "Beto" in caro.client.get(f"{link.path}?{unescape(link.query)}", follow_redirects=True).text
    rest = night.keeper.page(address).fields["amount-0"][0]
    night.keeper.does(plan_of(night), do="pay-0", **{"amount-0": rest})
    assert "wa.me" not in night.keeper.get(address).text


@pytest.mark.parametrize("address", ["/plans/none/0", "{plan}/9", "{plan}/x"])
def test_a_payment_that_is_not_there(app: Flask, address: str) -> None:
    night = PlayedNight(app, begins="round")
    night.does("/close", do="leave")
    assert night.keeper.get(address.replace("{plan}", plan_of(night))).status_code == 404


def test_from_ending_the_night_to_a_copied_clabe_takes_three_taps(phone: Callable[..., Page], address: str) -> None:
    script = (
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.copied = text }}})"
    )
    page = phone(script)
    night = start_night(page, address, at="/cost")
    page.locator("[data-sharer] label", has_text="Ana").first.tap()
    page.get_by_role("button", name="4", exact=True).tap()
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/money#movements")
    page.goto(f"{night}/paid-by")
    page.get_by_label("Number, name or words").fill("0321 8000 0118 3597 19")
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url("**/paid-by?player=*")
    page.goto(f"{night}/close")
    page.get_by_role("button", name="End the night").tap()
    page.locator("a.how").first.tap()
    page.get_by_role("button", name="Copy").last.tap()
    copied: Any = page.wait_for_function("window.copied").json_value()
    assert f"CLABE {CLABE}" in copied
    assert "1.33" in copied
