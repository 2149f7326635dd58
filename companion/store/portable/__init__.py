"""A group as a file: export, import as untrusted input, and its rounds and transfers as spreadsheets."""

from .continuing import Taken, take_in
from .exporting import export_group
from .group_file import FileLimits
from .importing import import_group
from .sheets import rounds_sheet, transfers_sheet

__all__ = ["FileLimits", "Taken", "export_group", "import_group", "rounds_sheet", "take_in", "transfers_sheet"]
