"""`python -m companion.store.portable` imports a group for another process; see `own_process`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from .own_process import carry_out

_GIVES_WAY = 5  # of 19; with more, a busy server would hardly let the import finish

with suppress(AttributeError):  # Windows has no such order
    os.nice(_GIVES_WAY)
sys.stdout.buffer.write(carry_out(sys.stdin.buffer.read()))
