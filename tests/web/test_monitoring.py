"""Monitoring: health probes, JSON logs without secrets, and metrics at a separate address."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from devices import SECRET as SECRET_OF_GROUP
from devices import PlayedNight
from flask import Flask
from ports import free_port
from prometheus_client import generate_latest
from waiting import MAX_SECONDS, until

from companion import create_app
from companion.store import upkeep
from companion.store.models import db
from companion.web.http.monitoring import figures

CHECKOUT = Path(__file__).resolve().parents[2]
SECRET = "a-secret-that-nobody-may-read"


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[object]:
    """Return a function that reads the JSON log lines; restores logging afterwards."""
    root = logging.getLogger()
    handlers = root.handlers[:]
    yield lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    root.handlers[:] = handlers


def failing(folder: Path, **settings: object) -> Flask:
    app = create_app({"INSTANCE": folder, **settings})

    @app.get("/fail/<code>")
    def fail(code: str) -> str:
        raise RuntimeError("no words about it")

    return app


def test_requests_are_json_lines_without_secrets(instance: Path, lines: object) -> None:
    client = failing(instance, JSON_LOG=True).test_client()
    asked = [
        f"/open/{SECRET}",
        f"/fail/{SECRET}",
        f"/{SECRET}/x",
        f"/help/?q={SECRET}",
        "/settle/knock",
        "/s/abc/lines/7",
        "/api/v1/group",
    ]
    for path in asked:
        told = {"Referer": f"http://localhost/{SECRET}", "User-Agent": SECRET, "Authorization": f"Bearer {SECRET}"}
        client.get(path, headers=told)
    written = lines()  # type: ignore[operator]
    assert SECRET not in json.dumps(written)
    requests = [line for line in written if line["message"] == "request"]
    request = ("http.request.method", "labels.route", "http.response.status_code")
    assert [tuple(line[part] for part in request) for line in requests] == [
        ("GET", "/open/<secret>", 404),
        ("GET", "/fail/<code>", 500),
        ("GET", "no such route", 404),
        ("GET", "/help/", 200),
        ("GET", "/settle/<key>", 200),
        ("GET", "/s/<public_id>/lines/<int:number>", 404),
        ("GET", "/api/v1/group", 401),
    ]
    parts = (requests[4]["labels.key"], requests[5]["labels.public_id"], requests[5]["labels.number"])
    assert parts == ("knock", "abc", "7")
    assert all(line["event.duration"] >= 0 and line["client.ip"] == "127.0.0.1" for line in requests)
    assert {line["log.logger"] for line in requests} == {"companion.requests"}
    (error,) = [line for line in written if line["log.level"] == "error"]
    assert error["message"] == "Exception in GET /fail/<code>"
    assert error["error.type"] == "RuntimeError" and "RuntimeError" in error["error.stack_trace"]
    assert all(list(line)[:4] == ["@timestamp", "log.level", "message", "ecs.version"] for line in written)
    # all that is logged about a request has its id, and no other request has it
    assert error["http.request.id"] == requests[1]["http.request.id"]
    assert len({line["http.request.id"] for line in requests}) == len(asked)


@pytest.mark.parametrize(
    ("proxies", "given", "is_kept"),
    [(1, "0123456789abcdef", True), (1, "0123456789 \nabc", False), (0, "0123456789abcdef", False)],
)
def test_a_request_has_the_id_that_its_proxy_gave_it(
    instance: Path, lines: object, proxies: int, given: str, is_kept: bool
) -> None:
    client = create_app({"INSTANCE": instance, "JSON_LOG": True, "TRUSTED_PROXIES": proxies}).test_client()
    client.get("/healthz", environ_overrides={"HTTP_X_REQUEST_ID": given})
    (line,) = lines()  # type: ignore[operator]
    assert (line["http.request.id"] == given) is is_kept


def test_polls_that_find_nothing_new_are_not_logged(instance: Path, lines: object) -> None:
    night = PlayedNight(create_app({"INSTANCE": instance, "JSON_LOG": True}))
    polled = night.keeper.get(f"{night.night}/state")
    lines()  # type: ignore[operator]
    marked = {"If-None-Match": polled.headers["ETag"]}
    for _ in range(3):
        assert night.keeper.get(f"{night.night}/state", headers=marked).status_code == 304
    night.keeper.get(f"{night.night}/state")
    (news,) = lines()  # type: ignore[operator]
    assert (news["labels.route"], news["http.response.status_code"]) == ("/s/<public_id>/state", 200)


def test_an_error_is_logged_by_its_route_without_json_too(instance: Path, caplog: pytest.LogCaptureFixture) -> None:
    failing(instance).test_client().get(f"/fail/{SECRET}")
    assert "Exception in GET /fail/<code>" in caplog.text
    assert SECRET not in caplog.text


def test_requests_are_counted_by_route(instance: Path) -> None:
    app = failing(instance, METRICS=("127.0.0.1", 1))
    client = app.test_client()
    for path in ("/help/", "/help/", f"/open/{SECRET}", f"/{SECRET}", f"/fail/{SECRET}"):
        client.get(path)
    client.open("/help/", method="BREW")
    registry = app.extensions["companion_figures"].registry

    def count(*labels: str) -> float | None:
        found: float | None = registry.get_sample_value(
            "companion_requests_total", dict(zip(("method", "route", "status"), labels, strict=True))
        )
        return found

    assert count("GET", "/help/", "200") == 2
    assert count("GET", "/open/<secret>", "404") == 1
    assert count("GET", "no such route", "404") == 1
    assert count("GET", "/fail/<code>", "500") == 1
    assert count("other", "no such route", "405") == 1
    assert registry.get_sample_value("companion_request_seconds_count", {"method": "GET", "route": "/help/"}) == 2
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize(("proxies", "counted"), [(1, 1), (0, None)])
def test_the_wait_for_a_free_thread_is_measured_where_a_proxy_says_when_it_began(
    instance: Path, proxies: int, counted: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "time", SimpleNamespace(time=lambda: now, perf_counter=time.perf_counter))
    app = create_app({"INSTANCE": instance, "METRICS": ("127.0.0.1", 1), "TRUSTED_PROXIES": proxies})
    now = 1_800_000_000.0
    for began in (f"t={now - 2:.3f}", "", "soon", "nan", f"t={now + 60}", "t=1"):
        assert app.test_client().get("/healthz", headers={"X-Request-Start": began}).status_code == 200
    registry = app.extensions["companion_figures"].registry
    assert registry.get_sample_value("companion_queue_seconds_count") == (counted or 0)
    if counted:
        assert registry.get_sample_value("companion_queue_seconds_sum") == 2


def test_rounds_refusals_photographs_and_connections_are_counted_without_a_secret(instance: Path) -> None:
    app = create_app({"INSTANCE": instance, "METRICS": ("127.0.0.1", 1), "JSON_LOG": True})
    night = PlayedNight(app, begins="round, loan 5")
    night.post("/round", do="settle", **night.form("/round", players_0_hand="9s 9s"))
    app.test_client().post("/api/settle", json={})
    with app.test_request_context(), suppress(ValueError), figures.photograph():
        raise ValueError
    registry = app.extensions["companion_figures"].registry
    told = generate_latest(registry).decode()
    counts = registry.get_sample_value
    assert counts("companion_rounds_saved_total", {"game": "knock-poker"}) == 1
    assert counts("companion_refusals_total", {"code": "duplicate-card"}) == 1
    assert counts("companion_photograph_seconds_count") == 1
    assert counts("companion_database_connections_in_use") == 0
    assert counts("companion_database_connections_limit") == 15
    assert counts("companion_database_connections_open") >= 1
    # nothing that would grow for ever, or let somebody in, is a label
    night_id = night.night.rpartition("/")[2]
    for secret in (night_id, SECRET_OF_GROUP, night.code(), "Ana"):
        assert secret not in told


@pytest.mark.parametrize("is_away", [False, True])
def test_what_the_database_knows_is_read_when_prometheus_asks(instance: Path, is_away: bool) -> None:
    app = create_app({"INSTANCE": instance, "METRICS": ("127.0.0.1", free_port())})
    PlayedNight(app)
    with app.app_context():
        upkeep.note("audit", 2)
        db.engine.dispose()
    figures.serve(app)
    if is_away:
        (instance / "companion.db").unlink()
    told = read(f"http://127.0.0.1:{app.config['METRICS'][1]}/metrics")
    assert f"companion_database_up {0.0 if is_away else 1.0}" in told
    for line in ("companion_nights_open 1.0", "companion_last_audit_errors 2.0"):
        assert (f"\n{line}\n" in told) is not is_away
    assert ("companion_last_audit_timestamp_seconds 1." in told) is not is_away
    assert "companion_last_backup" not in told
    for name in ("cpu_seconds_total", "resident_memory_bytes", "open_fds", "max_fds", "start_time_seconds"):
        assert f'\nprocess_{name}{{process="app"}} ' in told


@pytest.mark.parametrize(("path", "text"), [("/healthz", "ok\n"), ("/readyz", "ok\n")])
def test_health(instance: Path, path: str, text: str) -> None:
    response = create_app({"INSTANCE": instance}).test_client().get(path)
    assert (response.status_code, response.text) == (200, text)
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers


def read(address: str) -> str:
    """Get a page, waiting for its server."""

    def answer() -> str:
        with suppress(URLError), urlopen(Request(address), timeout=MAX_SECONDS) as found:
            return str(found.read().decode())
        return ""

    return until(answer)


RUN = "from companion.serve.command import main; main()"
SERVERS = {
    "gunicorn": "-m gunicorn --config python:companion.serve.gunicorn_config -b 127.0.0.1:{} companion:create_app()",
    "uvicorn": "-c RUN --host 127.0.0.1 --port {}",
}


def command(server: str, port: int) -> list[str]:
    """Return the command that starts a server."""
    words = SERVERS[server].format(port).split()
    return [sys.executable, *(RUN if word == "RUN" else word for word in words)]


@pytest.mark.thorough
@pytest.mark.parametrize("server", SERVERS)
def test_a_taken_address_for_figures_names_its_setting(tmp_path: Path, server: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        environment = {"COMPANION_INSTANCE": str(tmp_path / "instance"), "COMPANION_METRICS": address}
        done = subprocess.run(
            command(server, free_port()),
            cwd=CHECKOUT,
            env=os.environ | environment | {"TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
        )
    assert f"COMPANION_METRICS is {address}: Address already in use. Choose another address" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("server", SERVERS)
def test_figures_of_all_processes_are_at_an_address_of_their_own(tmp_path: Path, server: str) -> None:
    port, metrics = free_port(), free_port()
    environment = {
        "COMPANION_INSTANCE": str(tmp_path / "instance"),
        "COMPANION_METRICS": f"127.0.0.1:{metrics}",
        "COMPANION_LOG": "json",
        "TMPDIR": str(tmp_path),
        "HOME": str(tmp_path),
        "PYTHONIOENCODING": "utf-8",
    }
    process = subprocess.Popen(
        command(server, port),
        cwd=CHECKOUT,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            for _ in range(10):
                assert "Knock" in read(f"http://127.0.0.1:{port}/help/")
            told = read(f"http://127.0.0.1:{metrics}/metrics")
            assert 'companion_requests_total{method="GET",route="/help/",status="200"} 10.0' in told
            places = ("gunicorn", "worker 1", "worker 2") if server == "gunicorn" else ("app",)

            def has_all() -> bool:  # a worker has figures from its first request on
                read(f"http://127.0.0.1:{port}/help/knock")
                told = read(f"http://127.0.0.1:{metrics}/metrics")
                return set(re.findall(r'process_cpu_seconds_total{process="(.+)"}', told)) == set(places)

            until(has_all)
            assert "companion_database_up 1.0" in told
        finally:
            process.send_signal(signal.SIGTERM if server == "gunicorn" else signal.SIGINT)
            _, errors = process.communicate(timeout=MAX_SECONDS)
    assert errors.count('"labels.route": "/help/"') == 10
    assert [line for line in errors.splitlines() if line[0] != "{"] == []
    assert "Traceback" not in errors
    assert not list(tmp_path.rglob("*.ctl"))
