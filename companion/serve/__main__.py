"""`python -m companion.serve`: the `companion` command, where its script is not installed."""

from __future__ import annotations

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
