"""The files for hosting: written for a host, with a key of their own; systemd and Prometheus read them."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import yaml
from ports import free_port

from companion import __version__, config, create_app
from companion.serve.command import main
from companion.serve.commands.deploy_files import FOLDER
from companion.store import upkeep
from companion.web.http.monitoring import figures

HOSTING = FOLDER.parents[1] / "HOSTING.md"


def written(folder: Path, name: str = "cards.club.example") -> dict[str, str]:
    assert main(["deploy-files", "--host", name, str(folder)]) == 0
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_files_are_for_this_host_and_nobody_else_reads_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = written(tmp_path / "a"), written(tmp_path / "b")
    assert "cards.example.org" not in "".join(first.values())
    assert [name for name in first if first[name] != second[name]] == ["companion.env"]
    assert stat.S_IMODE((tmp_path / "a" / "companion.env").stat().st_mode) == 0o600
    for name, value in re.findall(r"^(\w+)=(.*)$", first["companion.env"], re.MULTILINE):
        monkeypatch.setenv(name, value)
    settings = config.read_settings()
    assert (settings["PUBLIC_URL"], settings["TRUSTED_PROXIES"]) == ("https://cards.club.example", 1)


def test_nothing_is_overwritten_and_a_bad_host_is_refused(tmp_path: Path) -> None:
    written(tmp_path)
    assert main(["deploy-files", str(tmp_path)]) == 1
    assert main(["deploy-files", "--host", "a;b", str(tmp_path / "other")]) == 1
    assert not (tmp_path / "other").exists()


def test_the_document_puts_every_file_in_its_place() -> None:
    text = HOSTING.read_text()
    for path in FOLDER.iterdir():
        assert f"/root/companion/{path.name}" in text or f"/root/companion/*{path.suffix}" in text
    assert {path.stem for path in FOLDER.glob("*.timer")} <= {path.stem for path in FOLDER.glob("*.service")}
    assert all(path.name in text for path in FOLDER.glob("*.timer"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
def test_systemd_reads_the_units(tmp_path: Path) -> None:
    units = [tmp_path / name for name in written(tmp_path) if name.endswith((".service", ".timer"))]
    for unit in units:  # the programs aren't installed here
        unit.write_text(re.sub(r"^(Exec\w+=)/opt/\S+", r"\1/bin/true", unit.read_text(), flags=re.MULTILINE))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if str(tmp_path) in line] == []


def exported(instance: Path) -> str:
    """Return what an app tells Prometheus that has been audited and backed up, with a row in every metric."""
    from prometheus_client import generate_latest

    app = create_app({"INSTANCE": instance, "METRICS": ("127.0.0.1", free_port()), "TRUSTED_PROXIES": 1})
    app.test_client().get("/healthz")
    with app.test_request_context():
        figures.problems_found(["bad-card"])
        figures.round_saved("knock")
        upkeep.note("audit")
        upkeep.note("backup")
        figures.serve(app)
    return generate_latest(app.extensions["companion_figures"].registry).decode()


def asked() -> dict[str, set[str]]:
    """Return the metrics that the alerts and the dashboard ask for, by file."""
    rules = yaml.safe_load((FOLDER / "companion-alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((FOLDER / "companion-dashboard.json").read_text())["panels"]
    expressions = {
        "alerts": [rule["expr"] for rule in rules],
        "dashboard": [target["expr"] for panel in panels for target in panel["targets"]],
    }
    pattern = re.compile(r"\b(?:companion|process)_\w+")
    return {name: {metric for one in many for metric in pattern.findall(one)} for name, many in expressions.items()}


def test_alerts_and_dashboard_ask_for_metrics_that_there_are_and_for_all_of_them(instance: Path) -> None:
    told = exported(instance)
    assert f'companion_build_info{{version="{__version__}"}} 1.0' in told
    names = set(re.findall(r"^(\w+)(?:{.*})? ", told, re.MULTILINE))
    for file, metrics in asked().items():
        assert len(metrics) >= 8, file
        assert metrics - names == set(), file
    ours = set(re.findall(r"^# TYPE (companion_\w+)", told, re.MULTILINE))
    ours = {name for name in ours if not name.endswith("_created")}
    in_use = set.union(*asked().values())
    assert {name for name in ours if not {name, f"{name}_bucket"} & in_use} == set()


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool here (Debian: prometheus)")
def test_prometheus_reads_the_rules_and_finds_nothing_odd_in_the_metrics(instance: Path) -> None:
    subprocess.run(["promtool", "check", "rules", FOLDER / "companion-alerts.yml"], check=True, capture_output=True)
    done = subprocess.run(["promtool", "check", "metrics"], input=exported(instance), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
