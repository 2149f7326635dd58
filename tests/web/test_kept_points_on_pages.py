"""Points kept to a total: typed in a single round, known by a night, and shown before and after a round. KR-14."""

from __future__ import annotations

from devices import PlayedNight, words
from flask import Flask
from flask.testing import FlaskClient
from pages import as_posted, opened, send

from companion.contract import settle

GAME = "knock-rummy"
PLAYERS = ["Ana", "Beto", "Caro"]


def counted(ana: int, beto: int, caro: int, **more: object) -> dict[str, object]:
    round = {"knocker": None, "points": {"Ana": ana, "Beto": beto, "Caro": caro}, "hands": {}, **more}
    return {"game": GAME, "rules": {"total": 30}, "players": PLAYERS, "dealer": "Caro", "round": round}


def fields(ana: int, beto: int, caro: int) -> dict[str, str]:
    points = {f"players-{seat}-points": str(number) for seat, number in enumerate((ana, beto, caro))}
    hands = {f"players-{seat}-hand": "" for seat in range(3)}
    return {**points, **hands, "asked-knocker": "nobody", "rules-total": "30", "way": "points"}


def test_a_single_round_is_told_the_points_and_hands_them_on(client: FlaskClient) -> None:
    page = send(client, GAME, as_posted(client, counted(3, 10, 8, kept={"Beto": 5})))
    text = words(page.html)
    assert "Points, up to 30" in text
    assert "Ana wins" in text
    assert "A Ana 0 + 12 12 B Beto 5 + 0 5 C Caro 0 + 0 0" in text
    assert "Nobody pays anything." in text
    following = send(client, GAME, {**page.fields}, do="next")
    assert [following.fields[f"players-{seat}-kept"] for seat in range(3)] == [["12"], ["5"], [""]]


def test_who_has_the_total_is_paid(client: FlaskClient) -> None:
    text = words(send(client, GAME, as_posted(client, counted(3, 10, 8, kept={"Ana": 20, "Beto": 5}))).html)
    assert "Ana wins +59" in text
    assert "Everybody begins again with no points." in text


def test_a_bad_number_of_points_is_told_at_its_field(client: FlaskClient) -> None:
    page = send(client, GAME, as_posted(client, counted(3, 10, 8, kept={"Beto": -5})))
    assert list(page.errors) == ["players-1-kept"]


def test_a_night_knows_the_points(app: Flask) -> None:
    night = PlayedNight(app, game=GAME)
    line = night.books(**fields(3, 10, 8))
    assert "Ana 0 + 12 12" in words(night.keeper.get(line).text)
    text = night.text("/round")
    assert "12 points so far" in text
    assert "players-0-kept" not in night.html("/round")
    second = night.books(**fields(9, 4, 8))
    assert "A Ana 12 + 0 12 B Beto 0 + 9 9" in words(night.keeper.get(second).text)
    corrected = words(night.keeper.get(f"{second}/correct".replace("?saved=yes", "")).text)
    assert "12 points so far" in corrected


def test_a_document_has_the_points_only_where_some_are_kept() -> None:
    status, answer = settle(counted(3, 10, 8, kept={"Beto": 5}))
    assert status == 200
    assert answer["kept"] == {
        "total": 30,
        "opening": {"Ana": 0, "Beto": 5, "Caro": 0},
        "scored": {"Ana": 12, "Beto": 0, "Caro": 0},
        "closing": {"Ana": 12, "Beto": 5, "Caro": 0},
    }
    assert "kept" not in settle({**counted(3, 10, 8), "rules": {}})[1]


def test_the_page_of_a_game_without_a_total_asks_for_no_points(client: FlaskClient) -> None:
    assert "players-0-kept" not in opened(client, f"/settle/{GAME}").fields
