"""Advice for when no phone connects, usually because this computer's firewall blocks the port."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

_SECONDS = 60  # time for somebody to scan the QR code
_UFW = Path("/etc/ufw/ufw.conf")
_MACOS = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_ADVICE = {
    "ufw": "The firewall ufw is on. Open the port with: {ufw}",
    "firewalld": "The firewall firewalld is on. Open the port with: {firewalld}",
    "macos": (
        "The macOS firewall is on. In System Settings, Network, Firewall, Options, allow incoming connections"
        " for Python."
    ),
    "windows": (
        "In Windows Security, Firewall & network protection, Allow an app through firewall, tick Private for Python."
        " The network must be set to private, too. Or run as administrator: {windows}"
    ),
}
_UNKNOWN = "A firewall on this computer may be blocking the port."


class Watch:
    """A context manager that calls `tell` with advice, unless another computer connects within some seconds."""

    def __init__(self, ports: Sequence[int], tell: Callable[[str], None], seconds: float = _SECONDS) -> None:
        self._timer = threading.Timer(seconds, lambda: tell(advice(ports)))
        self._timer.daemon = True

    def __enter__(self) -> Watch:
        """Start the timer."""
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the timer."""
        self._timer.cancel()

    def visited(self) -> None:
        """Stop the timer, because another computer has connected."""
        self._timer.cancel()


def advice(ports: Sequence[int]) -> str:
    """Explain how to let phones reach these ports, depending on this computer's firewall."""
    way = _ADVICE.get(active_firewall() or "", _UNKNOWN).format(
        ufw=" && ".join(f"sudo ufw allow {port}/tcp" for port in ports),
        firewalld="sudo firewall-cmd " + " ".join(f"--add-port={port}/tcp" for port in ports),
        windows="netsh advfirewall firewall add rule name=Companion dir=in action=allow protocol=TCP profile=private"
        f" localport={','.join(map(str, ports))}",
    )
    return "\n".join(
        [
            "No phone has connected yet. If phones can't open the page:",
            "  - Phone and computer must be in the same Wi-Fi, and not in a guest network.",
            f"  - {way}",
        ]
    )


def active_firewall() -> str | None:
    """Return the firewall that is on, as far as that can be found out without special rights; None if unknown."""
    if sys.platform == "win32":
        return "windows"  # on by default
    if sys.platform == "darwin":
        return "macos" if "enabled" in _output_of(_MACOS, "--getglobalstate") else None
    if _has_ufw():
        return "ufw"
    return "firewalld" if _output_of("firewall-cmd", "--state").strip() == "running" else None


def _has_ufw() -> bool:
    try:
        return "ENABLED=yes" in _UFW.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False


def _output_of(*command: str) -> str:
    """Return the output of a command; "" if it is missing, fails to start or is too slow."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
