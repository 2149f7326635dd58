"""Phones that get no newer browser can use the app: what browsers know only since 2023 is in no style sheet or script.

Tried by hand with Chromium 110; what Safari 15.4 knows is taken from its release notes.
"""

from __future__ import annotations

import re
from math import cos, radians, sin
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page

import companion
from companion.web.http.files.nesting import unnested

STATIC = Path(companion.__file__).resolve().parent.parent / "static"
SHEETS = sorted(file.name for file in (STATIC / "styles").glob("*.css"))
TOO_NEW = re.compile(
    r"\.(?:toSorted|toReversed|toSpliced|withResolvers|groupBy|isWellFormed|checkVisibility|startViewTransition)\("
    r"|AbortSignal\.\w|\(\?<[=!]|\bnew Set\([^)]*\)\.(?:union|difference|intersection)"
)
# nested rules | the same as browsers before 2024 read them
NESTED = [
    (".a{color:red;.b{color:blue}}", ".a{color:red}.a .b{color:blue}"),
    (".a{.b{color:blue}color:red}", ".a .b{color:blue}.a{color:red}"),
    (".a{&.b{color:blue}}", ".a.b{color:blue}"),
    (".a{&:hover,.b{color:blue}}", ".a:hover,.a .b{color:blue}"),
    (".a{>b,+b{color:blue}}", ".a>b,.a+b{color:blue}"),
    (".a,#b{.c{color:blue}}", ":is(.a,#b) .c{color:blue}"),
    (".a .b{.c &{color:blue}}", ".c :is(.a .b){color:blue}"),
    (".a .b{&+&{color:blue}}", ":is(.a .b)+:is(.a .b){color:blue}"),
    (".a{.c &{color:blue}}", ".c .a{color:blue}"),
    (
        ".a:is(.b,.c){.d:not(.e,:has(i,b)),.f{color:blue}}",
        ".a:is(.b,.c) .d:not(.e,:has(i,b)),.a:is(.b,.c) .f{color:blue}",
    ),
    (".a{@media (min-width:1px){color:red;.b{color:blue}}}", "@media (min-width:1px){.a{color:red}.a .b{color:blue}}"),
    ("@layer x{.a{.b{.c{color:blue}}}}", "@layer x{.a .b .c{color:blue}}"),
    (
        "@layer x,y;@font-face{font-family:X;src:url(data:a;b{c})}",
        "@layer x,y;@font-face{font-family:X;src:url(data:a;b{c});}",
    ),
    ("@keyframes x{from{color:red}50%{color:blue}}", "@keyframes x{from{color:red;}50%{color:blue;}}"),
    ('.a{.b::after{content:"};{"}}', '.a .b::after{content:"};{"}'),
    (".a[title='x,y']{.b{color:blue}}", ".a[title='x,y'] .b{color:blue}"),
]
PLACES = """<p class="a" id="b"><b class="b c">x<i class="c d">x</i></b><b class="c f">x</b></p>
<p class="c"><b class="a"><i class="b">x</i><i class="b">x</i></b><b>x</b></p>
<p class="a b" title="x,y"><b class="b">x</b></p>"""
LOOKS = """([css, html]) => {
  document.body.innerHTML = html
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
  const all = [...document.querySelectorAll('body *')]
  return all.map((one) => [getComputedStyle(one).color, getComputedStyle(one, '::after').content])
}"""


@pytest.mark.parametrize(("nested", "flat"), NESTED)
def test_nested_rules_are_taken_apart(nested: str, flat: str) -> None:
    assert unnested(nested) == flat
    assert unnested(flat).replace(";}", "}") == flat.replace(";}", "}")


def test_rules_that_were_taken_apart_mean_what_they_meant_to_a_browser(page: Page) -> None:
    page.goto("about:blank")
    seen = [page.evaluate(LOOKS, [css, PLACES]) for case in NESTED for css in case]
    assert seen[::2] == seen[1::2]
    assert len({str(one) for one in seen}) > 8  # they do something


def test_seats_lie_on_a_circle_however_many_there_are(client: FlaskClient, page: Page) -> None:
    sheet = client.get("/static/styles/components/circle.css").text
    style = "li{position:absolute;left:calc(1000px*var(--sin));top:calc(1000px*var(--cos))}"
    page.goto("about:blank")
    for number in range(1, 13):
        page.set_content(f'<style>{sheet}{style}</style><ul class="oval of-{number}">{"<li>" * number}</ul>')
        found = page.evaluate("[...document.querySelectorAll('li')].map((one) => [one.offsetLeft, one.offsetTop])")
        turns = [radians(360 / max(number, 2) * at) for at in range(number)]
        wanted = [pytest.approx((1000 * sin(turn), 1000 * cos(turn)), abs=3) for turn in turns]
        assert [tuple(place) for place in found] == wanted, number


@pytest.mark.parametrize("name", SHEETS)
def test_no_style_sheet_has_what_old_phones_cannot_read(client: FlaskClient, name: str) -> None:
    sheet = client.get(f"/static/styles/{name}").text
    assert not re.findall(
        r"&|light-dark\(|@scope|@starting-style|::details-content|\b(?:sin|cos|round|mod|abs|sign)\(", sheet
    )
    heads: list[str] = []
    for head, mark in re.findall(r"([^{};]*)([{};])", re.sub(r"url\([^)]*\)|\"[^\"]*\"|'[^']*'", "", sheet)):
        if mark == "{":
            assert all(outer.strip().startswith("@") for outer in heads), (*heads, head)
            heads.append(head)
        assert "color-mix(" not in head or any("@supports" in outer for outer in heads), (*heads, head)
        if mark == "}":
            heads.pop()
    assert heads == []


@pytest.mark.parametrize("path", sorted((STATIC / "scripts").rglob("*.js")), ids=lambda path: path.stem)
def test_no_script_calls_what_old_phones_do_not_have(path: Path) -> None:
    assert TOO_NEW.findall(path.read_text(encoding="utf-8")) == []
