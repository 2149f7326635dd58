"""Measure what issue 53 wants to reach, in one go: a table with the figure at the start, today's and the one wanted.

    python tests/camera/training/to_reach.py --photos PHOTOS [--tables FOLDER …] [--rows cards,tables,dominoes,cost]

PHOTOS holds the photographs as `evaluate.py` reads them and, in `new`, those of other packs with `new.json`. A FOLDER
is one that `tables_of_hands.py` made. Processor time is also given in products of two matrices of 1024 x 1024, measured
between the photographs, so that machines can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from evaluate import Report, Score
from PIL import Image
from tables_of_hands import measured

from companion.camera import network, read_hand, read_table
from companion.engine.pieces.cards import FRENCH_WITH_JOKER
from companion.engine.pieces.dominoes import DOMINOES

Reader = Callable[..., object]
DIM, STEEP = 100, "pred"  # the median brightness of a dim photograph; the pack that was taken by lamp and dusk, steep
SIDE, PRODUCTS = 1024, 6  # the matrices whose product is the measure of a machine, and how many are timed
ROWS = ("cards", "tables", "dominoes", "cost")
OLD, NEW = "kept-back set, hands of 4 to 8", "new packs, hands of 4 to 8"
LETTERS, HARD, FANS = "German and French letters", "steep and dim, one pack", "fans of 13"
ALL_NEW, DARK = "new packs, all", "dark or standing tiles"
SHARES = {OLD: ("97.3; 91; 98", "98.5; 95; 100"), NEW: ("91.2; 69", "96; 85"), LETTERS: ("70.7", "93")}
SHARES |= {HARD: ("88.4; 62", "95; 82"), FANS: ("93.7", "96"), "tiles": ("98.5", "99"), DARK: ("71", "90")}


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--tables", type=Path, nargs="*", default=[])
    parser.add_argument("--rows", default=",".join(ROWS))
    options = parser.parse_args()
    rows = options.rows.split(",")
    print("| measure | at the start | now | wanted |\n|---|---|---|---|")
    details: list[str] = []
    if "cards" in rows:
        details += of_cards(options.photos)
    if "tables" in rows:
        new = json.loads((options.photos / "new" / "new.json").read_text())["tables"]
        of_tables(options.photos / "new" / "tables", new, by_seats=False)
        for folder in options.tables:
            of_tables(folder, json.loads((folder / "tables.json").read_text()))
    if "dominoes" in rows:
        of_dominoes(options.photos)
    if "cost" in rows:
        of_cost(options.photos)
    print(*details, sep="\n")


def row(measure: str, start: str, now: str, wanted: str) -> None:
    """Print a row of the table."""
    print(f"| {measure} | {start} | {now} | {wanted} |", flush=True)


def photographs(photos: Path) -> Iterator[tuple[Path, dict[str, Any], list[str]]]:
    """Give each photograph of cards with what it shows and the rows that it counts for."""
    for name, entry in sorted(json.loads((photos / "cards.json").read_text()).items()):
        yield photos / "cards" / name, entry, ([OLD] if is_hand(entry) else [FANS] if "fan13" in entry["kind"] else [])
    for name, entry in sorted(json.loads((photos / "new" / "new.json").read_text())["cards"].items()):
        rows = [ALL_NEW] + [NEW] * is_hand(entry) + [LETTERS] * ("letters" in entry["kind"])
        yield photos / "new" / "cards" / name, entry, rows + [HARD] * name.startswith(STEEP)


def is_hand(entry: dict[str, Any]) -> bool:
    """Return whether a photograph shows 4 to 8 cards."""
    return 4 <= len(set(entry["cards"])) <= 8


def light(file: Path) -> str:
    """Return whether a photograph is dim."""
    with Image.open(file) as image:
        brightness = float(np.median(np.asarray(image.convert("L").reduce(4))))
    return "dim" if brightness < DIM else "bright"


def of_cards(photos: Path) -> list[str]:
    """Print the rows of cards; return shares by pack and light, and the calibration."""
    report = Report()
    for file, entry, rows in photographs(photos):
        report.add(file, entry, FRENCH_WITH_JOKER, [*rows, f"light {light(file)}"])
    scores = report.scores
    for name in (OLD, NEW, LETTERS, HARD, FANS):
        share(name, scores[name])
    new, everything = scores[ALL_NEW], scores["all"]
    for name, score, wanted in ((ALL_NEW, new, "0.5"), ("all packs", everything, "")):
        wrong = f"{score.sure_wrong} of {score.sure} ({score.sure_wrong / score.sure:.1%})"
        row(f"sure and wrong, {name}", "3.5 %" if wanted else "", wrong, wanted)
    by = [f"  {name:18} {score}" for name, score in sorted(scores.items()) if name.startswith(("source", "light"))]
    bands = [f"  from {at:4}: {n:4} readings, {ok / n:6.1%} right" for at, (n, ok) in report.bands.items() if n]
    return ["by pack and light:", *by, "by confidence:", *bands, "not right:", *(f"  {f}" for f in report.failures)]


def share(name: str, score: Score) -> None:
    """Print a row of shares: right; all right; at most one wrong."""
    start, wanted = SHARES[name]
    shares = (score.right / score.pieces, score.whole / score.photos, score.near / score.photos)
    now = "; ".join(f"{100 * part:.1f}" for part in shares[: max(1, start.count(";") + 1)])
    row(f"{name} ({score.photos}, {score.pieces})", f"{start} %", f"{now} %", f"{wanted} %")


def of_tables(folder: Path, entries: dict[str, Any], by_seats: bool = True) -> None:
    """Print a row for a folder of tables: how many are grouped right, and the cards in their hand."""
    count = measured(folder, entries, by_seats)[0]["all"]
    hands, seen = count["right"] / count["cards"], count["seen"] / count["cards"]
    now = f"{count['grouped']} of {count['tables']}; {hands:.1%} in their hand, {seen:.1%} read"
    row(f"tables of {folder.name}", "", f"{now}; sure and wrong {count['wrong']} of {count['sure']}", "")


def of_dominoes(photos: Path) -> None:
    """Print the rows of tiles."""
    report = Report()
    for name, entry in sorted(json.loads((photos / "dominoes.json").read_text()).items()):
        report.add(photos / "dominoes" / name, entry, DOMINOES, ["tiles"])
    for name, entry in sorted(json.loads((photos / "new" / "new.json").read_text())["dominoes"].items()):
        is_dark = "dark" in entry["kind"] or "standing" in entry["kind"]
        report.add(photos / "new" / "dominoes" / name, entry, DOMINOES, [DARK if is_dark else "tiles"])
    share("tiles", report.scores["tiles"])
    share(DARK, report.scores[DARK])
    print(*report.failures, sep="\n")


def of_cost(photos: Path) -> None:
    """Print processor time and memory of a hand, a table and tiles."""
    hands = [(file, len(set(entry["cards"]))) for file, entry, _ in photographs(photos) if is_hand(entry)][::4]
    tiles = json.loads((photos / "dominoes.json").read_text()).items()
    # tiles with a blank aren't of the set
    counts = [(name, sum(DOMINOES.find(tile) is not None for tile in entry["tiles"])) for name, entry in sorted(tiles)]
    of_tiles = [(photos / "dominoes" / name, count) for name, count in counts if count][::3]
    of_table = json.loads((photos / "new" / "new.json").read_text())["tables"].items()
    tables = [(photos / "new" / "tables" / name, [len(hand) for hand in entry["hands"]]) for name, entry in of_table]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    time_of("a hand", ("0.36", "0.35"), lambda file, size: read_hand(file, FRENCH_WITH_JOKER, size), hands)
    time_of("tiles", ("0.73", "0.4"), lambda file, size: read_hand(file, DOMINOES, size), of_tiles)
    memory("a hand", before, ("121", "120"))
    time_of("a table", ("1.84", "1.2"), lambda file, sizes: read_table(file, FRENCH_WITH_JOKER, sizes), tables)
    memory("a table", before, ("231", "231"))
    row("weights", "1.4 MB", f"{network.WEIGHTS.stat().st_size / 1e6:.1f} MB", "2.0 MB")


def time_of(
    what: str, limits: tuple[str, str], read: Callable[..., object], pictures: Sequence[tuple[Any, Any]]
) -> None:
    """Print the processor time of a picture: the median, and in products of matrices measured just before each."""
    seconds, products = [], []
    matrix = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    read(*pictures[0])
    for picture in pictures:
        start = time.process_time()
        for _ in range(PRODUCTS):
            matrix @ matrix
        between = time.process_time()
        read(*picture)
        seconds.append(time.process_time() - between)
        products.append(seconds[-1] / ((between - start) / PRODUCTS))
    now = f"{median(seconds):.2f} s, {median(products):.0f} products (at most {max(seconds):.2f} s)"
    row(f"processor, {what} ({len(pictures)})", f"{limits[0]} s", now, f"{limits[1]} s")


def memory(what: str, before: int, limits: tuple[str, str]) -> None:
    """Print how much memory was added."""
    added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    row(f"memory added, {what}", f"{limits[0]} MB", f"{added:.0f} MB", f"{limits[1]} MB")


if __name__ == "__main__":
    main()
