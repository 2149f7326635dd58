"""Does in advance what the first phone would wait for: loads modules and templates, and counts the hands of decks."""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Timer

from flask import Flask
from sqlalchemy.orm import configure_mappers

from companion.contract.catalogue import example_round
from companion.games import all_games
from companion.store.groups import links
from companion.store.models import Night
from companion.store.night import change
from companion.web.text.language import languages

_LAZY = ("companion.store.portable",)
_AFTER = 1.0  # seconds, so that the first pages come first


def warm_up(app: Flask, after: float = _AFTER) -> Timer:
    """Open the pages and count hands in the background."""
    working = Timer(after, _work, (app,))
    working.daemon = True
    working.start()
    return working


def _work(app: Flask) -> None:
    load_lazy_modules()
    open_pages(app)
    count_hands()


def load_lazy_modules() -> None:
    """Load the app's modules that are imported with their first use; an upgrade may have replaced them by then."""
    for name in _LAZY:
        import_module(name)


def open_pages(app: Flask) -> None:
    """Open the page of a round of each game in each language, and look for a night.

    The first page loads templates, catalogues, forms and the tables' mappers, which takes half a second of processor.
    None of this is logged or counted. What fails here would fail for the first phone as well, and is logged.
    """
    configure_mappers()
    addresses = [(f"/settle/{key}", language) for language in languages() for key in all_games()]
    for address, language in [("/", "en"), *addresses]:
        with app.test_request_context(address, headers={"Accept-Language": language}):
            try:
                app.preprocess_request()
                app.dispatch_request()
                if address == "/":
                    change.load_night(Night(group_id=0, id=0))
                    links.poll("")
            except Exception:
                app.log_exception(sys.exc_info())


def count_hands() -> None:
    """Count the hands of each deck in the games' examples. The counts are cached.

    How rare a hand is depends on them. Otherwise the first round of each game would wait for its count, up to a second
    on a slow computer, and all other requests with it.
    """
    for game in all_games().values():
        for example in game.examples:
            dealt = example_round(game, example)
            game.rarities(dealt.options, game.settle(dealt))
