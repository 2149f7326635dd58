"""The help pages: every rule has an anchor, every house rule its label and help."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup
from pages import GAMES, opened
from sample_rounds import WITH_HANDS

from companion.games import all_games
from companion.web.text.labels import unbroken
from companion.web.text.language import capital

# game: the ids of its rules in RULES.md
RULES = {
    "knock-poker": [f"KP-{n}" for n in range(1, 15)],
    "dompe": [f"DO-{n}" for n in range(1, 12)],
    "domino-poker": [f"DP-{n}" for n in range(1, 10)],
    "draw-poker": [f"DR-{n}" for n in range(1, 14)],
    "knock": [f"KN-{n}" for n in range(1, 9)],
    "knock-rummy": [f"KR-{n}" for n in range(1, 15)],
    "five-card-draw": [f"FD-{n}" for n in range(1, 14)],
    "straight-poker": [f"SP-{n}" for n in range(1, 5)],
    "guts": [f"GU-{n}" for n in range(1, 7)],
    "thirty-one": [f"TH-{n}" for n in range(1, 10)],
    "gin-rummy": [f"GI-{n}" for n in range(1, 11)],
    "whisky-poker": [f"WH-{n}" for n in range(1, 7)],
}
# of any other game: those that its file declares
for _key in set(GAMES) - set(RULES):
    RULES[_key] = re.findall(r"^([A-Z]{2}-\d+) ", all_games()[_key].text, re.MULTILINE)


@pytest.mark.parametrize("game", RULES)
def test_every_rule_has_an_anchor_and_a_source(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}")
    assert [rule for rule in RULES[game] if rule not in page.texts] == []
    assert [rule for rule in RULES[game] if f"#{rule}" not in page.all("a", "href")] == []


# text | what is kept together in it
CODES = [
    ("So A-K-9-5 with a wild one", ["A-K-9-5"]),
    ("9-9-9-4-4-wild and two triplets", ["9-9-9-4-4-wild"]),
    ("run 1-2-3-4-5 or 2-3-4-5-6", ["1-2-3-4-5", "2-3-4-5-6"]),
    ("as in KR-5 & C-10", ["KR-5", "C-10"]),
    ("all-in is a house rule", []),
]


@pytest.mark.parametrize(("text", "kept"), CODES)
def test_codes_are_kept_on_one_line(text: str, kept: list[str]) -> None:
    marked = unbroken(text)
    assert re.findall(r'<span class="unbroken">(.*?)</span>', marked) == kept
    assert Markup(marked).striptags() == text


@pytest.mark.parametrize("run", ["9", "1,", "1-", "1 "])
def test_a_long_run_of_digits_takes_no_longer_than_its_length(run: str) -> None:
    """Tried from every digit, 400,000 in a row would take hours."""
    assert unbroken(run * 400_000)


def test_common_rules_have_anchors_and_lead_to_every_game(client: FlaskClient) -> None:
    page = opened(client, "/help/")
    assert [rule for rule in (f"C-{n}" for n in range(1, 14)) if rule not in page.texts] == []
    assert {f"/help/{game}" for game in GAMES} <= set(page.all("a", "href"))


DEALS = {
    "knock-poker": "Dani shuffles and deals, clockwise. Caro cuts. Everyone antes 1. Five cards each, one",
    "dompe": "Caro gets one more. Caro begins. Beto called. Last turns: Ana, then Dani; an outright win",
    "domino-poker": "Five tiles each, face down. Ana begins.",
    "draw-poker": "CARDominoes are tiles that show a playing card each; a deck of cards will do. Ana begins.",
    "knock": "Turn the next one up beside the stock. Ana begins. Beto knocked. Last draws: Caro, Dani, then Ana",
    "knock-rummy": "Seven cards each, one at a time from Ana. Turn the next one up beside the stock. Ana begins.",
    "five-card-draw": "Dani shuffles and deals, clockwise. Caro cuts. Everyone antes 1. Five cards each, one",
    "straight-poker": "Dani shuffles and deals, clockwise. Caro cuts. Everyone antes 1. Five cards each, one",
    "guts": "Dani deals, clockwise. Caro cuts. Everyone antes 1. Three cards each, one at a time from Ana. All",
    "any-game": "Dani deals, clockwise.",
    "thirty-one": "Three cards each, face down. Turn the next one up beside the stock. Ana begins. Beto knocked.",
    "gin-rummy": "Beto deals, clockwise. Ten cards each, one at a time from Ana. Turn the next one up beside the stock",
    "whisky-poker": "Dani deals, clockwise. Everyone antes 1. Five cards each, face down. A hand of five to the middle",
}


@pytest.mark.parametrize("game", RULES)
def test_c_10_the_deal_is_told_with_names(client: FlaskClient, game: str) -> None:
    text = " ".join(opened(client, f"/help/{game}").text.split())
    who = "Ana and Beto" if all_games()[game].seats[1] == 2 else "Ana, Beto, Caro and Dani"
    assert f"For example, if {who} sit clockwise in this order:" in text
    assert DEALS[game] in text


@pytest.mark.parametrize("game", RULES)
def test_every_house_rule_is_explained(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}")
    listed: Any = client.get("/api/games").json
    (found,) = [known for known in listed["games"] if known["key"] == game]
    for option in found["options"]:
        texts = [option["label"], option["help"], *(choice["label"] for choice in option["choices"])]
        assert [text for text in texts if text not in page.text] == []
        assert option["key"] in page.texts


@pytest.mark.parametrize("game", RULES)
def test_links_within_the_page_have_anchors(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}")
    # a house rule may come from a rule that all games share
    known = {*page.texts, *opened(client, "/help/").texts}
    assert [link for link in page.all("a", "href") if link.startswith("#") and link[1:] not in known] == []


VALUES = {
    "knock": {"A 1", "2 3 4 6 8 9 10 their number", "5 Q 0", "7 ½", "J K 10"},
    "knock-rummy": {"A 1", "2 3 4 5 6 7 8 9 10 their number", "J Q K 10"},
    "gin-rummy": {"A 1", "2 3 4 5 6 7 8 9 10 their number", "J Q K 10"},
    "thirty-one": {"A 11", "2 3 4 5 6 7 8 9 10 their number", "J Q K 10"},
}


@pytest.mark.parametrize("game", WITH_HANDS)
def test_the_card_of_hands_says_what_the_cards_count_where_they_do(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}/card")
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', page.html)
    assert {f"{ranks} {points}" for ranks, points in rows} == VALUES.get(game, set())
    assert f"/help/{game}/card" in opened(client, f"/settle/{game}").all("a", "href")


def test_there_is_no_card_of_another_game(client: FlaskClient) -> None:
    assert client.get("/help/canasta/card").status_code == 404
    assert client.get("/help/any-game/card").status_code == 404


# what the example of a hand comes to where points are counted; it is none of those that beat each other
COUNTED = {"knock": "3½ points", "knock-rummy": "10 deadwood", "gin-rummy": "9 deadwood", "thirty-one": "21 points"}


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize("game", WITH_HANDS)
def test_a_hand_of_points_is_counted_and_not_ranked(client: FlaskClient, game: str, part: str) -> None:
    html = opened(client, f"/help/{game}{part}").html
    assert ("For example</h2>" in html) == (game in COUNTED)
    assert ("from high to low</h2>" in html) != (game in COUNTED)
    assert COUNTED.get(game, "") in html


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize("game", WITH_HANDS)
def test_every_kind_of_hand_is_named_with_an_example(client: FlaskClient, game: str, part: str) -> None:
    page = opened(client, f"/help/{game}{part}")
    found = all_games()[game]
    ladder = found.ladder(found.options())
    kinds = [str(rung.name) for rung in (*ladder.rungs, *ladder.tie_breakers)]
    assert [kind for kind in kinds if capital(kind) not in page.text] == []
    examples = ('aria-label="for example"', 'class="melds"')
    drawn = sum(1 for rung in (*ladder.rungs, *ladder.tie_breakers) if rung.example) + (
        ladder.points_example is not None
    )
    assert sum(map(page.html.count, examples)) == drawn


# game, the address's house rules | what the sheet says under them | what it doesn't
UNDER_RULES = [
    ("dompe", "deck=spanish-40", ["the suit of the highest card"], ["Five of a kind"]),
    ("dompe", "deck=spanish-48&yuca=true", ["Five of a kind", "the hand with the wild card wins"], ["Joker"]),
    ("dompe", "equal_hands=first-to-show", ["the first to show wins"], ["the suit of the highest card"]),
    ("dompe", "outright_bonus=2", ["bonus: 2 stakes from every other player"], []),
    ("draw-poker", "wild=jokers", ["Five of a kind", "Wild: the two jokers."], []),
    ("draw-poker", "wild=jokers&five_of_a_kind=off", ["Wild: the two jokers."], ["Five of a kind"]),
    ("draw-poker", "wild=7&equal_hands=natural-first", ["Wild: every 7.", "fewest wild tiles wins"], ["jokers."]),
    ("draw-poker", "openers=pair-of-aces", ["a pair of aces or better may bet first"], []),
    ("knock-poker", "minimum_knock=pair-of-kings", ["a pair of kings or better may knock"], ["bonus:"]),
    ("knock-poker", "bonuses=true&bonus_four_of_a_kind=1", ["bonus: 1 stake from", "bonus: 4 stakes from"], []),
    ("knock", "hand=poker", ["Royal flush", "equal hands share"], ["What the cards count"]),
    ("knock", "knocker_tie=loses", ["a knocker who ties loses"], ["equal hands share"]),
    ("knock-rummy", "ace=round-the-corner&knock_limit=10", ["K-A-2", "Knock with 10 deadwood or less."], []),
    ("knock-rummy", "cards=10", ["10 deadwood"], []),
    ("five-card-draw", "wild=jokers", ["Five of a kind", "Wild: both jokers."], ["Wild: the two jokers."]),
    ("five-card-draw", "wild=7&equal_hands=natural-first", ["fewest wild cards wins"], ["jokers."]),
    ("guts", "", ["Three of a kind", "Pair", "equal hands share"], ["straight", "Flush"]),
    ("guts", "straights=true", ["Straight flush", "Flush"], []),
    ("thirty-one", "", ["Three of a kind counts 30½ points.", "equal hands share"], ["loses a life"]),
    ("thirty-one", "three_of_a_kind=false&played_for=lives", ["each loses a life"], ["30½", "share the pot"]),
    ("domino-poker", "low_straights=high-card", ["it counts by its doubles"], []),
]


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize(("game", "query", "said", "unsaid"), UNDER_RULES)
def test_the_hands_follow_the_house_rules(
    client: FlaskClient, game: str, query: str, said: list[str], unsaid: list[str], part: str
) -> None:
    page = opened(client, f"/help/{game}{part}?{query}")
    main = page.html.partition("<main")[2]
    hands = (
        Markup(main.rpartition("House rules</h2>")[0] if part else main.partition("The deal</h2>")[0])
        .striptags()
        .lower()
    )
    assert [text for text in said if text.lower() not in hands] == []
    assert [text for text in unsaid if text.lower() in hands] == []


# game, house rules | lines of who pays whom | a line that isn't there
PAYMENTS = [
    ("knock-poker", "", "Before the deal each 1 → pot; You drop 1 → knocker, at once", "A card drawn"),
    (
        "knock-poker",
        "draw_fee=2&knock_payment=3",
        "A card drawn 2 → pot; The knocker wins who stayed 3 → knocker",
        "bonus",
    ),
    (
        "knock-poker",
        "settlement=simple&bonuses=true",
        "The best hand takes the pot; A rare hand wins bonus",
        "You drop",
    ),
    ("knock", "ante=0&match_pot=false", "Fewest points wins the pot", "Before the deal; The knocker loses"),
    ("thirty-one", "played_for=lives&knocker_lives=3", "The knocker is lowest 3 lives → pot", "Before the deal"),
]


@pytest.mark.parametrize(("game", "query", "said", "unsaid"), PAYMENTS)
def test_who_pays_whom_follows_the_house_rules(
    client: FlaskClient, game: str, query: str, said: str, unsaid: str
) -> None:
    first_screen = opened(client, f"/help/{game}?{query}").html.partition("<main")[2].partition("<details")[0]
    text = Markup(first_screen.replace("</dt>", " ")).striptags()
    assert [line for line in said.split("; ") if line not in text] == []
    assert [line for line in unsaid.split("; ") if line in text] == []


@pytest.mark.parametrize("game", RULES)
def test_a_turn_is_told_in_three_pictures(client: FlaskClient, game: str) -> None:
    html = opened(client, f"/help/{game}").html
    if game in DEALS:
        assert html.count('class="step"') == 3
    assert 'd=""' not in html


def test_the_card_tells_what_differs_from_the_usual_and_can_be_shared(client: FlaskClient) -> None:
    page = opened(client, "/help/dompe/card?deck=spanish-40&yuca=true&ante=2&suits=diamonds-first&name=Tuesday rules")
    assert "<title>Tuesday rules ·" in page.html
    rules = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.html)
    assert rules == [("Ante", "2"), ("Deck", "Spanish, 40 cards"), ("Yuca (the 2 of coins is wild)", "on")]
    shared = page.html.partition("data-text>")[2].partition("</textarea>")[0]
    assert shared.startswith("Tuesday rules (Dompe)\nAnte: 2\nDeck: Spanish, 40 cards\n")
    address = shared.splitlines()[-1]
    assert address.endswith("/help/dompe/card?ante=2&amp;deck=spanish-40&amp;yuca=true&amp;name=Tuesday+rules")


def test_a_switch_that_is_off_is_told(client: FlaskClient) -> None:
    page = opened(client, "/help/knock/card?match_pot=false")
    assert re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.html) == [("A losing knocker matches the pot", "off")]


def test_the_card_of_the_usual_rules_says_so(client: FlaskClient) -> None:
    assert "The usual rules." in opened(client, "/help/knock/card").text


# what the address asks for | what the page says; it shows the usual rules
BAD_RULES = [
    ("deck=tarot", "Deck"),
    ("ante=1.5", "Ante must be a whole number from 0 to 1,000, not “1.5”"),
    ("ante=1001", "Ante must be a whole number from 0 to 1,000"),
    ("yuca=maybe", "is true or false, not"),
    ("yuca=true", "The 2 of coins is in a Spanish deck only"),
]


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize(("query", "said"), BAD_RULES)
def test_house_rules_of_an_address_that_cannot_be_are_told(
    client: FlaskClient, query: str, said: str, part: str
) -> None:
    page = opened(client, f"/help/dompe{part}?{query}")
    assert said in page.text
    assert "The usual rules are shown in its place." in page.text


@pytest.mark.parametrize("name", ["", "%00", "%E2%80%AE", "x" * 41, "%E2%A0%80"])
def test_a_name_of_an_address_that_cannot_be_shown_is_left_out(client: FlaskClient, name: str) -> None:
    page = opened(client, f"/help/knock/card?name={name}")
    assert "<title>Knock: the hands ·" in page.html


def test_the_round_leads_to_the_sheet_of_its_house_rules(client: FlaskClient) -> None:
    usual = opened(client, "/settle/dompe").all("a", "href")
    assert "/help/dompe/card" in usual
