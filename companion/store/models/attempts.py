"""The table of counted attempts, for the rate limits."""

from __future__ import annotations

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Model, impersonal


class Attempt(Model):
    """The number of attempts at something in the current window, which ends at `expires_at` (seconds since 1970)."""

    __tablename__ = "attempt"

    key: Mapped[str] = impersonal(String(200), primary_key=True)
    times: Mapped[int]
    expires_at: Mapped[int] = mapped_column(BigInteger, index=True)
