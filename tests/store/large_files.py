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
from itertools import count
from pathlib import Path
from typing import Any

MEGABYTE = 1024**2
LARGEST = 32 * MEGABYTE
MAX_MEMORY, MAX_SECONDS = 400 * MEGABYTE, 20
_HEAD = '{"format":"companion-group","version":1,"group":'
_VALUES, _ROWS, _REVISIONS = 1_249_000, 149_900, 15_000
_AT = "2026-11-21T19:30:00.000000Z"
_ABOUT = {"device": "", "at": _AT}
Row = dict[str, Any]


def _repeated(part: str, between: str, times: int = _VALUES) -> str:
    return between.join([part] * min(times, LARGEST // (len(part) + len(between)) - 100))


def _group(**parts: Any) -> str:
    about = {"id": "large", "name": "Friday", "made_at": _AT, "players": _players(2), "sessions": [], "plans": []}
    return _HEAD + json.dumps(about | parts, separators=(",", ":")) + "}"


def _players(number: int) -> list[Row]:
    return [{"player": f"p{at}", "name": f"Ana {at}", "retired": False} for at in range(1, number + 1)]


def _session(number: int = 0, players: int = 2, **parts: Any) -> Row:
    seats = [f"p{at}" for at in range(1, players + 1)]
    about: Row = {"id": f"night-{number}", "key": f"night-{number}", "game": "knock", "rules": {}, "stake": 1}
    about |= {
        "currency": None,
        "place": "",
        "note": "",
        "opened_at": _AT,
        "closed_at": None,
        "changes": [],
        "lines": [],
    }
    about["seats"] = [{"player": player, "state": "in"} for player in seats]
    about["accounts"] = [{"account": key, "balance": 0} for key in (*seats, "pot")]
    return about | parts


def _change(at: int, kind: str = "note", /, **content: Any) -> Row:
    return {"change": at, "key": f"key {at}", "kind": kind, "content": content, **_ABOUT}


def _line(number: int, *revisions: Row, game: str | None = None) -> Row:
    return {"number": number, "game": game, "remark": "", "revisions": list(revisions)}


def _revision(number: int, change: int, document: Row, *moves: tuple[str, str, int, str, str]) -> Row:
    keys = ("from", "to", "amount", "reason", "rule")
    transfers = [dict(zip(keys, move, strict=True)) for move in moves]
    about: Row = {"number": number, "change": change, "document": document}
    return about | {"voided": not moves, "follows": False, "transfers": transfers}


_LOAN = {"movement": "loan", "from": "p1", "to": "p2", "amount": 1, "note": ""}


def _loans() -> str:
    move = ("p1", "p2", 1, "loan", "C-2")
    lines = [_line(at, _revision(1, at, _LOAN, move)) for at in range(1, _REVISIONS + 1)]
    changes = [_change(at, "movement", number=at, document=_LOAN) for at in range(1, _REVISIONS + 1)]
    night = _session(changes=changes, lines=lines)
    night["accounts"][0]["balance"], night["accounts"][1]["balance"] = -_REVISIONS, _REVISIONS
    return _group(sessions=[night])


def _rounds(game: str, round: Row, times: int = _REVISIONS, one_line: bool = False, players: int = 2) -> str:
    """Voided rounds: they are validated like others, but need no transfers here."""
    seats = [f"p{at}" for at in range(1, players + 1)]
    document = {"game": game, "rules": {}, "stake": 1, "players": seats, "dealer": "p1", "pot": 0, "round": round}
    changes = [_change(at, "round", number=at, document=document | {"dealer": "p2"}) for at in range(1, times + 1)]
    if one_line:
        lines = [_line(1, *(_revision(at, at, document) for at in range(1, times + 1)), game=game)]
    else:
        lines = [_line(at, _revision(1, at, document), game=game) for at in range(1, times + 1)]
    night = _session(players=players, changes=changes, lines=lines)
    return _group(players=_players(players), sessions=[night])


_RUMMY = {"knocker": "p1", "hands": {"p1": "Ah Ad Ac 2h 2d 2c 3h 3d 3c 4h", "p2": "5h 5d 5c 6h 6d 6c 7h 7d 7c 4d"}}


def _with_hand(hand: Any) -> str:
    return _rounds("knock-rummy", {"knocker": "p1", "hands": {"p1": hand}}, times=1)


def _plan(number: int, payments: int = 1, ticks: int = 0) -> Row:
    keys = count()
    paid = [{"amount": (-1) ** at, "key": f"{number} {next(keys)}", **_ABOUT} for at in range(ticks)]
    one = {"from": "p1", "to": "p2", "amount": 1, "paid": paid}
    about = {"id": f"plan-{number}", "key": f"plan-{number}", "session": None, "currency": None, "replaced_by": None}
    return about | {**_ABOUT, "payments": [one] * payments}


def _replaced(number: int) -> list[Row]:
    plans = [_plan(at) for at in range(number)]
    return [plan | {"replaced_by": plans[-1]["id"]} for plan in plans[:-1]] + plans[-1:]


def _bets(actions: int) -> Row:
    told: list[Row] = [{"player": "p2", "action": "bet", "amount": 1}]
    told += [{"player": f"p{1 + at % 2}", "action": "raise", "amount": 2 + at} for at in range(actions)]
    return {"bets": [*told, {"player": f"p{1 + actions % 2}", "action": "fold"}]}


FILES: dict[str, Callable[[], str]] = {
    # of any content
    "doubled keys": lambda: "{" + ",".join(f'"{at}":1' for at in range(_VALUES - 9)) + ',"7":1}',
    "doubled keys at the end": lambda: "{" + ",".join(f'"{at}":1' for at in range(999)) + ',"998":1}',
    "the same key": lambda: "{" + _repeated('"a":1', ",") + "}",
    "nested lists": lambda: "[" * LARGEST,
    "nested lists, fewer": lambda: "[" * (_VALUES - 9),
    "nested objects": lambda: _repeated('{"a":', "", _VALUES - 9),
    "nested as deep as JSON is read": lambda: _group(players=json.loads("[" * 900 + "]" * 900)),
    "nested rules": lambda: _group(sessions=[_session(rules={"knock": json.loads("[" * 900 + "]" * 900)})]),
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
    "escaped characters": lambda: '"' + "\\ud83d\\ude00" * (LARGEST // 12 - 9) + '"',
    "a key": lambda: '{"format":"companion-group","version":1,"' + "a" * (LARGEST - 99) + '":1}',
    # of a group
    "name": lambda: _group(name="a" * (LARGEST - 999)),
    "name that cannot be shown": lambda: _group(name="\N{NO-BREAK SPACE}" * (LARGEST // 6 - 999)),
    "time": lambda: _group(made_at=_AT * (LARGEST // 28)),
    "unknown keys": lambda: _group(**{f"{at}": 1 for at in range(_VALUES - 99)}),
    "players": lambda: _group(players=_players(_ROWS)),
    "players of a name": lambda: _group(players=[row | {"name": "Ana"} for row in _players(_ROWS)]),
    "nights": lambda: _group(sessions=[_session(at) for at in range(_ROWS // 6)]),
    "seats": lambda: _group(players=_players(30_000), sessions=[_session(at, 15_000) for at in range(3)]),
    "changes": lambda: _group(sessions=[_session(changes=[_change(at) for at in range(1, _ROWS - 9)])]),
    "changes of seats": lambda: _group(
        sessions=[_session(changes=[_change(1, "seats", seats=[["p1", "in"]] * (_VALUES // 4))])]
    ),
    "options": lambda: _group(
        sessions=[_session(changes=[_change(1, "rules", game="knock", rules={f"{at}": 1 for at in range(10**6)})])]
    ),
    "house rules": lambda: _group(sessions=[_session(rules={"knock": {f"{at}": 1 for at in range(10**6)}})]),
    "house rules, short": lambda: _group(sessions=[_session(rules={"knock": {f"{at}": 1 for at in range(10**4)}})]),
    "plans": lambda: _group(plans=_replaced(_ROWS // 2)),
    "payments": lambda: _group(plans=[_plan(1, _ROWS - 9)]),
    "ticks": lambda: _group(plans=[_plan(1, 1, _ROWS - 9)]),
    "transfers": lambda: _group(
        sessions=[
            _session(
                changes=[_change(1)],
                lines=[_line(1, _revision(1, 1, _LOAN, *[("p1", "p2", 1, "loan", "C-2")] * (_ROWS - 99)))],
            )
        ]
    ),
    "too many rounds": lambda: _rounds("knock-rummy", _RUMMY, _REVISIONS + 1),
    "rounds": lambda: _rounds("knock-rummy", _RUMMY),
    "corrections of a round": lambda: _rounds("knock-rummy", _RUMMY, one_line=True),
    "movements": _loans,
    "a hand": lambda: _with_hand("Ah " * (LARGEST // 4)),
    "a hand, shorter": lambda: _with_hand("Ah " * 40_000),
    "a hand of tokens": lambda: _with_hand(["x"] * 25_000),
    "hands": lambda: _rounds("knock-rummy", {"knocker": "p1", "hands": {f"x{at}": "Ah" for at in range(900)}}, 1),
    "players of a round": lambda: _rounds("knock-rummy", {"knocker": "p1"}, 1, players=10_000),
    "bets": lambda: _rounds("draw-poker", _bets(2_000), 75),
    "fewer bets": lambda: _rounds("draw-poker", _bets(20), 4_500),
}


# they take seconds each: `python tests/store/large_files.py` reads them, the tests do not
SLOW = {"unknown keys", "options", "house rules", "escaped characters", "players", "nights", "seats", "changes"}
SLOW |= {"changes of seats", "plans", "payments", "ticks", "transfers", "too many rounds", "rounds", "movements"}
SLOW |= {"corrections of a round", "bets", "fewer bets"}


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
