"""Files of up to 32 MB that are as expensive to import as possible, and a child process that imports one within limits.

`python tests/store/large_files.py NAME` imports one with at most 400 MB, and prints the result, the processor seconds
and the megabytes used; without a name it does so for all of them in turn.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

MEGABYTE = 1024**2
LARGEST = 32 * MEGABYTE
MAX_MEMORY, MAX_SECONDS = 400 * MEGABYTE, 20
_HEAD = '{"format":"companion-group","version":1,"group":'
_VALUES, _ROWS = 1_249_000, 149_900
_AT = "2026-11-21T19:30:00.000000Z"
Row = dict[str, Any]


def _repeated(part: str, between: str, times: int = _VALUES) -> str:
    return between.join([part] * min(times, LARGEST // (len(part) + len(between)) - 100))


def _group(**parts: Any) -> str:
    about = {"id": "large", "name": "Friday", "made_at": _AT, "players": _players(2), "nights": [], "plans": []}
    return _HEAD + json.dumps(about | parts, separators=(",", ":")) + "}"


def _players(number: int) -> list[Row]:
    return [{"player": f"p{at}", "name": f"Ana {at}", "retired": False} for at in range(1, number + 1)]


def _night(players: int = 2, **parts: Any) -> Row:
    seats = [f"p{at}" for at in range(1, players + 1)]
    about: Row = {"id": "night", "key": "night", "game": "knock", "rules": {}, "stake": 1, "currency": None}
    about |= {"place": "", "note": "", "opened_at": _AT, "closed_at": None, "changes": [], "lines": []}
    about["seats"] = [{"player": player, "state": "in"} for player in seats]
    about["accounts"] = [{"account": key, "balance": 0} for key in (*seats, "pot")]
    return about | parts


def _round(round: Row, players: int = 2) -> str:
    """A voided round: it is validated like others, but needs no transfers here."""
    seats = [f"p{at}" for at in range(1, players + 1)]
    about = {"game": "knock-rummy", "rules": {}, "stake": 1, "players": seats, "dealer": "p1", "pot": 0}
    document = about | {"round": {"knocker": "p1", **round}}
    content = {"number": 1, "document": document | {"dealer": "p2"}}
    change = {"change": 1, "key": "key", "kind": "round", "content": content, "device": "", "at": _AT}
    revision: Row = {"number": 1, "change": 1, "document": document, "voided": True, "follows": False, "transfers": []}
    line = {"number": 1, "game": "knock-rummy", "remark": "", "revisions": [revision]}
    return _group(players=_players(players), nights=[_night(players, changes=[change], lines=[line])])


FILES: dict[str, Callable[[], str]] = {
    # of any content
    "doubled keys": lambda: "{" + ",".join(f'"{at}":1' for at in range(_VALUES - 9)) + ',"7":1}',
    "doubled keys at the end": lambda: "{" + ",".join(f'"{at}":1' for at in range(999)) + ',"998":1}',
    "the same key": lambda: "{" + _repeated('"a":1', ",") + "}",
    "nested lists": lambda: "[" * LARGEST,
    "nested lists, fewer": lambda: "[" * (_VALUES - 9),
    "nested objects": lambda: _repeated('{"a":', "", _VALUES - 9),
    "nested as deep as JSON is read": lambda: _group(players=json.loads("[" * 900 + "]" * 900)),
    "nested rules": lambda: _group(nights=[_night(rules={"knock": json.loads("[" * 900 + "]" * 900)})]),
    "a number": lambda: "9" * LARGEST,
    "numbers": lambda: "[" + _repeated("9" * 19, ",") + "]",
    "empty lists": lambda: "[" + _repeated("[]", ",", LARGEST) + "]",
    "empty lists, fewer": lambda: "[" + _repeated("[]", ",", _VALUES // 2) + "]",
    "empty objects": lambda: "[" + _repeated("{}", ",", _VALUES // 2) + "]",
    "objects of one": lambda: "[" + _repeated('{"a":1}', ",", _VALUES // 2) + "]",
    "lists of one": lambda: "[" + _repeated('["ñandú"]', ",", _VALUES // 2) + "]",
    "keys": lambda: "{" + ",".join(f'"{at:014}":"{at:08}"' for at in range(LARGEST // 29)) + "}",
    "texts": lambda: "[" + _repeated('"ñandú"', ",") + "]",
    "blanks": lambda: " " * (LARGEST - 2) + "{}",
    "a text": lambda: json.dumps("a" * (LARGEST - 9)),
    "a text of four bytes a character": lambda: '"😀' + "a" * (LARGEST - 99) + '"',
    "a key": lambda: '{"format":"companion-group","version":1,"' + "a" * (LARGEST - 99) + '":1}',
    # of a group
    "name": lambda: _group(name="a" * (LARGEST - 999)),
    "name that cannot be shown": lambda: _group(name="\N{NO-BREAK SPACE}" * (LARGEST // 6 - 999)),
    "time": lambda: _group(made_at=_AT * (LARGEST // 28)),
    "players of a name": lambda: _group(players=[row | {"name": "Ana"} for row in _players(_ROWS)]),
    "house rules, short": lambda: _group(nights=[_night(rules={"knock": {f"{at}": 1 for at in range(10**4)}})]),
    "a hand": lambda: _round({"hands": {"p1": "Ah " * (LARGEST // 4)}}),
    "a hand, shorter": lambda: _round({"hands": {"p1": "Ah " * 40_000}}),
    "a hand of tokens": lambda: _round({"hands": {"p1": ["x"] * 25_000}}),
    "hands": lambda: _round({"hands": {f"x{at}": "Ah" for at in range(900)}}),
    "players of a round": lambda: _round({}, players=10_000),
}


def _read_within_limits(name: str) -> None:
    from companion.store.portable.group_file import FileLimits, read
    from companion.store.refusals import Refused

    content = FILES[name]().encode()[:LARGEST]
    Path("/proc/self/clear_refs").write_text("5")  # what making the file took does not count
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    resource.setrlimit(resource.RLIMIT_CPU, (int(before) + MAX_SECONDS, int(before) + MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    try:
        read(content, FileLimits())
        said = "read"
    except Refused as refused:
        said = str(refused)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    (peak,) = re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    about = {"seconds": round(seconds, 2), "megabytes": int(peak) // 1024, "of": len(content) // MEGABYTE}
    print(json.dumps({"said": said, **about}))


def _fork_for_each() -> None:
    """Read names from standard input, and import each file in a fork of this process, which has all modules loaded."""
    import companion.store.portable.group_file
    import companion.store.refusals  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            _read_within_limits(line.strip())
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


@cache
def _forking() -> subprocess.Popen[str]:
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, __file__, "--fork"], text=True, **pipes)
    atexit.register(process.communicate)  # its input is closed then, which ends it
    return process


def read_within_limits(name: str) -> Row:
    """Import a file in a child process; returns the result and the cost."""
    process = _forking()
    assert process.stdin is not None and process.stdout is not None
    print(name, file=process.stdin, flush=True)
    said = [json.loads(process.stdout.readline())]
    if isinstance(said[0], dict):
        said.append(json.loads(process.stdout.readline()))
    assert said[-1] == 0, f"ended with {said[-1]}; what went wrong is in the standard error"
    found: Row = said[0]
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["--fork"]:
        _fork_for_each()
    elif len(sys.argv) > 1:
        _read_within_limits(sys.argv[1])
    else:
        for each in FILES:
            print(each, read_within_limits(each), flush=True)
