"""Names that stand in for something without one."""

from __future__ import annotations

UNNAMED = "a phone"  # what is stored of a device without a name
