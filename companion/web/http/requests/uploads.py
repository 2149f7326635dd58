"""Keeps uploaded photographs in memory; Werkzeug would write larger uploads to a temporary file."""

from __future__ import annotations

import io
from typing import IO, Any

from flask import Flask
from flask import Request as FlaskRequest


class Request(FlaskRequest):
    """A request. If `most_kept` is set, each uploaded file is kept in memory and truncated one byte above that size."""

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
    """An in-memory file that silently drops everything beyond `most` bytes."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, data: Any) -> int:
        super().write(data[: max(0, self._most - self.tell())])
        return len(data)


def init_app(app: Flask) -> None:
    app.request_class = Request
