"""What a player's own phone says of chips to hand over as soon as they are due, and of those that were."""

from __future__ import annotations

from devices import WHOLE, PlayedNight
from flask import Flask
from tables import each_row


# whose phone, what was set before, and what it says after Beto dropped to Ana's knock
@each_row("""
Beto |                            | Give Ana 1 now
Ana  |                            | Beto gives you 1 now
Ana  | stakes double              | Beto gives you 2 now
Caro |                            | Beto dropped: gives Ana 1
Beto | stakes double              | Give Ana 2 now
Caro | stakes double              | Give Ana 2 now Stay in pay 4 if Ana wins
Beto | rules knock-poker drop_fee=3 | Give Ana 3 now
Caro | rules knock-poker drop_fee=3 | Beto dropped: gives Ana 3
""")
def test_who_drops_is_told_whom_to_give_what(night: PlayedNight, row: tuple[str, str, str]) -> None:
    reader, script, expected = row
    night.plays(script)
    phones = {name: night.joined(name) for name in night.players}
    night.presses("knocks-{Ana}")
    night.presses("drop-{Beto}", phones["Beto"])
    assert expected in night.text("", phones[reader])


def test_whoever_gets_a_chip_for_a_drop_is_told_on_the_rail_until_the_hands_are_shown(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in night.players}
    night.presses("knocks-{Ana}")
    assert "gives you" not in night.text("/round", phones["Ana"])
    night.presses("drop-{Beto}", phones["Beto"])
    rail = night.state(phones["Ana"])["rail"]
    assert "Beto gives you 1 now" in rail and "Caro&#39;s last turn" in rail and "primary" not in rail
    assert "Beto gives you 1 now" in night.text("/round", phones["Ana"])
    assert "gives you" not in night.state(phones["Caro"])["rail"]
    night.presses("drop-{Caro}", phones["Caro"])
    assert "Beto and Caro give you 1 each" in night.state(phones["Ana"])["rail"]
    assert "Beto gives Ana 1" in night.text("/table") and "Caro gives Ana 1" in night.text("/table")


def test_who_drops_for_nothing_is_told_nothing(night: PlayedNight) -> None:
    night.plays("rules knock-poker drop_fee=0")
    phone = night.joined("Beto")
    night.presses("knocks-{Ana}")
    assert "give Ana" not in night.text("", phone)
    night.presses("drop-{Beto}", phone)
    assert "Give Ana" not in night.text("", phone)


def test_the_ante_and_each_drawn_card_say_what_goes_into_the_pot(night: PlayedNight) -> None:
    night.plays("rules knock-poker draw_fee=2, stakes double")
    phone = night.joined("Beto")
    assert "Everyone puts 2 in the pot" in night.text("", phone)
    assert "Put 4 in the pot for each" in night.text("", phone)
    night.presses("count-{Beto}-draws-more", phone)
    night.presses("count-{Beto}-draws-more", phone)
    assert "Put 4 in the pot for each: 8" in night.text("", phone)


DROPS = WHOLE | {"players-2-hand": "", "players-2-dropped": "y"}


def test_who_pays_whom_says_what_of_it_was_due_during_play(night: PlayedNight) -> None:
    phones = {name: night.joined(name) for name in ("Ana", "Beto", "Caro")}
    line = night.books(**DROPS)
    assert "You pay Ana 2 already paid if you use chips" in night.text("", phones["Caro"])
    assert "You pay Ana 3 1 of it already paid if you use chips" in night.text("", phones["Beto"])
    ana = night.text("", phones["Ana"])
    assert "Beto pays you 3 1 of it already paid if you use chips" in ana
    assert "Caro pays you 2 already paid if you use chips" in ana
    # the page of the round, and the screen for all, tell the same
    for page in (night.text(line.removeprefix(night.night)), night.text("/table")):
        assert "Beto pays Ana 3 1 of it already paid if you use chips" in page
        assert "Caro pays Ana 2 already paid if you use chips" in page


def test_a_screen_for_all_says_once_what_was_due_of_each_payment(night: PlayedNight) -> None:
    night.books(**{"players-2-hand": "2c 2d 7s 8s Ts"})
    text = night.text("/table")
    assert "Beto pays Ana 3 Caro pays Ana 3 Each: 1 of it already paid if you use chips" in text
    assert text.count("already paid") == 1


def test_the_last_rounds_payment_makes_way_for_what_the_next_hand_costs(night: PlayedNight) -> None:
    phone = night.joined("Caro")
    night.books(**DROPS)
    night.presses("knocks-{Beto}")
    night.presses("drop-{Caro}", phone)
    text = night.text("", phone)
    assert "Give Beto 1 now" in text
    assert "You pay Ana" not in text
    assert "You're down 2 tonight." in text


def test_a_screen_for_all_tells_chips_that_were_given_during_play(app: Flask) -> None:
    night = PlayedNight(app, **{"buy-in": "20"})
    night.books(**DROPS)
    assert "Caro gave Ana 1 already paid" in night.text("/table")


def test_what_was_paid_while_playing_is_said_at_the_end(app: Flask) -> None:
    night = PlayedNight(app, **{"buy-in": "20"})
    phone, ana = night.joined("Caro"), night.joined("Ana")
    night.books(**DROPS)
    text = night.text("", phone)
    for said in ("Nothing more to pay", "You gave Ana 1", "You have put 1 into the pot", "already paid"):
        assert said in text
    assert "You gave" not in night.text("", ana)
    assert "Caro gave you 1" in night.text("", ana)
