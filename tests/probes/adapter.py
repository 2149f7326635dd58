"""Adapts this app for the probes crash.py, powerloss.py and race.py: phones that fill in its forms.

Writes are spread over several tables, one per phone, so that they rarely wait for each other: write `i` goes to table i
% _TABLES, and each table is a group. A write is a round of two players, identified by what the winner gains, from 1 to
_ROUNDS in each night. Everything is sent with the page's own form, and read back from the night's page. With
PROBE_AUDIT set, the database in DATABASE_URL is audited as well.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from _probe import Answer, Client
from forms import Form, form_with

GAME = "knock-poker"
HANDS = ("9s 9h 9d 4c 4d", "8c 8d Js 7d 4h")
MAX_STAKES = 1000  # of one option; a gain is made of two of them
EDITED = 2000  # race.py changes rounds to amounts from here on
_ROUNDS = 1500
_TABLES = 4
_TRIES = 400
_CHECKOUT = Path(__file__).resolve().parents[2]
_local = threading.local()
_starting = threading.Lock()
State = dict[str, Any]


@cache
def _groups(base: str) -> list[dict[str, str]]:
    """Create the groups, once in a run: race.py sets up anew every few trials, and an address may not make groups
    without end.
    """
    return [_group(Client(base)) for _ in range(_TABLES)]


def setup(base: str) -> State:
    """Start the first group's next night; the other phones open the groups' links."""
    state: State = {"base": base, "groups": _groups(base), "nights": {}, "sent": {}, "offered": {}}
    _night(state, 0)
    return state


def _group(phone: Client) -> dict[str, str]:
    form = form_with(_page(phone, "/groups/new"), "add")
    form.fields |= {"name": ["Probe"], "player": ["Ana", "Beto"]}
    made = phone.form("/groups/new", form.fields)
    assert made.status == 303, made.status
    link = re.search(r"/open/[\w-]+", _page(phone, made.get("Location") + "/settings"))
    assert link
    return {"path": made.get("Location"), "link": link[0]}


def _page(phone: Client, path: str) -> str:
    answer: Answer = phone.get(path)
    assert answer.status == 200, (path, answer.status)
    return answer.text


def _phone(state: State) -> Client:
    """Return this thread's phone, which opened the links once and keeps its cookies across restarts."""
    if getattr(_local, "state", None) is not state:
        phone = Client(state["base"], timeout=10)
        for group in state["groups"]:
            opened = phone.get(group["link"])
            assert opened.status == 303, opened.status
        _local.state, _local.phone, _local.forms = state, phone, {}
    return _local.phone


def _night(state: State, number: int) -> str:
    """Return a night's path; whoever needs it first starts it, sending the form until there is an answer."""
    with _starting:
        if number not in state["nights"]:
            phone = _phone(state)
            page = _page(phone, state["groups"][number % _TABLES]["path"])
            form = state.setdefault(f"form {number}", form_with(page, "start"))
            form.fields |= {"game": [GAME], "player": _chosen(page), "do": ["start"]}
            started = phone.form(form.action, form.fields)
            assert started.status == 303, started.status
            state["nights"][number] = started.get("Location")
    return str(state["nights"][number])


def _chosen(group: str) -> list[str]:
    return re.findall(r'name="player" value="(\d+)"', group)


def _round_form(state: State, night: str) -> Form:
    """Return the form of a round, as this phone first opened it."""
    phone = _phone(state)
    if night not in _local.forms:
        _local.forms[night] = form_with(_page(phone, f"{night}/round"), "settle")
    form: Form = _local.forms[night]
    return form


def _filled(form: Form, gain: int) -> dict[str, list[str]]:
    """Fill in a round in which the first player knocks and wins this many units."""
    fields = {name: list(values) for name, values in form.fields.items()}
    for name, hand in zip(form.named("-hand"), HANDS, strict=True):
        fields[name] = [hand]
    (knocker,), (ante,), (payment,) = form.named("-knocker"), form.named("-ante"), form.named("-knock_payment")
    fields[knocker] = ["0"]
    fields[ante] = [str(min(gain, MAX_STAKES))]
    fields[payment] = [str(max(gain - MAX_STAKES, 0))]
    return fields | {"do": ["save"]}


def write(state: State, i: int) -> bool:
    """Save round `i` as the next one of its night; the same form is resent until it is saved or somebody else was
    first.
    """
    series, at = divmod(i // _TABLES, _ROUNDS)
    night = _night(state, series * _TABLES + i % _TABLES)
    phone, form = _phone(state), _round_form(state, night)
    for _ in range(_TRIES):
        if i not in state["sent"]:
            number = state["offered"].get(night) or form.fields["number"][0]
            state["sent"][i] = _filled(form, 1 + at) | {"key": [f"round-{i:09d}"], "number": [number]}
        answer = phone.form(form.action, state["sent"][i])
        if answer.status == 303:
            state["offered"][night] = str(int(state["sent"][i]["number"][0]) + 1)
            return True
        if answer.status not in (200, 409):
            return False
        # the page of the form again: somebody else saved this number, and nothing of ours
        state["offered"][night] = form_with(answer.text, "settle").fields["number"][0]
        del state["sent"][i]
    return False


def _lines(state: State, night: str) -> list[tuple[int, int, bool]]:
    """Read a night's rounds from its pages: number, the winner's gain, and whether the round was corrected."""
    phone, path, found = Client(state["base"], timeout=30), f"{night}/rounds", []
    phone.cookies = dict(_phone(state).cookies)
    while path:
        answer = phone.get(path)
        if answer.status == 404:  # a night that began after the power cut
            return []
        assert answer.status == 200, answer.status
        for row in answer.text.split('<span class="number">')[1:]:
            number = re.search(r'/lines/(\d+)"', row)
            gain = re.search(r"\+([\d,]+)", row)
            if number and gain:
                found.append((int(number[1]), int(gain[1].replace(",", "")), "corrected" in row))
        # not the link to the same page in another language
        older = re.search(r'href="[^"?]*\?before=(\d+)"', answer.text)
        path = f"{night}/rounds?before={older[1]}" if older else ""
    return found


def read_all(state: State) -> list[int]:
    """List the writes in the sheets of transfers: thousands of rounds would be hundreds of pages.

    A session's key that begins like a formula has an apostrophe before it.
    """
    nights = {night.rsplit("/", 1)[1]: number for number, night in list(state["nights"].items())}
    gains: Counter[tuple[int, str]] = Counter()
    for group in state["groups"]:
        for row in _transfers(state, group["path"]):
            sign = (row["to"] == "Ana") - (row["from"] == "Ana")
            gains[nights[row["session"].removeprefix("'")], row["line"]] += sign * int(row["amount"])
    return [
        (number // _TABLES * _ROUNDS + gain - 1) * _TABLES + number % _TABLES for (number, _), gain in gains.items()
    ]


def _transfers(state: State, group: str) -> list[dict[str, str]]:
    phone = Client(state["base"], timeout=60)
    phone.cookies = dict(_phone(state).cookies)
    answer = phone.get(f"{group}/export/transfers.csv")
    if answer.status == 404:  # a group that was made after the power cut
        return []
    assert answer.status == 200, answer.status
    return list(csv.DictReader(answer.body.decode("utf-8-sig").splitlines()))


def verify(state: State) -> list[str]:
    """Return what is wrong with the newest night's books: the balances must sum to 0 as soon as there is a round."""
    night = state["nights"][max(state["nights"])]
    page = _phone(state).get(f"{night}/money")
    if page.status == 404:
        return []
    if page.status != 200:
        return [f"{night} is answered {page.status}"]
    table = re.search(r'<table class="standings[^"]*">.*?</table>', page.text, re.S)
    shown = re.findall(r">([+\u2212]?[\d,]+)</b>", table[0]) if table else []
    sums = [int(text.replace("\u2212", "-").replace(",", "")) for text in shown]
    is_right = len(sums) == 2 and sum(sums) == 0 if table else not _lines(state, night)
    wrong = [] if is_right else [f"the balances are {sums}"]
    return wrong + (_audit() if os.environ.get("PROBE_AUDIT") else [])


def _audit() -> list[str]:
    command = [sys.executable, "-c", "import sys; from companion.serve.command import main; sys.exit(main(['audit']))"]
    done = subprocess.run(command, cwd=_CHECKOUT, capture_output=True, text=True)
    return [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()[:3]


def submit(state: State, _phone_number: int, no: int, key: str, chips: int) -> int:
    """Save a round under a number; a phone whose number isn't next yet waits for its turn.

    If a round before it was never saved, its turn never comes; then no phone waits any longer.
    """
    night = _night(state, 0)
    phone, form = _phone(state), _round_form(state, night)
    fields = _filled(form, chips) | {"key": [key], "number": [str(no - state.setdefault("before", no) + 1)]}
    # a phone that opened its page after the first save has another dealer: that would be another form
    fields |= {"dealer": state.setdefault("dealer", fields["dealer"])}
    for _ in range(0 if "stuck" in state else _TRIES):
        answer = phone.form(form.action, fields)
        if answer.status not in (200, 409):
            return int(answer.status)
        # the number that is next when the page is made; it may be this one's turn since the save was refused
        if int(form_with(answer.text, "settle").fields["number"][0]) > int(fields["number"][0]):
            return 409
        time.sleep(0.03)
    state["stuck"] = True
    raise RuntimeError(f"the turn of round {no} never came")


def rounds(state: State) -> list[dict[str, Any]]:
    """List the rounds with the winner's gain; edit() changes the gain in a recognizable way."""
    before = state.get("before", 1) - 1
    return [
        {"no": number + before, "key": None, "chips": gain + EDITED - MAX_STAKES if corrected else gain}
        for number, gain, corrected in _lines(state, _night(state, 0))
    ]


def _correction(state: State, no: int) -> Form:
    path = f"{_night(state, 0)}/lines/{no - state['before'] + 1}/correct"
    return form_with(_page(_phone(state), path), "settle")


def version(state: State, no: int) -> str:
    """Return the revision of a round that a phone sees."""
    return _correction(state, no).fields["seen"][0]


def edit(state: State, _phone_number: int, no: int, seen: str, chips: int) -> int:
    """Correct a round, based on the version seen."""
    form = _correction(state, no)
    fields = _filled(form, chips - EDITED + MAX_STAKES) | {"seen": [seen]}
    status = int(_phone(state).form(form.action, fields).status)
    return 409 if status == 200 else status  # the page of the form again, with what was changed meanwhile
