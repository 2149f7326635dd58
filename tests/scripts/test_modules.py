"""Scripts are small modules; a script is served with its parts, the modules in the folder of its name, as one file."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion

FOLDER = Path(companion.__file__).resolve().parent.parent / "static" / "scripts"
FILES = sorted(FOLDER.rglob("*.js"))
SCRIPTS = sorted(FOLDER.glob("*.js"))
MAX_LINES = 300


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def short(path: Path) -> str:
    return str(path.relative_to(FOLDER))


@cache
def statements(path: Path) -> list[tuple[str, list[str], Path]]:
    """Return each `import` and `export … from`: its kind, its names, and the file that has them."""
    found = re.findall(r"(?m)^(import|export) ([^;\n]+) from '([^']+)'$", text(path))
    return [
        (kind, re.findall(r"\w+(?: as \w+)?", names), (path.parent / name).resolve()) for kind, names, name in found
    ]


def declared(path: Path, mark: str = "(?:export )?") -> list[str]:
    """Return the names declared at the top of a script."""
    found = re.findall(rf"(?m)^{mark}(?:(?:async )?function|const|let|class) (\w+|\{{[^}}]+\}})", text(path))
    return [name for names in found for name in re.findall(r"\w+", names)]


def exported(path: Path) -> set[str]:
    """Return the names that others can import from a script."""
    passed = [name for kind, names, _ in statements(path) if kind == "export" for name in names]
    return {*declared(path, "export "), *passed}


def parts(script: Path) -> list[Path]:
    return sorted(script.with_suffix("").glob("*.js"))


@pytest.mark.parametrize("path", FILES, ids=short)
def test_a_script_is_short_and_says_what_it_does(path: Path) -> None:
    assert text(path).startswith("// ")
    assert text(path).count("\n") <= MAX_LINES


@pytest.mark.parametrize("path", FILES, ids=short)
def test_a_script_has_tests(path: Path) -> None:
    tests = Path(__file__).parent / short(path)
    assert tests.exists() or tests.parent.with_suffix(".js").exists()


def test_pages_have_the_sentences_that_scripts_use() -> None:
    top = FOLDER.parent.parent
    words = top / "companion" / "web" / "entering" / "photos" / "words.py"
    templates = "".join(text(path) for path in (*(top / "templates").rglob("*.html"), words))
    used = {
        name
        for path in FILES
        for name in re.findall(r"(?<!/)\b(?:words|camera|camera\.table|camera\.live)\.(\w+)", text(path))
    }
    assert used - set(re.findall(r'"(\w+)": ', templates)) == set()


@pytest.mark.parametrize("path", FILES, ids=short)
def test_imports_exist(path: Path) -> None:
    for _, names, file in statements(path):
        assert {name.partition(" as ")[0] for name in names} <= exported(file), file


@pytest.mark.parametrize("path", FILES, ids=short)
def test_imports_have_the_form_that_the_server_joins(path: Path) -> None:
    # one line, with braces, at the beginning of a line
    said = len(re.findall(r"\bfrom '\.|\bimport '", text(path)))
    assert said == len(re.findall(r"(?m)^(?:import|export) \{ .+ \} from '\.\.?/[a-z_/]+\.js'$", text(path)))


@pytest.mark.parametrize("path", FILES, ids=short)
def test_a_part_belongs_to_one_script_and_knows_nothing_of_it(path: Path) -> None:
    for kind, _, file in statements(path):
        is_part = file.parent != FOLDER
        assert not is_part or file.parent in (path.parent, path.with_suffix("")), file
        assert file.with_suffix("") != path.parent, file
        assert kind == "import" or is_part, file  # only parts are passed on


def test_no_request_of_a_page_waits_for_ever() -> None:
    requests = [
        (short(path), line.strip())
        for path in FILES
        if path.name != "worker.js"  # passes on what a page asks for
        for line in text(path).splitlines()
        if "fetch(" in line
    ]
    assert len(requests) > 10
    assert [one for one in requests if "signal" not in one[1]] == []


def test_a_page_that_asks_for_news_says_when_it_is_left() -> None:
    leaving = [
        (short(path), line.strip())
        for path in FILES
        if re.search(r"from '\.+/pace\.js'", text(path))
        for line in text(path).splitlines()
        if re.search(r"\blocation\.(replace|assign|reload)\(|\bturn\(", line)
    ]
    assert len(leaving) > 7
    assert [one for one in leaving if "leave(() => " not in one[1]] == []


def test_no_imports_in_a_circle() -> None:
    def below(path: Path, above: tuple[Path, ...] = ()) -> None:
        assert path not in above, [short(one) for one in (*above, path)]
        for _, _, file in statements(path):
            below(file, (*above, path))

    for path in FILES:
        below(path)


@pytest.mark.parametrize("script", SCRIPTS, ids=short)
def test_names_differ_in_a_script_and_its_parts(script: Path) -> None:
    files = [script, *parts(script)]
    names = [name for file in files for name in declared(file)]
    outside = {
        name.rpartition(" as ")[2]
        for file in files
        for kind, imported, path in statements(file)
        if kind == "import" and path not in files
        for name in imported
    }
    assert [name for name, count in Counter([*names, *outside]).items() if count > 1] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=short)
def test_a_script_is_served_with_its_parts(client: FlaskClient, script: Path) -> None:
    served = client.get(f"/static/scripts/{script.name}").text
    for file in (script, *parts(script)):
        for name in declared(file):
            assert re.search(rf"(?m)^(?:export )?(?:async )?(?:function|const|let|class) .*\b{name}\b", served)
    imports = re.findall(r"(?m)^import \{ .+ \} from '\./([a-z_]+)\.js\?v=[0-9a-f]{12}'$", served)
    assert len(imports) == len(set(imports)) == len(re.findall(r"\bfrom '", served))
    assert not re.search(r"(?m)^ *//|^ ", served)


@pytest.mark.parametrize("script", [file for first in SCRIPTS for file in (first, *parts(first))], ids=short)
def test_no_text_of_a_script_goes_over_a_second_line(script: Path) -> None:
    # what is served has lost its indentation
    assert [line for line in script.read_text().splitlines() if line.count("`") % 2] == []


@pytest.mark.parametrize("game", ["knock-poker", "domino-poker"])
def test_a_page_loads_all_its_scripts_at_once(client: FlaskClient, game: str) -> None:
    page = client.get(f"/settle/{game}").text
    listed = re.findall(r'<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"', page)
    assert len(listed) == len(set(listed)) > 5
    for address in listed:
        imports = re.findall(r"from '\./([^']+)'", client.get(address).text)
        assert {f"/static/scripts/{name}" for name in imports} <= set(listed), address


# bytes with gzip, headers included; requests
@pytest.mark.parametrize(
    ("path", "most_bytes", "most_requests"),
    [("/", 23_000, 8), ("/settle/knock-poker", 51_500, 10), ("/settle/domino-poker", 52_500, 12)],
)
def test_pages_are_light(client: FlaskClient, path: str, most_bytes: int, most_requests: int) -> None:
    zipped = {"Accept-Encoding": "gzip"}
    page = client.get(path)
    addresses = re.findall(
        r'<(?:script type="module" src|link rel="(?:modulepreload|stylesheet)" href)="([^"]+)"', page.text
    )
    answers = [client.get(address, headers=zipped) for address in (path, *addresses)]
    assert len(answers) <= most_requests
    assert sum(len(answer.data) + len(str(answer.headers)) for answer in answers) <= most_bytes
