"""Whole tables: several hands apart in one picture, rendered or composed of photographs; and how well they are read.

    python tests/camera/training/tables_of_hands.py render --out FOLDER --tables 20
    python tests/camera/training/tables_of_hands.py compose --photos PHOTOS --out FOLDER --tables 20
    python tests/camera/training/tables_of_hands.py measure --tables FOLDER

FOLDER gets pictures and `tables.json`: file: {"hands": [[cards, clockwise from the bottom], ...], "kind": ...}.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from companion.camera import read_table
from companion.camera.groups import by_seat
from companion.camera.outlines import Outline, gap
from companion.engine.pieces.cards import FRENCH_WITH_JOKER

SEED = 950_000  # beyond the seeds of every shard and of samples.py
APART = 0.6  # in widths of a card: hands of a table that is laid out with some care
SHAPES = ((4, 5), (3, 7), (3, 5), (2, 5), (5, 4))  # hands, and cards of each
Place = tuple[float, float, float]


def hand_places(w: float, h: float, count: int, turn: float, rng: random.Random) -> list[Place]:
    """Lay one hand: a row, overlapping cards or a fan, turned as a whole."""
    kind = rng.random()
    if kind < 0.3:
        radius, step = h * rng.uniform(0.9, 1.6), math.radians(rng.uniform(9, 15))
        angles = [(i - (count - 1) / 2) * step for i in range(count)]
        places = [(math.sin(a) * radius, (1 - math.cos(a)) * radius, a) for a in angles]
    else:
        step = w * (rng.uniform(0.3, 0.6) if kind < 0.7 else rng.uniform(1.02, 1.15))
        places = [(i * step - (count - 1) * step / 2, rng.gauss(0, 0.02) * h, rng.gauss(0, 0.03)) for i in range(count)]
    c, s = math.cos(turn), math.sin(turn)
    return [(x * c - y * s, x * s + y * c, t + turn) for x, y, t in places]


def table_places(
    w: float, h: float, hands: int, count: int, rng: random.Random, apart: float = APART
) -> list[list[Place]]:
    """Lay hands apart: around the table, each turned to its player or all one way up, or one below the other."""
    kind, reach = rng.choice(["around", "around upright", "rows"]), 1.0
    turned = kind == "around"
    shapes = [hand_places(w, h, count, rng.gauss(0, 0.08), rng) for _ in range(hands)]
    while True:
        laid = []
        for seat, shape in enumerate(shapes):
            seat_turn = 2 * math.pi * seat / hands
            turn = seat_turn if turned else 0.0
            x, y = -math.sin(seat_turn) * reach * h, math.cos(seat_turn) * reach * h
            if kind == "rows":
                x, y = rng.gauss(0, 0.1) * w, -(seat - (hands - 1) / 2) * reach * h
            c, s = math.cos(turn), math.sin(turn)
            laid.append([(x + a * c - b * s, y + a * s + b * c, t + turn) for a, b, t in shape])
        outlines = [[outline(place, w, h) for place in hand] for hand in laid]
        gaps = (gap(a, b) for i, hand in enumerate(outlines) for other in outlines[:i] for a in hand for b in other)
        if min(gaps) >= apart:
            return laid
        reach *= 1.05


def outline(place: Place, w: float, h: float) -> Outline:
    """Give a card's rectangle."""
    x, y, turn = place
    return Outline(x, y, (math.sin(turn), -math.cos(turn)), w / 2, h / 2)


def render(options: argparse.Namespace) -> None:
    """Render tables with packs that were never trained on."""
    import cv2
    from decks import Deck
    from glyphs import RANKS, SUITS
    from scenes import Layout, table
    from tables import photograph

    rng, entries = random.Random(SEED), {}
    names = [(rank, suit) for rank in range(13) for suit in range(4)]
    while len(entries) < options.tables:
        hands, count = SHAPES[len(entries) % len(SHAPES)]
        deck, noise = Deck(rng, options.fonts), np.random.default_rng(rng.getrandbits(32))
        w, h = float(deck.width), float(deck.height)
        laid = table_places(w, h, hands, count, rng, options.apart)
        flat = [place for hand in laid for place in hand]
        spots = np.array([place[:2] for place in flat])
        middle, reach = (spots.min(0) + spots.max(0)) / 2, np.ptp(spots, axis=0).max() + 1.3 * h
        scale = 0.95 * options.side / reach
        moved = [((x - middle[0]) * scale, (y - middle[1]) * scale, turn) for x, y, turn in flat]
        dealt = rng.sample(names, hands * count)
        layout = Layout([deck.card(*name) for name in dealt], moved, scale, rng, options.side, centred=True)
        picture = table(options.side, rng, noise)
        owner = layout.draw(picture)
        labels = layout.labels(owner)
        if deck.size * scale < 11 or len({tuple(row[1:3]) for row in labels if row[8:10].min() > 0.6}) < len(dealt):
            continue
        found = [outline(place, w, h) for place in flat]
        cards = [RANKS[rank] + SUITS[suit] for rank, suit in dealt]
        order = by_seat([list(range(k * count, (k + 1) * count)) for k in range(hands)], found)
        name = f"table_{len(entries):03}.jpg"
        seen = photograph(picture, deck.size * scale, rng, noise)
        cv2.imwrite(
            str(options.out / name), cv2.cvtColor(seen, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, options.quality]
        )
        entries[name] = {"hands": [[cards[at] for at in group] for group in order], "kind": f"{hands} of {count}"}
    (options.out / "tables.json").write_text(json.dumps(entries, indent=1) + "\n")


def compose(options: argparse.Namespace) -> None:
    """Put photographs of hands without a common card side by side: each keeps its own table and light."""
    import cv2

    rng, entries = random.Random(SEED), {}
    photos = json.loads((options.photos / "cards.json").read_text())
    fit = {name: entry["cards"] for name, entry in sorted(photos.items()) if 4 <= len(entry["cards"]) <= 8}
    while len(entries) < options.tables:
        count = rng.choice([3, 4])
        chosen = rng.sample(sorted(fit), count)
        cards = [card for name in chosen for card in fit[name]]
        if len(set(cards)) < len(cards):
            continue
        side, middle = options.side // 2, (count == 3) * options.side // 4
        canvas = np.full((options.side, options.side, 3), 90, np.uint8)
        corners = [(middle, side), (0, 0), (side, 0)] if count == 3 else [(0, side), (0, 0), (side, 0), (side, side)]
        for name, (x, y) in zip(chosen, corners, strict=True):
            photo = cv2.imread(str(options.photos / "cards" / name))
            scale = 0.94 * side / max(photo.shape[:2])
            small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            top, left = y + (side - small.shape[0]) // 2, x + (side - small.shape[1]) // 2
            canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
        name = f"composed_{len(entries):03}.jpg"
        cv2.imwrite(str(options.out / name), canvas, [cv2.IMWRITE_JPEG_QUALITY, options.quality])
        entries[name] = {"hands": [fit[name] for name in chosen], "kind": f"{count} photographs"}
    (options.out / "tables.json").write_text(json.dumps(entries, indent=1) + "\n")


def measured(
    folder: Path, entries: dict[str, Any], by_seats: bool = True
) -> tuple[dict[str, Counter[str]], list[float]]:
    """Read a folder's tables, and print those that aren't grouped right; gives counts by kind, and seconds.

    Unless the hands are given `by_seats`, as readings are, each is compared with the group most like it.
    """
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = []
    for name, entry in sorted(entries.items()):
        there = [{FRENCH_WITH_JOKER.spellings[card].text for card in hand} for hand in entry["hands"]]
        start = time.process_time()
        groups = read_table(folder / name, FRENCH_WITH_JOKER, [len(hand) for hand in there])
        seconds.append(time.process_time() - start)
        read = [{r.piece.text: r.confidence for r in group.readings} for group in groups]
        whole, all_read = set.union(*there), {text: sure for hand in read for text, sure in hand.items()}
        if not by_seats and len(read) == len(there):
            read = list(max(permutations(read), key=lambda order: overlap(there, order)))
        # grouped right: as many groups as hands, and in the order of the seats most of each is of its hand
        right = [len(a & set(list(b)[: len(a)])) for a, b in zip(there, read, strict=False)]
        is_grouped = len(read) == len(there) and all(2 * n > len(b) for n, b in zip(right, read, strict=True))
        for kind in (entry["kind"], "all"):
            count = totals[kind]
            count["tables"] += 1
            count["grouped"] += is_grouped
            count["cards"] += len(whole)
            count["right"] += sum(right) if is_grouped else 0
            count["seen"] += len(whole & set(all_read))
            count["sure"] += sum(sure >= 0.9 for sure in all_read.values())
            count["wrong"] += sum(sure >= 0.9 for text, sure in all_read.items() if text not in whole)
        if not is_grouped:
            print(name, "read as", [" ".join(hand) for hand in read], "instead of", [" ".join(h) for h in there])
    return totals, seconds


def overlap(there: Sequence[set[str]], read: Sequence[dict[str, float]]) -> int:
    """Count the cards that are in their hand."""
    return sum(len(hand & set(group)) for hand, group in zip(there, read, strict=True))


def measure(options: argparse.Namespace) -> None:
    """Print how many tables were grouped right, how many cards are right, and what it cost."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    totals, seconds = measured(options.tables, json.loads((options.tables / "tables.json").read_text()))
    for kind, count in sorted(totals.items()):
        print(
            f"{kind:16} {count['tables']:3} tables, {count['grouped']} grouped; {count['cards']} cards,"
            f" {count['seen'] / count['cards']:.1%} read, {count['right'] / count['cards']:.1%} in their hand;"
            f" {count['sure']} sure, {count['wrong']} of them wrong"
        )
    added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{sum(seconds) / len(seconds):.2f} s of processor time, at most {max(seconds):.2f}; {added:.0f} MB added")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    actions = parser.add_subparsers(required=True)
    for name, action in (("render", render), ("compose", compose)):
        command = actions.add_parser(name)
        command.set_defaults(action=action)
        command.add_argument("--out", type=Path, required=True)
        command.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
        command.add_argument("--photos", type=Path)
        command.add_argument("--tables", type=int, default=20)
        command.add_argument("--side", type=int, default=1920)
        command.add_argument("--quality", type=int, default=85)
        command.add_argument("--apart", type=float, default=APART, help="least gap between hands, in widths of a card")
    command = actions.add_parser("measure")
    command.set_defaults(action=measure)
    command.add_argument("--tables", type=Path, required=True)
    options = parser.parse_args()
    if "out" in options:
        options.out.mkdir(parents=True, exist_ok=True)
    options.action(options)


if __name__ == "__main__":
    main()
