"""How phones find the app: the addresses with the likeliest first, the name by multicast DNS, IPv6, the firewall."""

from __future__ import annotations

import os
import queue
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from waiting import MAX_SECONDS

from companion.serve.server import firewall, listening, mdns, start
from companion.web.http.network import addresses

pytestmark = pytest.mark.thorough

WIFI, CABLE, VPN, SIX = "192.168.1.20", "10.0.0.5", "10.8.0.2", "2001:db8::5"


def given(patch: pytest.MonkeyPatch, routed: Sequence[str], interfaces: Sequence[tuple[str, str]]) -> list[str]:
    patch.setattr(addresses, "_routed", lambda: iter(routed))
    patch.setattr(addresses, "_interfaces", lambda: iter(interfaces))
    return addresses.network_addresses()


@pytest.mark.parametrize(
    ("routed", "interfaces", "order"),
    [
        ([], [("lo", "127.0.0.1"), ("lo", "::1")], []),
        ([CABLE], [("wlan0", WIFI), ("eth0", CABLE)], [CABLE, WIFI]),
        ([], [("eth0", CABLE), ("wlan0", WIFI)], [WIFI, CABLE]),
        ([VPN], [("tun0", VPN), ("wlan0", WIFI)], [WIFI, VPN]),
        ([WIFI], [("docker0", "172.17.0.1"), ("wlan0", WIFI)], [WIFI, "172.17.0.1"]),
        (["100.100.1.2"], [("", "100.100.1.2"), ("", WIFI)], [WIFI, "100.100.1.2"]),
        ([VPN], [("TAP-Windows Adapter, a VPN", VPN), ("Intel(R) Wi-Fi 6", WIFI)], [WIFI, VPN]),
        ([WIFI, "2001:db8::77"], [("wlan0", WIFI), ("wlan0", SIX), ("wlan0", "fe80::1")], [WIFI, SIX]),
        ([WIFI, SIX], [], [WIFI, SIX]),
        ([], [("eth0", "169.254.7.7"), ("eth1", CABLE)], [CABLE, "169.254.7.7"]),
        ([], [("eth0", "no address"), ("eth1", CABLE)], [CABLE]),
    ],
)
def test_the_likeliest_address_comes_first(
    monkeypatch: pytest.MonkeyPatch, routed: list[str], interfaces: list[tuple[str, str]], order: list[str]
) -> None:
    assert given(monkeypatch, routed, interfaces) == order
    assert addresses.network_address() == (order[0] if order else None)


def test_interfaces_have_names_and_without_ctypes_the_routed_address_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(addresses._interfaces())
    assert "127.0.0.1" in [text for _, text in found] and all(name for name, _ in found)
    monkeypatch.setitem(sys.modules, "ifaddr", None)
    assert list(addresses._interfaces()) == []


def test_everywhere_is_ipv6_as_well_and_one_address_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening.listen("0.0.0.0", 0) as opened:
        port = opened.getsockname()[1]
        second = listening.listen_on_ipv6(opened)
        if second is None:
            pytest.skip("no IPv6 here")
        with (
            second,
            socket.create_connection(("::1", port), timeout=MAX_SECONDS),
            socket.create_connection(("127.0.0.1", port)),
        ):
            pass
        monkeypatch.setattr(socket, "has_ipv6", False)
        assert listening.listen_on_ipv6(opened) is None
    with listening.listen("127.0.0.1", 0) as opened:
        assert listening.listen_on_ipv6(opened) is None


def test_a_port_taken_on_ipv6_is_served_on_ipv4_only() -> None:
    with listening.listen("0.0.0.0", 0) as opened:
        second = listening.listen_on_ipv6(opened)
        if second is None:
            pytest.skip("no IPv6 here")
        with second:
            assert listening.listen_on_ipv6(opened) is None


@pytest.fixture
def told() -> queue.Queue[str]:
    pytest.importorskip("zeroconf")
    return queue.Queue()


def test_the_first_free_name_is_announced_and_withdrawn(
    told: queue.Queue[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tuple(f"companion-{os.getpid()}-{number}.local" for number in (1, 2))  # the app may run on this computer
    monkeypatch.setattr(mdns, "NAMES", names)
    patience = mdns._PATIENCE_MS
    monkeypatch.setattr(mdns, "_PATIENCE_MS", 100)  # nobody has the name who could answer
    with mdns.Announcement(8000, ["127.0.0.1"], told.put):
        first = told.get(timeout=MAX_SECONDS)
        monkeypatch.setattr(mdns, "_PATIENCE_MS", patience)
        with mdns.Announcement(8001, ["127.0.0.1"], told.put):
            second = told.get(timeout=MAX_SECONDS)
    monkeypatch.setattr(mdns, "_PATIENCE_MS", 100)
    assert (first, second) == names
    with mdns.Announcement(8000, ["127.0.0.1"], told.put):
        assert told.get(timeout=MAX_SECONDS) == names[0]


@pytest.mark.parametrize("where", [[], ["::1"], ["127.0.0.1"]])
def test_without_a_network_no_name_is_announced(
    told: queue.Queue[str], where: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(**_: object) -> None:
        raise OSError("No such device")

    monkeypatch.setattr("zeroconf.Zeroconf", refuses)
    with mdns.Announcement(8000, where, told.put) as announcement:
        announcement._thread.join(MAX_SECONDS)
        assert not announcement._thread.is_alive()
    assert told.empty()


def test_certificate_and_host_names_include_the_announced_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "is_installed", lambda: True)
    monkeypatch.setenv("COMPANION_TRUSTED_HOSTS", "cards.example")
    assert "companion.local" in start.own_names("0.0.0.0")
    assert "companion.local" not in start.own_names("192.0.2.9")
    assert start._mdns_settings("0.0.0.0") == {"HOST_NAMES": ("cards.example", *mdns.NAMES)}
    assert start._mdns_settings("127.0.0.1") == {}
    monkeypatch.delenv("COMPANION_TRUSTED_HOSTS")
    assert start._mdns_settings("0.0.0.0") == {}


FIREWALLS = {
    "ufw": ("linux", "sudo ufw allow 8000/tcp && sudo ufw allow 8001/tcp"),
    "firewalld": ("linux", "sudo firewall-cmd --add-port=8000/tcp --add-port=8001/tcp"),
    "macos": ("darwin", "System Settings, Network, Firewall, Options"),
    "windows": ("win32", "protocol=TCP profile=private localport=8000,8001"),
    None: ("linux", "A firewall on this computer may be blocking the port."),
}


@pytest.mark.parametrize("name", FIREWALLS, ids=str)
def test_the_active_firewall_is_named_with_how_to_open_the_port(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str | None
) -> None:
    platform, way = FIREWALLS[name]
    config = tmp_path / "ufw.conf"
    config.write_text(f"# ENABLED=yes turns it on\nENABLED={'yes' if name == 'ufw' else 'no'}\n".replace("# E", "#E"))
    said = {"firewall-cmd": "running\n" if name == "firewalld" else "", firewall._MACOS: "Firewall is enabled.\n"}
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(firewall, "_UFW", config)
    monkeypatch.setattr(firewall, "_output_of", lambda command, *_: said[command])
    assert firewall.active_firewall() == name
    lines = firewall.advice([8000, 8001]).splitlines()
    assert lines[0] == "No phone has connected yet. If phones can't open the page:"
    assert way in lines[2]


def test_a_command_that_is_missing_or_hangs_has_no_output(monkeypatch: pytest.MonkeyPatch) -> None:
    assert firewall._output_of("no-such-command") == ""

    def hangs(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("firewall-cmd", 5)

    assert firewall._output_of(sys.executable, "-c", "print('on')") == "on\n"
    monkeypatch.setattr(subprocess, "run", hangs)
    assert firewall._output_of(sys.executable) == ""


@pytest.mark.parametrize("comes", [True, False])
def test_advice_is_printed_only_if_nobody_connects(comes: bool) -> None:
    said: queue.Queue[str] = queue.Queue()
    with firewall.Watch([8000], said.put, 0.2) as watch:
        if comes:
            watch.visited()
        watch._timer.join(MAX_SECONDS)
    assert said.empty() is comes


SERVES = """
import socket
from companion.serve.server.server import Listener, run

def app(environ, start_response):
    start_response("200 OK", [("Content-Length", "0")])
    return []

opened = socket.create_server(("127.0.0.1", 0))
print(opened.getsockname()[1], flush=True)
run(app, [Listener(opened)], False, lambda: print("visited", flush=True))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127/8")
def test_only_another_computer_is_a_visit() -> None:
    process = subprocess.Popen([sys.executable, "-c", SERVES], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        for source in ("127.0.0.1", "127.0.0.2"):
            with socket.create_connection(("127.0.0.1", port), 20, source_address=(source, 0)) as asking:
                asking.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert asking.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=MAX_SECONDS)
    assert said.splitlines() == ["visited"]
