"""Announces this computer to phones as `companion.local`, by multicast DNS. Needs the extra mdns.

This happens in a separate thread, because checking whether a name is free takes more than a second.
"""

from __future__ import annotations

import importlib.util
import socket
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

NAMES = ("companion.local", *(f"companion-{number}.local" for number in range(2, 10)))
_SERVICE = "_http._tcp.local."
_PATIENCE_MS = 1600  # a name's owner may take a second to answer a repeated question (RFC 6762, section 6)


def is_installed() -> bool:
    """Return whether the package that announces names is installed."""
    return importlib.util.find_spec("zeroconf") is not None


class Announcement:
    """A context manager that announces the first of NAMES that is free in the network, and calls `announced` with it.

    `announced` isn't called if there is no network, or if all names are taken.
    """

    def __init__(self, port: int, addresses: Sequence[str], announced: Callable[[str], None]) -> None:
        self._port, self._addresses, self._announced = port, addresses, announced
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mdns", daemon=True)

    def __enter__(self) -> Announcement:
        """Start looking for a free name, in a thread."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Withdraw the name."""
        self._stopping.set()
        self._thread.join(3)

    def _run(self) -> None:
        from zeroconf import Error, Zeroconf

        ipv4_addresses = [address for address in self._addresses if ":" not in address]
        if not ipv4_addresses:
            return
        try:
            ours = Zeroconf(interfaces=ipv4_addresses)
        except (OSError, Error):  # no network supports multicast
            return
        try:
            info = self._register(ours)
            if info is not None:
                self._announced(str(info.server).rstrip("."))
                self._stopping.wait()
        except (OSError, Error, TimeoutError):
            return
        finally:
            ours.close()  # sends a goodbye, so that phones forget the name

    def _register(self, ours: Zeroconf) -> ServiceInfo | None:
        from zeroconf import AddressResolver, DNSQuestionType, NonUniqueNameException, ServiceInfo  # type: ignore[attr-defined]

        for name in NAMES:
            if self._stopping.is_set():
                return None
            # ask for a multicast answer: a unicast one could go to another program on port 5353 of this computer
            if AddressResolver(f"{name}.").request(ours, _PATIENCE_MS, DNSQuestionType.QM):
                continue
            info = ServiceInfo(
                _SERVICE,
                f"{name.removesuffix('.local')}.{_SERVICE}",
                port=self._port,
                addresses=[_packed(address) for address in self._addresses],
                server=f"{name}.",
                properties={"path": "/"},
            )
            try:
                ours.register_service(info)
            except NonUniqueNameException:
                continue
            return info
        return None


def _packed(address: str) -> bytes:
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)
