"""Keeps compiled templates in `__pycache__` beside them, as Python does with modules.

Compiling took half of a page's time the first time that a process showed it. What is compiled depends on nothing but
the template's text, Jinja and Python: no filter of ours is called before a page is made.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


def init_app(app: Flask) -> None:
    """Use the cache, unless the app was given another."""
    if app.jinja_env.bytecode_cache is None:
        app.jinja_env.bytecode_cache = TemplateCache(Path(app.root_path, str(app.template_folder)))


class TemplateCache(FileSystemBytecodeCache):
    """Compiled templates in files such as `home.html.cpython-311.jinja`. Without them everything works, more slowly."""

    def __init__(self, templates: Path) -> None:
        beside = Path(cache_from_source(str(templates / "any.py"))).parent
        super().__init__(str(beside), f"%s.{sys.implementation.cache_tag}.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Name a template's file after it, so that a new version takes the place of the old one."""
        return name.replace("/", ".")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template; one that can't be read is compiled again."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # whatever unpickling raises for a file that lost its end in a power cut
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template, where Python would write a compiled module."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):  # this user may not write there, or the disk is full
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)
