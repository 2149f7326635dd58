"""Four phones and a screen play a night of all six games by taps, two rounds each; one phone is offline for a round.

    .venv/bin/python tests/probes/six_games.py FOLDER

compares what the pages say with a plain list of who paid whom, worked out by hand, and saves pictures of all phones
side by side: of each game while it is played, and of its result. It takes three minutes; exits with 0 if all is right.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "web"), str(TESTS.parent)]

from browser import SCRIPT_ERRORS, chromium, served  # noqa: E402
from night_of_six_games import NIGHT, Table  # noqa: E402
from PIL import Image  # noqa: E402

GAP = 12
AWAY = 5  # the round for which Dani's phone has no signal


def main(arguments: Sequence[str]) -> int:
    """Play the night; returns how many things are wrong."""
    folder = Path(arguments[0] if arguments else "instance/six-games")
    folder.mkdir(parents=True, exist_ok=True)

    def picture(table: Table, name: str) -> None:
        """Save all phones side by side, and the screen below them."""
        *phones, screen = [Image.open(BytesIO(page.screenshot())) for page in table.pages]
        width = sum(shot.width + GAP for shot in phones)
        whole = Image.new("RGB", (width, phones[0].height + GAP + screen.height), "gray")
        for place, shot in enumerate(phones):
            whole.paste(shot, (place * (shot.width + GAP), 0))
        whole.paste(screen, (0, phones[0].height + GAP))
        whole.save(folder / f"{name}.png")

    with ExitStack() as stack:
        browser, address = stack.enter_context(chromium()), stack.enter_context(served())
        table = Table(browser, address, stack, picture)
        wrong = [*table.play(NIGHT, AWAY), *SCRIPT_ERRORS]
        table.close()
    print("\n".join(wrong) or f"{len(NIGHT)} rounds of six games: every screen says what the list says")
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
