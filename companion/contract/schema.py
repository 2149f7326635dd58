"""The OpenAPI document, derived from the games' declarations."""

from __future__ import annotations

from typing import get_args

from companion.engine.allowed import ACTIONS, BY_ANTE, WITH_AMOUNT
from companion.engine.game import AnyGame
from companion.engine.money.pots import MAX_UNITS
from companion.engine.names import MAX_NAME_LENGTH
from companion.engine.options import Option
from companion.engine.problems import Code
from companion.engine.questions.entry import Kind, Question
from companion.games import all_games

from .reading.parts import MAX_CALLED_LENGTH
from .reading.round_document import MAX_STAKE_UNITS

Schema = dict[str, object]

_CALLED: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_CALLED_LENGTH}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH}
_CARDS: Schema = {"type": "array", "items": {"type": "string"}}
_WHOLE: Schema = {"type": "integer"}
_TEXT: Schema = {"type": "string"}


def _object(properties: Schema, required: list[str] | None = None, **more: object) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
        **more,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def openapi_document(server: str) -> Schema:
    """Describe every endpoint of the JSON API below `server`, in OpenAPI 3.1."""
    games = list(all_games().values())
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table Companion", "version": "1"},
        "servers": [{"url": server}],
        "paths": {
            "/settle": {
                "post": _post("settle", "Settle a round; nothing is stored", "Round", "Settlement", refuses=True)
            },
            "/betting": {
                "post": _post(
                    "betting",
                    "Return the state of a round's bets and which actions are allowed next; hands may be missing",
                    "Round",
                    "Betting",
                    refuses=True,
                )
            },
            "/progress": {
                "post": _post("progress", "Return the state of an unfinished round", "PartOfRound", "Progress")
            },
            "/games": {"get": _get("games", "The games with their house rules", _reference("Games"))},
            "/openapi.json": {"get": _get("openapi", "This document", {"type": "object"})},
        },
        "components": {
            "schemas": {
                "PartOfRound": {"type": "object"},
                "Round": {"oneOf": [_reference(_component(game)) for game in games]},
                **{_component(game): round_schema(game) for game in games},
                "Settlement": _settlement(),
                "Progress": _progress(),
                "Betting": _betting(),
                "Problems": _problems(),
                "Games": _games(),
            }
        },
    }


def _component(game: AnyGame) -> str:
    return f"{game.key}-round"


def _success(description: str, name: str) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": _reference(name)}}}


def _problem(description: str) -> Schema:
    return {"description": description, "content": {"application/problem+json": {"schema": _reference("Problems")}}}


def _post(operation: str, summary: str, body: str, answer: str, *, refuses: bool = False) -> Schema:
    """Describe an endpoint that takes one document and returns another; `refuses` if it can answer 422."""
    return {
        "operationId": operation,
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _reference(body)}}},
        "responses": {
            "200": _success(summary, answer),
            "400": _problem("The body isn't a JSON object"),
            "413": _problem("The body is too large"),
            "415": _problem("The content type isn't application/json"),
            **({"422": _problem("What is wrong with the round")} if refuses else {}),
        },
    }


def _get(operation: str, summary: str, schema: Schema) -> Schema:
    answer = {"description": summary, "content": {"application/json": {"schema": schema}}}
    return {"operationId": operation, "summary": summary, "responses": {"200": answer}}


def round_schema(game: AnyGame) -> Schema:
    """Describe the round document of one game."""
    questions = game.questions
    hand = {"oneOf": [{"type": "string"}, _CARDS]}
    asked = {question.key: _question(question) for question in questions}
    required = [q.key for q in questions if q.required]
    bets = [q.key for q in questions if q.kind == "bets"]
    spared = [{"required": [q.key], "properties": {q.key: {"const": True}}} for q in questions if q.spares]
    either: Schema = {"anyOf": [{"required": required}, {"required": bets[:1]}, *spared]} if bets else {}
    hands: Schema = {"hands": {"type": "object", "additionalProperties": hand}} if game.has_hands else {}
    return _object(
        {
            "game": {"const": game.key},
            **({"called": _CALLED} if game.is_named else {}),
            "rules": _object({option.key: _option(option) for option in game.house_rules}, []),
            "stake": {"type": "integer", "minimum": 1, "maximum": MAX_STAKE_UNITS, "default": 1},
            "players": {"type": "array", "items": _NAME, "minItems": game.seats[0], "maxItems": game.seats[1]},
            "dealer": _NAME,
            "pot": {"type": "integer", "minimum": 0, "maximum": MAX_UNITS, "default": 0},
            "round": _object({**asked, **hands}, [] if bets else required, **either),
        },
        ["game", *(["called"] if game.is_named else []), "players", "round"],
        title=game.name,
        description=game.summary,
    )


def _option(option: Option) -> Schema:
    about: Schema = {"title": option.label, "description": f"{option.help} ({option.rule})", "default": option.default}
    if option.kind == "choice":
        return {"type": "string", "enum": list(option.choices), **about}
    if option.kind == "toggle":
        return {"type": "boolean", **about}
    return {"type": "integer", "minimum": option.minimum, "maximum": option.maximum, **about}


def _question(question: Question) -> Schema:
    numbers = {"type": "integer", "minimum": 0, "maximum": question.maximum}
    halves = {"type": "number", "multipleOf": 0.5, "minimum": 0, "maximum": question.maximum >> 1}
    by_kind: dict[Kind, Schema] = {
        "player": {"type": ["string", "null"]},
        "players": _list(_TEXT),
        "flag": {"type": "boolean"},
        "amounts": {"type": "object", "additionalProperties": numbers},
        "counts": {"type": "object", "additionalProperties": numbers},
        "kept": {"type": "object", "additionalProperties": numbers},
        "bets": _list(_action(question.maximum)),
        "winners": _or_null(_list(_TEXT)),
        "points": {"type": "object", "additionalProperties": numbers},
        "halves": {"type": "object", "additionalProperties": {"oneOf": [_TEXT, halves]}},
    }
    return {**by_kind[question.kind], "description": f"{question.help} ({question.rule})"}


def _action(most: int) -> Schema:
    amount: Schema = {"type": "integer", "minimum": 1, "maximum": most, "description": "Units that it puts in"}
    others = [kind for kind in (*ACTIONS, BY_ANTE) if kind not in WITH_AMOUNT]
    without = {"player": _TEXT, "action": {"enum": others}, "amount": {"type": "null"}}
    with_amount = _object({"player": _TEXT, "action": {"enum": list(WITH_AMOUNT)}, "amount": amount})
    return {"oneOf": [with_amount, _object(without, ["player", "action"])]}


def _betting() -> Schema:
    units = {"type": "integer", "minimum": 0}
    lists = sorted({q.key for game in all_games().values() for q in game.questions if q.kind == "bets"})
    may = _object(
        {
            "action": {"enum": list(ACTIONS)},
            "amount": {**units, "description": "What a call puts in"},
            "least": {**units, "description": "The fewest units that it may put in"},
            "most": {**_or_null(units), "description": "The most units; null: no limit"},
        },
        ["action"],
    )
    return _object(
        {
            "round": {"enum": [*lists, None], "description": "The list being played; null: the betting is over"},
            "turn": _or_null(_TEXT),
            "may": _list(may),
            "over": {"type": "boolean"},
            "pot": {**units, "description": "Including what was carried into the round"},
            "paid": {"type": "object", "additionalProperties": units},
            "folded": _list(_TEXT),
            "all_in": _list(_TEXT),
        }
    )


def _settlement() -> Schema:
    money: Schema = {"from": _TEXT, "to": _TEXT, "amount": {"type": "integer", "minimum": 1}}
    categories = sorted({category.key for game in all_games().values() for category in game.categories})
    hand = _object(
        {
            "player": _TEXT,
            "place": {"type": "integer", "minimum": 1},
            "cards": _or_null(_CARDS),
            "category": {"enum": categories},
            "description": _TEXT,
            "points": {"type": ["string", "integer", "null"]},
            "melds": _or_null(_list(_CARDS)),
            "unmatched": _or_null(_CARDS),
            "wild_as": _or_null(_CARDS),
        }
    )
    reasons = {"enum": sorted({reason.key for game in all_games().values() for reason in game.reasons})}
    points: Schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
    kept = _object({"total": {"type": "integer"}, "opening": points, "scored": points, "closing": points})
    always: Schema = {
        "winners": _list(_TEXT),
        "hands": _list(hand),
        "decided_by": _TEXT,
        "pot": _object({"opening": _WHOLE, "in": _WHOLE, "out": _WHOLE, "closing": _WHOLE}),
        "transfers": _list(_object({**money, "reason": reasons, "rule": _TEXT, "because": _TEXT})),
        "net": {"type": "object", "additionalProperties": _WHOLE},
        "payments": _list(_object(money)),
        "handovers": _list(_object(money)),
    }
    text = "The points kept until somebody has the total; only where the house rules keep some"
    return _object({**always, "kept": {**kept, "description": text}}, [*always])


def _progress() -> Schema:
    text_or_null: Schema = {"type": ["string", "null"]}
    hand = _object(
        {
            "size": {"type": "integer", "minimum": 0},
            "complete": {"type": "boolean"},
            "reading": text_or_null,
            "standing": text_or_null,
        }
    )
    return _object(
        {
            "hands": {"type": "object", "additionalProperties": hand},
            "missing": _list(_TEXT),
            "errors": {"type": "array"},
            "settlement": {"oneOf": [_reference("Settlement"), {"type": "null"}]},
        }
    )


def _problems() -> Schema:
    error = _object({"field": _TEXT, "code": {"enum": list(get_args(Code))}, "message": _TEXT})
    return _object({"type": _TEXT, "title": _TEXT, "status": _WHOLE, "errors": _list(error)})


def _games() -> Schema:
    option = _object(
        {
            "key": _TEXT,
            "type": {"enum": ["choice", "toggle", "integer"]},
            "default": {"type": ["string", "boolean", "integer"]},
            "choices": _list(_object({"value": _TEXT, "label": _TEXT})),
            "minimum": _or_null(_WHOLE),
            "maximum": _or_null(_WHOLE),
            "label": _TEXT,
            "help": _TEXT,
            "rule": _TEXT,
        }
    )
    game = _object(
        {
            "key": _TEXT,
            "name": _TEXT,
            "summary": _TEXT,
            "direction": {"enum": ["clockwise", "anticlockwise"]},
            "seats": _object({"minimum": _WHOLE, "maximum": _WHOLE}),
            "options": _list(option),
            "categories": _list(_object({"key": _TEXT, "name": _TEXT, "example": _TEXT})),
        }
    )
    return _object({"games": _list(game)})
