"""Rules for the whole code base: layers, whole numbers, no game named outside its file, docstrings, length."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from every_file import broken, every

import companion
from companion.games import all_games

PACKAGE = Path(companion.__file__).resolve().parent
LAYERS = [
    "engine",
    "games",
    "contract",
    "table",
    "store",
    "web",
    "pocket",
    "serve",
]  # from the bottom up; imports go downward only
# the rooms of a layer, in the same way; what lies beside the rooms may import any of them
ROOMS = {
    "engine": ["pieces", "hands", "money", "questions", "betting"],
    "contract": ["reading"],
    "serve": ["sending", "server", "commands"],
    "web": [
        "http",
        "text",
        "access",
        "ledger_lines",
        "round",
        "entering",
        "history",
        "groups",
        "night",
        "phones",
        "home",
        "big_screen",
        "api",
    ],
    "web/http": ["network", "files", "monitoring", "requests", "answers"],
    "store": ["models", "db", "log", "history", "groups", "money", "night", "portable"],
}
BESIDE = {"camera": {"engine"}}  # layers beside contract, with what they may import; web and serve may import them
# the top of the package puts the app together and may import any layer
TOP = {"__init__", "__main__", "config", "environment", "folders", "platform"}
CHECKOUT = PACKAGE.parent
DOCUMENTS = [
    CHECKOUT / "README.md",
    *sorted((CHECKOUT / ".github").glob("*.md")),
    *sorted(path for part in ("companion", "tests") for path in (CHECKOUT / part).rglob("*.md")),
]
FILES = sorted(PACKAGE.rglob("*.py"))
TESTS = Path(__file__).resolve().parent
# a game is one file and a change of the database another, however many there are
FOLDERS = sorted({path.parent for path in FILES} - {PACKAGE / "games", PACKAGE / "migrations" / "versions"})
JUDGES = sorted([*TESTS.rglob("test_*.py"), *TESTS.rglob("conftest.py"), TESTS / "browser.py"])
TOP_LEVEL = {"README.md", "companion", "instance", "pyproject.toml", "static", "templates", "tests"}
MAX_LINES = 60
MAX_LINES_OF_A_FILE = 300
MAX_MODULES = 12  # in one folder: more are parted into rooms by what imports what
MAX_IMPORTS_OF_A_VIEW = 15  # modules of ours; a view that needs more does the work of another module

# where whole numbers are divided, and why that is right
DIVIDES = {
    "engine/money/pots.py": {ast.FloorDiv, ast.Mod, "divmod"},  # the one place that divides money
    "engine/hands/poker.py": {ast.Mod},  # heights go round from the ace to the lowest rank
    "games/dompe.py": {ast.Mod},  # the same for six in a row
    "engine/hands/rarity.py": {ast.FloorDiv},  # rounds odds, not money
}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def in_layers(*layers: str) -> list[Path]:
    found = [path for path in FILES if layer_of(path) in layers]
    assert found, layers
    return found


def imports(path: Path) -> Iterator[str]:
    """Yield the full dotted names of everything a file imports, including inside functions."""
    package = ["companion", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imported_layers(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("companion.")}


def test_a_rule_names_the_files_that_break_it() -> None:
    def keeps(path: Path) -> None:
        assert path.suffix != ".md", "no prose"

    (told,) = broken(keeps, [CHECKOUT / "README.md", PACKAGE / "config.py"])
    assert told.startswith("README.md: no prose")
    for paths, wrong in (([CHECKOUT / "README.md"], r"^README\.md: no prose"), ([], "^There is no file")):
        with pytest.raises(pytest.fail.Exception, match=wrong):
            every(paths)(keeps)()


def test_every_file_is_in_a_known_layer() -> None:
    assert {layer_of(path) for path in FILES} <= {*LAYERS, *BESIDE, *TOP, "migrations"}


@every([path for path in FILES if layer_of(path) in LAYERS])
def test_imports_go_downward_only(path: Path) -> None:
    allowed = {*LAYERS[: LAYERS.index(layer_of(path)) + 1]}
    if layer_of(path) in ("web", "serve"):
        allowed |= set(BESIDE)
    if layer_of(path) in ("store", "web", "pocket", "serve"):
        allowed |= {"config", "folders", "__version__"}
    if layer_of(path) in ("pocket", "serve"):
        allowed.add("create_app")
    if layer_of(path) == "pocket":
        allowed |= {"open_database", "platform"}
    assert imported_layers(path) <= allowed


def rooms_in(names: Iterable[str], hall: str) -> set[str]:
    """Return the rooms of a hall among dotted names."""
    start = f"companion.{hall.replace('/', '.')}."
    return {name.removeprefix(start).split(".")[0] for name in names if name.startswith(start)} & {*ROOMS[hall]}


@every(in_layers(*{hall.partition("/")[0] for hall in ROOMS}))
def test_imports_of_rooms_go_downward_only(path: Path) -> None:
    for hall, rooms in ROOMS.items():
        if name_of(path).startswith(f"{hall}/"):
            room = path.relative_to(PACKAGE / hall).parts[0].removesuffix(".py")
            allowed = rooms[: rooms.index(room) + 1] if room in rooms else rooms
            assert rooms_in(imports(path), hall) <= {*allowed}


def test_no_files_import_each_other_in_a_circle() -> None:
    """Also those imported only for types; the tables' models refer to one another by relationships."""
    modules = {"companion." + name_of(path).removesuffix(".py").replace("/", "."): path for path in FILES}
    named = {module: {*imports(path)} for module, path in modules.items() if "store.models" not in module}
    graph = {
        module: {other for other in modules for name in names if name == other or name.rpartition(".")[0] == other}
        for module, names in named.items()
    }
    TopologicalSorter(graph).prepare()


@every(in_layers(*BESIDE))
def test_side_layers_import_only_what_they_may(path: Path) -> None:
    assert imported_layers(path) <= {layer_of(path), *BESIDE[layer_of(path)]}


@every(in_layers("engine", "games", "contract", "table", "camera"))
def test_only_the_camera_needs_other_packages_in_the_lower_layers(path: Path) -> None:
    foreign = {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names - {"companion"}
    assert foreign <= ({"numpy", "PIL"} if layer_of(path) == "camera" else set())


@every(in_layers("games"))
def test_no_game_imports_a_game(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith("companion.games")]


# they merge and store what was typed; what is made of it for a phone goes through `see` of table/sight.py
HANDLES_CELLS = ["store/night/drafts.py", "store/night/hand_in_play.py"]


@every([path for path in FILES if name_of(path) not in HANDLES_CELLS])
def test_nothing_else_reaches_the_hands_in_a_draft(path: Path) -> None:
    cells = [node.value for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute) and node.attr == "cells"]
    assert [ast.unparse(owner) for owner in cells if ast.unparse(owner).rpartition(".")[2] == "draft"] == []


@every(in_layers("engine", "games"))
def test_no_floating_point(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float | complex)), node.lineno
        assert not (isinstance(node, ast.Name) and node.id in ("float", "round_half", "Decimal", "Fraction"))
        assert not (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)), node.lineno


@every(in_layers("engine", "games"))
def test_only_one_place_divides(path: Path) -> None:
    allowed = DIVIDES.get(name_of(path), set())
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.FloorDiv | ast.Mod):
            assert type(node.op) in allowed, node.lineno
        if isinstance(node, ast.Name) and node.id == "divmod":
            assert "divmod" in allowed, node.lineno


@every(FILES)
def test_no_game_is_named_outside_its_own_file(path: Path) -> None:
    own = path.stem.replace("_", "-") if layer_of(path) == "games" else None
    texts = [node.value for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant)]
    names = {name.split(".")[-1] for name in imports(path)}
    for key in all_games():
        if key != own:
            assert key not in texts
            assert not names & {key.replace("-", "_")}


def test_every_class_has_a_name_of_its_own() -> None:
    files = [path for path in FILES if layer_of(path) not in ("games", "migrations")]  # games name their parts alike
    found = [node.name for path in files for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)]
    assert [name for name, times in Counter(found).items() if times > 1] == []


def test_key_of_a_game_is_the_name_of_its_file() -> None:
    files = {path.stem for path in in_layers("games") if path.stem != "__init__"}
    assert {key.replace("-", "_") for key in all_games()} == files


# a migration is a list of what it makes, and is never changed again
@every([path for path in FILES if layer_of(path) != "migrations"])
def test_functions_are_short(path: Path) -> None:
    long = [f.name for f in functions(tree_of(path)) if (f.end_lineno or 0) - f.lineno + 1 > MAX_LINES]
    assert not long


# a game is one file, however many rules it has, and a migration one, however many tables it makes
@every([path for path in FILES if layer_of(path) not in ("games", "migrations")])
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES_OF_A_FILE


def modules_imported(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, whatever names it takes from them."""
    modules = {"companion." + name_of(other).removesuffix(".py").replace("/", ".") for other in FILES}
    ours = {name for name in imports(path) if name.startswith("companion.")}
    return {name if name in modules else name.rpartition(".")[0] for name in ours}


def has_views(path: Path) -> bool:
    """Return whether a file answers requests: a function in it is a route of a blueprint."""
    marks = (ast.unparse(mark) for function in functions(tree_of(path)) for mark in function.decorator_list)
    return any(re.match(r"\w+\.(route|get|post)\(", mark) for mark in marks)


@every([path for path in in_layers("web") if has_views(path)])
def test_a_view_imports_few_modules(path: Path) -> None:
    assert len(modules_imported(path)) <= MAX_IMPORTS_OF_A_VIEW


@every(FOLDERS)
def test_a_folder_holds_few_modules(folder: Path) -> None:
    assert len([path for path in FILES if path.parent == folder and path.stem != "__init__"]) <= MAX_MODULES


@every(FILES)
def test_every_module_says_what_it_holds(path: Path) -> None:
    assert ast.get_docstring(tree_of(path))


@pytest.mark.parametrize("package", [*ROOMS, "web/round", "web/entering"])
def test_the_docstring_of_a_package_lists_modules_that_exist(package: str) -> None:
    folder = PACKAGE / package
    named = re.findall(r"`(\w+)`", ast.get_docstring(tree_of(folder / "__init__.py")) or "")
    assert set(named) <= {path.stem for path in folder.rglob("*")}


@every(in_layers("engine", "games", "contract", "store", "camera"))
def test_public_classes_and_functions_have_docstrings(path: Path) -> None:
    public = [
        node
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
    ]
    assert [node.name for node in public if not ast.get_docstring(node)] == []


def test_the_documents_name_functions_where_they_are() -> None:
    named = [found for path in DOCUMENTS for found in re.findall(r"`(\w+)`\s+in\s+`([\w/]+\.py)`", path.read_text())]
    assert len(named) > 30
    for function, file in named:
        path = CHECKOUT / file if file.startswith("tests/") else PACKAGE / file.removeprefix("companion/")
        assert function in {found.name for found in functions(tree_of(path))}, (function, file)


def test_the_documents_name_files_that_exist() -> None:
    parts = ["companion", "static", "templates", "tests"]
    files = [f"/{path.relative_to(CHECKOUT)}" for part in parts for path in (CHECKOUT / part).rglob("*.*")]
    pattern = r"`([\w/]+\.(?:py|js|css|html))`"
    named = [found for path in DOCUMENTS for found in re.findall(pattern, path.read_text())]
    assert len(named) > 60
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in files)] == []


def headings(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@every(DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", path.read_text()):
        file, _, heading = "".join(link).partition("#")
        if not file.startswith("https:"):
            there = path.parent / file if file else path
            assert there.exists(), link
            assert not heading or heading in headings(there), link


def test_the_readme_stays_short_and_lists_every_game() -> None:
    text = (CHECKOUT / "README.md").read_text()
    assert len(text.splitlines()) <= 150
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d+(?: to \d+)?) \|", text, re.MULTILINE))
    assert rows == {game.name: " to ".join(map(str, dict.fromkeys(game.seats))) for game in all_games().values()}


@every(JUDGES)
def test_no_test_judges_by_the_clock(path: Path) -> None:
    """A busy machine takes long: tests wait for conditions, with `until` of waiting.py, and count what costs."""
    pattern = r"\bsleep\(|wait_for_timeout\((?!20\))|perf_counter\(|monotonic\(|process_time\(|timeout=[1-9]"
    assert re.findall(pattern, path.read_text()) == []


def levels_up(node: ast.AST, named: Mapping[str, int]) -> int | None:
    """Return how many folders above its own file an expression leads; None if it isn't a path from there."""
    match node:
        case ast.Name(id="__file__"):
            return 0
        case ast.Name(id=name):
            return named.get(name)
        case ast.Call(func=ast.Name(id="Path"), args=[inner]) | ast.Call(func=ast.Attribute(value=inner)):
            return levels_up(inner, named)
        case ast.Attribute(value=inner, attr="parent"):
            up, more = levels_up(inner, named), 1
        case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(number))):
            up, more = levels_up(inner, named), number + 1
        case ast.BinOp(left=inner, op=ast.Div(), right=ast.Constant(value=str(text))):
            parts = text.split("/")
            up, more = levels_up(inner, named), parts.count("..") or -len(parts)
        case _:
            return None
    return None if up is None else up + more


def outside(path: Path, source: str) -> list[str]:
    """List what a file names outside of the checkout: absolute folders of ours, and paths above the top."""
    named: dict[str, int] = {}
    found = re.findall(r"/wor[k]/\S*|\.\./shared\S*", source)
    depth = len(path.relative_to(CHECKOUT).parts)
    for node in ast.walk(ast.parse(source)):
        up = levels_up(node, named)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            led = levels_up(node.value, named)
            named |= {} if led is None else {node.targets[0].id: led}
        elif up is not None and up > depth:
            found.append(ast.unparse(node))
    return found


@every(sorted(TESTS.rglob("*.py")))
def test_no_test_needs_what_lies_outside_the_checkout(path: Path) -> None:
    assert outside(path, path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "PLACE = '/wor" + "k/shared'",
        "TESTS = Path(__file__).resolve().parent\nPLACE = TESTS.parents[1] / 'shared'",
        "PLACE = Path(__file__).parents[2]",
        "TOP = Path(__file__).resolve().parents[1]\nPLACE = TOP / '../bench'",
    ],
)
def test_what_lies_outside_the_checkout_is_found(source: str) -> None:
    assert outside(TESTS / "show.py", source) != []
    assert outside(TESTS / "show.py", "TOP = Path(__file__).resolve().parents[1]\nPLACE = TOP / 'static/icons'") == []


def test_nothing_else_lies_at_the_top_level() -> None:
    """A test that opened a database by a wrong name left its files there, and they were committed."""
    assert {path.name for path in PACKAGE.parent.iterdir() if not path.name.startswith(".")} == TOP_LEVEL
