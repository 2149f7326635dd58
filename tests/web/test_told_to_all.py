"""What is announced on the players' own phones: corrections, voids, and having left."""

from __future__ import annotations

import re
from html import unescape

from devices import PlayedNight, words
from statements import heard
from tables import each_row

from companion.store.models import db

CORRECTED = {"players-0-hand": "9s 9h 9d 4c 4d", "asked-knocker": "1"}


# whose phone, what was done, and what it announces
@each_row("""
Beto | round                         |
Beto | round, void 1                 | Round 1 was voided. You have 3 more.
Ana  | round, void 1                 | Round 1 was voided. You have 6 less.
Ana  | loan 5, round, void 1         | Entry 1 was voided. You have 5 more.
Ana  | round, loan 5, void 2         | Entry 2 was voided. You have 5 more.
Caro | round, loan 5, void 2         | Entry 2 was voided. Nothing changes for you.
Beto | round, void 1, back 1         | The last change to round 1 was undone. You have 3 less.
Beto | round, void 1, round          |
""")
def test_a_change_of_a_round_is_announced_until_the_next_is_saved(
    night: PlayedNight, row: tuple[str, str, str]
) -> None:
    name, script, expected = row
    phone = night.joined(name)
    night.plays(script)
    for path, told in (("", expected), ("/round", expected.partition(".")[0])):  # over the keys in one line
        text = night.text(path, phone)
        assert told in text, text
        if not expected:
            assert "was voided" not in text


def test_what_is_now_paid_the_other_way_round_is_a_sentence(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("round")
    worse = {"players-0-hand": "Ts Jd 3c 4c 6d"}
    night.does("/lines/1/correct", **night.form("/lines/1/correct") | worse, do="save")
    assert re.search(r"Ana pays you \d+ \(before: You pay Ana 3\)", night.text("", beto))


def test_a_correction_says_what_changes_for_whom_and_can_be_put_away(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in night.players}
    night.plays("round")
    night.does("/lines/1/correct", **night.form("/lines/1/correct") | CORRECTED, do="save")
    beto = night.text("", phones["Beto"])
    assert "Round 1 was corrected. You have 2 less. You pay Ana 4 (before: 3) You pay Caro 1 (before: 0)" in beto
    assert "Knocked: Beto (before: Ana)" in beto
    assert '<a href="' + night.night in night.html("/round", phones["Beto"]).partition("Round 1 was corrected")[0][-60:]
    assert "was corrected" not in night.text("")  # the scorekeeper did it
    (told,) = re.findall(r'href="([?]told=[0-9]+)"', night.html("", phones["Beto"]))
    assert "Round 1 was corrected" not in night.text(told, phones["Beto"])
    assert "Round 1 was corrected" not in night.text("", phones["Beto"])
    assert "Round 1 was corrected" in night.text("?told=0", phones["Ana"])


def test_who_looks_at_the_last_result_reads_of_a_correction_there(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("round")
    night.plays("round")
    night.does("/lines/1/correct", **night.form("/lines/1/correct") | CORRECTED, do="save")
    assert "Round 1 was corrected. You have 2 less." in night.text("/lines/2", beto)
    assert "You have 2 less" not in night.text("/lines/1", beto)  # an old result, gone to by itself
    (told,) = re.findall(r'href="([?]told=[0-9]+)"', night.html("/lines/2", beto))
    assert "Round 1 was corrected" not in night.text(f"/lines/2{told}", beto)


def test_an_open_page_of_an_own_hand_hears_by_its_poll_what_is_announced(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("round")
    assert night.state(beto)["note"] == ""
    night.does("/lines/1/correct", **night.form("/lines/1/correct") | CORRECTED, do="save")
    assert words(night.state(beto)["note"]) == "Note: Round 1 was corrected (−2)"
    assert night.state(night.keeper)["note"] == ""
    (told,) = re.findall(r'href="([?]told=[0-9]+)"', night.html("", beto))
    night.html(told, beto)
    assert night.state(beto)["note"] == ""  # it was put away
    night.plays("stakes double")
    assert [words(night.state(phone)["note"]) for phone in (beto, night.keeper)] == ["stake 2", "stake 2"]
    night.plays("round")
    assert [night.state(phone)["note"] for phone in (beto, night.keeper)] == ["", ""]


def test_what_is_announced_is_asked_for_only_while_something_is(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("stakes double, round")
    with night.app.app_context():
        engine = db.engine
    said: list[str] = []
    with heard(engine, lambda statement, _values: said.append(statement)):
        for path in ("", "/round", "/state", "/money"):
            night.html(path, beto)
    assert said
    assert [statement for statement in said if statement.startswith("SELECT change.")] == []


# what was done to the first round, and whether its page says so, on whichever phone
@each_row("""
round                    | no
round, loan 5 Caro Ana   | no
round, correct           | yes
round, void 1            | no
""")
def test_the_page_of_a_round_says_that_it_has_changed(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    beto = night.joined("Beto")
    night.plays(script.replace(", correct", ""))
    if "correct" in script:
        night.does("/lines/1/correct", **night.form("/lines/1/correct") | CORRECTED, do="save")
    for phone in (beto, night.keeper):
        said = "Round 1 has changed since it was saved" in night.text("/lines/1", phone)
        assert said == (expected == "yes")


# what was done, and what the phone of Caro says, who left after it
@each_row("""
round         | You left the table. You owe 3.
loan 5 Caro Ana | You left the table. You owe 5.
loan 5 Ana Caro | You left the table. You get 5.
round, void 1 | You left the table. Nothing is left to pay.
""")
def test_who_left_is_told_so_with_what_is_owed(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    phone = night.joined("Caro")
    night.plays(f"{script}, left Caro")
    assert expected in night.text("", phone)
    assert "You left" not in night.text("", night.joined("Beto"))


def test_a_card_that_two_phones_claim_is_told_on_both_once_all_hands_are_shown(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in night.players}
    hands = {"Ana": "9s 9h 9d 4c 4d", "Beto": "9s Kh 8h 5h 3h", "Caro": "8c 8d Js 7d 4h"}
    night.types(night.keeper, asked_knocker="0")
    for seat, (name, hand) in enumerate(hands.items()):
        for other in phones.values():
            assert "9♠" not in str(night.state(other)["live"]["wrong"]), name  # while any hand is face down
        night.types(phones[name], **{f"players-{seat}-hand": hand})
    told = {name: [one["text"] for one in night.state(phone)["live"]["wrong"]] for name, phone in phones.items()}
    assert told == {
        "Ana": ["9♠ is in your hand and in Beto's"],
        "Beto": ["9♠ is in your hand and in Ana's"],
        "Caro": [],
    }
    for name, phone in phones.items():  # without the page's script as well
        found = re.findall(r'<p data-missing[^>]* class="wrong">(.*?)</p>', night.html("/round", phone))
        assert [*map(unescape, found)] == told[name]
