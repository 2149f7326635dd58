"""Addresses to share, and their QR codes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup

from .hosts import public_url


def qr_link(endpoint: str, **values: Any) -> tuple[str, Markup]:
    """Give a whole address and its QR code, drawn on white in light and dark."""
    address = public_url(endpoint, **values)
    return address, _drawn(address)


@lru_cache(maxsize=64)
def _drawn(address: str) -> Markup:
    return Markup(segno.make(address, error="l").svg_inline(scale=5, border=2, light="#fff"))
