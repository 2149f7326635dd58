"""Runs the code of a table's own game so that its mistakes stop nothing else: exceptions and endless loops.

Only the steps in the game's own file are counted, so the rest runs at full speed. What can't be stopped: a loop inside
a function of Python itself (`sum(itertools.count())`), a loop that catches every exception, and one in `rarity`, which
may rightly count millions of hands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import getattr_static, isgenerator
from pathlib import Path
from threading import local
from types import FrameType, FunctionType
from typing import Any

from .game import AnyGame, Game

MOST_STEPS = 5_000_000  # of the interpreter in a game's own file for one question to it; about two seconds
# `Game` itself has an answer
_DISPENSABLE = ("deal", "last_turns", "least_knock", "describe_cards", "points", "ladder", "rarity")
_running = local()


class GameFailed(Exception):  # noqa: N818
    """A table's own game raised an exception, or ran without end: where, and what happened."""

    def __init__(self, file: str, line: int, what: str) -> None:
        place = f"{Path(file).name}, line {line}" if line else Path(file).name
        super().__init__(f"{place}: {what}")


class _Endless(BaseException):
    """Too many steps were taken; not an Exception, so that few games catch it."""


@contextmanager
def guarding(file: str, *, counts: bool = True) -> Iterator[None]:
    """Limit the steps in a file, and raise GameFailed for whatever its code raises."""
    if getattr(_running, "file", None) == file:  # a method of the game called another one
        yield
        return
    left = MOST_STEPS

    def on_step(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Endless
        return on_step

    def on_call(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != file:
            return None
        frame.f_trace_opcodes = True  # a loop may be on one line
        return on_step

    before = sys.gettrace()
    _running.file = file
    if counts:
        sys.settrace(on_call)
    try:
        yield
    except (Exception, SystemExit, _Endless) as error:
        sys.settrace(before)
        raise GameFailed(file, line_of(error, file), _said(error)) from error
    finally:
        sys.settrace(before)
        _running.file = None


def line_of(error: BaseException, file: str) -> int:
    """Return the line in a file where an exception came from; 0 if it didn't come from there."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    line, at = 0, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == file:
            line = at.tb_lineno
        at = at.tb_next
    return line


def _said(error: BaseException) -> str:
    if isinstance(error, _Endless):
        return f"it runs without end (more than {MOST_STEPS:,} steps)"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def guard(game: AnyGame, file: str) -> None:
    """Guard every method that the game's class has from its own file."""
    for kind in type(game).__mro__:
        for name, method in list(vars(kind).items()):
            is_own = isinstance(method, FunctionType) and method.__code__.co_filename == file
            if is_own and hasattr(Game, name):
                setattr(kind, name, _guarded(method, name, file))


def _guarded(method: Callable[..., Any], name: str, file: str) -> Callable[..., Any]:
    instead = getattr_static(Game, name) if name in _DISPENSABLE else None

    @wraps(method)
    def answer(*arguments: Any, **named: Any) -> Any:
        try:
            with guarding(file, counts=name != "rarity"):
                result = method(*arguments, **named)
                return list(result) if isgenerator(result) else result
        except GameFailed:
            if instead is None:
                raise
            return instead(*arguments, **named)

    return answer
