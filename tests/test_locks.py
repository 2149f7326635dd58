"""The locks match pyproject.toml and this environment, and every platform has wheels for the core."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import lock
import pytest
from packaging import tags
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

pytestmark = pytest.mark.thorough

TEXTS = {path.stem: path.read_text() for path in lock.LOCKS.glob("*.txt")}
WHEELS: dict[str, list[str]] = json.loads((lock.LOCKS / "wheels.json").read_text())
NEWEST = 14
PYTHONS = [(3, minor) for minor in range(11, NEWEST + 1)]


def manylinux(machine: str, oldest: int, newest: int) -> list[str]:
    old = {17: ["manylinux2014"]}
    return [
        f"{name}_{machine}"
        for minor in range(newest, oldest - 1, -1)
        for name in [f"manylinux_2_{minor}", *old.get(minor, [])]
    ]


# the platform tags that pip takes there, what markers ask, the first Python; Android is Python's own from 3.13 on
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
MACOS = LINUX | {"sys_platform": "darwin", "platform_system": "Darwin"}
WINDOWS = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"}
ANDROID = LINUX | {"sys_platform": "android", "platform_system": "Android"}
PLATFORMS: dict[str, tuple[list[str], dict[str, str], str, int]] = {
    "Linux x86-64": (manylinux("x86_64", 5, 36), LINUX, "x86_64", 11),
    "Linux aarch64": (manylinux("aarch64", 17, 36), LINUX, "aarch64", 11),
    "Linux armv7l": (manylinux("armv7l", 17, 36), LINUX, "armv7l", 11),
    "macOS x86-64": (list(tags.mac_platforms((13, 0), "x86_64")), MACOS, "x86_64", 11),
    "macOS arm64": (list(tags.mac_platforms((14, 0), "arm64")), MACOS, "arm64", 11),
    "Windows x86-64": (["win_amd64"], WINDOWS, "AMD64", 11),
    "Windows ARM": (["win_arm64"], WINDOWS, "ARM64", 11),
    "Android": (["android_24_arm64_v8a", "android_21_arm64_v8a"], ANDROID, "aarch64", 13),
}
EXTRAS_LACK = {
    "mdns": {"macOS x86-64", "Android"},
    "https": {"Linux armv7l", "macOS x86-64", "Windows ARM", "Android"},
    "push": {"Linux armv7l", "macOS x86-64", "Windows ARM", "Android"},
    "club": {"Linux armv7l", "Windows ARM", "Android"},
}


def requirements(name: str) -> Iterator[Requirement]:
    for entry in lock.entries(TEXTS[name]):
        yield Requirement(re.sub(r"\s*\\?\n.*", "", entry, flags=re.DOTALL))


def environment(platform: str, python: tuple[int, int]) -> dict[str, str]:
    version = ".".join(map(str, python))
    _, system, machine, _ = PLATFORMS[platform]
    python_names = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    versions = {"python_version": version, "python_full_version": f"{version}.0"}
    return system | python_names | versions | {"platform_machine": machine}


def lacking(name: str, platform: str, python: tuple[int, int]) -> list[str]:
    """List the packages of a lock that have no wheel for a platform."""
    platforms = PLATFORMS[platform][0]
    interpreter = f"cp{python[0]}{python[1]}"
    fit = {
        *tags.cpython_tags(python, platforms=platforms),
        *tags.compatible_tags(python, interpreter, platforms),
    }
    found = []
    for one in requirements(name):
        if one.marker and not one.marker.evaluate(environment(platform, python)):
            continue
        files = WHEELS[f"{one.name}{one.specifier}"]
        if not any(fit & parse_wheel_filename(file)[3] for file in files):
            found.append(str(one))
    return found


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", PYTHONS, ids=str)
def test_the_core_has_wheels_for_every_platform(platform: str, python: tuple[int, int]) -> None:
    if python[1] < PLATFORMS[platform][3]:
        return
    assert lacking("core", platform, python) == []


@pytest.mark.parametrize("extra", EXTRAS_LACK)
def test_which_platforms_an_extra_lacks_wheels_for(extra: str) -> None:
    assert {platform for platform in PLATFORMS if lacking(extra, platform, (3, 13))} == EXTRAS_LACK[extra]


def test_the_locks_were_made_for_what_pyproject_asks() -> None:
    assert TEXTS.keys() == {lock.CORE, *lock.project()["extras"]}
    for name, text in TEXTS.items():
        assert text.splitlines()[0].endswith(f"for {lock.digest()}"), f"{name}: renew it with python3 tests/lock.py"


def wanted(extra: str | None) -> list[Requirement]:
    asked = lock.project()
    return [Requirement(text) for text in (asked["extras"][extra] if extra else asked["dependencies"])]


@pytest.mark.parametrize("extra", [None, *lock.project()["extras"]])
def test_every_dependency_is_bounded_and_locked(extra: str | None) -> None:
    names = [lock.CORE, *lock.project()["extras"]]
    pinned = {canonicalize_name(name): version for text in names for name, version in lock.pins(TEXTS[text])}
    for one in wanted(extra):
        if one.name == "table-companion":
            continue
        assert any(part.operator in ("<", "==", "<=", "~=") for part in one.specifier), f"{one} has no upper bound"
        assert one.specifier.contains(pinned[canonicalize_name(one.name)]), one


def test_every_package_of_the_locks_has_hashes() -> None:
    for text in TEXTS.values():
        for entry in lock.entries(text):
            assert "==" in entry and "--hash=sha256:" in entry, entry


def test_what_the_core_s_packages_need_is_locked_as_well() -> None:
    pinned = {canonicalize_name(name): version for name, version in lock.pins(TEXTS[lock.CORE])}
    for name in pinned:
        try:
            found = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # of another platform
        for text in found:
            one = Requirement(text)
            here = [environment(platform, (3, 13)) | {"extra": ""} for platform in PLATFORMS]
            if one.marker is None or any(one.marker.evaluate(each) for each in here):
                assert canonicalize_name(one.name) in pinned, f"{name} needs {text}"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Answer for the package index; lists what it was asked for."""
    monkeypatch.setattr(lock.environment, "VENV", tmp_path)
    monkeypatch.setattr(lock.environment, "pip", lambda: ["pip"])
    calls: list[list[str]] = []

    newest = {"Flask_WTF": "9.0", "elsewhere": "2"}
    report = {"install": [{"metadata": {"name": name, "version": version}} for name, version in newest.items()]}

    class Done:
        returncode = 0
        stdout = json.dumps(report)

    monkeypatch.setattr(lock.subprocess, "run", lambda command, **_: calls.append(command) or Done)
    return calls


def test_newer_releases_are_named_and_asked_for_once_a_week(asked: list[list[str]], tmp_path: Path) -> None:
    pinned = dict(lock.pins(TEXTS["core"]))
    told = [f"flask-wtf {pinned['flask-wtf']} -> 9.0"]
    assert lock.newer() == told == lock.newer()
    assert len(asked) == 1 and "flask-wtf" in asked[0] and "pytest" not in asked[0]
    long_ago = time.time() - lock.WEEK - 1
    os.utime(tmp_path / "newer.json", (long_ago, long_ago))
    assert lock.newer() == told
    (tmp_path / "newer.json").write_text("{")
    assert lock.newer() == told
    assert len(asked) == 3


def test_not_knowing_newer_releases_is_no_failure(
    asked: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Done:
        returncode = 1

    monkeypatch.setattr(lock.subprocess, "run", lambda *_, **__: Done)
    assert lock.newer() == []
    assert not (tmp_path / "newer.json").exists()


@pytest.mark.parametrize("argument", ["--help", "--new", "renew"])
def test_only_a_call_without_arguments_renews_the_locks(
    asked: list[list[str]], monkeypatch: pytest.MonkeyPatch, argument: str
) -> None:
    monkeypatch.setattr("sys.argv", ["lock.py", argument])
    with pytest.raises(SystemExit):
        lock.main()
    assert asked == []
