"""What a kill can't show: which acknowledged rounds a power cut would take. For SQLite, on Linux with strace.

    .venv/bin/python tests/probes/powerloss.py [--acks 300] [--writers 3] [--cuts 40] [--seed 1]

strace records each write to the database's files, and each fsync, while phones save until there are --acks rounds.
Then, for --cuts moments in which a round had just been acknowledged, the disk is built as a power cut could have left
it: all that was synced by then, and of the rest nothing (in every second cut) or a random part, in any order, torn at
512 bytes. The app must open each such disk with all rounds that were acknowledged by then. It is what SQLite's own
tests do, done to the whole app. Prints one line of JSON; `pending` are unsynced writes at all cuts together.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from hosts import Database, Phone, Server, finish, seated, start

FILE = "companion.db"
FILES = (FILE, f"{FILE}-wal", f"{FILE}-journal")
SECTOR = 512
CALLS = "pwrite64,write,pwritev,writev,fsync,fdatasync,sync_file_range,ftruncate,unlink,unlinkat,openat"
LINE = re.compile(r"(\d+) +(\d+\.\d+) (.*)")
CALL = re.compile(r"(\w+)\((.*)\) += (\d+)", re.DOTALL)
RESUMED = re.compile(r"<\.\.\. \w+ resumed>(.*)")


class Operation(NamedTuple):
    """What was done to a file, or with fsync to a folder (then `file` is empty), and when."""

    begun: float
    ended: float
    kind: str  # "write", "truncate", "unlink" or "sync"
    file: str
    offset: int = 0
    data: bytes = b""


def calls(trace: Path) -> Iterator[tuple[float, float, str]]:
    """Yield each call in a trace, put together if another came between."""
    begun: dict[str, tuple[float, str]] = {}
    for found in map(LINE.match, trace.read_text(errors="replace").splitlines()):
        if not found:
            continue
        process, at, text = found[1], float(found[2]), found[3]
        resumed = RESUMED.match(text)
        if text.endswith("<unfinished ...>"):
            begun[process] = at, text.removesuffix("<unfinished ...>").rstrip()
        elif resumed and process in begun:
            first, head = begun.pop(process)
            yield first, at, head + resumed[1]
        else:
            yield at, at, text


def unhexed(text: str) -> bytes:
    """Read what strace -xx writes."""
    return bytes.fromhex(text.replace("\\x", ""))


def operations(trace: Path, folder: Path) -> list[Operation]:
    """Read a trace: what was done to the database's files, in order."""
    found = []
    names = {str(folder / name): name for name in FILES} | {str(folder): ""}
    for begun, ended, text in calls(trace):
        call = CALL.match(text)
        if call is None:
            continue
        kind, arguments, result = call[1], call[2], int(call[3])
        told = re.match(r"\d+<([^>]*)>", arguments) or re.search(r'"([^"]*)"', arguments)
        if kind in ("unlink", "unlinkat", "openat"):
            told = re.search(r'"([^"]*)"', arguments)
        path = unhexed(told[1]).decode() if told and told[1].startswith("\\x") else ""
        if path not in names:
            continue
        file = names[path]
        if kind in ("fsync", "fdatasync"):
            found.append(Operation(begun, ended, "sync", file))
        elif kind in ("unlink", "unlinkat"):
            found.append(Operation(begun, ended, "unlink", file))
        elif kind == "ftruncate" or (kind == "openat" and "O_TRUNC" in arguments):
            size = int(arguments.rsplit(",", 1)[1]) if kind == "ftruncate" else 0
            found.append(Operation(begun, ended, "truncate", file, size))
        elif kind == "pwrite64":
            written = re.match(r'\d+<[^>]*>, "([^"]*)", \d+, (\d+)', arguments)
            assert written, f"not understood: {arguments[:200]}"
            data = unhexed(written[1])[:result]
            found.append(Operation(begun, ended, "write", file, int(written[2]), data))
        else:
            assert kind == "openat", f"{kind} on {file}"
    return sorted(found)


@dataclass
class Disk:
    """The files as a power cut would find them: what is safe, and what is not yet synced."""

    safe: dict[str, bytearray] = field(default_factory=dict)
    pending: list[Operation] = field(default_factory=list)

    def sync(self, sync: Operation) -> None:
        """Make safe what was done to a file before; that it is gone, when its folder is synced."""
        done = [
            one
            for one in self.pending
            if one.ended <= sync.begun and (not sync.file if one.kind == "unlink" else one.file == sync.file)
        ]
        for one in done:
            apply(self.safe, one)
        self.pending = [one for one in self.pending if one not in done]

    def left(self, random: Random | None) -> dict[str, bytearray]:
        """Return the files with a random part of what isn't synced, or with nothing of it."""
        files = {name: bytearray(data) for name, data in self.safe.items()}
        for one in random.sample(self.pending, random.randint(0, len(self.pending))) if random else ():
            if one.kind == "write" and len(one.data) > SECTOR and random and random.random() < 0.3:
                one = one._replace(data=one.data[: SECTOR * random.randint(1, len(one.data) // SECTOR)])
            apply(files, one)
        return files


def apply(files: dict[str, bytearray], one: Operation) -> None:
    """Do an operation to files."""
    if one.kind == "unlink":
        files.pop(one.file, None)
        return
    data = files.setdefault(one.file, bytearray())
    data.extend(bytes(max(0, one.offset - len(data))))
    if one.kind == "truncate":
        del data[one.offset :]
    else:
        data[one.offset : one.offset + len(one.data)] = one.data


def disk_at(before: Disk, done: Sequence[Operation], cut: float) -> Disk:
    """Build the disk at a moment."""
    disk = Disk({name: data[:] for name, data in before.safe.items()})
    events = [(one.ended if one.kind == "sync" else one.begun, one.kind == "sync", one) for one in done]
    for at, is_sync, one in sorted(events):
        if at <= cut:
            (disk.sync if is_sync else disk.pending.append)(one)
    return disk


def recorded(folder: Path, writers: int, acks: int) -> tuple[list[Phone], Disk, list[Operation]]:
    """Let phones save under strace; returns them, the disk as it was before, and what was done to it."""
    trace, database = folder / "trace", Database(folder)
    options = ["-f", "-qq", "-ttt", "-y", "-xx", "-s", "2000000", "--seccomp-bpf", "-e", f"trace={CALLS}"]
    paths = [option for path in (folder, *(folder / name for name in FILES)) for option in ("-P", str(path))]
    server = Server(database, ["strace", *options, *paths, "-o", str(trace)])
    phones = seated(database, server.port, writers)
    before = Disk({FILE: bytearray((folder / FILE).read_bytes())})
    server.start()
    for phone in phones:
        phone.open()
    for thread in start(phones, -(-acks // writers)):
        thread.join()
    server.kill()
    return phones, before, operations(trace, folder)


def after(cut: float, disk: Disk, random: Random | None, phones: list[Phone]) -> dict[str, list[str]]:
    """Open a disk as it was left at a moment; returns which acknowledged rounds are lost, and what else is wrong."""
    then = [
        replace(phone, saved=[key for key, at in zip(phone.saved, phone.saved_at, strict=True) if at <= cut])
        for phone in phones
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, data in disk.left(random).items():
            Path(folder, name).write_bytes(data)
        try:
            found = Database(Path(folder)).compare(then)
        except Exception as error:  # whatever it is, the app doesn't open this disk
            return {"wrong": [f"{type(error).__name__}: {error}"[:200]]}
    del found["unknown"]  # saved before the cut, acknowledged after it
    return found


def main() -> int:
    """Run the probe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("acks", 300), ("writers", 3), ("cuts", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    random, pending = Random(given.seed), 0
    found: dict[str, list[str]] = {"lost": [], "doubled": [], "wrong": []}
    with tempfile.TemporaryDirectory() as folder:
        phones, before, done = recorded(Path(folder).resolve(), given.writers, given.acks)
    found["refused"] = [one for phone in phones for one in phone.refused]
    moments = [at for phone in phones for at in phone.saved_at]
    for number in range(given.cuts if moments else 0):
        cut = random.choice(moments)
        disk = disk_at(before, done, cut)
        pending += len(disk.pending)
        for what, keys in after(cut, disk, random if number % 2 else None, phones).items():
            found[what] += keys
    syncs = sum(one.kind == "sync" for one in done)
    is_good = bool(moments) and syncs > 0 and not any(found.values())
    figures = {"acked": len(moments), "fsyncs": syncs, "operations": len(done), "pending": pending}
    return finish("powerloss", is_good, cuts=given.cuts, **figures, **found)


if __name__ == "__main__":
    sys.exit(main())
