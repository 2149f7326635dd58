"""The `companion` command. Loads the app with the garbage collector off, which saves a tenth of the start.

While modules load nothing is garbage yet, but the collector would search all objects again and again.
"""

import gc

gc.disable()
from .commands import main  # noqa: E402 - only now

gc.freeze()  # loaded modules stay in memory, so the collector needn't search them
gc.enable()

__all__ = ["main"]
