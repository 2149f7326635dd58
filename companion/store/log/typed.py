"""Texts that people typed, which changes and revisions need: outside the ledger, so that they can be deleted.

The ledger has their ids in place of a night's place and note, a line's remark, a movement's note, what a table calls
its game, and the names of phones. Equal texts of a group have the same id, so contents can be compared without them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Insert, bindparam, select

from ..db.database import dialect_name, execute, insert_into
from ..models import TypedText

_KEYS = ("place", "note", "remark", "called")  # of a change's content, and of the entry in it
Content = dict[str, Any]


@cache
def _insert(dialect: str) -> Insert:
    # another night of the group may just be saving the same text; the update waits for it, and returns its id
    statement = insert_into(TypedText, dialect)
    same = {"digest": statement.excluded.digest}
    made: Insert = statement.on_conflict_do_update(index_elements=["group_id", "digest"], set_=same).returning(
        TypedText.id
    )
    return made


_FIND = select(TypedText.id).where(TypedText.group_id == bindparam("group"), TypedText.digest == bindparam("digest"))


def digest_of(text: str) -> str:
    """Return the digest by which a text is found."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep_text(group_id: int, text: str) -> int | None:
    """Within a transaction, store a text of a group unless it is there; returns its id, or None if it is empty."""
    if not text:
        return None
    digest = digest_of(text)
    known: int | None = execute(_FIND, {"group": group_id, "digest": digest}).scalar()
    if known is not None:
        return known
    new = {"group_id": group_id, "digest": digest, "text": text}
    return int(execute(_insert(dialect_name()), new).scalar_one())


def texts_in(content: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what a change's content or an entry has in place of typed texts: the texts, or their ids."""
    yield from (content[key] for key in _KEYS if content.get(key))
    if "document" in content:
        yield from texts_in(content["document"])


def _replaced(content: Mapping[str, Any], by: Callable[[Any], Any]) -> Content:
    replaced = {key: by(value) if key in _KEYS and value else value for key, value in content.items()}
    if "document" in replaced:
        replaced["document"] = _replaced(replaced["document"], by)
    return replaced


def without_texts(group_id: int, content: Content) -> Content:
    """Within a transaction, store a content's texts, and return it with their ids; ids stay."""
    if not any(isinstance(value, str) for value in texts_in(content)):
        return content
    return _replaced(content, lambda value: keep_text(group_id, value) if isinstance(value, str) else value)


def with_texts(group_id: int, contents: Sequence[Content]) -> list[Content]:
    """Return stored contents or entries of a group with their texts in place of the ids; texts stay."""
    ids = {value for content in contents for value in texts_in(content) if isinstance(value, int)}
    if not ids:
        return list(contents)
    query = select(TypedText.id, TypedText.text).where(TypedText.group_id == group_id, TypedText.id.in_(ids))
    texts: dict[int, str] = dict(execute(query).all())
    return [_replaced(content, lambda value: texts[value] if isinstance(value, int) else value) for content in contents]
