"""Compiled templates are kept beside the templates, and the app does as well without them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import DictLoader, Environment
from waiting import MAX_SECONDS

from companion import create_app
from companion.web.http.files import template_cache
from companion.web.http.files.template_cache import TemplateCache

NAME = "page.html"


@pytest.fixture(autouse=True)
def _writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def page(folder: Path, text: str = "Hello {{ name }}") -> str:
    """Render a page in a new environment, as a new process does."""
    env = Environment(loader=DictLoader({NAME: text}), bytecode_cache=TemplateCache(folder), autoescape=True)
    return env.get_template(NAME).render(name="Ana")


def kept(folder: Path) -> list[Path]:
    return list(folder.rglob("*.jinja"))


WITHOUT_FILES = """
import shutil, sys
from pathlib import Path
from companion import create_app
app = create_app({"INSTANCE": sys.argv[1]})
for name in ("templates", "static", "companion/translations"):
    shutil.rmtree(name)
seen = ["/", "/help/", "/help/knock", "/settle/knock", "/nowhere", "/worker.js", "/manifest/es.webmanifest"]
seen += ["/static/styles/site.css", "/static/scripts/hands.js", "/static/icons/icon.svg"]
print(*(app.test_client().get(path, headers={"Accept-Language": "es"}).status_code for path in seen))
print('lang="es' in app.test_client().get("/", headers={"Accept-Language": "es"}).text)
"""


@pytest.mark.thorough
def test_a_process_serves_the_files_of_its_start(tmp_path: Path) -> None:
    # an upgrade may replace them, or take them away
    checkout = Path(__file__).resolve().parents[2]
    for name, left in (("companion", "*.npz"), ("templates", "__pycache__"), ("static", "__pycache__")):
        shutil.copytree(checkout / name, tmp_path / name, ignore=shutil.ignore_patterns(left))
    shutil.copy(checkout / "pyproject.toml", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES, str(tmp_path / "instance")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
    )
    assert done.stdout.splitlines() == ["200 200 200 200 404 200 200 200 200 200", "True"], done.stderr


def test_a_template_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page(tmp_path) == "Hello Ana"
    assert [file.name for file in kept(tmp_path)] == [f"{NAME}.{sys.implementation.cache_tag}.jinja"]
    monkeypatch.setattr(Environment, "_generate", lambda *_, **__: pytest.fail("compiled again"))
    assert page(tmp_path) == "Hello Ana"


def test_a_changed_template_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    page(tmp_path)
    assert page(tmp_path, "Bye {{ name }}") == "Bye Ana"
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("left", [0, 10, 40, -1])
def test_a_damaged_file_is_compiled_again(tmp_path: Path, left: int) -> None:
    page(tmp_path)
    [file] = kept(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:left])
    assert page(tmp_path) == "Hello Ana"
    assert file.read_bytes() == whole


def test_a_folder_that_takes_no_files_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("in the way")
    assert page(tmp_path) == "Hello Ana"


def test_who_wants_no_compiled_modules_gets_no_compiled_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert page(tmp_path) == "Hello Ana"
    assert not list(tmp_path.iterdir())


@pytest.fixture
def app(instance: Path) -> Flask:
    """Return an app of this test alone: what its templates are given isn't put back."""
    return create_app({"INSTANCE": instance})


def test_the_app_keeps_them_beside_its_templates(app: Flask) -> None:
    app.jinja_env.bytecode_cache = None
    template_cache.init_app(app)
    cache = app.jinja_env.bytecode_cache
    assert isinstance(cache, TemplateCache)
    assert Path(cache.directory) == Path(str(app.template_folder), "__pycache__")


@pytest.mark.thorough
def test_what_is_compiled_depends_on_the_text_alone(app: Flask) -> None:
    """A filter of ours that Jinja called while compiling would leave its answer in the file, whatever it says later."""
    env = app.jinja_env
    for calls in (env.filters, env.tests):
        ours = [name for name, call in calls.items() if call.__module__.startswith("companion.")]
        assert ours
        calls |= {name: lambda *_, name=name: pytest.fail(f"{name} is called while compiling") for name in ours}
    for name in env.list_templates(["html", "svg"]):
        assert env.loader is not None
        source, filename, _ = env.loader.get_source(env, name)
        assert env.compile(source, name, filename)
