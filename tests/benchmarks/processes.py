"""What a server with all of its processes takes, as Linux counts it."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True)
class Usage:
    """Processor seconds so far, of ended processes too, and megabytes now; shared memory is divided by its users."""

    seconds: float
    megabytes: float


def _fields(pid: str) -> list[str]:
    """Read what Linux says of a process; its name, which may contain anything, is left out."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def tree(root: int) -> list[int]:
    """List a process and all that it started, and these started."""
    children = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            children[int(_fields(folder.name)[1])].append(int(folder.name))
    found = [root]
    for pid in found:
        found += children[pid]
    return found


def usage(root: int) -> Usage:
    """Add up what a process and all that it started take."""
    ticks, kilobytes = 0, 0
    for pid in tree(root):
        with suppress(OSError):
            ticks += sum(map(int, _fields(str(pid))[11:15]))
            found = re.search(r"Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())
            kilobytes += int(found[1]) if found else 0
    return Usage(ticks / _TICKS, kilobytes / 1024)
