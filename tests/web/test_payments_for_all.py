"""Which payments results show: chosen on any phone of the table, and shown on all phones of the night (C-12)."""

from __future__ import annotations

import re

import pytest
from devices import Device, PlayedNight, words
from programs import Program, token_of
from tables import each_row

from companion.store.groups.deleting import delete_group
from companion.store.models import Group, Night, db
from companion.store.portable import export_group, import_group


def choose(night: PlayedNight, device: Device, moves: str, number: int = 1) -> int:
    return device.post(f"{night.night}/payments-by", moves=moves, number=str(number)).status_code


def addressed(page: str) -> list[str]:
    """Return where a result's page sends another choice."""
    return re.findall(r'action="([^"]*/payments-by)"', page)


@pytest.mark.parametrize("who", ["the scorekeeper", "Beto"])
def test_what_one_phone_of_the_table_chooses_all_phones_show(night: PlayedNight, who: str) -> None:
    phones = {name: night.joined(name) for name in night.players}
    line = night.books(players_2_hand="", players_2_dropped="y").partition("?")[0]
    viewer = night.guest("look")
    chooser = {"the scorekeeper": night.keeper, **phones}[who]
    every = (night.keeper, viewer, *phones.values())
    assert "You pay Ana 3" in night.text("", phones["Beto"])
    assert {device.page(line).moves for device in every} == {"score"}
    before = night.state(viewer)["version"]
    assert choose(night, chooser, "chips") == 303
    assert night.state(viewer)["version"] > before  # so that the phones' next poll draws them again
    assert {device.page(line).moves for device in every} == {"chips"}
    assert "You give Ana 2" in night.text("", phones["Beto"])
    assert "Beto gives Ana 2" in night.text("/table", viewer)
    assert "How to pay" in night.text("/changes")
    assert "After a round Chips on the table" in night.text("/changes")
    assert choose(night, chooser, "score") == 303
    assert "You pay Ana 3" in night.text("", phones["Beto"])


# which phone looks at a result, and whether what it chooses is sent for all
@each_row("""
keeper       | yes
Beto         | yes
play         | yes
look         | no
after closed | no
""")
def test_who_may_only_look_changes_nothing_for_others(night: PlayedNight, row: tuple[str, str]) -> None:
    who, sends = row
    line = night.books().partition("?")[0]
    if who == "after closed":
        night.plays("close")
    device = {"keeper": lambda: night.keeper, "Beto": lambda: night.joined("Beto")}.get(
        who, lambda: night.keeper if who == "after closed" else night.guest(who)
    )()
    page = device.get(line).text
    assert addressed(page) == ([f"{night.night}/payments-by"] if sends == "yes" else [])
    assert page.count('name="moves"') == 2  # both are there in any case
    choose(night, device, "chips")
    assert night.keeper.page(line).moves == ("chips" if sends == "yes" else "score")


def test_without_scripts_the_choice_leads_back_to_the_result(night: PlayedNight) -> None:
    line = night.books().partition("?")[0]
    assert "<noscript>" in night.keeper.get(line).text
    path = f"{night.night}/payments-by"
    assert night.keeper.does(path, moves="chips", number="1") == f"{line}#moves"
    assert night.keeper.does(path, moves="score") == night.night
    assert night.keeper.post(path, moves="both").status_code == 400
    assert "This form is broken" in words(night.keeper.post(path, moves="chips", number="x").text)


def test_a_program_and_a_file_have_the_choice(night: PlayedNight) -> None:
    program, id = Program(night.app, token_of(night, "look")), night.night.rpartition("/")[2]
    night.plays("round")
    assert program.call("night", night=id)["payments_by"] == "score"
    assert program.call("night", night=night.plays("buy-in 20").night.rpartition("/")[2])["payments_by"] == "chips"
    with night.app.app_context():
        group = db.session.scalars(db.select(Group)).one()
        assert b"payments_by" not in export_group(group.public_id)
    choose(night, night.keeper, "score")
    assert program.call("night", night=id)["payments_by"] == "score"
    night.plays("close")
    with night.app.app_context():
        group = db.session.scalars(db.select(Group)).one()
        file = export_group(group.public_id)
        assert file.count(b'"payments_by":"score"') == 2  # the night's, and in its list of changes
        delete_group(group, "its key")
        made, _ = import_group(file, "a secret")
        of_group = db.select(Night.payments_by).where(Night.group_id == made.id)
        assert db.session.scalars(of_group).all() == ["score"]
        assert export_group(made.public_id) == file
