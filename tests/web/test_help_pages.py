"""The help pages: every rule of the rule book has an anchor, every house rule its label and help."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from pages import GAMES, opened

# game: the ids of its rules in RULES.md
RULES = {
    "knock-poker": [f"KP-{n}" for n in range(1, 15)],
    "dompe": [f"DO-{n}" for n in range(1, 10)],
    "domino-poker": [f"DP-{n}" for n in range(1, 9)],
    "draw-poker": [f"DR-{n}" for n in range(1, 8)],
    "knock": [f"KN-{n}" for n in range(1, 7)],
    "knock-rummy": [f"KR-{n}" for n in range(1, 8)],
}


def test_every_game_is_in_the_table() -> None:
    assert set(RULES) == set(GAMES)


@pytest.mark.parametrize("game", RULES)
def test_every_rule_has_an_anchor_and_a_source(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}")
    assert [rule for rule in RULES[game] if rule not in page.texts] == []
    assert [rule for rule in RULES[game] if f"#{rule}" not in page.all("a", "href")] == []


def test_common_rules_have_anchors_and_lead_to_every_game(client: FlaskClient) -> None:
    page = opened(client, "/help/")
    assert [rule for rule in (f"C-{n}" for n in range(1, 10)) if rule not in page.texts] == []
    assert {f"/help/{game}" for game in GAMES} <= set(page.all("a", "href"))


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


@pytest.mark.parametrize("game", RULES)
def test_every_category_is_named_with_an_example(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/help/{game}")
    listed: Any = client.get("/api/games").json
    (found,) = [known for known in listed["games"] if known["key"] == game]
    assert [c["name"] for c in found["categories"] if c["name"] not in page.text] == []
    assert page.html.count('aria-label="for example"') == len(found["categories"])
