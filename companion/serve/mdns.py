"""The name that phones find this computer by: `companion.local`, told by multicast DNS.

Only with the extra mdns. All of it happens in a thread of its own: the search for a free name takes a second.
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
_PATIENCE_MS = 1600  # who has a name answers once in a second at most (RFC 6762, 6), to the second question too


def is_installed() -> bool:
    """Tell whether the package that announces names is there."""
    return importlib.util.find_spec("zeroconf") is not None


class Announcement:
    """A name for this computer, as long as this is entered; `told` is called with the name once it is certain.

    The first of NAMES that nobody else in the network has. Where there is none, or no network, nothing is told.
    """

    def __init__(self, port: int, addresses: Sequence[str], told: Callable[[str], None]) -> None:
        self._port, self._addresses, self._told = port, addresses, told
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mdns", daemon=True)

    def __enter__(self) -> Announcement:
        """Begin to look for a free name."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the name back."""
        self._ends.set()
        self._thread.join(3)

    def _run(self) -> None:
        from zeroconf import Error, Zeroconf

        asked_on = [address for address in self._addresses if ":" not in address]
        if not asked_on:
            return
        try:
            ours = Zeroconf(interfaces=asked_on)
        except (OSError, Error):  # no network that takes multicast
            return
        try:
            info = self._register(ours)
            if info is not None:
                self._told(str(info.server).rstrip("."))
                self._ends.wait()
        except (OSError, Error, TimeoutError):
            return
        finally:
            ours.close()  # says goodbye, so that nobody is sent here any more

    def _register(self, ours: Zeroconf) -> ServiceInfo | None:
        from zeroconf import AddressResolver, DNSQuestionType, NonUniqueNameException, ServiceInfo  # type: ignore[attr-defined]

        for name in NAMES:
            if self._ends.is_set():
                return None
            # answered to everybody: an answer to us alone may reach another program on this computer's port 5353
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
