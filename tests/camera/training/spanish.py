"""A trial: how much of Spanish cards can be read without training, on drawn hands of our own. Not part of the product.

    python tests/camera/training/spanish.py --hands 20 [--pictures DIR]

The gaps of the frame on a card tell its suit (oros none, copas one, espadas two, bastos three), a number in its corner
the rank. Cards lie apart, are found by their bright outline, and compared with numbers of other fonts. Also says
what the product's network sees on the same pictures, which has learned no Spanish card.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from tables import photograph, table

from companion.camera import finding, hands, network
from companion.camera.photograph import Photograph

SEED, SIDE, CARDS = 970_000, 960, 5
WIDE, HIGH = 240, 370  # pixels of a drawn card, and of one that was put upright
INSET = 14  # of the frame
NUMBERS = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
SUITS = ("oros", "copas", "espadas", "bastos")  # in the order of their gaps
COLOURS = ((222, 170, 30), (190, 40, 40), (40, 80, 160), (40, 120, 50))
DRAWN = ("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansCondensed-Bold.ttf", "DejaVuSerifCondensed-Italic.ttf")
KNOWN = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono-Bold.ttf", "DejaVuSansCondensed.ttf")
GLYPH = (24, 20)  # height and width of a number that is compared
Pixels = NDArray[np.uint8]


def font_file(name: str) -> str:
    """Find a font by its file's name."""
    return str(next(Path("/usr/share/fonts").rglob(name)))


def draw_card(number: int, suit: int, rng: random.Random) -> Pixels:
    """Draw a card: frame with gaps, a number in two corners, shapes of the suit's colour between them."""
    card = Image.new("RGB", (WIDE, HIGH), (250, 248, 240))
    draw = ImageDraw.Draw(card)
    ink, thick = (35, 35, 40), rng.randint(2, 4)
    draw.rectangle((INSET, INSET, WIDE - INSET, HIGH - INSET), outline=ink, width=thick)
    for k in range(suit):
        middle, half = WIDE * (k + 1) / (suit + 1), rng.uniform(7, 11)
        for y in (INSET, HIGH - INSET):
            draw.rectangle((middle - half, y - 5, middle + half, y + 5), fill=(250, 248, 240))
    for k in range(min(number, 9)):
        x, y = 80 + 80 * (k % 2), 90 + 45 * (k // 2)
        draw.ellipse((x - 22, y - 18, x + 22, y + 18), fill=COLOURS[suit], outline=ink, width=2)
    mark = Image.new("L", (60, 44))
    font = ImageFont.truetype(font_file(rng.choice(DRAWN)), 38)
    ImageDraw.Draw(mark).text((2, 0), str(number), font=font, fill=255, anchor="lt")
    corner = Image.new("RGB", mark.size, ink)
    card.paste(corner, (INSET + 8, INSET + 8), mark)
    card.paste(corner, (WIDE - INSET - 68, HIGH - INSET - 52), mark.rotate(180))
    return np.asarray(card)


def scene(rng: random.Random, steep: float) -> tuple[Pixels, list[tuple[int, int]]]:
    """Lay five cards on a table, a little turned, seen from the front at an angle, and photograph them."""
    noise = np.random.default_rng(rng.getrandbits(32))
    picture = table(SIDE, rng, noise)
    dealt = rng.sample([(number, suit) for number in NUMBERS for suit in range(4)], CARDS)
    scale = 0.68
    for at, (number, suit) in enumerate(dealt):
        turn = rng.gauss(0, 0.08)
        middle = (190 + 290 * (at % 3) + rng.gauss(0, 8), 270 + 400 * (at // 3) + rng.gauss(0, 8))
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        move = np.array(
            [[c, -s, middle[0] - c * WIDE / 2 + s * HIGH / 2], [s, c, middle[1] - s * WIDE / 2 - c * HIGH / 2]]
        )
        card = draw_card(number, suit, rng).astype(np.float32)
        laid = cv2.warpAffine(card, move, (SIDE, SIDE), flags=cv2.INTER_AREA)
        cover = cv2.warpAffine(np.ones((HIGH, WIDE), np.float32), move, (SIDE, SIDE))[..., None]
        picture = picture * (1 - cover) + laid * cover
    inward = steep * SIDE / 2
    seen = np.array([[inward, inward], [SIDE - inward, inward], [SIDE, SIDE], [0, SIDE]], np.float32)
    flat = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    tilted = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(flat, seen), (SIDE, SIDE), borderMode=1)
    return photograph(tilted, 17, rng, noise), dealt


def upright(picture: Pixels) -> list[Pixels]:
    """Cut out what is bright and has four corners, put upright."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (0, 0), 1.5)
    bright = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    found = []
    for contour in cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        corners = cv2.approxPolyDP(contour, 0.03 * cv2.arcLength(contour, True), True)
        if len(corners) != 4 or not 5_000 < cv2.contourArea(contour) < 120_000:
            continue
        points = corners[:, 0].astype(np.float32)
        points = points[np.argsort(np.arctan2(*(points - points.mean(0)).T[::-1]))]  # clockwise from the top left
        target = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32)
        card = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, target), (WIDE, HIGH))
        found.append(cv2.cvtColor(card, cv2.COLOR_RGB2GRAY))
    return found


def gaps(card: Pixels) -> int:
    """Count the gaps in the line along the upper edge."""
    band = card[: 2 * INSET + 6, 30:-30].astype(np.float32)
    line = int(band.mean(1)[4:].argmin()) + 4
    profile = band[max(0, line - 3) : line + 4].min(0)
    dark, paper = np.percentile(profile, 10), np.percentile(band, 90)
    is_gap = np.convolve(profile > (dark + paper) / 2, np.ones(5) / 5, "same") > 0.5
    starts = np.flatnonzero(np.diff(np.concatenate([[0], is_gap.astype(np.int8)])) == 1)
    return min(3, len(starts))


def glyph(mask: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Crop a number and bring it to one size; its width over its height is kept as one more value."""
    rows, columns = (np.flatnonzero(mask.max(k) > 0.5) for k in (1, 0))
    if len(rows) < 8 or len(columns) < 3:
        return None
    cropped = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    small = cv2.resize(cropped, GLYPH[::-1], interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 1).ravel()
    small = (small - small.mean()) / (small.std() + 1e-6)
    return np.append(small, 12 * cropped.shape[1] / cropped.shape[0])


def known() -> list[tuple[int, NDArray[np.float32]]]:
    """Draw the numbers to compare with."""
    templates = []
    for name in KNOWN:
        for number in NUMBERS:
            mark = Image.new("L", (160, 120))
            ImageDraw.Draw(mark).text((20, 20), str(number), font=ImageFont.truetype(font_file(name), 60), fill=255)
            shape = glyph(np.asarray(mark, np.float32) / 255)
            assert shape is not None
            templates.append((number, shape))
    return templates


def number_of(card: Pixels, templates: list[tuple[int, NDArray[np.float32]]]) -> tuple[int, float]:
    """Return the number in the upper left corner, and how far it is from the likest one."""
    corner = card[INSET + 7 : INSET + 54, INSET + 7 : INSET + 68].astype(np.float32)
    dark, paper = np.percentile(corner, 3), np.percentile(corner, 90)
    mask = np.clip((paper - corner) / max(paper - dark, 25), 0, 1)
    mask[:, 56:] = 0  # the shapes in the middle
    shape = glyph(mask)
    if shape is None:
        return 0, np.inf
    return min(((n, float(((shape - t) ** 2).mean())) for n, t in templates), key=lambda pair: pair[1])


def read(picture: Pixels, templates: list[tuple[int, NDArray[np.float32]]]) -> list[tuple[int, int]]:
    """Read each card both ways up: the number that is the likest of the two, and the gaps at both ends."""
    cards = []
    for card in upright(picture):
        ends = (card, np.ascontiguousarray(card[::-1, ::-1]))
        number = min((number_of(end, templates) for end in ends), key=lambda pair: pair[1])[0]
        cards.append((number, Counter(map(gaps, ends)).most_common(1)[0][0]))
    return cards


def corners_seen(picture: Pixels) -> tuple[int, int]:
    """Count the corners that the product's network takes for corners (0.6), and those it takes for 2 to 7."""
    seen = [s for s in next(finding.spots(Photograph(picture, 1.0), network.CARDS, CARDS, ((960,),))) if s.real >= 0.6]
    ranks = [hands.RANKS[int(s.chances[:52].argmax()) // 4] for s in seen if s.chances.argmax() < 52]
    return len(seen), sum(rank in "234567" for rank in ranks)


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    templates = known()
    for name, steep in (("from above", 0.0), ("at an angle", 0.2)):
        rng, count = random.Random(SEED), Counter[str]()
        for at in range(options.hands):
            picture, dealt = scene(rng, steep)
            found = read(picture, templates)
            whole = Counter(dealt) & Counter(found)
            count["right"] += whole.total()
            count["suits"] += (Counter(s for _, s in dealt) & Counter(s for _, s in found)).total()
            count["numbers"] += (Counter(n for n, _ in dealt) & Counter(n for n, _ in found)).total()
            count["found"] += min(len(found), CARDS)
            seen, ranks = corners_seen(picture)
            count["seen"] += seen
            count["ranks"] += ranks
            count["with"] += sum(2 <= n <= 7 for n, _ in dealt)
            print(".", end="", flush=True)
            if options.pictures:
                options.pictures.mkdir(parents=True, exist_ok=True)
                Image.fromarray(picture).save(options.pictures / f"{name.replace(' ', '_')}_{at:02}.jpg")
        cards = CARDS * options.hands
        print(
            f"{name}: {cards} cards;",
            ", ".join(f"{k} {count[k] / cards:.0%}" for k in ("found", "numbers", "suits", "right")),
        )
        print(f"  the network: {count['seen']} of {2 * cards} corners, 2 to 7 {count['ranks']} of {2 * count['with']}")


if __name__ == "__main__":
    main()
