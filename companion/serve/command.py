"""The `companion` command. Loads the app with the garbage collector off, which saves a tenth of the start.

Nothing is garbage yet while modules load, but the collector would look through everything again and again.
"""

import gc

gc.disable()
from .commands import main  # noqa: E402 - only now

gc.freeze()  # what is loaded stays, so it is never looked through
gc.enable()

__all__ = ["main"]
