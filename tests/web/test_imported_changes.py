"""Whatever a file's changes contain, it is refused, or every page of the imported night can be opened."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from devices import Device, PlayedNight
from flask import Flask
from sqlalchemy import select

from companion.store.audit import audit
from companion.store.models import REVISIONS, Night, db
from companion.store.portable import import_group
from companion.store.portable.format.checks import MUST_CONTAIN
from companion.store.portable.group_file import read
from companion.store.refusals import Refused
from companion.web.night import rounds

PAGES = ("", "/changes", "/rounds", "/money", "/people", "/close", "/round", "/me", "/settle", "/lines/1", "/lines/2")
LOAN = {"movement": "loan", "from": "p1", "to": "p2", "amount": 5, "note": ""}
WHOLE: dict[str, Any] = {
    "number": 1, "document": LOAN, "seen": 1, "voided": True, "split": True, "by_lot": True, "game": "knock",
    "dealer_chooses": False, "payments_by": "chips", "keeps_score": True,
    "seats": [["p1", "in"], ["p2", "out"]], "rules": {"ante": 1}, "stakes": {"all": 2}, "was": {}, "place": "x",
    "note": "y", "remark": "z", "player": "p1", "instead_of": "p2", "buy_in": None, "counted": [["p1", 3], ["bank", 2]],
}  # fmt: skip
OTHER_DOCUMENTS: list[dict[str, Any]] = [
    {"movement": "split", "players": ["p1"]}, {"movement": "rebuy"}, {"movement": "loan", "amount": 1},
    LOAN | {"movement": "rebuy", "from": "bank"}, {"game": "knock"}, {},
]  # fmt: skip
CONTENTS: list[dict[str, Any]] = [
    *({key: value} for key, value in WHOLE.items()),
    *({key: value for key, value in WHOLE.items() if key != left_out} for left_out in ("", *WHOLE)),
    *(WHOLE | {"document": document} for document in OTHER_DOCUMENTS),
    *(WHOLE | {"number": number} for number in (2, 3, 10**9)),
    *(WHOLE | {"game": "dompe", "rules": rules} for rules in ({"deck": "tarot"}, {"deck": None}, {"deck": 5})),
    *(WHOLE | {key: []} for key in ("seats", "counted")),
    WHOLE | {"counted": [["pot", 1]]},
    WHOLE | {"stakes": {"knock": 3}, "was": {"dompe": 2}},
    WHOLE | {"seats": [["p1", "in"], ["p1", "in"]]},
    {},
]


@pytest.fixture
def exported(app: Flask) -> dict[str, Any]:
    night = PlayedNight(app)
    night.plays("round, loan 5")
    found: dict[str, Any] = json.loads(night.keeper.get(f"{night.group}/export/group.json").data)
    night.keeper.does(f"{night.group}/delete")
    return found


def with_changes(document: dict[str, Any], *changes: tuple[str, dict[str, Any]]) -> bytes:
    """Add changes of a kind, with their contents, to the file's night."""
    document = copy.deepcopy(document)
    (night,) = document["group"]["nights"]
    for kind, content in changes:
        about = {"change": len(night["changes"]) + 1, "key": f"added {len(night['changes'])}", "device": ""}
        night["changes"].append({**about, "kind": kind, "content": content, "at": night["opened_at"]})
    return json.dumps(document).encode()


def is_read(document: dict[str, Any], change: tuple[str, dict[str, Any]]) -> bool:
    """Return whether a file with this change is taken; if not, the sentence must tell its place."""
    try:
        return bool(read(with_changes(document, change)))
    except Refused as refused:
        number = len(document["group"]["nights"][0]["changes"]) + 1
        assert str(refused).startswith(f"the group, night 1, change {number}, content"), refused
        return False


@pytest.mark.thorough
def test_what_is_taken_can_be_shown(app: Flask, exported: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_MAX_CHANGES", 1_000)
    good = [(kind, content) for kind in MUST_CONTAIN for content in CONTENTS if is_read(exported, (kind, content))]
    assert {kind for kind, _ in good} == set(MUST_CONTAIN)
    assert len(good) < len(MUST_CONTAIN) * len(CONTENTS) * 2 / 3
    for newest in REVISIONS:  # phones tell the newest of these
        content = with_changes(exported, *sorted(good, key=lambda change: change[0] == newest))
        with app.app_context():
            group, _ = import_group(content, newest)
            night = db.session.scalars(select(Night).where(Night.group_id == group.id)).one()
            address, code, home = f"/s/{night.public_id}", str(night.join_code), f"/g/{group.public_id}"
            assert list(audit()) == []
        keeper, phone = Device(app), Device(app)
        assert keeper.open(newest) == 303
        phone.joins(code).does(f"{address}/me", player=keeper.page(home).fields["order"][0])
        pages = [(page, one.get(address + page).status_code) for one in (keeper, phone) for page in PAGES]
        assert [page for page in pages if page[1] not in (200, 403)] == []
        keeper.does(f"{home}/delete")
