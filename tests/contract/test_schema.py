"""The OpenAPI document and the list of games: complete, and valid for the sample rounds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from sample_rounds import ROUNDS, changed

from companion.contract import read_round
from companion.contract.catalogue import games_document
from companion.contract.schema import openapi_document
from companion.engine.allowed import ACTIONS, BY_ANTE, WITH_AMOUNT
from companion.games import all_games

DOCUMENT: Any = openapi_document("/api")


def shape(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]})


def test_every_reference_resolves_to_a_schema() -> None:
    referred = set(re.findall(r"#/components/schemas/([\w-]+)", str(DOCUMENT)))
    assert referred <= set(DOCUMENT["components"]["schemas"])
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("game", ROUNDS)
def test_rounds_match_the_schema_unless_a_key_is_added(game: str) -> None:
    assert shape("Round").is_valid(ROUNDS[game])
    assert not shape("Round").is_valid(changed(game, {"round.extra": 1}))


def test_the_list_of_games_matches_its_schema_and_has_every_house_rule() -> None:
    document: Any = games_document()
    shape("Games").validate(document)
    told = {game["key"]: [option["key"] for option in game["options"]] for game in document["games"]}
    assert told == {key: [option.key for option in game.house_rules] for key, game in all_games().items()}


@pytest.mark.parametrize("kind", [*ACTIONS, BY_ANTE])
@pytest.mark.parametrize("amount", [None, 0, 1, 5, True], ids=str)
def test_actions_have_an_amount_only_if_the_schema_says_so(kind: str, amount: object) -> None:
    action = {"player": "Ana", "action": kind} | ({} if amount is None else {"amount": amount})
    document = changed("draw-poker", {"round.bets": [action]})
    is_amount = type(amount) is int and amount > 0
    fits = is_amount if kind in WITH_AMOUNT else amount is None
    assert shape("Round").is_valid(document) == fits
    assert any(p.field.startswith("round.bets.0.") for p in read_round(document).problems) != fits
