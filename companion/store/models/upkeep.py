"""The table of what is done to a whole database from time to time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Model, UtcDateTime, impersonal


class Upkeep(Model):
    """The newest audit or backup: when it ended, and how many errors it found."""

    __tablename__ = "upkeep"

    kind: Mapped[str] = impersonal(String(20), primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(UtcDateTime)
    errors: Mapped[int]
