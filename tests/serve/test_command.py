"""The `companion` command: ports, the welcome text with its QR code, and a real start."""

import errno
import io
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import segno
from sqlalchemy.exc import OperationalError
from waiting import MAX_SECONDS

from companion import create_app
from companion.serve import listening, start
from companion.serve import welcome as welcoming
from companion.serve.command import main
from companion.serve.listening import listen
from companion.serve.welcome import welcome
from companion.store.groups import make_group
from companion.store.models import db
from companion.web.http.addresses import network_address

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """A port that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_next_free_port_is_taken(taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    first = taken.getsockname()[1]
    monkeypatch.setattr(listening, "FIRST_PORT", first)
    with listen("127.0.0.1", None) as found:
        assert first < found.getsockname()[1] < first + 100


def test_given_port_is_taken_exactly() -> None:
    with listen("127.0.0.1", 0) as found, socket.create_connection(found.getsockname(), timeout=MAX_SECONDS):
        assert found.getsockname()[1] > 0


def test_no_free_port_at_all_is_an_error(taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "FIRST_PORT", taken.getsockname()[1])
    monkeypatch.setattr(listening, "_TRIES", 1)
    with pytest.raises(OSError):
        listen("127.0.0.1", None)


def test_port_in_use_is_an_error_message(taken: socket.socket, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(taken.getsockname()[1])
    for command in (["--host", "127.0.0.1", "--port", port], ["serve", "--host", "127.0.0.1", "--port", port]):
        assert main(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert re.fullmatch(r"Cannot listen on 127\.0\.0\.1: .+\. Choose another --host or --port\.\n", said.err)


@pytest.mark.parametrize("port", ["70000", "-1"])
def test_an_invalid_port_is_an_error_message(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--host", "127.0.0.1", f"--port={port}"]) == 1
    assert "Cannot listen" in capsys.readouterr().err


def _modules(drawn: list[str]) -> list[list[int]]:
    """Convert half blocks back to rows of modules, 1 for dark: on a dark terminal, a block is light."""
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    return [[halves[mark][half] for mark in line] for line in drawn for half in (0, 1)]


def _qr_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and set(line) <= set("█▀▄ ")]


def test_welcome_has_both_addresses_and_a_qr_code_of_the_phones_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(welcoming, "network_addresses", lambda: ["192.0.2.7"])
    text = welcome("0.0.0.0", 8123)
    assert "http://localhost:8123/" in text
    assert "http://192.0.2.7:8123/" in text
    modules = _modules(_qr_lines(text))
    # whatever the quiet zone and the correction level: the modules are those of a code of the address
    codes = []
    for level in "lmqh":
        code = segno.make("http://192.0.2.7:8123/", error=level)
        for border in range(1, 5):
            rows = [list(row) for row in code.matrix_iter(border=border)]
            codes.append([*rows, *([[0] * len(rows[0])] * (len(rows) % 2))])
    assert modules in codes


@pytest.mark.parametrize(
    ("host", "network", "said", "code"),
    [
        ("0.0.0.0", None, "http://localhost:80/", False),
        ("::", "192.0.2.7", "http://192.0.2.7:80/", True),
        ("127.0.0.1", "192.0.2.7", "http://127.0.0.1:80/", False),
        ("localhost", "192.0.2.7", "http://localhost:80/", False),
        ("::1", "192.0.2.7", "http://[::1]:80/", False),
        ("192.0.2.9", None, "http://192.0.2.9:80/", True),
        ("2001:db8::9", None, "http://[2001:db8::9]:80/", True),
        ("table.example", None, "http://table.example:80/", True),
    ],
)
def test_welcome_shows_the_address(
    monkeypatch: pytest.MonkeyPatch, host: str, network: str | None, said: str, code: bool
) -> None:
    monkeypatch.setattr(welcoming, "network_addresses", lambda: [network] if network else [])
    text = welcome(host, 80)
    assert said in text
    assert bool(_qr_lines(text)) is code


def test_welcome_with_https_leads_phones_to_the_page_about_the_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(welcoming, "network_addresses", lambda: ["192.0.2.7"])
    text = welcome("0.0.0.0", 8000, 8001)
    assert re.findall(r"https?://\S+", text) == [
        "https://localhost:8000/",
        "https://192.0.2.7:8000/",
        "http://192.0.2.7:8001/",
    ]
    assert _qr_lines(text) == _qr_lines(welcome("192.0.2.7", 8001))


def test_welcome_offers_every_address_with_the_code_of_the_likeliest(monkeypatch: pytest.MonkeyPatch) -> None:
    known = ["192.0.2.7", "198.51.100.7", "2001:db8::7", "10.8.0.2", "10.9.0.2"]
    monkeypatch.setattr(welcoming, "network_addresses", lambda: known)
    text = welcome("0.0.0.0", 8000)
    assert re.findall(r"http://(\S+):8000/", text) == [
        "localhost",
        "192.0.2.7",
        "198.51.100.7",
        "[2001:db8::7]",
        "10.8.0.2",
    ]
    assert _qr_lines(text) == _qr_lines(welcome("192.0.2.7", 8000))


def test_own_names_are_all_names_that_phones_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "network_addresses", lambda: ["192.0.2.7", "2001:db8::7"])
    monkeypatch.setattr(start.mdns, "is_installed", lambda: False)
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen")
    known = ["localhost", "127.0.0.1", "::1", "kitchen", "kitchen.local", "192.0.2.7"]
    assert start.own_names("0.0.0.0") == known
    assert start.own_names("192.0.2.9") == [*known, "192.0.2.9"]


def test_network_address_is_no_loopback() -> None:
    address = network_address()
    assert address is None or not address.startswith("127.")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_real_start_serves_the_app(tmp_path: Path, scheme: str) -> None:
    command = [sys.executable, "-c", "import sys; from companion.serve.command import main; sys.exit(main())"]
    environment = {**os.environ, "COMPANION_INSTANCE": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", *(["--https"] if scheme == "https" else [])],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            # the port is open before the address is printed
            address = re.search(rf"{scheme}://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert address
            # a client that was told to trusts what only the owner may read
            kept = tmp_path / "certificate.pem"
            assert not kept.exists() or kept.stat().st_mode & 0o777 == 0o600
            trusted = ssl.create_default_context(cafile=kept) if scheme == "https" else None
            with urlopen(address[0], timeout=MAX_SECONDS, context=trusted) as answer:
                assert answer.status == 200
                assert "Strict-Transport-Security" not in answer.headers
                assert "Start a night" in answer.read().decode()
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=MAX_SECONDS)
    assert process.returncode == 0
    # a busy computer may make the server warn of its queue
    assert "Traceback" not in errors
    assert (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("arguments", "served"),
    [
        ([], ("0.0.0.0", None, False)),
        (["serve"], ("0.0.0.0", None, False)),
        (["--port", "9000"], ("0.0.0.0", 9000, False)),
        (["serve", "--port", "9000"], ("0.0.0.0", 9000, False)),
        (["--port", "9000", "serve"], ("0.0.0.0", 9000, False)),
        (["--host", "::1", "serve", "--port", "9000"], ("::1", 9000, False)),
        (["--https"], ("0.0.0.0", None, True)),
        (["serve", "--https"], ("0.0.0.0", None, True)),
        (["--https", "serve"], ("0.0.0.0", None, True)),
    ],
    ids=str,
)
def test_options_stand_before_or_after_the_command(
    arguments: list[str], served: tuple[str, int | None, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []
    monkeypatch.setattr(start, "serve", lambda *given: called.append(given) or 0)
    assert main(arguments) == 0
    assert called == [served]


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the app's folder would be; there is none."""
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return tmp_path / "instance"


@pytest.fixture
def instance(nowhere: Path, migrated: Path) -> Path:
    """Return the app's folder, with an empty database."""
    nowhere.mkdir()
    shutil.copy(migrated, nowhere)
    return nowhere


def test_a_backup_is_made_and_restored(instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit"]) == 0
    file = str(tmp_path / "b.db")
    assert main(["backup", file]) == 0
    assert f"Copied 0 rounds of {instance}/companion.db to {file}." in capsys.readouterr().out
    assert main(["restore", file]) == 0
    said = capsys.readouterr().out
    assert f"Restored 0 rounds to {instance}/companion.db from {file}. The old database is in {instance}/comp" in said
    assert "No errors in any round, balance or pot." in said
    assert main(["backup", file]) == 1
    assert capsys.readouterr().err == f"{file} exists already and wasn't changed. Choose another name.\n"


def test_a_backup_is_restored_where_there_is_no_database(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit"]) == 0
    assert main(["backup", str(tmp_path / "b.db")]) == 0
    shutil.rmtree(instance)
    assert main(["restore", str(tmp_path / "b.db")]) == 0
    assert "The old database" not in capsys.readouterr().out


def test_a_group_is_exported_and_imported(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with create_app().app_context():
        public_id = make_group("Friday", ["=Ana", "Beto"], "the first secret").public_id
        make_group("Twins", ["Ana", "Beto"], "another secret")
        make_group("Twins", ["Ana", "Beto"], "a third secret")
    assert main(["export"]) == 0
    listed = capsys.readouterr().out
    assert f"{public_id}  Friday\n" in listed
    assert listed.count("  Twins\n") == 2
    assert "secret" not in listed
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert main(["export", "Friday", str(first)]) == 0
    assert f"{first} contains the whole group Friday" in capsys.readouterr().out
    for form in ("rounds", "transfers"):
        assert main(["export", public_id, str(tmp_path / form), "--as", form]) == 0
        assert (tmp_path / form).read_bytes().startswith(b'\xef\xbb\xbf"session"')
        said = f"{tmp_path / form} contains the {form} of the group Friday. Keep the file private.\n"
        assert capsys.readouterr().out == said
    refused = [
        (["export", "Friday", str(first)], f"{first} exists already and wasn't changed. Choose another name."),
        (["export", "Friday"], "Say which file to write: companion export GROUP FILE"),
        (["export", "Monday", "f"], "No group is called Monday; use the id that `companion groups` shows."),
        (["export", "Twins", "f"], "Several groups are called Twins; use the id that `companion groups` shows."),
        (["import", str(tmp_path / "rounds")], "the file: it isn't JSON in UTF-8"),
        (["import", str(tmp_path / "missing")], f"{tmp_path}/missing: No such file or directory. Choose another place"),
    ]
    for arguments, said in refused:
        assert main(arguments) == 1
        assert said in capsys.readouterr().err
    assert main(["import", str(first)]) == 0
    assert capsys.readouterr().out.startswith("The group Friday exists already, with the same content as ")
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("COMPANION_PUBLIC_URL", "https://cards.example.org")
    create_app()
    assert main(["import", str(first)]) == 0
    link = re.search(r"  https://cards\.example\.org(/open/\S+)\n", capsys.readouterr().out)
    assert link
    app = create_app()
    assert app.test_client().get(link[1], base_url="https://cards.example.org").location == f"/g/{public_id}"
    assert main(["export", "Friday", str(second)]) == 0
    assert second.read_bytes() == first.read_bytes()


def test_a_full_disk_leaves_no_part_of_an_export(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnFullDisk(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path: Path, *mode: str, **more: Any) -> Any:
        if path != file:
            return usual(path, *mode, **more)
        return OnFullDisk()

    with create_app().app_context():
        make_group("Friday", ["Ana", "Beto"], "a secret")
    file, usual = tmp_path / "friday.json", Path.open
    monkeypatch.setattr(Path, "open", opened)
    assert main(["export", "Friday", str(file)]) == 1
    assert f"{file}: No space left on device. Choose another" in capsys.readouterr().err
    assert not file.exists()


def test_an_error_about_an_open_file_names_no_file(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    create_app()
    monkeypatch.setattr(os, "fsync", full)
    assert main(["backup", str(tmp_path / "copy.db")]) == 1
    assert capsys.readouterr().err.startswith("No space left on device. Choose another place")


@pytest.mark.parametrize("public_id", ["-im_oVT37XTQ", "--m_oVT37XTQ"])
def test_an_id_may_begin_with_a_dash(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], public_id: str
) -> None:
    with create_app().app_context():
        make_group("Friday", ["Ana", "Beto"], "a secret").public_id = public_id
        db.session.commit()
    assert main(["export", public_id, str(tmp_path / "file")]) == 0
    assert main(["close-night", public_id]) == 0
    assert main(["delete-group", public_id, "--yes"]) == 0
    capsys.readouterr()
    assert main(["delete-group", "--yse"]) == 1
    assert "No group is called --yse" in capsys.readouterr().err


SENTENCES = [
    (["backup", "{folder}/b.db"], {}, r"There is no database at .*companion\.db\. Commands need"),
    (["restore", "{folder}/b.db"], {}, r"There is no file .*b\.db\."),
    (["backup", "b"], {"DATABASE_URL": "postgresql://a:hidden@b/c"}, r"The database .*//a:\*\*\*@b/c .*pg_dump"),
    (["restore", "b"], {"DATABASE_URL": "postgresql://a:hidden@b/c"}, r"The database .*//a:\*\*\*@b/c .*pg_rest"),
    (["audit"], {"COMPANION_INSTANCE": "/dev/null/x"}, r"There is no database at /dev/null/x/companion\.db\. "),
    ([], {"COMPANION_INSTANCE": "/dev/null/x"}, r"/dev/null/x: Not a directory\. Choose another place"),
    (["audit"], {}, r"There is no database at .*companion\.db\. Commands need the settings .*COMPANION_INSTANCE or "),
    (["groups"], {}, r"There is no database at .*companion\.db\. "),
    (["export"], {}, r"There is no database at .*companion\.db\. "),
    (["import", "b"], {}, r"There is no database at .*companion\.db\. "),
    (["close-night", "b"], {}, r"There is no database at .*companion\.db\. "),
    (["delete-group", "b"], {}, r"There is no database at .*companion\.db\. "),
    (["groups"], {"COMPANION_PUBLIK_URL": "x"}, r"There is no setting COMPANION_PUBLIK_URL; did you mean COMPANION_PU"),
    (["audit"], {"COMPANION_SECRET_KEY": "short"}, r"COMPANION_SECRET_KEY is 5 characters long; it must have "),
    (["audit"], {"COMPANION_LOG": "xml"}, r"COMPANION_LOG is 'xml'; it must be text or json"),
    ([], {"DATABASE_URL": "sqlite:////dev/null/x.db"}, r"The database .* cannot be used: unable to open"),
    ([], {"DATABASE_URL": "postgresql+psycopg://a@127.0.0.1:1/c"}, r"The database .* does not answer: .*refused"),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(
    ("arguments", "environment", "said"), SENTENCES, ids=[" ".join(map(str, row[:2])) for row in SENTENCES]
)
def test_failures_are_one_sentence(
    nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], environment: dict[str, str], said: str,
) -> None:  # fmt: skip
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    assert main([argument.format(folder=tmp_path) for argument in arguments]) == 1
    errors = capsys.readouterr().err
    assert re.match(said, errors), errors
    assert errors.count("\n") == 1
    assert "hidden" not in errors
    assert not nowhere.exists() or arguments[:1] in ([], ["restore"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "many"], "Error: Invalid value for '--port': 'many' is not a valid integer."),
        (["--table"], "Error: No such option"),
        (["dance"], "Error: No such command 'dance'."),
        (["backup"], "Error: Missing argument 'FILE'."),
        (["export", "Friday", "f", "--as", "xml"], "Error: Invalid value for '--as': 'xml' is not one of"),
    ],
)
def test_a_wrong_command_shows_its_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("Usage: companion ")
    assert said in errors


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_lists_the_commands(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([asked]) == 0
    said = capsys.readouterr().out
    for name in ("serve", "audit", "backup", "restore", "export", "import", "--host", "--port", "--https"):
        assert f"  {name}" in said


@pytest.mark.quick
def test_an_emptied_database_is_an_error_message(instance: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_app()
    backup = instance.parent / "b.db"
    assert main(["backup", str(backup)]) == 0
    database = instance / "companion.db"
    for file in instance.glob("companion.db*"):
        file.unlink()
    database.touch()
    capsys.readouterr()
    assert main(["audit"]) == 1
    said = f"The database {database} is empty (0 bytes), though the app has run here before. Restore a backup: "
    said += "companion restore FILE. Or delete the empty file to start with a new database.\n"
    assert capsys.readouterr() == ("", said)
    assert database.stat().st_size == 0
    # each way out that it names
    database.unlink()
    create_app()
    for file in instance.glob("companion.db*"):
        file.unlink()
    database.touch()
    assert main(["restore", str(backup)]) == 0


@pytest.mark.quick
def test_an_empty_database_is_made_by_serving_alone(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere.mkdir()
    (nowhere / "companion.db").touch()
    assert main(["audit"]) == 1
    assert "companion.db is empty: the app hasn't run on it yet. Commands need" in capsys.readouterr().err
    create_app()
    assert main(["audit"]) == 0


@pytest.mark.quick
def test_a_command_upgrades_no_database(instance: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(instance / "companion.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert main(["audit"]) == 1
    assert re.search(r"has an older version \(0001; this app: \d+\)\. Restart the app first", capsys.readouterr().err)


def test_a_command_says_which_database_it_looked_at(
    instance: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with create_app().app_context():
        make_group("Friday", ["Ana", "Beto"], "a secret")
    commands = [["audit"], ["groups"], ["export"], ["export", "Friday", str(tmp_path / "f")], ["close-night", "Friday"]]
    for arguments in [*commands, ["import", str(tmp_path / "f")], ["delete-group", "Friday", "--yes"]]:
        assert main(arguments) == 0
        said = capsys.readouterr()
        assert said.err == f"Database: sqlite:///{instance}/companion.db, 0 rounds\n"
        assert "Database: " not in said.out


FLASK = {
    "routes": ["/help/", "/healthz"],
    "db current": ["(head)"],
    "db history": ["<base> -> 0001"],
    "db check": ["No new upgrade operations detected"],
}


@pytest.mark.parametrize("command", FLASK)
def test_flasks_own_commands_work(command: str, instance: Path) -> None:
    given = [sys.executable, "-m", "flask", "--app", "companion", *command.split()]
    environment = dict(os.environ)
    done = subprocess.run(given, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=MAX_SECONDS)
    assert done.returncode == 0, done.stderr
    for said in FLASK[command]:
        assert said in done.stdout + done.stderr


def test_flasks_own_shell_has_the_app(instance: Path) -> None:
    given = [sys.executable, "-m", "flask", "--app", "companion", "shell"]
    environment = dict(os.environ)
    asked = "print(app.name, 'secret_key' in __import__('os').listdir(app.instance_path))"
    done = subprocess.run(
        given, cwd=CHECKOUT, env=environment, input=asked, capture_output=True, text=True, timeout=MAX_SECONDS
    )
    assert "companion True" in done.stdout


def test_a_database_that_fails_meanwhile_is_an_error_message(
    instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dies() -> list[str]:
        gone = sqlite3.OperationalError("disk I/O error")
        gone.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise OperationalError("SELECT 1", {}, gone)

    monkeypatch.setattr("companion.store.audit.audit", dies)
    assert main(["audit"]) == 1
    assert "The database failed: disk I/O error. Nothing was changed. " in capsys.readouterr().err


def test_a_backup_to_a_missing_folder_is_an_error_message(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit"]) == 0
    assert main(["backup", str(tmp_path / "nowhere" / "b.db")]) == 1
    assert re.search(r"companion\.db couldn't be copied to .*/nowhere/b\.db: unable to open", capsys.readouterr().err)
