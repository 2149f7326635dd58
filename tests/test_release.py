"""Releases: the version is in one place, a release changes it and the list of changes, and the workflows are safe."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import release
import yaml

import companion
from companion.serve.commands import main as commands

CHECKOUT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))
PACKAGE = '"""It."""\n\n__version__ = "0.1.0"  # here\n'
CHANGES = "# Changes\n\n## Unreleased\n\n- A game.\n"


def test_a_release_numbers_and_dates_the_changes() -> None:
    package, changes = release.released(PACKAGE, CHANGES, "0.2.0", "2026-12-01")
    assert package == PACKAGE.replace("0.1.0", "0.2.0")
    assert changes == "# Changes\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A game.\n"
    with pytest.raises(ValueError, match="lists no changes"):
        release.released(package, changes, "0.3.0", "2026-12-02")
    assert release.released(PACKAGE, CHANGES, "0.1.0", "2026-12-01")[0] == PACKAGE  # the first release


@pytest.mark.parametrize("version", ["0.0.9", "1.0", "1.0.0rc1", "v1.0.0", "1.0.²", ""])
def test_a_version_that_is_none_or_older_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match=r"isn't (a version|newer)"):
        release.released(PACKAGE, CHANGES, version, "2026-12-01")


def test_the_command_commits_and_tags(tmp_path: Path) -> None:
    for name in ("tests/release.py", "companion/__init__.py", ".github/CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(CHECKOUT / name, tmp_path / name)

    def git(*arguments: str) -> str:
        who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    git("config", "user.name", "Ana")
    git("config", "user.email", "ana@example.org")
    command = [sys.executable, "tests/release.py", "9.8.7"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (refused.returncode, refused.stderr) == (1, "Something isn't committed yet. Commit or stash it first.\n")
    git("add", "--all")
    git("commit", "--quiet", "--message=Begin")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "Tagged v9.8.7. Publish it with: git push --follow-tags\n"
    assert git("describe", "--exact-match").strip() == "v9.8.7"
    assert '__version__ = "9.8.7"' in git("show", "HEAD:companion/__init__.py")
    assert git("status", "--porcelain") == ""


def test_the_version_is_in_one_place() -> None:
    assert release.numbers(companion.__version__)
    assert 'dynamic = ["version"]' in (CHECKOUT / "pyproject.toml").read_text()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_pin_actions_and_get_few_rights(path: Path) -> None:
    text = path.read_text()
    workflow: dict[str, Any] = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) and "# v" in version for action, version in used)
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] > 0
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")  # a name of a branch or tag would be run as a command
            if "checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_the_workflows_run_what_there_is() -> None:
    assert {path.name for path in WORKFLOWS} == {"ci.yml", "image.yml", "pages.yml", "release.yml"}
    texts = "".join(path.read_text() for path in WORKFLOWS)
    assert (
        {"environment", "pocket"}
        == set(re.findall(r"python companion (\w+)", texts))
        <= set(commands.companion.commands)
    )
    for file in ("tests/run", ".container/Containerfile", "companion/locks/test.txt"):
        assert file in texts and (CHECKOUT / file).exists()
