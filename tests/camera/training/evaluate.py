"""Measure the reader on labelled photographs: by source and kind, what is mixed up, how sure it is, what it costs.

    python tests/camera/training/evaluate.py --photos FOLDER [--pictures DIR]

FOLDER holds `cards.json` and `dominoes.json` (file: {"cards" or "tiles": [...], "kind": ...}) and the folders `cards`
and `dominoes` beside them. DIR gets a diagram of the calibration, and the photographs with the most errors, marked.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drawings import confusions, draw_calibration, mark, pairs

from companion.camera import read_hand
from companion.engine.pieces.cards import FRENCH_WITH_JOKER
from companion.engine.pieces.dominoes import DOMINOES
from companion.engine.pieces.sets import PieceSet

if TYPE_CHECKING:  # it loads NumPy, before `read_hand` has told it to use one thread
    from companion.camera.readings import Detection

WORST = 6  # photographs that are marked
BANDS = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


@dataclass
class Score:
    """What was right in a group of photographs."""

    photos: int = 0
    pieces: int = 0
    right: int = 0
    read: int = 0
    whole: int = 0
    near: int = 0
    sure: int = 0
    sure_wrong: int = 0

    def __str__(self) -> str:
        recall = self.right / max(self.pieces, 1)
        return (
            f"{self.photos:3} photos {self.pieces:4} pieces  right {recall:6.1%}  precision "
            f"{self.right / max(self.read, 1):6.1%}  all right {self.whole / self.photos:4.0%}  at most one wrong "
            f"{self.near / self.photos:4.0%}  sure {self.sure:3}, wrong {self.sure_wrong}"
        )


@dataclass
class Failure:
    """A photograph of which something was missed or read wrong."""

    file: Path
    readings: list[Detection]
    there: set[str]
    missed: set[str]
    wrong: dict[str, float]

    def __str__(self) -> str:
        return f"{self.file.name}: missed {sorted(self.missed)}, read {self.wrong}"


@dataclass
class Report:
    """All that is counted."""

    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    mixed: Counter[tuple[str, str]] = field(default_factory=Counter)
    bands: dict[float, list[int]] = field(default_factory=lambda: {band: [0, 0] for band in BANDS[:-1]})
    seconds: list[float] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(self, file: Path, entry: dict[str, Any], pieces: PieceSet[Any], also: Iterable[str] = ()) -> None:
        """Read one photograph and count it, in the groups `also` as well."""
        labels = entry.get("cards") or entry.get("tiles") or []
        there = {piece.text for label in labels if (piece := pieces.find(label))}
        start = time.process_time()
        readings = read_hand(file, pieces, len(there))
        self.seconds.append(time.process_time() - start)
        hand = {r.piece.text: r.confidence for r in readings[: len(there)]}
        for r in readings:
            band = max(band for band in BANDS[:-1] if band <= max(r.confidence, BANDS[0]))
            self.bands[band][0] += 1
            self.bands[band][1] += r.piece.text in there
        missed, wrong = there - set(hand), set(hand) - there
        size = "hands of 4 to 8" if 4 <= len(there) <= 8 else "other sizes"
        for group in (f"source {file.stem.split('_')[0]}", f"kind {entry['kind']}", size, "all", *also):
            s = self.scores[group]
            s.photos, s.pieces, s.right = s.photos + 1, s.pieces + len(there), s.right + len(there) - len(missed)
            s.read, s.whole, s.near = s.read + len(hand), s.whole + (not missed), s.near + (len(missed) <= 1)
            s.sure += sum(sure >= 0.9 for sure in hand.values())
            s.sure_wrong += sum(hand[text] >= 0.9 for text in wrong)
        self.mixed += pairs(missed, wrong)
        if missed or wrong:
            shown = {text: round(hand[text], 2) for text in sorted(wrong)}
            self.failures.append(Failure(file, readings[: len(there)], there, missed, shown))

    def show(self) -> None:
        """Print it."""
        for group, score in sorted(self.scores.items()):
            print(f"{group:18} {score}")
        print("mixed up:", confusions(self.mixed), sep="\n")
        for band, (count, right) in self.bands.items():
            if count:
                print(f"  confidence from {band:4}: {count:4} readings, {right / count:6.1%} right")
        print(
            f"processor time {sum(self.seconds) / len(self.seconds):.2f} s a photograph,"
            f" at most {max(self.seconds):.2f} s"
        )
        print(*self.failures, sep="\n")

    def draw(self, folder: Path, what: str) -> None:
        """Save the diagram and the worst photographs."""
        folder.mkdir(parents=True, exist_ok=True)
        draw_calibration(self.bands, folder / f"{what}-calibration.png")
        worst = sorted(self.failures, key=lambda failure: -len(failure.missed) - len(failure.wrong))[:WORST]
        for at, failure in enumerate(worst, 1):
            mark(failure.file, failure.readings, failure.there, failure.missed, folder / f"{what}-worst-{at}.png")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--only", choices=["cards", "dominoes"])
    options = parser.parse_args()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for what, pieces in (("cards", FRENCH_WITH_JOKER), ("dominoes", DOMINOES)):
        if options.only in (None, what):
            report = Report()
            for name, entry in sorted(json.loads((options.photos / f"{what}.json").read_text()).items()):
                report.add(options.photos / what / name, entry, pieces)
            print(f"\n== {what}")
            report.show()
            if options.pictures:
                report.draw(options.pictures, what)
    added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"peak memory added {added:.0f} MB")


if __name__ == "__main__":
    main()
