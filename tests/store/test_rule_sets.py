"""House rules that a group keeps: named, told apart, changed, deleted, audited, exported and imported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from databases import EmptyDatabase, opened
from flask import Flask
from nights import PlayedNight
from sqlalchemy import text

from companion.games import all_games
from companion.store.audit import audit
from companion.store.groups import deleting, groups, rule_sets
from companion.store.models import Group, RuleSet, db
from companion.store.portable import export_group, import_group
from companion.store.refusals import Gone, Refused

TUESDAY = {"deck": "spanish-40", "yuca": True}


@pytest.fixture
def group(night: PlayedNight) -> Group:
    return db.session.get_one(Group, night.group_id)


@pytest.fixture
def elsewhere(made_database: EmptyDatabase) -> Iterator[Flask]:
    """Give another server, empty."""
    yield from opened(made_database("sqlite"))


def kept(group: Group) -> list[tuple[str, str]]:
    return [(found.game, found.name) for found in rule_sets.sets_of(group)]


def refusal(name: object, group: Group, game: str = "dompe", **rules: object) -> str:
    with pytest.raises(Refused) as refused:
        rule_sets.add_set(group, game, name, rules)  # type: ignore[arg-type]
    return str(refused.value.message)


def test_rules_are_kept_whole_and_listed_game_by_game(group: Group) -> None:
    rule_sets.add_set(group, "knock", "Small pots", {"match_limit": 3})
    rule_sets.add_set(group, "dompe", " Tuesday rules ", TUESDAY)
    rule_sets.add_set(group, "dompe", "At Ana’s", {})
    assert kept(group) == [("dompe", "At Ana’s"), ("dompe", "Tuesday rules"), ("knock", "Small pots")]
    (found,) = [one for one in rule_sets.sets_of(group, "dompe") if one.name == "Tuesday rules"]
    assert found.rules.keys() == {option.key for option in all_games()["dompe"].house_rules}
    assert found.rules | TUESDAY == found.rules


def test_the_same_again_is_the_same_set(group: Group) -> None:
    one = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    again = rule_sets.add_set(group, "dompe", "tuesday RULES", TUESDAY)
    assert (again.id, again.name) == (one.id, "Tuesday rules")


# the name of a second set | what is said of it
BAD_NAMES = [
    ("", "need a name"),
    ("  ", "need a name"),
    ("\u2800", "need a name"),
    ("x" * 41, "longer than 40 characters"),
    ("a\x00b", "can't be displayed"),
    ("a\nb", "can't be displayed"),
    ("\u202erules", "can't be displayed"),
    ("\ud800", "can't be displayed"),
    ("TUESDAY rules", "already house rules called “TUESDAY rules”"),
    ("Tuesday ruІes", "looks just like"),
    ("Тuesday night", "letters of different alphabets"),
]


@pytest.mark.parametrize(("name", "said"), BAD_NAMES)
def test_a_name_that_cannot_be_is_refused(group: Group, name: str, said: str) -> None:
    rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    assert said in refusal(name, group)
    assert kept(group) == [("dompe", "Tuesday rules")]


def test_another_game_may_have_rules_of_the_same_name(group: Group) -> None:
    for game in ("dompe", "knock"):
        rule_sets.add_set(group, game, "Tuesday rules", {})
    assert len(kept(group)) == 2


@pytest.mark.parametrize("rules", [{"deck": "tarot"}, {"yuca": True}, {"unknown": 1}, {"ante": 1001}, {"ante": True}])
def test_rules_that_the_game_does_not_take_are_refused(group: Group, rules: dict[str, object]) -> None:
    assert refusal("Tuesday rules", group, **rules) == "These house rules contradict each other"
    assert refusal("Tuesday rules", group, "canasta") == "These house rules contradict each other"
    assert kept(group) == []


def test_there_are_so_many_and_no_more(group: Group) -> None:
    for number in range(rule_sets.MAX_RULE_SETS):
        rule_sets.add_set(group, "dompe", f"Rules {number}", {})
    assert "already 12 sets of house rules for Dompe" in refusal("One more", group)
    rule_sets.add_set(group, "knock", "Of another game", {})


def test_a_set_is_renamed_and_changed(group: Group) -> None:
    made = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    other = rule_sets.add_set(group, "dompe", "Others", {})
    rule_sets.change_set(group, made.id, "TUESDAY RULES", TUESDAY)
    rule_sets.change_set(group, other.id, "Others", {"deck": "plain"})
    assert [(s.name, s.rules["deck"]) for s in rule_sets.sets_of(group)] == [
        ("Others", "plain"),
        ("TUESDAY RULES", "spanish-40"),
    ]
    with pytest.raises(Refused, match="already"):
        rule_sets.change_set(group, other.id, "Tuesday rules", {})
    with pytest.raises(Refused, match="contradict"):
        rule_sets.change_set(group, other.id, "Others", {"yuca": True})


def test_a_set_is_deleted_once_and_again(group: Group) -> None:
    made = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    for _ in range(2):
        rule_sets.delete_set(group, made.id)
    assert kept(group) == []
    with pytest.raises(Refused, match="deleted meanwhile"):
        rule_sets.change_set(group, made.id, "Tuesday rules", TUESDAY)


def test_no_other_group_has_it(group: Group) -> None:
    made = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    other = groups.make_group("Others", ["Yan", "Zoe"], "another secret")
    rule_sets.delete_set(other, made.id)
    assert rule_sets.find_set(other, made.id) is None
    assert kept(group) == [("dompe", "Tuesday rules")]


def test_the_set_in_force_is_the_one_that_says_the_same(group: Group) -> None:
    made = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    sets = rule_sets.sets_of(group)
    assert rule_sets.set_in_force(sets, "dompe", {**TUESDAY, "ante": 1}) is made
    assert rule_sets.set_in_force(sets, "dompe", {**TUESDAY, "ante": 2}) is None
    assert rule_sets.set_in_force(sets, "knock", {}) is None


def test_a_deleted_group_leaves_no_rules_and_takes_none(group: Group) -> None:
    rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    deleting.delete_group(group, "its key")
    assert db.session.query(RuleSet).count() == 0
    with pytest.raises(Gone):
        rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)


def test_the_audit_finds_rules_that_no_game_takes(group: Group) -> None:
    made = rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    assert list(audit()) == []
    made.rules = {"deck": "tarot"}
    db.session.commit()
    (sentence,) = audit()
    assert sentence.startswith(f"group {group.public_id}, house rules {made.id}: rules.deck: ")


def test_they_are_exported_and_imported_byte_for_byte(group: Group, elsewhere: Flask) -> None:
    public_id = group.public_id
    without = export_group(public_id)
    assert b"rule_sets" not in without
    rule_sets.add_set(group, "dompe", "Reglas del martes Ñ", TUESDAY)
    rule_sets.add_set(group, "knock", "Small pots", {"match_limit": 3})
    content = export_group(public_id)
    before = kept(group)
    db.session.rollback()
    with elsewhere.app_context():
        made, is_new = import_group(content, "a new secret")
        assert is_new
        assert kept(made) == before
        assert export_group(public_id) == content
        rule_sets.add_set(made, "dompe", "one more", {})
        assert list(audit()) == []


# what a file says instead | what is said of it
BAD_FILES: list[tuple[dict[str, Any], str]] = [
    ({"game": "Canasta!"}, "isn't the key of a game"),
    ({"name": ""}, "need a name"),
    ({"name": 5}, "can't be displayed"),
    ({"name": " Tuesday"}, "spaces around it"),
    ({"rules": {"deck": "tarot"}}, "Deck"),
    ({"rules": {"yuca": True}}, "in a Spanish deck only"),
    ({"rules": []}, "isn't an object of options"),
    ({"more": 1}, "isn't part of it"),
    ({"game": "knock", "name": "SMALL POTS", "rules": {}}, "used twice"),
]


@pytest.mark.parametrize(("changes", "said"), BAD_FILES)
def test_a_file_with_other_rules_is_refused(group: Group, elsewhere: Flask, changes: dict[str, Any], said: str) -> None:
    rule_sets.add_set(group, "dompe", "Tuesday rules", TUESDAY)
    rule_sets.add_set(group, "knock", "Small pots", {"match_limit": 3})
    document = json.loads(export_group(group.public_id))
    document["group"]["rule_sets"][0] |= changes
    db.session.rollback()
    with elsewhere.app_context():
        with pytest.raises(Refused, match=said):
            import_group(json.dumps(document).encode(), "a new secret")
        assert db.session.execute(text("SELECT count(*) FROM player_group")).scalar_one() == 0
