"""Audit fonts: clean cards of each rank, at two widths; which ranks aren't read. See also ../test_ranks.py.

python tests/camera/training/audit.py --fonts FOLDER GFSDidot EBGaramond12-Regular ...
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

sys.path.append(str(Path(__file__).parent.parent))
from test_ranks import RANKS, Draw, missed

SQUEEZES = (1.0, 0.75)


def typeset_in(file: Path) -> Draw:
    """Give letters of a font."""
    font = ImageFont.truetype(str(file), 140)

    def draw(rank: str) -> Image.Image:
        mask = Image.new("L", (500, 320))
        ImageDraw.Draw(mask).text((80, 40), "10" if rank == "T" else rank, font=font, fill=255)
        return mask.crop(mask.getbbox())

    return draw


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("names", nargs="+", help="of the fonts' files, without their end")
    options = parser.parse_args()
    wrong: Counter[str] = Counter()
    files = {file.stem: file for file in sorted(options.fonts.rglob("*.[to]tf"))}
    cards = 0
    for name in options.names:
        found = [card for squeeze in SQUEEZES for card in missed(typeset_in(files[name]), squeeze)]
        wrong.update(card[0] for card in found)
        cards += len(SQUEEZES) * len(RANKS)
        print(f"{name:26} missed {' '.join(found)}", flush=True)
    print(f"{sum(wrong.values())} of {cards}:", ", ".join(f"{rank} {wrong[rank]}" for rank in RANKS if wrong[rank]))


if __name__ == "__main__":
    main()
