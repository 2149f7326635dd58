"""What to do when phones cannot reach this computer: most often its firewall blocks the port."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

_SECONDS = 60  # by then somebody has scanned the QR code
_UFW = Path("/etc/ufw/ufw.conf")
_MACOS = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_WAYS = {
    "ufw": "The firewall ufw is on. Let phones in with: {ufw}",
    "firewalld": "The firewall firewalld is on. Let phones in with: {firewalld}",
    "macos": (
        "The firewall of macOS is on. In System Settings, Network, Firewall, Options: allow incoming connections"
        " for Python."
    ),
    "windows": (
        "In Windows Security, Firewall & network protection, Allow an app through firewall: tick Private for Python."
        " The network itself has to be a private one. Or as administrator: {windows}"
    ),
}
_UNKNOWN = "Another firewall on this computer may block the port."


class Watch:
    """Waits for the first visit from another computer; tells what to do when none comes."""

    def __init__(self, ports: Sequence[int], tell: Callable[[str], None], seconds: float = _SECONDS) -> None:
        self._timer = threading.Timer(seconds, lambda: tell(advice(ports)))
        self._timer.daemon = True

    def __enter__(self) -> Watch:
        """Begin to wait."""
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait no longer."""
        self._timer.cancel()

    def visited(self) -> None:
        """Take note that another computer got through."""
        self._timer.cancel()


def advice(ports: Sequence[int]) -> str:
    """Say what keeps phones away, as far as this computer can tell, and the way out."""
    way = _WAYS.get(find() or "", _UNKNOWN).format(
        ufw=" && ".join(f"sudo ufw allow {port}/tcp" for port in ports),
        firewalld="sudo firewall-cmd " + " ".join(f"--add-port={port}/tcp" for port in ports),
        windows="netsh advfirewall firewall add rule name=Companion dir=in action=allow protocol=TCP profile=private"
        f" localport={','.join(map(str, ports))}",
    )
    return "\n".join(
        [
            "No phone has come yet. Phones cannot reach this computer?",
            "  - Phone and computer have to be in the same Wi-Fi, and not in one for guests.",
            f"  - {way}",
        ]
    )


def find() -> str | None:
    """Name the firewall that is on, if that can be seen without rights."""
    if sys.platform == "win32":
        return "windows"  # it is on unless somebody took pains
    if sys.platform == "darwin":
        return "macos" if "enabled" in _said(_MACOS, "--getglobalstate") else None
    if _has_ufw():
        return "ufw"
    return "firewalld" if _said("firewall-cmd", "--state").strip() == "running" else None


def _has_ufw() -> bool:
    try:
        return "ENABLED=yes" in _UFW.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False


def _said(*command: str) -> str:
    """Run a command that looks something up; gives what it printed, nothing where it is missing or slow."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
