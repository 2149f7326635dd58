"""The shapes of what /api/v1 takes and gives, as JSON Schema; `Round`, `Settlement` and others are the contract's."""

from __future__ import annotations

from typing import Any

from companion.contract.reading.round_document import MAX_STAKE_UNITS
from companion.engine.money.pots import MAX_UNITS
from companion.engine.names import MAX_NAME_LENGTH
from companion.store.groups.groups import MAX_PLAYERS, MIN_PLAYERS
from companion.store.groups.webhooks import EVENTS
from companion.store.log.deliveries import TEST
from companion.store.log.replay import BANK, COST, MAX_WEIGHT, MOVEMENTS, POT_MOVE, REBUY
from companion.store.money.stacks import MAX_BUY_IN

from ..http.answers.problem_types import PLACE, TYPES
from ..night.frame import MAX_REMARK_LENGTH

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH}
_WHOLE: Schema = {"type": "integer"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_AMOUNT: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_UNITS, "description": "In units: chips, or cents"}
_FLAG: Schema = {"type": "boolean"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_CURRENCY: Schema = {"type": ["string", "null"], "minLength": 3, "maxLength": 3, "description": "ISO 4217; null: chips"}
_NETS: Schema = {"type": "object", "additionalProperties": _WHOLE}
_ENDS = f"A player's name, “pot” or “{BANK}”"


def _object(required: Schema, optional: Schema | None = None, **more: object) -> Schema:
    optional = optional or {}
    fields = {"properties": {**required, **optional}, "required": list(required), "additionalProperties": False}
    return {"type": "object", **fields, **more}


def _list(items: Schema, **more: object) -> Schema:
    return {"type": "array", "items": items, **more}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _page(key: str, items: Schema) -> Schema:
    following = {"type": ["string", "null"], "description": "The cursor of the next page; null: this is the last one"}
    return _object({key: _list(items), "next": following})


def _movement(kind: str) -> Schema:
    ends = {"from": {**_NAME, "description": _ENDS}, "to": {**_NAME, "description": _ENDS}}
    what = {"movement": {"type": "string", "enum": [kind]}, **ends, "amount": _AMOUNT}
    means = "Into the pot, or out of it" if kind == POT_MOVE else "`from` owes it to `to`"
    return _object(what, {"note": {"type": "string", "maxLength": MAX_REMARK_LENGTH}}, description=means)


_SHARES: Schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MAX_WEIGHT}}
# what may be booked besides rounds, by what `movement` says
NEW_MOVEMENTS: dict[str, Schema] = {
    **{kind: _movement(kind) for kind in ("loan", "side-bet", "buy-in", POT_MOVE)},
    REBUY: _object(
        {
            "movement": {"type": "string", "enum": [REBUY]},
            "player": _NAME,
            "amount": {**_AMOUNT, "maximum": MAX_BUY_IN},
        }
    ),
    COST: _object(
        {
            "movement": {"type": "string", "enum": [COST]},
            "by": {**_NAME, "description": "Who paid"},
            "amount": _AMOUNT,
            "shares": {**_SHARES, "description": "Each sharer's weight, by name"},
        },
        {
            "note": {"type": "string", "maxLength": MAX_REMARK_LENGTH},
            "currency": {**_CURRENCY, "description": "Settled apart from the games; needed in a night for chips"},
        },
    ),
}
NEW_NIGHT = _object(
    {"game": _TEXT, "players": _list(_NAME, minItems=MIN_PLAYERS, maxItems=MAX_PLAYERS)},
    {
        "rules": {"type": "object", "description": "The game's house rules that aren't as usual"},
        "currency": _CURRENCY,
        "stake": {"type": "integer", "minimum": 1, "maximum": MAX_STAKE_UNITS, "description": "In units; chips: 1"},
        "buy_in": {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_BUY_IN, "description": "In units"},
        "dealer_chooses": {**_FLAG, "description": "Each dealer chooses the game"},
    },
)
CLOSING = _object({}, {"split": {**_FLAG, "description": "Split the pot among the last round's players first"}})

_PLAYER = _object({"name": _TEXT, "retired": _FLAG})
_OF_LIST = {"id": _TEXT, "opened_at": _TIME, "closed_at": {**_TIME, "type": ["string", "null"]}}
_OF_LIST |= {"place": _TEXT, "currency": _CURRENCY}
_SEAT = _object(
    {
        "name": _TEXT,
        "state": {"type": "string", "enum": ["in", "out", "left"]},
        "balance": {**_WHOLE, "description": "What is won, lost, lent and owed, in units"},
        "chips": {"type": ["integer", "null"], "description": "The stack; null in a night without stacks"},
    }
)
_PAYMENT = _object({"from": _TEXT, "to": _TEXT, "amount": _COUNT, "paid": _COUNT})
_NIGHT = _object(
    {
        **_OF_LIST,
        "note": _TEXT,
        "last_round": {"type": ["string", "null"], "description": "When it begins by the night's clock, like 01:00"},
        "game": {**_TEXT, "description": "The next round's"},
        "rules": {"type": "object", "description": "The next round's house rules"},
        "stake": {**_COUNT, "description": "The next round's, in units"},
        "buy_in": {"type": ["integer", "null"]},
        "dealer_chooses": {**_FLAG, "description": "Each dealer chooses the game"},
        "payments_by": {
            "type": "string",
            "enum": ["chips", "score"],
            "description": "Whether its results show the handovers of chips or the payments of a score",
        },
        "players": _list(_SEAT, description="In seat order"),
        "standings": _list(_object({"name": _TEXT, "balance": _WHOLE}), description="Highest first"),
        "pot": _WHOLE,
        "rounds": {**_COUNT, "description": "Without voided ones"},
        "payments": _list(_PAYMENT, description="What settles the night"),
    }
)
_LINE = {
    "number": {**_COUNT, "description": "In the night's log, which counts movements too"},
    "revision": {**_COUNT, "description": "Grows with each correction"},
    "voided": _FLAG,
    "saved_at": _TIME,
}
_SAVED_ROUND = _object(
    {
        **_LINE,
        "round": {**_COUNT, "description": "Its number among the night's rounds"},
        "document": {"type": "object", "description": "As POST /settle takes it"},
        "settlement": {"oneOf": [_ref("Settlement"), {"type": "null"}], "description": "null: voided"},
        "net": {**_NETS, "description": "Each player's gain or loss, in units"},
    }
)
_ENTRY: Schema = {"type": "object", "properties": {"movement": {"enum": list(MOVEMENTS)}}, "required": ["movement"]}
_ERROR: Schema = {"type": "object", "properties": {"field": _TEXT, "code": _TEXT, "message": _TEXT}}
_NULL: Schema = {"type": "null"}
_ROUND_TOLD = _object(
    {
        **{key: value for key, value in _LINE.items() if key != "saved_at"},
        "round": _SAVED_ROUND["properties"]["round"],
        "game": _TEXT,
        "net": _NETS,
    },
    description="Without its hands: a program with a token can read them",
)
_PAYMENT_TOLD = _object(
    {
        "from": _TEXT,
        "to": _TEXT,
        "amount": {**_WHOLE, "description": "What was ticked off; negative: taken back"},
        "paid": {**_COUNT, "description": "Of `due`, altogether"},
        "due": _COUNT,
        "currency": _CURRENCY,
    }
)
_TOLD = _object(
    {
        "group": _object({"id": _TEXT, "name": _TEXT}),
        "night": {"oneOf": [_ref("Night"), _NULL], "description": "As it is when the message is sent"},
        "round": {"oneOf": [_ROUND_TOLD, _NULL], "description": "Of round.…"},
        "payment": {"oneOf": [_PAYMENT_TOLD, _NULL], "description": "Of payment.ticked"},
        "text": {**_TEXT, "description": "What happened, in a sentence of English"},
    }
)
COMPONENTS: dict[str, Schema] = {
    "WebhookMessage": _object(
        {"type": {"type": "string", "enum": [*EVENTS, TEST]}, "timestamp": _TIME, "data": _TOLD},
        description="In the form of the Standard Webhooks specification",
    ),
    "Group": _object(
        {
            "id": _TEXT,
            "name": _TEXT,
            "right": {"type": "string", "enum": ["look", "play", "keep"]},
            "players": _list(_PLAYER),
            "handed_over_at": {
                **_TIME,
                "type": ["string", "null"],
                "description": "Since when it is written elsewhere",
            },
        }
    ),
    "Nights": _page("nights", _object({**_OF_LIST, "net": _NETS, "pot": _WHOLE})),
    "Night": _NIGHT,
    "Rounds": _page("rounds", _ref("SavedRound")),
    "SavedRound": _SAVED_ROUND,
    "Movements": _page("movements", _ref("Movement")),
    "Movement": _object({**_LINE, "document": _ENTRY}),
    "NewNight": NEW_NIGHT,
    "Closing": CLOSING,
    "NewMovement": {"oneOf": list(NEW_MOVEMENTS.values())},
    "ProblemType": _object({"type": _TEXT, "title": _TEXT, "status": _WHOLE, "way_out": _TEXT}),
    "Problem": _object(
        {
            "type": {"type": "string", "enum": [f"{PLACE}{key}" for key in TYPES]},
            "title": _TEXT,
            "status": _WHOLE,
            "detail": {**_TEXT, "description": "What is wrong here, and the way out"},
            "errors": _list({**_ERROR, "required": ["field", "code", "message"]}),
        }
    ),
}
