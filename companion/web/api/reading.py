"""Operations that read: the group, its nights with their standings, rounds and movements, and the types of problems."""

from __future__ import annotations

from flask import abort

from companion.store.groups.groups import nights_of
from companion.store.models import Group, Line, Night, Revision
from companion.store.night.reading import movements_of, rounds_of

from ..http.answers.problem_types import PLACE, TYPES
from .operations import NIGHT, Answer, movement_or_404, operation, page_asked, paged, round_or_404, token
from .shown import group_document, movement_documents, night_document, night_list, round_documents


@operation("GET", "/problems/<kind>", None, "What a type of problem means, and the way out", "ProblemType")
def problem_type(kind: str) -> Answer:
    problem = TYPES.get(kind) or abort(404)
    return {"type": f"{PLACE}{kind}", **problem._asdict()}


@operation("GET", "/group", "look", "The token's group, its players, and what the token may do", "Group")
def group(group: Group) -> Answer:
    return group_document(group, token().access)


@operation("GET", "/nights", "look", "The group's nights, newest first", "Nights", is_list=True)
def nights(group: Group) -> Answer:
    before, limit = page_asked()
    listed = nights_of(group, before, limit + 1)
    return paged("nights", night_list(group, listed[:limit]), limit, [night.id for night in listed])


@operation("GET", NIGHT, "look", "A night with its standings, and what settles it", "Night")
def night(night: Night) -> Answer:
    return night_document(night), night.version, ""


@operation("GET", f"{NIGHT}/rounds", "look", "A night's rounds, newest first", "Rounds", is_list=True)
def rounds(night: Night) -> Answer:
    before, limit = page_asked()
    lines = rounds_of(night, before, limit + 1)
    return paged("rounds", round_documents(night, _current(lines[:limit])), limit, [line.number for line in lines])


@operation("GET", f"{NIGHT}/rounds/<int:number>", "look", "A round as entered, and its settlement", "SavedRound")
def one_round(night: Night, number: int) -> Answer:
    line = round_or_404(night, number)
    return round_documents(night, _current([line]))[0], line.current.number, ""


@operation("GET", f"{NIGHT}/movements", "look", "A night's other movements, newest first", "Movements", is_list=True)
def movements(night: Night) -> Answer:
    before, limit = page_asked()
    lines = movements_of(night, limit + 1, before)
    documents = movement_documents(night, _current(lines[:limit]))
    return paged("movements", documents, limit, [line.number for line in lines])


@operation("GET", f"{NIGHT}/movements/<int:number>", "look", "A movement, such as a loan", "Movement")
def movement(night: Night, number: int) -> Answer:
    line = movement_or_404(night, number)
    return movement_documents(night, _current([line]))[0], line.current.number, ""


def _current(lines: list[Line]) -> list[tuple[Line, Revision]]:
    return [(line, line.current) for line in lines]
