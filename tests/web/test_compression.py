"""What is compressed for which browsers, with and without Brotli."""

from __future__ import annotations

import gzip
import re
import sys
from html import unescape
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from companion.web.http.files import compression

LONG = "one of the hands " * 100


@pytest.mark.parametrize(
    ("accepted", "best"),
    [
        ("", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;q=0.5", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("br; q=0.000,gzip;q=0", None),
        ("*", "br"),
        ("*;q=0", None),
        ("br;q=0, *", "gzip"),
        ("identity, deflate", None),
        (",;,;q=0,", None),
    ],
)
def test_the_best_algorithm_that_a_browser_reads(accepted: str, best: str | None) -> None:
    assert answered(Response(LONG), accepted).headers.get("Content-Encoding") == best


def answered(response: Response, accepted: str = "gzip") -> Response:
    app = Flask(__name__)
    compression.init_app(app)
    app.add_url_rule("/", view_func=lambda: response)
    return app.test_client().get("/", headers={"Accept-Encoding": accepted})


@pytest.mark.parametrize("status", [200, 409, 500])
def test_an_answer_and_an_error_are_compressed(status: int) -> None:
    answer = answered(Response(LONG, status=status))
    assert (answer.status_code, answer.headers["Content-Encoding"]) == (status, "gzip")
    assert gzip.decompress(answer.data).decode() == LONG
    assert int(answer.headers["Content-Length"]) == len(answer.data) < len(LONG)
    assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "response",
    [
        Response("short"),
        Response(LONG, mimetype="image/png"),
        Response(iter([LONG]), mimetype="text/plain"),
        Response(LONG, headers={"Content-Encoding": "br"}),
    ],
)
def test_what_is_short_or_packed_or_streamed_stays_as_it_is(response: Response) -> None:
    kept = response.headers.get("Content-Encoding")
    answer = answered(response)
    assert answer.headers.get("Content-Encoding") == kept
    assert answer.text in ("short", LONG)
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_a_compressed_file_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get("/static/styles/site.css", headers={"Accept-Encoding": "gzip"})
    again = {"Accept-Encoding": "gzip", "If-None-Match": first.headers["ETag"]}
    assert client.get("/static/styles/site.css", headers=again).status_code == 304
    assert first.headers["ETag"].startswith('W/"')


@pytest.mark.parametrize(("blocked", "algorithms"), [([], ["br", "gzip"]), (["brotli"], ["gzip"])])
def test_without_brotli_there_is_gzip(
    monkeypatch: pytest.MonkeyPatch, blocked: list[str], algorithms: list[str]
) -> None:
    for name in blocked:
        monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    spec = find_spec("companion.web.http.files.compression")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)  # a second time: the first has what there is
    spec.loader.exec_module(module)
    assert list(module._ALGORITHMS) == algorithms


@pytest.mark.parametrize(("accepted", "most"), [("br", 42_000), ("gzip", 47_500)])
def test_the_first_visit_of_a_round_takes_few_bytes(client: FlaskClient, accepted: str, most: int) -> None:
    page = client.get("/settle/knock-poker")
    files = {unescape(file) for file in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)}
    assert len(files) > 8
    asked = [client.get(path, headers={"Accept-Encoding": accepted}) for path in (page.request.path, *files)]
    assert most * 0.9 < sum(len(answer.data) for answer in asked) <= most


def uncommented(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def test_style_sheets_lose_comments_and_blanks_but_no_declaration(client: FlaskClient) -> None:
    folder = Path(str(client.application.static_folder)) / "styles"
    imported = re.findall(r"@import '(.+?)'", (folder / "bets.css").read_text(encoding="utf-8"))
    written = "".join((folder / sheet).read_text(encoding="utf-8") for sheet in imported)
    served = client.get("/static/styles/bets.css").text
    assert "/*" in written and re.findall(r"/\*|@import|\n|[:;] | \{|;\}", served) == []
    assert served.count("{") == served.count("}")
    declared = [sorted(re.findall(r"([a-z-]+): ?[^;{}]+(?=[;}])", text)) for text in (uncommented(written), served)]
    assert declared[0] == declared[1] and len(declared[0]) > 99
    assert "@media(" not in served and ".playing.betting :is(.seat.active,.docked){display:none}" in served
