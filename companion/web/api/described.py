"""Adds to the OpenAPI document what `operations` declare."""

from __future__ import annotations

import re
from typing import Any

from companion.store.groups.webhooks import EVENTS
from companion.store.log.deliveries import TEST

from ..http.answers.errors import PREFIX, TYPED_PREFIX
from ..http.answers.problem_types import PLACE, TYPES
from .operations import MAX_CURSOR_DIGITS, MAX_KEY_LENGTH, MAX_PAGE, OPERATIONS, Operation
from .schemas import COMPONENTS, Schema

_PART = re.compile(r"<(int:)?(\w+)>")
_WAY = TYPED_PREFIX.removeprefix(PREFIX)
_AUTHENTICATION = {"type": "http", "scheme": "bearer", "description": "A token that the scorekeeper makes for a group"}


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI document of the whole API, given that of what stores nothing."""
    paths = dict(document["paths"])
    for about in OPERATIONS:
        path = _WAY + _PART.sub(r"{\2}", about.path)
        paths[path] = {**paths.get(path, {}), about.method.lower(): _operation(about)}
    inner = document["components"]
    components = {
        **inner,
        "schemas": {**inner["schemas"], **COMPONENTS},
        "securitySchemes": {"token": _AUTHENTICATION},
    }
    return {**document, "paths": paths, "webhooks": _webhooks(), "components": components}


def _webhooks() -> Schema:
    """Describe the messages to a group's webhooks; they differ in nothing but their type and what they are about."""
    signed = [
        _header("webhook-id", "The message; it is the same when it is sent again"),
        _header("webhook-timestamp", "When it is sent, in seconds since 1970"),
        _header("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in Base64"),
    ]
    content = {"application/json": {"schema": _ref("WebhookMessage")}}
    answers = {"2XX": {"description": "Delivered; any other answer, and none within 5 seconds, is a failure"}}
    message = {"requestBody": {"required": True, "content": content}, "parameters": signed, "responses": answers}
    return {event: {"post": {"summary": f"Tells {event}", "security": [], **message}} for event in (*EVENTS, TEST)}


def _operation(about: Operation) -> Schema:
    answer = {"description": about.summary, "content": {"application/json": {"schema": _ref(about.answers)}}}
    answer["headers"] = {"ETag": {"description": "Its version", "schema": {"type": "string"}}}
    operation: Schema = {
        "operationId": about.name,
        "summary": about.summary if about.right is None else f"{about.summary} (right: {about.right})",
        "parameters": list(_parameters(about)),
        "security": [] if about.right is None else [{"token": []}],
        "responses": {str(about.status): answer, **{str(status): _problem(status) for status in _statuses(about)}},
    }
    if about.method == "GET":
        operation["responses"]["304"] = {"description": "Not modified: it still has the ETag of If-None-Match"}
    if about.body:
        content = {"application/json": {"schema": _ref(about.body)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _parameters(about: Operation) -> list[Schema]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind else "string"}}
        for kind, name in _PART.findall(about.path)
    ]
    if about.is_list:
        digits = {"type": "string", "pattern": f"^[0-9]{{1,{MAX_CURSOR_DIGITS}}}$"}
        parameters.append(_query("cursor", "The `next` of the page before", digits))
        parameters.append(_query("limit", "How many", {"type": "integer", "minimum": 1, "maximum": MAX_PAGE}))
    if about.method == "GET":
        parameters.append(_header("If-None-Match", "An ETag: answers 304 if it still has that"))
    else:
        key = {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": "^[!-~]+$"}
        parameters.append(_header("Idempotency-Key", "The same key with the same request is carried out once", key))
    if about.sees == "night":
        parameters.append(_header("If-Match", "The night's ETag: answers 412 if the night has changed since"))
    elif about.sees:
        parameters.append({**_header("If-Match", "The ETag of what is changed; * for any"), "required": True})
    return parameters


def _query(name: str, text: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "description": text, "schema": schema}


def _header(name: str, text: str, schema: Schema | None = None) -> Schema:
    return {"name": name, "in": "header", "description": text, "schema": schema or {"type": "string"}}


def _statuses(about: Operation) -> list[int]:
    """List the statuses of the problems that an operation may answer."""
    statuses = [400, 500, 503]
    statuses += [401, 403] if about.right is not None else []
    statuses += [404] if "<" in about.path or about.method != "GET" else []  # the group may be deleted meanwhile
    statuses += [422] if about.is_list else []
    statuses += [409, 422, 429] if about.method != "GET" else []
    statuses += [413, 415] if about.body else []
    statuses += [412] if about.sees else []
    statuses += [428] if about.sees == "line" else []
    return sorted({*statuses})


def _problem(status: int) -> Schema:
    kinds = [f"{TYPES[key].title} ({PLACE}{key})" for key in TYPES if TYPES[key].status == status]
    return {
        "description": "; ".join(kinds),
        "content": {"application/problem+json": {"schema": _ref("Problem")}},
    }
