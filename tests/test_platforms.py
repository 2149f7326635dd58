"""The app without POSIX: Windows, Android, an old console. Faked here as far as possible."""

from __future__ import annotations

import ast
import errno
import io
import os
import socket
import sqlite3
import sys
from pathlib import Path

import pytest
import segno
from every_file import every

import companion
from companion import config
from companion.serve import command
from companion.serve.server import listening, open_files, welcome
from companion.store.db import backup
from companion.web.http.files import assets

PACKAGE = Path(companion.__file__).resolve().parent
# what only some systems have: a module, or a name of one
POSIX_ONLY = {
    "os": "chmod chown execl execle execlp execv execve execvp fchmod fork forkpty getegid geteuid getgid getpgid"
    " getppid getuid kill killpg lchown link mkfifo nice pipe2 posix_spawn sched_getaffinity setsid setuid symlink"
    " uname wait waitpid",
    "signal": "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGUSR2 alarm pause setitimer sigwait",
    "socket": "AF_UNIX SO_REUSEADDR SO_REUSEPORT",
    "select": "epoll kqueue poll",
    "time": "tzset",
    "ctypes": "CDLL",
    "mimetypes": "guess_type",  # asks the registry of Windows
}
MODULES = {"crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
# where they are all the same, and what is done elsewhere
GUARDED = {
    "environment.py": {"os.execv"},  # Windows: a subprocess
    "config.py": {"os.link"},  # Windows: rename, as without hard links
    "serve/server/open_files.py": {"resource"},  # Windows: no limit
    "serve/server/listening.py": {"socket.SO_REUSEADDR"},  # Windows: SO_EXCLUSIVEADDRUSE instead
}


FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def posix_only(tree: ast.AST) -> set[str]:
    """List what a file uses that only some systems have."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in POSIX_ONLY.get(node.value.id, "").split():
                found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            if node.module in MODULES:
                found.add(node.module)
            names = {alias.name for alias in node.names}
            found |= {f"{node.module}.{name}" for name in names & {*POSIX_ONLY.get(str(node.module), "").split()}}
    return found


@every(FILES)
def test_what_only_some_systems_have_is_used_where_it_is_guarded(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert posix_only(tree) == GUARDED.get(name_of(path), set())


@every(FILES)
def test_text_is_read_and_written_in_utf_8(path: Path) -> None:
    # Windows would take its own code page
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = {keyword.arg for keyword in node.keywords}
            assert node.func.attr not in ("read_text", "write_text") or "encoding" in given, node.lineno


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import os\nos.fork()", {"os.fork"}),
        ("from os import execv", {"os.execv"}),
        ("import fcntl", {"fcntl"}),
        ("from resource import getrlimit", {"resource"}),
        ("signal.SIGKILL", {"signal.SIGKILL"}),
        ("os.replace('a', 'b')", set()),
    ],
)
def test_the_check_finds_them(code: str, found: set[str]) -> None:
    assert posix_only(ast.parse(code)) == found


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


def test_without_a_limit_of_files_the_server_holds_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_files, "resource", None)
    assert open_files.most_connections() == 512


def test_on_windows_a_port_in_use_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    class Socket:
        options: tuple[int, ...] = ()

        def setsockopt(self, *options: int) -> None:
            self.options = options

    opened = Socket()
    listening._set_reuse(opened)  # type: ignore[arg-type]
    assert opened.options == (socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    listening._set_reuse(opened)  # type: ignore[arg-type]
    assert opened.options == (socket.SOL_SOCKET, -5, 1)


def unlinked(*_: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


def test_without_hard_links_renaming_never_overwrites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", unlinked)
    draft, place = tmp_path / "draft", tmp_path / "place"
    draft.write_text("new")
    config.rename_without_overwriting(draft, place)
    assert place.read_text() == "new" and not draft.exists()
    draft.write_text("newer")
    with pytest.raises(FileExistsError) as error:
        config.rename_without_overwriting(draft, place)
    assert error.value.filename == str(place)
    assert place.read_text() == "new"


@pytest.mark.usefixtures("windows")
def test_on_windows_files_get_their_names_by_renaming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", lambda *_: pytest.fail("there may be none"))
    (tmp_path / "draft").write_text("new")
    config.rename_without_overwriting(tmp_path / "draft", tmp_path / "place")
    assert (tmp_path / "place").read_text() == "new"
    key = config.make_secret_key(tmp_path)
    assert config.read_secret_key(tmp_path) == key
    assert not list(tmp_path.glob("secret_key.*"))


@pytest.mark.usefixtures("windows")
def test_on_windows_a_backup_opens_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlite3.connect(tmp_path / "a.db").close()
    open_file = os.open

    def opened(path: Path, *flags: int) -> int:
        assert not path.is_dir(), "Windows opens no folder"
        return open_file(path, *flags)

    monkeypatch.setattr(os, "open", opened)
    backup.copy(tmp_path / "a.db", tmp_path / "b.db")
    assert (tmp_path / "b.db").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "cp65001", "cp437", "cp1252", "ascii"])
def test_the_qr_code_uses_characters_the_console_can_print(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    code = segno.make("http://192.0.2.7:8000/", error="l")
    drawn = welcome._draw(code)
    assert set(drawn) == set("# \n" if encoding in ("cp1252", "ascii") else "█▀▄ \n")
    drawn.encode(encoding)
    if encoding == "ascii":
        rows = [[line[at] == " " for at in range(0, len(line), 2)] for line in drawn.splitlines()]
        assert rows == [[bool(module) for module in row] for row in code.matrix_iter(border=2)]


def test_a_name_the_console_cannot_print_is_no_failure(monkeypatch: pytest.MonkeyPatch, instance: Path) -> None:
    from companion import create_app
    from companion.store.groups.groups import make_group
    from companion.store.groups.links import new_secret

    monkeypatch.setenv("COMPANION_INSTANCE", str(instance))
    with create_app().app_context():
        make_group("Los ♠ de Ana", ["Ana", "Beto"], new_secret())
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    assert command.main(["export"]) == 0
    sys.stdout.flush()
    assert written.getvalue().decode("cp1252").rstrip().endswith("Los ? de Ana")


def test_scripts_are_scripts_whatever_a_registry_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mimetypes.guess_type", lambda _: pytest.fail("asks the registry"))
    assert assets._TYPES.guess_type("site.js")[0] == "text/javascript"
    assert assets._TYPES.guess_type("site.css")[0] == "text/css"
