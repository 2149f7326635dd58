"""`python3 companion`: what it installs, how it heals, and the sentence for each thing that stops it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import __main__ as start

PIP = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *--require-hashes*) {does} ;; esac
"""


class Computer:
    """A checkout in a folder of its own, with a Python that only writes down what it is asked to do."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.log = folder, folder / "called"
        self.venv, self.locks = folder / ".venv", folder / "locks"
        self.locks.mkdir()
        for name in ("core", "https"):
            (self.locks / f"{name}.txt").write_text(f"{name}==1.0 \\\n    --hash=sha256:0\n")
        self.installs("exit 0")
        for name, value in (("CHECKOUT", folder), ("LOCKS", self.locks), ("VENV", self.venv)):
            patch.setattr(start, name, value)
        patch.setattr(sys, "executable", str(folder / "python"))
        patch.setenv("PATH", "/usr/bin:/bin")  # no uv
        maker = f'#!/bin/sh\n[ "$2" = venv ] && mkdir -p $3/bin $3/lib && cp {folder}/inner $3/bin/python\n'
        self.python(maker + f"mkdir -p {start._place('purelib', self.venv)}; echo made >> {self.log}\n")

    def python(self, script: str) -> None:
        (self.folder / "python").write_text(script)
        (self.folder / "python").chmod(0o755)

    def installs(self, does: str) -> None:
        """Say what the environment's pip does."""
        (self.folder / "inner").write_text(PIP.format(log=self.log, does=does))
        (self.folder / "inner").chmod(0o755)
        if (self.venv / "bin").exists():
            (self.venv / "bin" / "python").write_text((self.folder / "inner").read_text())

    def starts(self, *extras: str) -> list[str]:
        """Make the environment; gives what was called meanwhile."""
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
    """Tell which locks were installed, each time that any was."""
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


def test_an_unknown_extra_is_named_with_those_there_are(computer: Computer) -> None:
    assert computer.fails("chess") == "There is no extra chess. There are: https."


def test_a_half_made_environment_is_made_anew(computer: Computer) -> None:
    computer.starts()
    (computer.venv / "unfinished").touch()
    (computer.venv / "left").touch()
    assert "made" in computer.starts()
    assert not (computer.venv / "left").exists()
    assert computer.starts() == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"extras": 3}'])
def test_a_damaged_stamp_is_written_anew(computer: Computer, text: str) -> None:
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
    monkeypatch.setattr(start, "_works", lambda: False)
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
        ("Failed to establish: NewConnectionError: Name or service not known", "could not be fetched. Connect"),
        ("Could not find a version (from versions: none)", "could not be fetched. Connect"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES", "hash is not the one in the lock"),
        ("No matching distribution found for x==1", "not made for this computer"),
        ("error: [Errno 13] Permission denied", "may not write in .venv"),
        ("something else", "something else\nThe environment in .venv could not be made"),
    ],
)
def test_what_stops_pip_is_said_and_the_next_start_heals(computer: Computer, printed: str, said: str) -> None:
    computer.installs(f'echo "{printed}"; exit 1')
    assert said in computer.fails()
    computer.installs("exit 0")
    assert installed(computer.starts()) == [["core"]]
    assert computer.starts() == []


def test_without_venv_the_package_to_install_is_named(computer: Computer) -> None:
    computer.python("#!/bin/sh\necho 'ensurepip is not available'\nexit 1\n")
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert computer.fails() == (
        f"Python cannot make an environment here. Install it with: sudo apt-get install {package}"
    )
    assert not computer.venv.exists()


def test_a_folder_that_may_not_be_written_is_named(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(computer.venv))

    monkeypatch.setattr(start, "_make_venv", refuse)
    assert computer.fails().startswith(f"{computer.venv}: Permission denied. ")


def test_ctrl_c_leaves_what_the_next_start_heals(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(start, "_install", interrupt)
        assert "Interrupted" in computer.fails()
    assert "made" in computer.starts()


def test_an_old_python_is_told_so(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert computer.fails().startswith("Python 3.11 or newer is needed; this is ")
    assert not computer.venv.exists()


def test_uv_is_taken_where_it_is(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in start._PIP_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    tool = computer.folder / "tools" / "uv"
    tool.parent.mkdir()
    made = f"for last; do :; done; mkdir -p $last/bin {start._place('purelib', computer.venv)}; touch $last/bin/python"
    tool.write_text(f'#!/bin/sh\necho "uv $@" >> {computer.log}\n[ "$1" = venv ] && {{ {made}; }}\nexit 0\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    called = computer.starts()
    assert [line.split()[:2] for line in called] == [["uv", "venv"], ["uv", "pip"]]
    assert installed(called) == [["core"]]


def test_where_pip_was_told_where_packages_are_uv_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/uv")
    for name in start._PIP_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    assert start._uv() == "/usr/bin/uv"
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert start._uv() is None


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
    is_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    progress = start._Progress(2)
    for line in ("Collecting babel==2 (from -r core.txt)\n", "Using cached babel\n", "Installing collected packages\n"):
        progress.see(line)
    progress.end()
    said = capsys.readouterr().err
    assert said.startswith("Installing 2 packages") and said.endswith("Installed in 0 s.\n")
    assert ("Fetching 1 of 2: babel" in said) is is_terminal
