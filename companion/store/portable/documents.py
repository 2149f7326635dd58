"""Renames the players in entries: the database has ids, an export the file's own names."""

from __future__ import annotations

from collections.abc import Mapping

from companion.contract.naming import renamed
from companion.engine.settlement import POT

from ..replay import BANK, Document, is_round


def named(document: Document, names: Mapping[str, str]) -> Document:
    """Return an entry with every player's name replaced; raises KeyError for an unknown one."""
    if is_round(document):
        return renamed(document, names)
    if "players" in document:
        return {**document, "players": [names[player] for player in document["players"]]}
    accounts = {**names, POT: POT, BANK: BANK}
    return {**document, "from": accounts[document["from"]], "to": accounts[document["to"]]}
