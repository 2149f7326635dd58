"""The app without its extras: it starts, and whatever needs one says which command installs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import MAX_SECONDS

pytestmark = pytest.mark.thorough

EXTRAS = "brotli cryptography gunicorn numpy PIL prometheus_client psycopg flask_compress zeroconf"
BLOCK = f"import sys; sys.modules.update(dict.fromkeys('{EXTRAS}'.split())); "
SERVES = """
from companion import create_app
client = create_app().test_client()
for path in ("/", "/settle/knock", "/help/knock", "/static/styles/site.css", "/api/games"):
    answer = client.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert answer.status_code == 200, path
    assert answer.headers["Content-Encoding"] == "gzip", path
"""
COMMAND = "from companion.serve.command import main; sys.exit(main({}))"


def run(code: str, instance: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {"COMPANION_INSTANCE": str(instance), "PYTHONPATH": str(Path(__file__).parent.parent), **settings}
    return subprocess.run(
        [sys.executable, "-c", BLOCK + code], env=environment, capture_output=True, text=True, timeout=MAX_SECONDS
    )


def test_the_core_serves_by_itself(instance: Path) -> None:
    done = run(SERVES, instance)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "settings", "what", "extra"),
    [
        (["--https"], {}, "--https", "https"),
        (["audit"], {"DATABASE_URL": "postgresql+psycopg://me@localhost/it"}, "DATABASE_URL with PostgreSQL", "club"),
        (["audit"], {"DATABASE_URL": "postgresql://me@localhost/it"}, "DATABASE_URL with PostgreSQL", "club"),
        (["audit"], {"COMPANION_METRICS": "127.0.0.1:9100"}, "COMPANION_METRICS", "club"),
    ],
)
def test_what_needs_an_extra_names_the_command(
    instance: Path, arguments: list[str], settings: dict[str, str], what: str, extra: str
) -> None:
    done = run(COMMAND.format(arguments), instance, **settings)
    command = f"python3 companion environment {extra}"
    assert done.returncode == 1
    assert done.stderr == f"{what} needs a package that isn't installed. Install it with: {command}\n"


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/ana/venv", "pip install 'table-companion[https]'"),
        ("/home/ana/.local/share/pipx/venvs/table-companion", "pipx install --force 'table-companion[https]'"),
        ("/home/ana/.local/share/uv/tools/table-companion", "uv tool install 'table-companion[https]'"),
        ("/home/ana/.cache/uv/archive-v0/a1b2", "uvx --from 'table-companion[https]' companion"),
    ],
)
def test_without_a_checkout_the_command_is_that_of_the_installer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str, command: str
) -> None:
    from companion import config, folders

    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setattr(folders, "__file__", str(tmp_path / "companion" / "folders.py"))
    monkeypatch.setattr(sys, "prefix", prefix)
    with pytest.raises(config.BadSetting) as told:
        config.require_package("cryptography", "https", "--https")
    assert str(told.value).endswith(f" Install it with: {command}")


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/ana/venv", "companion groups"),
        ("/home/ana/.local/share/pipx/venvs/table-companion", "companion groups"),
        ("/home/ana/.local/share/uv/tools/table-companion", "companion groups"),
        ("/home/ana/.cache/uv/archive-v0/a1b2", "uvx table-companion groups"),
        ("/home/ana/.local/share/pipx/.cache/a1b2", "pipx run table-companion groups"),
        ("/home/ana/.cache/pipx/a1b2", "pipx run table-companion groups"),
    ],
)
def test_a_command_is_said_as_it_is_typed_without_a_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str, command: str
) -> None:
    from companion import folders

    monkeypatch.setattr(folders, "__file__", str(tmp_path / "companion" / "folders.py"))
    monkeypatch.setattr(sys, "prefix", prefix)
    assert folders.command("groups") == command
