"""A group's chips by colour: setting them, packs of equal buy-ins, and counting by colour at the end."""

from __future__ import annotations

import json
import re
from io import BytesIO

import pytest
from devices import PlayedNight, problem, words
from flask import Flask

from companion.store.groups.chip_sets import Chip, made_of, pack, worth_of

SET = [Chip("white", 1, 100), Chip("red", 5, 50), Chip("blue", 25, 20)]
TYPED = {f"value-{chip.colour}": str(chip.value) for chip in SET} | {
    f"number-{chip.colour}": str(chip.number) for chip in SET
}


@pytest.mark.parametrize(
    ("chips", "players", "worth", "made"),
    [
        (SET, 4, 100, {"white": 25, "red": 10, "blue": 1}),
        (SET, 4, 200, {"white": 25, "red": 10, "blue": 5}),
        (SET, 4, 201, {"white": 21, "red": 11, "blue": 5}),
        (SET, 4, 211, None),
        (SET, 10, 75, {"white": 10, "red": 3, "blue": 2}),
        (SET, 200, 5, None),
        (SET, 0, 7, {"white": 7}),
        ([Chip("red", 5, 4), Chip("white", 1, 6), Chip("blue", 9, 2)], 2, 9, {"blue": 1}),
        ([Chip("red", 5, 10)], 2, 25, {"red": 5}),
        ([Chip("red", 5, 10)], 2, 24, None),
        ([], 4, 10, None),
        ([Chip("white", 2, 9999), Chip("red", 4, 9999), Chip("blue", 6, 9999)], 1, 99_999, None),  # it gives up
    ],
)
def test_a_pack_is_worth_the_buy_in_and_there_are_enough(
    chips: list[Chip], players: int, worth: int, made: dict[str, int] | None
) -> None:
    found = pack(chips, players, worth)
    assert found == made
    if found is not None:
        assert worth_of(chips, found) == worth
        there = {chip.colour: chip.number for chip in chips}
        assert all(number * players <= there[colour] for colour, number in found.items())


def test_what_a_difference_could_be() -> None:
    assert made_of(SET, 40) == {"red": 8}
    assert made_of(SET, 20) == {"white": 20, "red": 4}
    assert made_of(SET, 0) == {}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, ""),
        (
            {"number-red": "many"},
            "Enter how many red chips there are, such as 20; “many” isn't a whole number",
        ),
        ({"value-red": ""}, "Say what the red chips are worth, such as 5"),
        ({"value-red": "-1"}, "The red chips are worth a whole number, 1 or more; “-1” isn't one"),
        ({"value-red": "0.25"}, "The red chips are worth a whole number, 1 or more; “0.25” isn't one"),
        ({"value-red": "2½"}, "The red chips are worth a whole number, 1 or more; “2½” isn't one"),
        ({"value-red": "0"}, "A chip is worth 1 to 1,000,000, and there are 1 to 9,999 of a colour"),
        ({"number-red": "10000"}, "A chip is worth 1 to 1,000,000, and there are 1 to 9,999 of a colour"),
        ({"value-red": "1"}, "Two colours have the same value; give each its own"),
        ({"number-red": "", "number-white": "0", "number-blue": ""}, ""),
    ],
)
def test_which_chips_a_group_can_have(night: PlayedNight, more: dict[str, str], why: str) -> None:
    assert "All chips shared out" not in night.html("{group}/chips")
    assert problem(night.post("{group}/chips", **TYPED | more).text) == why
    assert ("All chips shared out" in night.html("{group}/chips")) == (not why and not more)
    assert night.keeper.post(f"{night.group}/chips", key="once", **TYPED).status_code == 303
    assert night.keeper.post(f"{night.group}/chips", key="once", **TYPED).status_code == 303
    assert "4 players 25 white, 12 red, 5 blue 210" in night.text("{group}/chips").replace("\u00a0", " ")


def test_chips_are_handed_out_and_counted_by_colour(app: Flask) -> None:
    night = PlayedNight(app, currency="USD", stake="1", **{"buy-in": "100"})
    assert "Each of 3" not in night.text("/money")
    night.does("{group}/chips", **TYPED)
    assert "Each of 3 gets 33 white, 16 red" not in night.text("/money")
    assert re.search(r"Each of 3 gets \d+\W+white, \d+\W+red", night.text("/money"))
    night.plays("buy-in 1000")
    assert "don't make this stack for 3 players" in night.text("/money")
    night.plays("buy-in 0.50")
    assert "don't make this stack for 3 players" in night.text("/money")
    night.plays("buy-in 50, round")
    ana, beto, caro = night.players.values()
    should = dict(re.findall(r'for="count-(\d+)".*?should have \$([\d.]+)', night.html("/count"), re.DOTALL))
    assert should == {ana: "56.00", beto: "47.00", caro: "47.00"}
    number = night.page("/count").fields["number"][0]
    by_colour = {f"chips-{ana}-white": "6", f"chips-{ana}-blue": "2", f"count-{beto}": "47"}
    told = night.told("/count", number=number, do="compare", **by_colour, **{f"chips-{caro}-red": "9"})
    assert told.fields[f"count-{ana}"] == ["56.00"]
    assert told.fields[f"count-{caro}"] == ["45.00"]
    text = words(told.html).replace("\u00a0", " ")
    assert "$2.00 missing on the table." in text
    assert "It could be 2 white." in text
    wrong = night.post("/count", number=number, do="compare", **by_colour, **{f"chips-{caro}-red": "nine"})
    assert problem(wrong.text) == "Caro, red: “nine” isn't a whole number"
    whole = {**by_colour, f"chips-{caro}-red": "9", f"chips-{caro}-white": "2"}
    assert "The chips match the log." in words(night.told("/count", number=number, do="compare", **whole).html)
    odd = {**whole, f"chips-{beto}-white": "", f"count-{beto}": "46.50"}
    text = words(night.told("/count", number=number, do="compare", **odd).html)
    assert ["$0.50 missing" in text, "It could be" in text] == [True, False]


def test_the_file_has_the_chips(night: PlayedNight) -> None:
    address = f"{night.group}/export/group.json"
    assert "chips" not in night.keeper.get(address).get_json(force=True)["group"]
    night.does("{group}/chips", **TYPED)
    file = night.keeper.get(address).get_json(force=True)
    assert file["group"]["chips"] == [list(chip) for chip in SET]
    night.keeper.does(f"{night.group}/delete")
    bad: list[object] = ["x", [["white", 1]], [["pink", 1, 1]], [["white", 0, 1]], [["white", True, 1]], ["white"]]
    bad += [[["white", 1, 1], ["white", 2, 1]], [["white", 1, 1]] * 9]
    for at, chips in enumerate([*bad, file["group"]["chips"]]):
        document = json.dumps({**file, "group": {**file["group"], "chips": chips}}).encode()
        sent = {"secret": f"{'i' * 29}{at}", "file": (BytesIO(document), "group.json")}
        answer = night.keeper.post("/groups/import", **sent)
        assert answer.status_code == (303 if at == len(bad) else 200), chips
    assert night.keeper.get(f"{answer.location}/export/group.json").get_json(force=True)["group"]["chips"] == chips
