"""One more game is one file: added to a copy of the package, it is everywhere, with nothing else changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest

TESTS = Path(__file__).resolve().parent
CHECKOUT = TESTS.parent


@pytest.mark.thorough
def test_a_game_is_one_file(tmp_path: Path) -> None:
    package = copytree(CHECKOUT / "companion", tmp_path / "companion", ignore=ignore_patterns("__pycache__"))
    copy(TESTS / "reds.py", package / "games")
    for folder in ("templates", "static"):  # where an installed wheel has them
        (package / folder).symlink_to(CHECKOUT / folder, target_is_directory=True)
    paths = os.pathsep.join(map(str, (tmp_path, TESTS, TESTS / "web")))
    command = [sys.executable, "-P", str(TESTS / "try_game.py"), "reds", str(tmp_path / "instance")]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
