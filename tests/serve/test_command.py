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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import segno
from sqlalchemy.exc import OperationalError
from waiting import MAX_SECONDS

from companion import create_app
from companion.folders import EXTRAS
from companion.serve.command import main
from companion.serve.server import listening, start
from companion.serve.server import welcome as welcoming
from companion.serve.server.listening import listen
from companion.serve.server.welcome import welcome
from companion.store.groups.groups import make_group, open_group, start_night
from companion.store.groups.turns import hand_over
from companion.store.models import db
from companion.store.refusals import Sent

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command, and gives its status and what it printed."""

    def command(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([*map(str, arguments)])
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def phones_find(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that gives this computer addresses in the network."""
    return lambda *addresses: monkeypatch.setattr(welcoming, "network_addresses", lambda: [*addresses])


def make(name: str, secret: str = "a secret", first: str = "Ana") -> str:
    with create_app().app_context():
        return make_group(name, [first, "Beto"], secret).public_id


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


def test_port_in_use_is_an_error_message(taken: socket.socket, run: Run) -> None:
    where = ["--host", "127.0.0.1", "--port", taken.getsockname()[1]]
    for command in (where, ["serve", *where]):
        status, said, errors = run(*command)
        assert (status, said) == (1, "")
        place = rf"port {taken.getsockname()[1]} of 127\.0\.0\.1"
        assert re.fullmatch(rf"Cannot listen on {place}: .+\. Choose another --host or --port\.\n", errors)


@pytest.mark.parametrize("command", [(), ("serve",)])
@pytest.mark.parametrize(
    ("port", "why"),
    [
        ("70000", "70000 is not in the range 0<=x<=65535."),
        ("-1", "-1 is not in the range 0<=x<=65535."),
        ("90_00", "'90_00' is not a valid integer."),
    ],
)
def test_an_invalid_port_is_an_error_message(command: tuple[str, ...], port: str, why: str, run: Run) -> None:
    status, _, errors = run(*command, f"--port={port}")
    assert status == 2
    assert errors.endswith(f"Error: Invalid value for '--port': {why}\n")


def _modules(drawn: list[str]) -> list[list[int]]:
    """Convert half blocks back to rows of modules, 1 for dark: on a dark terminal, a block is light."""
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    return [[halves[mark][half] for mark in line] for line in drawn for half in (0, 1)]


def _qr_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and set(line) <= set("█▀▄ ")]


def test_welcome_has_both_addresses_and_a_qr_code_of_the_phones_one(phones_find: Callable[..., None]) -> None:
    phones_find("192.0.2.7")
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
    phones_find: Callable[..., None], host: str, network: str | None, said: str, code: bool
) -> None:
    phones_find(*[network] * bool(network))
    text = welcome(host, 80)
    assert said in text
    assert bool(_qr_lines(text)) is code


def test_welcome_with_https_leads_phones_to_the_page_about_the_warning(phones_find: Callable[..., None]) -> None:
    phones_find("192.0.2.7")
    text = welcome("0.0.0.0", 8000, 8001)
    assert re.findall(r"https?://\S+", text) == [
        "https://localhost:8000/",
        "https://192.0.2.7:8000/",
        "http://192.0.2.7:8001/",
    ]
    assert _qr_lines(text) == _qr_lines(welcome("192.0.2.7", 8001))


def test_welcome_offers_every_address_with_the_code_of_the_likeliest(phones_find: Callable[..., None]) -> None:
    phones_find("192.0.2.7", "198.51.100.7", "2001:db8::7", "10.8.0.2", "10.9.0.2")
    text = welcome("0.0.0.0", 8000)
    offered = "localhost 192.0.2.7 198.51.100.7 [2001:db8::7] 10.8.0.2"
    assert re.findall(r"http://(\S+):8000/", text) == offered.split()
    assert _qr_lines(text) == _qr_lines(welcome("192.0.2.7", 8000))


def test_own_names_are_all_names_that_phones_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "network_addresses", lambda: ["192.0.2.7", "2001:db8::7"])
    monkeypatch.setattr(start.mdns, "is_installed", lambda: False)
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen")
    known = ["localhost", "127.0.0.1", "::1", "kitchen", "kitchen.local", "192.0.2.7"]
    assert start.own_names("0.0.0.0") == known
    assert start.own_names("192.0.2.9") == [*known, "192.0.2.9"]


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


def test_a_backup_is_made_and_restored(instance: Path, tmp_path: Path, run: Run) -> None:
    assert run("audit")[0] == 0
    file, database = tmp_path / "b.db", instance / "companion.db"
    status, said, _ = run("backup", file)
    assert (status, f"Copied 0 rounds of {database} to {file}." in said) == (0, True)
    status, said, _ = run("restore", file)
    assert (status, f"Restored 0 rounds to {database} from {file}. The old database is in {instance}/comp" in said) == (
        0,
        True,
    )
    assert "No errors in any round, balance or pot." in said
    assert run("backup", file) == (1, "", f"{file} exists already and wasn't changed. Choose another name.\n")
    shutil.rmtree(instance)
    status, said, _ = run("restore", file)
    assert (status, "The old database" in said) == (0, False)


def test_a_group_is_exported_and_imported(
    instance: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_id = make("Friday", "the first secret", "=Ana")
    for secret in ("another secret", "a third secret"):
        make("Twins", secret)
    status, listed, _ = run("export")
    assert (status, f"{public_id}  Friday\n" in listed, listed.count("  Twins\n")) == (0, True, 2)
    assert "secret" not in listed
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert f"{first} contains the whole group Friday" in run("export", "Friday", first)[1]
    for form in ("rounds", "transfers"):
        said = f"{tmp_path / form} contains the {form} of the group Friday. Keep the file private.\n"
        assert run("export", public_id, tmp_path / form, "--as", form)[:2] == (0, said)
        assert (tmp_path / form).read_bytes().startswith(b'\xef\xbb\xbf"night"')
    refused = [
        (["export", "Friday", first], f"{first} exists already and wasn't changed. Choose another name."),
        (["export", "Friday"], "Say which file to write: python3 companion export GROUP FILE"),
        (["import", tmp_path / "rounds"], "This isn't an exported group; choose the file"),
        (["import", tmp_path / "missing"], f"{tmp_path}/missing: No such file or directory. Choose another place"),
    ]
    for arguments, said in refused:
        status, _, errors = run(*arguments)
        assert (status, said in errors) == (1, True), errors
    status, said, _ = run("import", first)
    assert status == 0
    assert said.startswith("The group Friday exists already, with the same content as ")
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("COMPANION_PUBLIC_URL", "https://cards.example.org")
    create_app()
    link = re.search(r"  https://cards\.example\.org(/open/\S+)\n", run("import", first)[1])
    assert link
    app = create_app()
    assert app.test_client().get(link[1], base_url="https://cards.example.org").location == f"/g/{public_id}"
    assert run("export", "Friday", second)[0] == 0
    assert second.read_bytes() == first.read_bytes()


def test_a_group_handed_over_is_kept_where_its_file_is_imported(
    instance: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("Friday", "the first secret", "Ana")
    backup, handed_over = tmp_path / "backup", tmp_path / "handed over"
    assert run("export", "Friday", backup)[0] == 0
    with create_app().app_context():
        group = open_group("the first secret")
        assert group is not None
        hand_over(group, Sent("a key", "a phone"))
    assert run("export", "Friday", handed_over)[0] == 0
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "elsewhere"))
    create_app()
    assert run("import", backup)[0] == 0
    said = "From now on score of the group Friday is kept here.\n"
    said += f"The group Friday exists already, with the same content as {handed_over}.\n"
    assert run("import", handed_over)[:2] == (0, said)


def test_a_group_s_file_continues_it(instance: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make("Friday", "the first secret", "Ana")
    earlier, later = tmp_path / "earlier", tmp_path / "later"
    assert run("export", "Friday", earlier)[0] == 0
    with create_app().app_context():
        group = open_group("the first secret")
        assert group is not None
        start_night(group, [player.id for player in group.players], "knock", {}, "a key")
    assert run("export", "Friday", later)[0] == 0
    said = f"Nothing new: everything in {earlier} is in the group Friday already, and more. Nothing was changed.\n"
    assert run("import", earlier)[:2] == (0, said)
    assert run("import", later, "--copy")[1].startswith("The group Friday (2) was imported.")
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "elsewhere"))
    create_app()
    assert run("import", earlier)[0] == 0
    said = f"The group Friday goes on here as in {later}; changes added: 1. Its links stay.\n"
    assert run("import", later)[:2] == (0, said)


def test_a_full_disk_leaves_no_part_of_an_export(
    instance: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnFullDisk(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path: Path, *mode: str, **more: Any) -> Any:
        if path != file:
            return usual(path, *mode, **more)
        return OnFullDisk()

    make("Friday")
    file, usual = tmp_path / "friday.json", Path.open
    monkeypatch.setattr(Path, "open", opened)
    assert f"{file}: No space left on device. Choose another" in run("export", "Friday", file)[2]
    assert not file.exists()


def test_an_error_about_an_open_file_names_no_file(
    instance: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    create_app()
    monkeypatch.setattr(os, "fsync", full)
    status, _, errors = run("backup", tmp_path / "copy.db")
    assert status == 1
    assert errors.startswith("No space left on device. Choose another place")


@pytest.mark.parametrize("public_id", ["-im_oVT37XTQ", "--m_oVT37XTQ"])
def test_an_id_may_begin_with_a_dash(instance: Path, tmp_path: Path, run: Run, public_id: str) -> None:
    with create_app().app_context():
        make_group("Friday", ["Ana", "Beto"], "a secret").public_id = public_id
        db.session.commit()
    for command in (
        ["export", public_id, tmp_path / "f"],
        ["close-night", public_id],
        ["delete-group", public_id, "--yes"],
    ):
        assert run(*command)[0] == 0
    status, _, errors = run("delete-group", "--yse")
    assert (status, "No group is called --yse" in errors) == (1, True)


SENTENCES = [
    (["backup", "{folder}/b.db"], {}, r"There is no database at .*companion\.db\. Commands need"),
    (["restore", "{folder}/b.db"], {}, r"There is no file .*b\.db\."),
    (["backup", "b"], {"DATABASE_URL": "postgresql://a:hidden@127.0.0.1:1/c"}, r"pg_dump failed, so b wasn't written"),
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
    nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run,
    arguments: list[str], environment: dict[str, str], said: str,
) -> None:  # fmt: skip
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    status, _, errors = run(*(argument.format(folder=tmp_path) for argument in arguments))
    assert status == 1
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
def test_a_wrong_command_shows_its_usage(arguments: list[str], said: str, run: Run) -> None:
    status, _, errors = run(*arguments)
    assert status == 2
    assert errors.startswith("Usage: companion ")
    assert said in errors


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_lists_the_commands(asked: str, run: Run) -> None:
    status, said, _ = run(asked)
    assert status == 0
    for name in ("serve", "audit", "backup", "restore", "export", "import", "environment", "--host"):
        assert f"  {name}" in said


def test_a_packages_user_is_told_what_installs_an_extra(run: Run) -> None:
    for extra in EXTRAS:
        assert run("environment", extra) == (1, f"Install it with: python3 companion environment {extra}\n", "")
    assert run("environment", "chess")[0] == 2


@pytest.mark.quick
def test_an_emptied_database_is_an_error_message(instance: Path, run: Run) -> None:
    def empty() -> None:
        for file in instance.glob("companion.db*"):
            file.unlink()
        database.touch()

    backup, database = instance.parent / "b.db", instance / "companion.db"
    create_app()
    assert run("backup", backup)[0] == 0
    empty()
    said = f"The database {database} is empty (0 bytes), though the app has run here before. Restore a backup: "
    said += "python3 companion restore FILE. Or delete the empty file to start with a new database.\n"
    assert run("audit") == (1, "", said)
    assert database.stat().st_size == 0
    # each way out that it names
    database.unlink()
    create_app()
    empty()
    assert run("restore", backup)[0] == 0


@pytest.mark.quick
def test_an_empty_database_is_made_by_serving_alone(nowhere: Path, run: Run) -> None:
    nowhere.mkdir()
    (nowhere / "companion.db").touch()
    assert "companion.db is empty: the app hasn't run on it yet. Commands need" in run("audit")[2]
    create_app()
    assert run("audit")[0] == 0


@pytest.mark.quick
def test_a_command_upgrades_no_database(instance: Path, run: Run, second_migration: Callable[[], Path]) -> None:
    second_migration()
    status, _, errors = run("audit")
    assert status == 1
    assert re.search(r"has an older version \(\d+; this app: \d+\)\. Restart the app first", errors)


def test_a_command_says_which_database_it_looked_at(instance: Path, run: Run, tmp_path: Path) -> None:
    make("Friday")
    commands = [["audit"], ["groups"], ["export"], ["export", "Friday", tmp_path / "f"], ["close-night", "Friday"]]
    for arguments in [*commands, ["import", tmp_path / "f"], ["delete-group", "Friday", "--yes"]]:
        status, said, errors = run(*arguments)
        assert (status, errors) == (0, f"Database: sqlite:///{instance}/companion.db, 0 rounds\n")
        assert "Database: " not in said


FLASK = {
    "routes": ["/help/", "/healthz"],
    "db current": ["(head)"],
    "db history": ["<base> -> 0001"],
    "db check": ["No new upgrade operations detected"],
}


def flask(command: str, asked: str | None = None) -> str:
    given = [sys.executable, "-m", "flask", "--app", "companion", *command.split()]
    done = subprocess.run(given, cwd=CHECKOUT, input=asked, capture_output=True, text=True, timeout=MAX_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("command", FLASK)
def test_flasks_own_commands_work(command: str, instance: Path) -> None:
    said = flask(command)
    assert [words for words in FLASK[command] if words not in said] == []


def test_flasks_own_shell_has_the_app(instance: Path) -> None:
    asked = "print(app.name, 'secret_key' in __import__('os').listdir(app.instance_path))"
    assert "companion True" in flask("shell", asked)


def test_a_database_that_fails_meanwhile_is_an_error_message(
    instance: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def dies() -> list[str]:
        gone = sqlite3.OperationalError("disk I/O error")
        gone.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise OperationalError("SELECT 1", {}, gone)

    monkeypatch.setattr("companion.store.audit.audit", dies)
    status, _, errors = run("audit")
    assert (status, "The database failed: disk I/O error. Nothing was changed. " in errors) == (1, True)


def test_a_backup_to_a_missing_folder_is_an_error_message(instance: Path, tmp_path: Path, run: Run) -> None:
    assert run("audit")[0] == 0
    status, _, errors = run("backup", tmp_path / "nowhere" / "b.db")
    assert status == 1
    assert re.search(r"companion\.db couldn't be copied to .*/nowhere/b\.db: unable to open", errors)
