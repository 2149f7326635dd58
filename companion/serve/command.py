"""The `companion` command. Loads the app with the garbage collector off, which saves a tenth of the start.

Nothing is garbage yet while modules load, but the collector would scan all objects again and again.
"""

import gc

gc.disable()
from .commands.main import main  # noqa: E402 - with the collector off

gc.freeze()  # loaded modules stay in memory, so the collector needn't search them
gc.enable()

__all__ = ["main"]
