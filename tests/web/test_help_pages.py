"""The help pages: every rule of the rule book has an anchor, every house rule its label and help."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup
from pages import GAMES, opened

from companion.games import all_games
from companion.web.text.labels import unbroken

# game: the ids of its rules in RULES.md
RULES = {
    "knock-poker": [f"KP-{n}" for n in range(1, 15)],
    "dompe": [f"DO-{n}" for n in range(1, 12)],
    "domino-poker": [f"DP-{n}" for n in range(1, 10)],
    "draw-poker": [f"DR-{n}" for n in range(1, 10)],
    "knock": [f"KN-{n}" for n in range(1, 9)],
    "knock-rummy": [f"KR-{n}" for n in range(1, 12)],
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


def test_common_rules_have_anchors_and_lead_to_every_game(client: FlaskClient) -> None:
    page = opened(client, "/help/")
    assert [rule for rule in (f"C-{n}" for n in range(1, 12)) if rule not in page.texts] == []
    assert {f"/help/{game}" for game in GAMES} <= set(page.all("a", "href"))


DEALS = {
    "knock-poker": "Dani shuffles and deals, clockwise. Caro cuts. Everyone antes 1 stake. Five cards each, one",
    "dompe": "Caro gets one more. Caro begins. Beto called; Ana and Dani, in this order, have one more turn each",
    "domino-poker": "Five tiles each, face down. Ana begins.",
    "draw-poker": "Five tiles each, face down. Ana begins.",
    "knock": "Turn the next one up beside the stock. Ana begins. Beto knocked; Caro, Dani and Ana, in this order, draw",
    "knock-rummy": "Seven cards each, one at a time from Ana. Turn the next one up beside the stock. Ana begins.",
}


@pytest.mark.parametrize("game", RULES)
def test_c_10_the_deal_is_told_with_names(client: FlaskClient, game: str) -> None:
    text = " ".join(opened(client, f"/help/{game}").text.split())
    assert "For example, if Ana, Beto, Caro and Dani sit clockwise in this order and Dani deals:" in text
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
}


@pytest.mark.parametrize("game", RULES)
def test_the_card_of_hands_says_what_the_cards_count_where_they_do(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}/card")
    rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', page.html)
    assert {f"{ranks} {points}" for ranks, points in rows} == VALUES.get(game, set())
    assert f"/help/{game}/card" in opened(client, f"/settle/{game}").all("a", "href")


def test_there_is_no_card_of_another_game(client: FlaskClient) -> None:
    assert client.get("/help/canasta/card").status_code == 404


# what the example of a hand comes to where points are counted; it is none of those that beat each other
COUNTED = {"knock": "3½ points", "knock-rummy": "10 deadwood"}


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize("game", RULES)
def test_a_hand_of_points_is_counted_and_not_ranked(client: FlaskClient, game: str, part: str) -> None:
    html = opened(client, f"/help/{game}{part}").html
    assert ("For example: " in html) == (game in COUNTED)
    assert COUNTED.get(game, "") in html.partition("from high to low")[0]


@pytest.mark.parametrize("part", ["", "/card"])
@pytest.mark.parametrize("game", RULES)
def test_every_category_is_named_with_an_example(client: FlaskClient, game: str, part: str) -> None:
    page = opened(client, f"/help/{game}{part}")
    listed: Any = client.get("/api/games").json
    (found,) = [known for known in listed["games"] if known["key"] == game]
    assert [c["name"] for c in found["categories"] if c["name"] not in page.text] == []
    examples = ('aria-label="for example"', 'class="melds"')
    assert sum(map(page.html.count, examples)) == len(found["categories"])
