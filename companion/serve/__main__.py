"""`python -m companion.serve` runs the `companion` command when its script isn't installed."""

from __future__ import annotations

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
