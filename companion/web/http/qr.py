"""URLs for sharing, with their QR codes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup

from .hosts import public_url


def qr_link(endpoint: str, *, is_scalable: bool = False, **values: Any) -> tuple[str, Markup]:
    """Return a page's full URL and its QR code, which is white in dark mode too; a scalable one fills its box."""
    address = public_url(endpoint, **values)
    return address, _drawn(address, is_scalable)


@lru_cache(maxsize=64)
def _drawn(address: str, is_scalable: bool) -> Markup:
    code = segno.make(address, error="l")
    return Markup(code.svg_inline(scale=5, border=2, light="#fff", omitsize=is_scalable))
