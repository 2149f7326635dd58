"""The types of problems under /api/v1 (RFC 9457): each has an address that doesn't change, and says the way out.

Like the whole API they are in English.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.contract import problems_document
from companion.engine.problems import Problem

PLACE = "/api/v1/problems/"


class ProblemType(NamedTuple):
    """A type of problem: its status, what it is, and what to do."""

    status: int
    title: str
    way_out: str


TYPES = {
    "bad-request": ProblemType(400, "Not understood", "Send what the OpenAPI document describes, as a JSON object."),
    "no-token": ProblemType(401, "No token", "Send a token of the group: Authorization: Bearer TOKEN."),
    "bad-token": ProblemType(
        401, "Not a valid token", "It was revoked, or never was one. Ask the scorekeeper for another."
    ),
    "no-right": ProblemType(
        403, "Not allowed", "This token's right isn't enough. Ask the scorekeeper for another token."
    ),
    "not-found": ProblemType(404, "Not found", "There is nothing at this address, or it isn't of this token's group."),
    "method-not-allowed": ProblemType(405, "Not possible here", "Use a method that the header Allow lists."),
    "conflict": ProblemType(409, "Somebody else was faster", "Read it again, then send yours again with the same key."),
    "written-elsewhere": ProblemType(
        409,
        "Written elsewhere",
        "The group was handed over and can only be read here. Its scorekeeper can take it back.",
    ),
    "changed": ProblemType(412, "Changed meanwhile", "Read it again, check it, then send yours with its new ETag."),
    "too-large": ProblemType(413, "Too large", "Send less."),
    "not-json": ProblemType(415, "Not JSON", "Send it as application/json."),
    "not-valid": ProblemType(422, "Not valid", "Fix each field that is listed under errors."),
    "refused": ProblemType(422, "Refused", "Do what the detail says, then send it with another key."),
    "key-used": ProblemType(
        422, "Key already used", "This Idempotency-Key sent something else before. Use another one."
    ),
    "no-etag": ProblemType(428, "ETag needed", "Read what you change, and send its ETag as If-Match."),
    "too-many": ProblemType(429, "Too many requests", "Wait as many seconds as Retry-After says."),
    "our-mistake": ProblemType(500, "Our mistake", "Nothing was changed. Send it again later, with the same key."),
    "not-available": ProblemType(503, "Not available now", "Send it again in a moment, with the same key."),
}
OF_STATUS = {type_.status: key for key, type_ in reversed(TYPES.items())}  # the first of each


def typed_document(key: str, detail: str = "", problems: Iterable[Problem] = ()) -> dict[str, object]:
    """Write a problem; without a `detail` its type's way out says enough."""
    kind = TYPES[key]
    about = {"detail": detail or kind.way_out}
    return {**problems_document(problems, kind.status, kind.title), "type": f"{PLACE}{key}", **about}
