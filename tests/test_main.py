"""`python3 companion`: what it installs, how it recovers, and its message for each failure."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import environment as start

PYTHON = """#!/bin/sh
case "$*" in
"-m venv --without-pip "*) mkdir -p $4/bin {purelib}; cp {folder}/inner $4/bin/python
    echo made >> {log}; {makes} ;;
*--require-hashes*) echo "$@" >> {log}; {installs} ;;
esac
"""


class Computer:
    """A checkout in its own folder, with a fake Python that only records its calls."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.log = folder, folder / "called"
        self.venv, self.locks = folder / ".venv", folder / "locks"
        self.locks.mkdir()
        for name in ("core", "https"):
            (self.locks / f"{name}.txt").write_text(f"{name}==1.0 \\\n    --hash=sha256:0\n")
        (folder / "inner").write_text("#!/bin/sh\nexit 0\n")
        (folder / "inner").chmod(0o755)
        self.does()
        names = {"CHECKOUT": folder, "LOCKS": self.locks, "VENV": self.venv}
        for name, value in names.items():
            patch.setattr(start, name, value)
        patch.setattr(sys, "executable", str(folder / "python"))
        patch.setattr(importlib.util, "find_spec", lambda name: name == "pip")
        patch.setenv("PATH", "/usr/bin:/bin")  # no uv

    def does(self, installs: str = "exit 0", makes: str = "exit 0") -> None:
        """Say how Python makes an environment, and how its pip installs."""
        script = PYTHON.format(folder=self.folder, log=self.log, purelib=self.purelib, installs=installs, makes=makes)
        (self.folder / "python").write_text(script)
        (self.folder / "python").chmod(0o755)

    @property
    def purelib(self) -> Path:
        return start._place("purelib", self.venv)

    def starts(self, *extras: str) -> list[str]:
        """Create the environment; returns the calls made meanwhile."""
        self.log.write_text("")
        start.main(["environment", *extras])
        return self.log.read_text().splitlines()

    def fails(self, *extras: str) -> str:
        with pytest.raises(SystemExit) as told:
            self.starts(*extras)
        return str(told.value)


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    return Computer(tmp_path, monkeypatch)


def installed(called: Sequence[str]) -> list[list[str]]:
    """Return the locks installed, for each installation."""
    return [
        [word.rpartition("/")[2].removesuffix(".txt") for word in line.split() if word.startswith("--requirement=")]
        for line in called
        if "--require-hashes" in line
    ]


def test_the_first_start_installs_the_core_and_the_second_nothing(computer: Computer) -> None:
    called = computer.starts()
    assert called[0] == "made"
    assert installed(called) == [["core"]]
    assert "--no-deps" in called[-1]
    (path,) = computer.venv.rglob("companion.pth")
    assert path.read_text() == f"{computer.folder}\n"
    assert computer.starts() == []


def test_an_extra_is_added_and_stays(computer: Computer) -> None:
    computer.starts()
    assert installed(computer.starts("https")) == [["core", "https"]]
    assert computer.starts() == []
    (computer.locks / "core.txt").write_text("core==1.1\n")
    assert installed(computer.starts()) == [["core", "https"]]


def test_an_extra_that_cannot_be_installed_is_not_asked_for_again(computer: Computer) -> None:
    computer.starts()
    computer.does(installs="exit 1")
    computer.fails("https")
    computer.does()
    assert installed(computer.starts()) == [["core"]]


def test_an_unknown_extra_is_named_with_those_there_are(computer: Computer, capsys: pytest.CaptureFixture[str]) -> None:
    assert computer.fails("chess") == "2"
    assert capsys.readouterr().err == "There is no extra chess. There are: https.\n"


@pytest.mark.parametrize("words", [["environment", "--help"], ["environment", "-h"], ["audit"]])
def test_other_commands_and_help_go_to_the_app(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(start, "run", ran.extend)
    start.main(words)
    assert ran[1:] == ["-m", "companion.serve", *words]


def test_an_incomplete_environment_is_made_again(computer: Computer) -> None:
    computer.starts()
    (computer.venv / "companion.json").write_text('{"extras": []}')
    (computer.venv / "from before").touch()
    assert "made" in computer.starts()
    assert not (computer.venv / "from before").exists()
    assert computer.starts() == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"extras": 3}'])
def test_a_damaged_stamp_is_rewritten(computer: Computer, text: str) -> None:
    computer.starts()
    (computer.venv / "companion.json").write_text(text)
    assert installed(computer.starts()) == [["core"]]
    assert json.loads((computer.venv / "companion.json").read_text())["extras"] == []


def test_a_python_that_is_gone_is_replaced(computer: Computer) -> None:
    computer.starts()
    python = computer.venv / "bin" / "python"
    python.unlink()
    python.symlink_to("/gone/python")
    assert "made" in computer.starts()


def test_a_python_that_was_replaced_is_asked(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    computer.starts()
    monkeypatch.setattr(start, "_works", lambda is_same: is_same)
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    assert "made" in computer.starts()


def test_a_moved_checkout_gets_a_new_environment(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    computer.starts()
    monkeypatch.setattr(start, "CHECKOUT", computer.folder / "moved")
    assert "made" in computer.starts()


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("Failed to establish: NewConnectionError: Name or service not known", "couldn't be downloaded. Connect"),
        ("WARNING: Retrying after connection broken by 'X' (from versions: none)", "couldn't be downloaded. Connect"),
        ("SSLError(CERTIFICATE_VERIFY_FAILED) (from versions: none)", "Is the clock right"),
        ("Could not find a version that satisfies the requirement y==1 (from versions: none)", "y isn't available for"),
        ("OSError: [Errno 30] Read-only file system", "on a read-only disk"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES", "hash differs from the lock"),
        ("No matching distribution found for x==1", "x isn't available for Python 3."),
        ("error: [Errno 13] Permission denied", "You don't have permission to write to /"),
        ("something else", "something else\nThe environment in .venv couldn't be created"),
    ],
)
def test_pip_s_error_is_shown_and_the_next_start_recovers(computer: Computer, printed: str, said: str) -> None:
    computer.does(installs=f'echo "{printed}"; exit 1')
    assert said in computer.fails()
    computer.does()
    assert installed(computer.starts()) == [["core"]]
    assert computer.starts() == []


def test_without_pip_the_copy_beside_ensurepip_is_run(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: str(computer.folder))
    wheel = computer.folder / "pip-23.0.1-py3-none-any.whl"
    wheel.touch()
    assert start.pip() == [str(computer.venv / "bin" / "python"), str(wheel / "pip")]


@pytest.mark.parametrize(
    ("platform", "way_out"),
    [
        ("linux", "Install it with: sudo apt-get install python3-pip"),
        ("darwin", "Install Python from python.org, or uv."),
    ],
)
def test_without_any_pip_the_package_to_install_is_named(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, platform: str, way_out: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(importlib.util, "find_spec", lambda _: None)
        patch.setattr(sysconfig, "get_config_var", lambda name: None)
        patch.setattr(os, "__file__", str(computer.folder / "os.py"))
        patch.setattr(sys, "platform", platform)
        assert computer.fails() == f"This Python has no pip. {way_out}"
    assert installed(computer.starts()) == [["core"]]


def test_an_environment_that_cannot_be_made_leaves_nothing(computer: Computer) -> None:
    computer.does(makes="echo 'Error: [Errno 28] No space left on device'; exit 1")
    assert computer.fails() == "The disk is full: 180 MB are needed. Free some space, then start again."
    assert not computer.venv.exists()


def test_a_read_only_folder_is_named(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(computer.venv))

    monkeypatch.setattr(start, "_make_venv", refuse)
    assert computer.fails().startswith(f"You don't have permission to write to {computer.venv}. ")


def test_after_ctrl_c_the_next_start_recovers(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(start, "_install", interrupt)
        assert "Interrupted" in computer.fails()
    assert "made" in computer.starts()


MAIN = Path(start.__file__).with_name("__main__.py")


def test_an_old_python_gets_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"^Python 3\.11 or newer is needed; this is "):
        runpy.run_path(str(MAIN), run_name="__main__")


@pytest.mark.parametrize("python", ["python2.7", "python3.6", "python3.8", "python3.10"])
def test_an_old_python_can_parse_the_version_check(python: str, tmp_path: Path) -> None:
    if shutil.which(python) is None or subprocess.run([python, "-V"], capture_output=True).returncode:
        pytest.skip(f"there is no {python} here")
    done = subprocess.run([python, str(MAIN.parent)], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Python 3.11 or newer is needed; this is ")


def test_every_python_can_read_so_far() -> None:
    # no annotations, f-strings or keyword-only arguments: the sentence has to be said by Python 2.7 as well
    tree = ast.parse(MAIN.read_text(encoding="utf-8"), feature_version=(3, 4))
    kinds = (ast.JoinedStr, ast.AnnAssign, ast.FunctionDef, ast.NamedExpr, ast.Starred)
    assert not [node for node in ast.walk(tree) if isinstance(node, kinds)]
    assert MAIN.read_text(encoding="utf-8").isascii()


def test_uv_is_taken_where_it_is(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in start._PIP_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    tool = computer.folder / "tools" / "uv"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\necho "uv $@" >> {computer.log}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    called = computer.starts()
    assert [line.split()[:2] for line in called] == [["made"], ["uv", "pip"]]
    assert installed(called) == [["core"]]
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # tells pip where packages are
    assert [line.split()[0] for line in computer.starts("https")] == ["-m"]


@pytest.mark.parametrize(
    ("scheme", "on_windows", "ends"),
    [("posix_venv", False, ("bin", "python")), ("nt_venv", True, ("Scripts", "python.exe"))],
)
def test_the_interpreter_is_where_the_system_keeps_it(
    monkeypatch: pytest.MonkeyPatch, scheme: str, on_windows: bool, ends: tuple[str, str]
) -> None:
    monkeypatch.setattr(start, "_SCHEME", scheme)
    monkeypatch.setattr(start, "_ON_WINDOWS", on_windows)
    assert start.python_of(Path("x")).as_posix().replace("\\", "/").split("/")[-2:] == list(ends)


def test_on_windows_the_command_is_waited_for_also_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    class Process:
        def __init__(self, command: list[str]) -> None:
            assert command == ["python", "-m", "companion.serve"]
            self.waits = [KeyboardInterrupt(), KeyboardInterrupt(), 3]

        def wait(self) -> int:
            found = self.waits.pop(0)
            if isinstance(found, BaseException):
                raise found
            return found

    monkeypatch.setattr(start, "_ON_WINDOWS", True)
    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(os, "execv", lambda *_: pytest.fail("there is none on Windows"))
    with pytest.raises(SystemExit) as ended:
        start.run(["python", "-m", "companion.serve"])
    assert ended.value.code == 3


@pytest.mark.parametrize("is_terminal", [True, False])
def test_the_progress_is_one_line(
    is_terminal: bool, computer: Computer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    computer.does(installs="echo 'Collecting babel==2 (from -r core.txt)'; echo Using cached babel")
    computer.starts("https")
    said = capsys.readouterr().err.splitlines()[1:]
    assert said[0] == "Installing 2 packages" and said[-1].strip() == "Installed."
    assert [line.strip() for line in said[1:-1]] == ["Downloading 1 of 2: babel"] * is_terminal
