"""Addresses to share, and their QR codes."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

from .address import public_url


def qr_link(endpoint: str, **values: Any) -> tuple[str, Markup]:
    """Give a whole address and its QR code, drawn on white in light and dark."""
    address = public_url(endpoint, **values)
    return address, Markup(segno.make(address, error="l").svg_inline(scale=5, border=2, light="#fff"))
