"""Holds all templates in memory, and keeps compiled ones in `__pycache__` next to them, as Python does with modules.

Compiling took half of the time of a process's first pages. A compiled template depends only on its source, Jinja and
Python: our filters are only called when a page is rendered.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from flask import Flask
from jinja2 import DictLoader, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from .snapshot import read_all


def init_app(app: Flask) -> None:
    """Use the templates as they are now, except in Flask's debug mode; and the cache, unless the app has another."""
    folder = Path(app.root_path, str(app.template_folder))
    if not app.debug:
        app.jinja_loader = DictLoader({name: read.decode() for name, read in read_all(str(folder)).items()})
    if app.jinja_env.bytecode_cache is None:
        app.jinja_env.bytecode_cache = TemplateCache(folder)


class TemplateCache(FileSystemBytecodeCache):
    """Stores compiled templates in files such as `home.html.cpython-311.jinja`; pages also work without these files."""

    def __init__(self, templates: Path) -> None:
        beside = Path(cache_from_source(str(templates / "any.py"))).parent
        super().__init__(str(beside), f"%s.{sys.implementation.cache_tag}.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Name the file after its template, so that a new version overwrites the old one."""
        return name.replace("/", ".")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template; one that can't be read is compiled again."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # unpickling a file truncated by a power cut can raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template, unless Python was told not to write compiled files."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):  # this user may not write there, or the disk is full
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)
