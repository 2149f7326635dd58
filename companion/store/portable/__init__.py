"""A group as a file: exported whole, imported with distrust, and its rounds and transfers for spreadsheets."""

from .writing import export_group, import_group

__all__ = ["export_group", "import_group"]
