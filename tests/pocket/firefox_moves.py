"""Rows of firefox_table.py: what leaves the phone and comes back, and a clock that goes back meanwhile."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from browser import served
from firefox_driver import Tab
from firefox_phone import Phone, row, step
from pocket_builds import publish
from pocket_pages import pages, unexpected

from companion import create_app
from companion.serve.commands.main import main as companion

ELSEWHERE = "Score has been kept elsewhere since"
ENTER = """for (const [seat, hand] of HANDS.entries()) await tapHand(seat, hand)
    await tap('[data-tab="0"]'); find(KNOCKER).closest('label').click(); await tap('[data-save]')"""
IMPORT = """const chosen = new DataTransfer()
    chosen.items.add(new File([given[0]], 'group.json', { type: 'application/json' }))
    find('[name=file]').files = chosen.files; find('form[enctype] button').click()"""
HAND_OVER = "await tap('button[value=hand-over]')"
SAVE = "COPY().click(); await until(() => !find('#copy-due'))"
REOPEN = "await visit(given[0] + '/close'); await leave(() => tap('button[value=reopen]'))"
HOUR = 3_600_000  # milliseconds
# the engine's clock goes as far wrong as the shell says
CLOCK = """const rightNow = Date.now; let by = 0; Date.now = () => rightNow() + by
const clock = new BroadcastChannel('clock'); clock.onmessage = ({ data }) => { by = data; clock.postMessage('set') }
"""
SET = """globalThis.realNow ??= Date.now; Date.now = () => realNow() + given[0]
    const clock = new BroadcastChannel('clock')
    const isSet = new Promise((got) => { clock.onmessage = got })
    clock.postMessage(given[0]); await isSet; clock.close()"""


def agrees(phone: Phone, file: Path) -> bool:
    """Return whether a computer takes a file in and finds no error in it."""
    os.environ["COMPANION_INSTANCE"] = str(phone.profile / "instance")
    with redirect_stdout(sys.stderr):
        return [companion(["migrate"]), companion(["import", str(file)]), companion(["audit"])] == [0, 0, 0]


def shows(tab: Tab, night: str, *, is_elsewhere: bool) -> None:
    """Look at a night: whether it says that score is kept elsewhere, and whether a round can be entered."""
    may_enter = tab.run("return (await get(given[0] + '/round')).status", night)
    says = ELSEWHERE in tab.run("return words()")
    assert (says, may_enter) == (is_elsewhere, 409 if is_elsewhere else 200), (night, says, may_enter)


@row("a group handed over to a computer and taken back, as files")
def handed(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    phone.host.off()
    group = phone.tab.run("return ownGroup(given[0])", phone.home)
    phone.tab.run(
        f"""await visit(given[0] + '/settings'); await leave(() => tap('a[href$="/hand-over"]')); {HAND_OVER}
        await until(() => words().includes(given[1])); await tap('.primary[download]')""",
        *(group, ELSEWHERE),
    )
    there = phone.saved()
    phone.tab.run("await visit(given[0])", night)
    shows(phone.tab, night, is_elsewhere=True)
    with served(create_app({"INSTANCE": phone.profile / "table"})) as address:
        table = phone.browser.tab().open(f"{address}groups/import")
        night_there, group_there = night.replace(phone.home, address), group.replace(phone.home, address)
        step(table, IMPORT, there.read_text(), then="location.pathname.includes('/g/')")
        shows(table.open(night_there), night_there, is_elsewhere=False)
        step(table.open(f"{night_there}/round?game=knock-poker"), ENTER, then="location.pathname.includes('/lines/')")
        step(table.open(f"{group_there}/hand-over"), HAND_OVER, then="find('[download]')")
        table.run("await tap('.primary[download]')")
        back = phone.saved(there)
        phone.tab.run("await takeIn(...given)", phone.home, back.read_text())
        said = phone.tab.run("return words()")
        assert "1 step was added." in said and "From now on score is kept here." in said, said
        phone.tab.run("await visit(given[0])", night)
        shows(phone.tab, night, is_elsewhere=False)
        shows(table.open(night_there), night_there, is_elsewhere=True)
    phone.again()
    phone.tab.run("await goOn(); await playRound(given[0])", night)
    assert phone.rounds(night) == 3
    return "the computer's round is there after a kill, and the night goes on"


@row("clock set back an hour and a month in a night: nothing lost or out of order, and copies are known")
def clock_back(phone: Phone) -> object:
    where = "const DATA = '/data'"
    publish(phone.host, "0123456789ab", **{where: CLOCK + where})
    phone.open()
    night = phone.play()
    phone.tab.run(SET, -HOUR)
    phone.tab.run("await playRound(given[0]); await end(given[0])", night)
    phone.tab.run(SET, -30 * 24 * HOUR)
    phone.tab.run(SAVE)
    copy = phone.saved()
    (told,) = json.loads(copy.read_text())["group"]["nights"]
    moments = [change["at"] for change in told["changes"]]
    assert moments != sorted(moments) and [line["number"] for line in told["lines"]] == [1, 2], told
    group = phone.tab.run("return ownGroup(given[0])", phone.home)
    paths = pages(phone.profile / "empty", group.rpartition("/")[2], night.rpartition("/")[2])
    found = phone.tab.run(
        "const found = {}; for (const path of given[0]) found[path] = (await get(path)).status; return found", paths
    )
    assert not unexpected(found), unexpected(found)
    # reopened and played on, it is in no copy; nor is another night, a month before the last one
    phone.tab.run(f"{REOPEN}; await playRound(given[0]); await end(given[0]); find('#copy-due').innerText", night)
    second = phone.tab.run(
        """await visit(given[0]); await leave(() => tap('button[value=again]'))
        const second = app().location.href.split('?')[0]
        await playRound(second); await end(second); return second""",
        group,
    )
    said = phone.tab.run("return words()")
    assert "2 nights are only on this phone. The last copy is of today." in said, said
    phone.tab.run(SET, 0)
    phone.tab.run(SAVE)
    copy = phone.saved(copy)
    assert [len(one["lines"]) for one in json.loads(copy.read_text())["group"]["nights"]] == [3, 1]
    assert agrees(phone, copy)
    phone.again()
    assert (phone.rounds(night), phone.rounds(second)) == (3, 1)
    return "by the clock of the page and of the engine"


@row("a copy by the share sheet")
def share_sheet(phone: Phone) -> object:
    """As on Linux, where there is none; with the one that Firefox for Android has; with one that takes files."""
    notes = []
    for preferences in ({}, {"dom.webshare.enabled": True}):
        phone.browser.kill()
        phone.profile = Path(tempfile.mkdtemp(dir=phone.profile.parent))
        phone.start(**preferences)
        phone.open()
        night = phone.play()
        offers = """if (!navigator.share) return 'has none'
            return `takes files: ${navigator.canShare({ files: [new File(['{}'], 'group.json')] })}`"""
        notes.append(phone.tab.run(offers))
        phone.tab.run(f"await end(given[0]); {SAVE}", night)
        phone.saved()
    # a finger's tap is still known when the sheet is asked for: else it would be NotAllowedError
    phone.tab.run(REOPEN, night)
    x, y = phone.tab.run(
        """await playRound(given[0]); await end(given[0])
        COPY().scrollIntoView({ block: 'center', behavior: 'instant' })
        const asks = navigator.share.bind(navigator)
        navigator.canShare = () => true
        navigator.share = (what) => asks(what).catch((error) => { globalThis.refused = error.name; throw error })
        const [one, frame] = [COPY(), byId('app')].map((box) => box.getBoundingClientRect())
        return [frame.x + one.x + one.width / 2, frame.y + one.y + one.height / 2]""",
        night,
    )
    phone.tab.touch(round(x), round(y))
    refused = phone.tab.run("await until(() => globalThis.refused); return refused")
    assert refused != "NotAllowedError" and phone.tab.run("return Boolean(find('#copy-due'))"), refused
    # one that takes files: closed, the copy is still wanted; shared, it counts
    phone.tab.run(
        """let times = 0
        navigator.share = async ({ files }) => { if (!times++) throw new DOMException(files[0].name, 'AbortError') }
        COPY().click(); await until(() => times === 1); await get(given[0])
        if (!find('#copy-due')) throw new Error('a closed sheet counts')
        COPY().click(); await until(() => !find('#copy-due'))""",
        phone.home,
    )
    return f"{'; '.join(notes)}: a download; asked by a finger's tap: {refused}; stubbed, a shared file counts"
