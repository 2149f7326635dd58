"""A group as a file: export, import as untrusted input, and its rounds and transfers as spreadsheets."""

from .exporting import export_group
from .group_file import FileLimits
from .importing import import_group
from .sheets import rounds_sheet, transfers_sheet

__all__ = ["FileLimits", "export_group", "import_group", "rounds_sheet", "transfers_sheet"]
