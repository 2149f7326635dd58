"""Makes a release: `python3 tests/release.py 1.2.0`, then `git push --follow-tags`.

Raises the version in `companion/__init__.py`, gives the changes in `.github/CHANGELOG.md` their number and date,
commits both and tags the commit `v1.2.0`. The tag makes `.github/workflows/release.yml` publish it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
_VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)
_UNRELEASED = "## Unreleased\n"


def numbers(version: str) -> tuple[int, ...]:
    """Split a version such as 1.2.0; raises ValueError if it isn't three numbers."""
    parts = version.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{version} isn't a version such as 1.2.0")
    return tuple(map(int, parts))


def released(package: str, changes: str, version: str, day: str) -> tuple[str, str]:
    """Return the texts of the package and of the changes with a new version; raises ValueError."""
    found = _VERSION.search(package)
    assert found is not None
    # 0.1.0 may be the first release: nothing was released under it before
    if numbers(version) < numbers(found[1]) or f"\n## {version} " in changes:
        raise ValueError(f"{version} isn't newer than {found[1]}")
    before, heading, after = changes.partition(_UNRELEASED)
    if not heading or not after.partition("\n## ")[0].strip():
        raise ValueError("CHANGELOG.md lists no changes under Unreleased")
    package = package.replace(found[0], f'__version__ = "{version}"')
    return package, f"{before}{_UNRELEASED}\n## {version} ({day})\n{after}"


def main() -> None:
    """Commit and tag the release; refuses if anything isn't committed."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    version = sys.argv[1]
    files = [CHECKOUT / "companion" / "__init__.py", CHECKOUT / ".github" / "CHANGELOG.md"]
    if _git("status", "--porcelain"):
        sys.exit("Something isn't committed yet. Commit or stash it first.")
    try:
        texts = released(
            *(path.read_text(encoding="utf-8") for path in files), version, f"{datetime.now(UTC):%Y-%m-%d}"
        )
    except ValueError as sentence:
        sys.exit(f"{sentence}.")
    for path, text in zip(files, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    _git("commit", "--quiet", "--all", f"--message=Release {version}")
    _git("tag", "--annotate", f"v{version}", f"--message=Release {version}")
    print(f"Tagged v{version}. Publish it with: git push --follow-tags")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
