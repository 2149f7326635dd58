"""Tries the app on one phone in Firefox, and prints a table of what works: by hand, as it is no part of tests/run.

PYTHONPATH=. .venv/bin/python tests/pocket/firefox_table.py [--site FOLDER] [ROW …]

FOLDER has the app in `pocket/`, built for that scope; without one, it is built. ROW are words of the rows to try.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import zlib
from contextlib import suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from firefox_moves import agrees  # noqa: E402 - and its rows
from firefox_phone import ROWS, Phone, row  # noqa: E402
from night_of_six_games import NAMES, NIGHT, Ledger  # noqa: E402
from pocket_builds import publish  # noqa: E402
from pocket_host import SCOPE, Host  # noqa: E402
from pocket_pages import pages, unexpected  # noqa: E402
from test_whole_nights_in_browser import CHECKS  # noqa: E402
from waiting import until  # noqa: E402
from years import make_years  # noqa: E402

from companion import create_app  # noqa: E402
from companion.pocket.build import build  # noqa: E402
from companion.store.portable import export_group  # noqa: E402


@row("first start, a group, a night, a round by taps")
def first_start(phone: Phone) -> object:
    phone.open()
    title = phone.tab.run("return title()")
    night = phone.play()
    assert phone.rounds(night) == 1, phone.rounds(night)
    return f"asks first: {title}"


@row("later start and a round with the host off; killed after the save, the round is there")
def second_start(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    phone.host.off()
    asked = len(phone.host.asked)
    for rounds in range(2, 5):
        phone.again()
        phone.tab.run("await goOn(); await playRound(given[0])", night)
        phone.again()
        assert phone.rounds(night) == rounds, (phone.rounds(night), rounds)
    assert phone.host.asked[asked:] == []
    return "six kills"


@row("a night of six games by taps with the host off; a computer agrees with every round")
def six_games(phone: Phone) -> object:
    phone.open()
    phone.tab.run("await goOn()")
    phone.host.off()
    night = phone.tab.run("return newNight(given[0], given[1])", NAMES, NIGHT[0].game)
    ledger = Ledger()
    for hand in NIGHT:
        bets = (CHECKS[hand.game] if hand.bets == "on the phones" else hand.bets).split()
        brought = phone.tab.run(
            "return playHand(given[0], ...given[1])", night, [hand.game, hand.hands, bets, hand.tick]
        )
        due = ledger.book(hand.paid)
        assert dict.fromkeys(NAMES, 0) | brought == due, (hand.game, brought, due)
    phone.tab.run("await end(given[0])", night)
    file = phone.profile / "group.json"
    file.write_text(
        phone.tab.run("return (await get(await ownGroup(given[0]) + '/export/group.json')).text()", phone.home)
    )
    assert agrees(phone, file)
    return f"{len(NIGHT)} rounds of {len({hand.game for hand in NIGHT})} games"


@row("reload in the middle of a round keeps its hands")
def reload(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    taken = "[...app().querySelectorAll('form.tapping input')].map(({ value }) => value).filter((one) => / /.test(one))"
    phone.tab.run(
        "await visit(given[0] + '/round?game=knock-poker'); await tapHand(0, HANDS[0]); await tapHand(1, HANDS[1])",
        night,
    )
    before = phone.tab.run(f"return {taken}")
    phone.tab.send("browsingContext.reload", wait="complete")
    assert len(before) > 1, before
    there = f"String({taken}) === String(given[0])"  # the script of the page puts them there, after it has loaded
    phone.tab.run(f"await goOn(); await until(() => find('form.tapping') && {there})", before)
    phone.tab.run("await tapHand(2, HANDS[2]); await saveHands([], KNOCKER)")
    assert phone.rounds(night) == 2
    return f"{len(before)} hands"


@row("two tabs: the second says so, and takes over when the first is closed")
def takeover(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    second = phone.browser.tab().open(phone.home)
    second.run("await goOn()")
    owns = second.run("return times.ready !== undefined")
    phone.tab.send("browsingContext.close")
    phone.tab = second
    phone.tab.run("await visit(given[0]); await playRound(given[0])", night)
    assert not owns and phone.tab.run("return times.ready !== undefined") and phone.rounds(night) == 2
    return "the second uses the engine of the first until then"


@row("a copy as a download; import and export of a group over 500 kB, 2 MB of database")
def files(phone: Phone) -> object:
    with create_app({"INSTANCE": phone.profile / "years"}).app_context():
        years = export_group(make_years("secret-of-a-group-of-years", nights=20, rounds=2000).public_id).decode()
    phone.open()
    night = phone.play()
    phone.tab.run("await end(given[0]); COPY().click(); await until(() => !find('#copy-due'))", night)
    phone.saved()
    group = phone.tab.run("return takeIn(...given)", phone.home, years)
    phone.again()  # the whole file is checked at the next start
    same = "await goOn(); return await (await get(given[0] + '/export/group.json')).text() === given[1]"
    assert len(years) > 500_000 and phone.tab.run(same, group, years)
    size = phone.tab.run("""const place = await (await navigator.storage.getDirectory()).getDirectoryHandle('companion')
        return (await (await place.getFileHandle('companion.db')).getFile()).size""")
    assert size > 2 * 1024 * 1024, size
    return f"file {len(years) // 1000} kB, database {size // 1000} kB"


@row("Spanish")
def spanish(phone: Phone) -> object:
    phone.browser.kill()
    phone.start(**{"intl.accept_languages": "es-MX,es"})
    phone.open()
    night = phone.play()
    said = phone.tab.run("const said = words(); await end(given[0]); return said + find('#copy-due').innerText", night)
    assert "Ana gana" in said and "Guardar una copia" in said, said
    return said[:40]


@row("print: all pages of a long page")
def prints(phone: Phone) -> object:
    phone.open()
    phone.tab.run("await goOn(); await visit(given[0] + 'help/knock-poker')", phone.home)
    printed = phone.tab.printed()
    for part in re.findall(rb"stream\r?\n(.*?)endstream", printed, re.DOTALL):
        with suppress(zlib.error):
            printed += zlib.decompress(part)
    count = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert count > 1, count
    return f"{count} pages"


@row("a new build waits for the next start; one cut short or with a fault leaves the old one")
def updates(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    (old,) = phone.builds()
    pack = phone.host.folder / "pocket" / "pocket" / "app.pack"
    whole = pack.read_bytes()
    pack.write_bytes(whole[:1000])
    publish(phone.host, "0123456789ab")
    phone.tab.run("await update((one) => !one.installing && !one.waiting)")
    phone.next_tab()
    assert phone.rounds(night) == 1 and old in phone.builds(), ("cut short", phone.builds())
    pack.write_bytes(whole)
    right, wrong = "postMessage({ says: 'data' })", "throw new Error('a fault of this build')"
    publish(phone.host, "0123456789ac", **{right: wrong})
    phone.tab.run("await update((one) => one.waiting)")
    phone.next_tab()
    assert phone.rounds(night) == 1 and old in phone.builds(), ("with a fault", phone.builds())
    publish(phone.host, "0123456789ad", **{wrong: right})
    phone.tab.run("await update((one) => one.waiting); await playRound(given[0])", night)
    assert old in phone.builds(), ("while it is played", phone.builds())
    phone.next_tab()
    assert phone.rounds(night) == 2
    until(lambda: phone.builds() == ["pocket-0123456789ad"])
    return "taken at the next start, with all rounds"


@row("every page of the URL map, none an error and none asked of the host")
def every_page(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    group = phone.tab.run("return ownGroup(given[0])", phone.home)
    paths = pages(phone.profile / "empty", group.rpartition("/")[2], night.rpartition("/")[2])
    asked = len(phone.host.asked)
    found = phone.tab.run(
        """const found = {}
        for (const path of given[0]) found[path] = (await get(path).catch(() => ({ status: 0 }))).status
        return found""",
        paths,
    )
    assert not unexpected(found), unexpected(found)
    strays = [path for path in phone.host.asked[asked:] if not path.endswith("/worker.js")]  # that is for a new build
    assert not strays, strays
    return f"{len(paths)} pages"


@row("no room, a full phone, a private window: said before anything is typed")
def rooms(phone: Phone) -> object:
    said = []
    room, private = "dom.quotaManager.temporaryStorage.fixedLimit", "browser.privatebrowsing.autostart"
    sentences = ((room, 500_000, "160.0 MB are needed"), (private, True, "can't keep your nights on this phone"))
    for preference, value, sentence in sentences:
        phone.browser.kill()
        phone.profile = Path(tempfile.mkdtemp(dir=phone.profile.parent))
        phone.start(**{preference: value})
        phone.open()
        said.append(phone.tab.run("await title(); return byId('step').textContent"))
        assert sentence in said[-1] and phone.tab.run("return byId('start').hidden && byId('app').hidden"), said
    phone.profile = Path(tempfile.mkdtemp(dir=phone.profile.parent))
    phone.again()
    phone.play()
    usage = phone.tab.run("return (await navigator.storage.estimate()).usage")
    phone.again(**{room: (usage // 1024 - 500) * 5})  # a site may have a fifth of all
    said.append(phone.tab.run("return title()"))
    assert said[-1] == "This phone is full", said
    return " / ".join(said)


@row("deleted nights are said, deleted files fetched again")
def deleted(phone: Phone) -> object:
    phone.open()
    night = phone.play()
    phone.tab.open(f"{phone.home}pocket/shell.css")
    phone.tab.run("for (const name of await caches.keys()) await caches.delete(name)")
    phone.open()
    assert phone.rounds(night) == 1
    phone.tab.open(f"{phone.home}pocket/shell.css")
    phone.tab.run("""const root = await navigator.storage.getDirectory()
        await until(() => root.removeEntry('companion', { recursive: true }).then(() => true, () => false))""")
    phone.open()
    said = phone.tab.run("return title()")
    assert said != "the app", said
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, help="a folder with the app in pocket/")
    parser.add_argument("rows", nargs="*", help="words of the rows to try")
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if not given.site:
            given.site = Path(folder) / "site"
            build(given.site / SCOPE.strip("/"), SCOPE, effort=1)
        print("| row | works | note |\n|---|---|---|", flush=True)
        for name, tries in ROWS:
            if given.rows and not any(word in name for word in given.rows):
                continue
            host = Host(Path(shutil.copytree(given.site, Path(tempfile.mkdtemp(dir=folder)) / "host")))
            phone = Phone(host)
            try:
                works, note = "yes", tries(phone)
            except (AssertionError, RuntimeError, OSError) as error:
                works, note, failed = "NO", f"{type(error).__name__}: {error}"[:400], failed + 1
            finally:
                phone.browser.kill()
                host.off()
            print(f"| {name} | {works} | {note} |", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
