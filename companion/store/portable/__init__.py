"""A group as a file: exported whole, imported with distrust, and its rounds and transfers for spreadsheets."""

from .sheets import rounds_sheet, transfers_sheet
from .writing import export_group, import_group

__all__ = ["export_group", "import_group", "rounds_sheet", "transfers_sheet"]
