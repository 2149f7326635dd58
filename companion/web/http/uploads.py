"""Uploaded pictures stay in memory: a file as long as these would else be written to the disk while it comes in."""

from __future__ import annotations

import io
from typing import IO, Any

from flask import Flask
from flask import Request as FlaskRequest


class Request(FlaskRequest):
    """A request. With `most_kept` its files are kept in memory, and of each no more than a byte above that."""

    most_kept: int | None = None

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        if self.most_kept is not None:
            return _Capped(self.most_kept + 1)
        return super()._get_file_stream(total_content_length, content_type, filename, content_length)


class _Capped(io.BytesIO):
    """A file in memory that drops what comes after its most bytes: enough to tell that there was more."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, data: Any) -> int:
        super().write(data[: max(0, self._most - self.tell())])
        return len(data)


def init_app(app: Flask) -> None:
    """Read all requests like this."""
    app.request_class = Request
