"""How players get paid, in the store: one way of each kind, only in a file if asked for, and gone with the group."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import select

from companion.store.groups.deleting import delete_group
from companion.store.groups.handles import handles_of, set_handle
from companion.store.models import PayHandle, db
from companion.store.portable import export_group, import_group
from companion.store.refusals import Conflict, Refused

CLABE, IBAN = "032180000118359719", "DE89370400440532013000"


def test_each_kind_once_in_a_fixed_order(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto")
    ana, beto = (int(night.ids[name]) for name in ("Ana", "Beto"))
    for player, kind, text in (
        (ana, "cash", "later"),
        (ana, "clabe", CLABE),
        (ana, "cash", "now"),
        (beto, "upi", "beto@ok"),
    ):
        set_handle(night.group, player, kind, text, night.sent())
    assert list(handles_of(night.group_id, ana).items()) == [("clabe", CLABE), ("cash", "now")]
    sent = night.sent()
    set_handle(night.group, ana, "cash", " ", sent)
    set_handle(night.group, ana, "cash", "", sent)  # sent twice
    assert handles_of(night.group_id, ana) == {"clabe": CLABE}
    with pytest.raises(Conflict):
        set_handle(night.group, ana, "cash", "never", sent)
    delete_group(night.group, "a key")
    assert db.session.scalars(select(PayHandle)).all() == []


def test_a_file_has_them_only_if_asked(app: Flask) -> None:
    night = PlayedNight("Ana", "Beto")
    set_handle(night.group, int(night.ids["Ana"]), "iban", IBAN, night.sent())
    without, content = (export_group(night.group.public_id, has_handles=has) for has in (False, True))
    assert IBAN.encode() not in without
    assert b'"paid_by"' not in without
    for file in (without, content):
        assert import_group(file, "a secret")[1] is False  # the same group
    document = json.loads(content)
    assert document["group"]["players"][0]["paid_by"] == [{"kind": "iban", "text": IBAN}]
    for kind, text in (("iban", IBAN[:-1]), ("venmo", "https://venmo.com/ana-luz"), ("cash", "")):
        document["group"]["players"][0]["paid_by"] = [{"kind": kind, "text": text}]
        with pytest.raises(Refused, match="isn't"):
            import_group(json.dumps(document).encode(), "a secret")
    delete_group(night.group, "a key")
    group, is_new = import_group(content, "a secret")
    assert is_new
    assert export_group(group.public_id, has_handles=True) == content
