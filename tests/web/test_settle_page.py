"""Settling a single round: choosing a game, filling in the form, its settlement, and mistakes."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from pages import GAMES, Page, as_posted, opened, send
from sample_rounds import GONE, RESULTS, ROUNDS, WITH_HANDS, changed
from tables import each_row

from companion.contract.naming import renamed
from companion.games import all_games

STATIC = Path(__file__).parents[2] / "static"
KP, DO, DP, DR, KN, KR = "knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"
NAMES = ["Ana", "Beto", "Caro"]


def test_home_lists_every_game_with_its_picture(client: FlaskClient) -> None:
    page = opened(client, "/")
    links = page.all("a", "href")
    for game in GAMES:
        assert f"/settle/{game}" in links
        drawn = (STATIC / f"pictures/{game}.svg").read_text()
        assert drawn.removeprefix("<svg ") in page.html
    assert "/help/" in links


@pytest.mark.parametrize("game", GAMES)
def test_empty_form_has_players_and_a_labelled_field_for_each_house_rule(client: FlaskClient, game: str) -> None:
    page = opened(client, f"/settle/{game}")
    number = min(4, all_games()[game].seats[1])
    assert [page.fields[f"players-{at}-name"] for at in range(number)] == [[f"Player {at + 1}"] for at in range(number)]
    assert f"players-{number}-name" not in page.fields
    assert page.fields["dealer"] == [str(number - 1)]
    listed = {option["key"] for found in client.get("/api/games").json["games"] if found["key"] == game
              for option in found["options"]}  # fmt: skip
    inputs = {*page.all("input", "name"), *page.all("select", "name")}
    assert {name.removeprefix("rules-") for name in inputs if name.startswith("rules-")} == listed
    assert "problems" not in page.texts
    # every field has a label, and ids are unique
    ids = [about["id"] for _, about in page.tags if "id" in about]
    assert sorted(ids) == sorted(set(ids), key=str) and len(ids) == len(set(ids))
    labelled = {*page.all("label", "for"), *page.wrapped}
    bare = [
        about
        for tag, about in page.tags
        if tag == "input"
        and about.get("type") not in ("hidden", "checkbox", "radio", "file")
        and "aria-label" not in about
    ]
    assert bare
    assert {about["id"] for about in bare} <= labelled


# which of the answers to how play ended are given | what is missing
ENDINGS = [((), ["asked-knocker"]), (("shown_by",), []), (("knocker",), []), (("shown_by", "knocker"), [])]


@pytest.mark.parametrize(("given", "missing"), ENDINGS)
def test_who_knocked_need_not_be_said_beside_another_end(
    client: FlaskClient, given: tuple[str, ...], missing: list[str]
) -> None:
    hands = {"Ana": "As Ks Qs"} if "shown_by" in given else ROUNDS["thirty-one"]["round"]["hands"]
    answers = {"hands": hands, **dict.fromkeys(given, "Ana")}
    page = send(client, "thirty-one", as_posted(client, {**ROUNDS["thirty-one"], "round": answers}))
    assert [field for field in page.errors if "knocker" in field] == missing
    assert page.has_result != bool(missing)


@pytest.mark.parametrize("game", ROUNDS)
def test_posted_round_is_settled_and_kept_as_entered(client: FlaskClient, game: str) -> None:
    winner, net, closing, payments = RESULTS[game]
    fields = as_posted(client, ROUNDS[game])
    page = send(client, game, fields)
    assert page.texts["won"].startswith(f"{winner} wins")
    shown = [line for line in page.text.splitlines() if line.strip()]
    text = " ".join(" ".join(shown).split())
    for payer, payee, amount in payments:
        # where it is the same for a table with chips, it is said once, in the words of that one
        assert re.search(rf"{payer} (pays|gives) {payee} {amount}\b", text)
    rows = re.findall(r"<strong>(\w+)</strong>.*?<b class=.*?>(.*?)</b>", page.html, re.DOTALL)
    written = [f"{n:+,}".replace("-", "\u2212") if n else "0" for n in net]
    assert sorted(rows) == sorted(zip(ROUNDS[game]["players"], written, strict=True))
    assert ("In the pot for the next round" in text) is (closing > 0)
    assert _without_token(page.fields) == _without_token(fields)
    # the rules are anchors on the help page
    links = [link.split("#") for link in page.all("a", "href") if link.startswith("/help/") and "#" in link]
    assert links
    anchors = {"/help/" + game: set(opened(client, f"/help/{game}").texts)}
    assert [(path, rule) for path, rule in links if rule not in anchors[path]] == []


def _without_token(fields: dict[str, list[str]]) -> dict[str, list[str]]:
    return {
        name: values
        for name, values in fields.items()
        if name not in ("csrf_token", "do", "fingerprint") and values != [""]
    }


def test_dr_8_a_round_that_nobody_opened(client: FlaskClient) -> None:
    passed_in = {"rules": {"openers": "two-pairs"}, "round": {"hands": {}, "passed_in": True}}
    page = send(client, DR, as_posted(client, changed(DR, passed_in)))
    assert page.has_result
    assert page.texts["won"] == "Nobody wins"
    # without openers the question isn't asked
    assert "asked-passed_in" not in opened(client, f"/settle/{DR}").html


# game | what is wrong | id of the field that it stands at
AT_FIELDS: list[tuple[str, dict[str, Any], str]] = [
    (KP, {"stake": "none"}, "stake"),
    (KP, {"stake": "0"}, "stake"),
    (KP, {"stake": "9" * 400}, "stake"),
    (KP, {"pot": "1.5"}, "pot"),
    (KP, {"pot": "-1"}, "pot"),
    (KP, {"rules": {"ante": "one"}}, "rules-ante"),
    (KP, {"rules": {"ante": "1001"}}, "rules-ante"),
    (KP, {"rules": {"draw_fee": "1.0"}}, "rules-draw_fee"),
    (KP, {"rules": {"settlement": "half"}}, "rules-settlement"),
    (DO, {"rules": {"yuca": True}}, "rules-yuca"),
    (KP, {"round.hands.Beto": "Ah Kh 8h 5h"}, "players-1-hand"),
    (KP, {"round.hands.Ana": "zz 9h 9d 4c 4d"}, "players-0-hand"),
    (KP, {"round.hands.Beto": ""}, "players-1-hand"),
    (KP, {"round.hands.Caro": "2s 3s 4s 5s 6c"}, "players-2-hand"),
    (KP, {"round.knocker": GONE, "round.dropped": [], "round.hands.Caro": "Qs Qc 2s 3s 5c"}, "asked-knocker"),
    (KP, {"round.knocker": None}, "players-2-dropped"),
    (KN, {"round.knocker": GONE}, "asked-knocker"),
    (KR, {"round.knocker": GONE}, "asked-knocker"),
    (DO, {"round.caller": None}, "asked-caller"),
    (DR, {"round.passed_in": True}, "asked-passed_in"),
    (DO, {"round.hands.Beto": "7c 7d 6h 6s 3d"}, "players-1-hand"),
    (DP, {"round.paid": {"Ana": 5, "Beto": "five", "Caro": 2}}, "players-1-paid"),
    (DP, {"round.paid": {"Ana": 5, "Beto": 5}}, "players-2-paid"),
    (DP, {"round.paid": {"Ana": 5, "Beto": 4, "Caro": 2}}, "players-1-paid"),
    (DP, {"round.folded": ["Ana", "Beto", "Caro"]}, "players-0-folded"),
    (DR, {"round.exchanged": {"Ana": 4}}, "players-0-exchanged"),
]


@pytest.mark.parametrize(("game", "changes", "field"), AT_FIELDS, ids=[f"{r[0]}:{str(r[1])[:50]}" for r in AT_FIELDS])
def test_problem_stands_at_its_field_and_everything_typed_stays(
    client: FlaskClient, game: str, changes: dict[str, Any], field: str
) -> None:
    fields = as_posted(client, changed(game, changes))
    page = send(client, game, fields)
    assert not page.has_result
    assert list(page.errors) == [field]
    (about,) = [about for tag, about in page.tags if tag in ("input", "select") and about.get("id") == field]
    assert about["aria-invalid"] == "true"
    assert str(about["aria-describedby"]).split()[0] == f"{field}-error"
    assert f"#{field}" in page.all("a", "href")
    assert page.errors[field].strip() in page.texts["problems"]
    # a select cannot show what is none of its choices
    kept = {name: values for name, values in fields.items() if not (name == field and "settlement" in field)}
    assert _without_token(page.fields) | _without_token(kept) == _without_token(page.fields)


def test_all_problems_are_told_at_once_each_at_its_field(client: FlaskClient) -> None:
    changes = {"stake": "x", "rules": {"ante": "-1"}, "round.hands.Ana": "9s 9h 9d 4c Zs", "round.hands.Beto": "9h 9s"}
    fields = as_posted(client, changed(KP, {**changes, "round.hands.Caro": "2s 3s 4s 5s 6c"}))
    page = send(client, KP, {**fields, "players-2-name": [" ana "]})
    expected = {"stake", "rules-ante", "players-2-name", "players-0-hand", "players-1-hand", "players-2-hand"}
    assert set(page.errors) == expected
    assert {link[1:] for link in page.all("a", "href") if link.startswith("#")} >= expected
    assert "Beto has 2 of 5 cards" in page.errors["players-1-hand"]


def test_the_same_problem_is_told_once(client: FlaskClient) -> None:
    page = send(client, KP, as_posted(client, changed(KP, {"round.hands.Ana": "Zs Zs 9d 4c 4d"})))
    assert page.texts["problems"].count("Zs in Ana's hand isn't a card") == 1


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["", "Beto", "Caro"], ["players-0-name"]),
        (["  ", "", "Caro"], ["players-0-name", "players-1-name"]),
        (["Ana", "Ana", "Ana"], ["players-1-name", "players-2-name"]),
        (["Ana", "ANA", "Caro"], ["players-1-name"]),
        (["Ana", "Beto", "Pot"], ["players-2-name"]),
        (["Ana", "B\x00", "Caro"], ["players-1-name"]),
        (["A" * 101, "Beto", "Caro"], ["players-0-name"]),
    ],
    ids=ascii,
)
def test_bad_names_are_told_with_other_problems(client: FlaskClient, names: list[str], wrong: list[str]) -> None:
    fields = as_posted(client, changed(KP, {"round.hands.Beto": "Ah Kh"}))
    fields |= {f"players-{at}-name": [name] for at, name in enumerate(names)}
    page = send(client, KP, fields)
    assert sorted(page.errors) == sorted([*wrong, "players-1-hand"])
    assert [page.fields[f"players-{at}-name"] for at in range(3)] == [[name] for name in names]


@pytest.mark.parametrize("game", [game for game in WITH_HANDS if all_games()[game].seats[1] > 3])
def test_add_remove_and_clear_a_player(client: FlaskClient, game: str) -> None:
    fields = as_posted(client, ROUNDS[game])
    more = send(client, game, fields, "add")
    assert more.fields["players-3-name"] == ["Player 4"]
    assert _without_token(more.fields) | _without_token(fields) == _without_token(more.fields)
    back = send(client, game, more.fields, "remove-3")
    assert _without_token(back.fields) == _without_token(fields)
    fewer = send(client, game, fields, "remove-0")
    assert [fewer.fields[f"players-{at}-name"] for at in range(2)] == [["Beto"], ["Caro"]]
    assert [fewer.fields[f"players-{at}-hand"] for at in range(2)] == [
        fields["players-1-hand"],
        fields["players-2-hand"],
    ]
    assert "players-2-name" not in fewer.fields
    assert fewer.fields["dealer"] == ["1"]
    cleared = send(client, game, {**fields, "players-1-cards": ["Ah"]}, "clear-1")
    assert cleared.fields["players-1-hand"] == [""]
    assert "players-1-cards" not in cleared.fields
    assert cleared.fields["players-0-hand"] == fields["players-0-hand"]


def test_a_hand_moves_whole_to_another_seat(client: FlaskClient) -> None:
    hands: dict[str, Any] = {"players-0-hand": ["9s 9h"], "players-1-hand": [""], "players-2-hand": ["Ah"]}
    fields = {**as_posted(client, ROUNDS[KP]), **hands, "players-0-cards": ["4c"], "players-1-dropped": ["y"]}
    moved = send(client, KP, fields, "move-0-1").fields
    assert [moved[f"players-{seat}-hand"] for seat in range(3)] == [[""], ["9s 9h"], ["Ah"]]
    assert ("players-0-cards" in moved, moved["players-1-cards"], "players-1-dropped" in moved) == (
        False,
        ["4c"],
        False,
    )
    exchanged = send(client, KP, fields, "move-0-2").fields
    assert [exchanged[f"players-{seat}-hand"] for seat in range(3)] == [["Ah"], [""], ["9s 9h"]]
    assert (exchanged["players-2-cards"], exchanged["players-1-dropped"]) == (["4c"], ["y"])


def test_a_single_round_is_read_aloud_on_a_phone_that_was_told_to(client: FlaskClient) -> None:
    fields = as_posted(client, ROUNDS[KP])
    html = send(client, KP, fields).html
    assert re.search(r'<button[^>]* data-speak="\w+ wins \d+\. ', html)  # on any phone, when it is pressed
    assert "data-speaks-itself" not in html
    token = opened(client, "/phone").fields["csrf_token"]
    client.post("/phone", data={"csrf_token": token, "spoken": "yes", "theme": "auto", "suits": "four"})
    html = send(client, KP, fields).html
    assert "speech.js" in html
    assert re.search(r'data-speak="\w+ wins \d+\. [^"]*" data-speaks-itself', html)
    assert "speech.js" not in opened(client, f"/settle/{KP}").html


def test_what_points_at_a_seat_moves_with_it(client: FlaskClient) -> None:
    document = changed(KP, {"round.knocker": "Beto", "dealer": "Ana"})
    fields = as_posted(client, document)
    without_ana = send(client, KP, fields, "remove-0")
    assert without_ana.fields["asked-knocker"] == ["0"]
    assert without_ana.fields["dealer"] == ["1"]
    assert without_ana.fields["players-1-dropped"] == ["y"]
    without_beto = send(client, KP, fields, "remove-1")
    assert "asked-knocker" not in without_beto.fields
    assert without_beto.fields["dealer"] == ["0"]


@pytest.mark.parametrize(
    ("game", "least", "most"), [(KP, 2, 10), (DO, 2, 5), (DP, 2, 4), (DR, 2, 6), (KN, 2, 10), (KR, 2, 6)]
)
def test_players_can_be_added_and_removed_within_the_game_s_seats(
    client: FlaskClient, game: str, least: int, most: int
) -> None:
    def count(page: Page) -> int:
        return sum(bool(re.fullmatch(r"players-\d+-name", name)) for name in page.fields)

    token = opened(client, f"/settle/{game}").fields["csrf_token"]

    def seated(number: int) -> dict[str, list[str]]:
        return {"csrf_token": token, **{f"players-{at}-name": [f"P{at}"] for at in range(number)}}

    full = send(client, game, seated(most - 1), "add")
    assert count(full) == most
    assert "add" not in full.buttons
    assert count(send(client, game, seated(most), "add")) == most
    bare = send(client, game, seated(least + 1), "remove-0")
    assert count(bare) == least
    assert not [button for button in bare.buttons if button.startswith("remove")]
    assert count(send(client, game, seated(least), "remove-0")) == least


TYPES: list[tuple[str, str, list[str]]] = [
    ("tapped alone", "", ["9s", "9h", "9d", "4c", "4d"]),
    ("typed and tapped", "9s 9h 9d", ["4c", "4d"]),
    ("the same typed and tapped", "9s 9h 9d 4c 4d", ["9s", "9h", "9d", "4c", "4d"]),
    ("the same, typed otherwise", "9♠ 9H 9d4c", ["9s", "4c", "4d"]),
]


@pytest.mark.parametrize(("hand", "cards"), [row[1:] for row in TYPES], ids=[row[0] for row in TYPES])
def test_tapped_cards_settle_and_count_once(client: FlaskClient, hand: str, cards: list[str]) -> None:
    fields = as_posted(client, ROUNDS[KP])
    page = send(client, KP, {**fields, "players-0-hand": [hand], "players-0-cards": cards})
    assert page.has_result, page.errors
    assert page.texts["won"].startswith("Ana wins")


def test_two_jokers_can_be_tapped(client: FlaskClient) -> None:
    fields = as_posted(client, changed(DR, {"rules": {"wild": "jokers"}}))
    page = send(client, DR, {**fields, "players-0-hand": ["2c 2d 2h"], "players-0-cards": ["Jk", "Jk"]})
    # five twos beat the royal flush (DR-4)
    assert page.texts["won"].startswith("Ana wins")
    assert page.fields["players-0-cards"] == ["Jk", "Jk"]


def test_chosen_deck_draws_its_own_keys(client: FlaskClient) -> None:
    fields = opened(client, "/settle/dompe").fields
    page = send(client, DO, {**fields, "rules-deck": ["spanish-40"]}, "rules")
    keys = {about["value"] for _, about in page.tags if about.get("name") == "players-0-cards"}
    assert keys == {f"{rank}{suit}" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12) for suit in "oceb"}


def next_round(client: FlaskClient, game: str, fields: dict[str, list[str]]) -> Page:
    """Settle, then press the answer's button for the next round."""
    return send(client, game, send(client, game, fields).fields, "next")


def test_next_round_shows_the_answer_first_when_something_was_changed(client: FlaskClient) -> None:
    settled = send(client, KP, as_posted(client, ROUNDS[KP])).fields
    for hand, is_settled in (("Ah Kh 8h 5h 2h", True), ("", False)):
        page = send(client, KP, {**settled, "players-1-hand": [hand]}, "next")
        assert (page.has_result, page.fields["players-1-hand"]) == (is_settled, [hand])
        assert list(page.errors) == ["players-1-hand"] * (not is_settled)


@pytest.mark.parametrize("game", GAMES)
def test_c_8_next_round_moves_the_deal_and_clears_the_hands(client: FlaskClient, game: str) -> None:
    page, players = next_round(client, game, as_posted(client, ROUNDS[game])), ROUNDS[game]["players"]
    assert not page.has_result
    # Caro, the last of three, dealt: clockwise it is Ana's turn, anticlockwise Beto's
    assert page.fields["dealer"] == ["1" if game == "dompe" else "0"]
    assert page.fields["pot"] == [str(RESULTS[game][2])]
    assert [page.fields[f"players-{at}-name"] for at in range(len(players))] == [[name] for name in players]
    asked = {name: values for name, values in page.fields.items() if name.startswith("asked-")}
    assert all(values == ["nobody"] for values in asked.values())
    typed = {name: v for name, v in page.fields.items() if name.startswith("players-") and not name.endswith("-name")}
    assert all(values == [""] for values in typed.values())


def test_next_round_keeps_the_house_rules_and_the_stake(client: FlaskClient) -> None:
    document = changed(KN, {"rules": {"match_pot": False, "odd_chips": "stay-in-pot"}, "stake": 25})
    page = next_round(client, KN, as_posted(client, document))
    assert "rules-match_pot" not in page.fields
    assert page.fields["rules-odd_chips"] == ["stay-in-pot"]
    assert page.fields["stake"] == ["25"]
    assert page.fields["pot"] == ["0"]


# the line of actions | what is said of them, before what is wrong
SAID = [
    ("bet 4;raise 8", ["Ana bets 4", "Beto raises by 4"]),
    ("check;bet 2;call;fold", ["Ana checks", "Beto bets 2", "Caro calls", "Ana folds"]),
    ("bet 4;all-in 9", ["Ana bets 4", "Beto is all-in with 9"]),
    ("bet lots;jump", ["Ana: bet lots", "Ana: jump"]),
    ("check 4;bet", ["Ana: check 4", "Ana: bet"]),
    ("bet ²", ["Ana: bet ²"]),
    (f"bet {'9' * 40}", [f"Ana: bet {'9' * 40}"]),
    (f"bet {'9' * 5000}", [f"Ana: bet {'9' * 5000}"]),
]


@pytest.mark.parametrize(("line", "said"), SAID, ids=[row[0][:20] for row in SAID])
def test_bets_are_told_in_words(client: FlaskClient, line: str, said: list[str]) -> None:
    fields = {**as_posted(client, ROUNDS["draw-poker"]), "betting": ["yes"], "rules-all_in": ["y"], "bets": [line]}
    assert "\u00a0· ".join(said) in send(client, "draw-poker", {**fields, "do": ["rules"]}).text


# the line of actions | the amounts on the buttons, each a bet or what a raise puts in together with its call
OFFERED = [("check", ["bet-1", "bet-2", "bet-4", "bet-8"]), ("bet 2", ["raise-3", "raise-4", "raise-6", "raise-10"])]


@pytest.mark.parametrize(("line", "offered"), OFFERED, ids=[row[0] for row in OFFERED])
def test_amounts_are_offered_on_top_of_the_call(client: FlaskClient, line: str, offered: list[str]) -> None:
    fields = {**as_posted(client, ROUNDS["draw-poker"]), "betting": ["yes"], "bets": [line]}
    page = send(client, "draw-poker", {**fields, "do": ["rules"]})
    assert re.findall(r'value="act-((?:bet|raise)-\d+)"', page.html) == offered


def test_unticked_box_is_off(client: FlaskClient) -> None:
    fields = as_posted(client, ROUNDS[KN])
    assert "In the pot for the next round" in send(client, KN, fields).text
    del fields["rules-match_pot"]
    assert "In the pot for the next round" not in send(client, KN, fields).text


def test_the_names_and_the_game_of_last_time_stand_in_the_next_forms(client: FlaskClient) -> None:
    answer = send(client, KN, as_posted(client, ROUNDS[KN]))
    page = opened(client, "/settle/knock-poker")
    assert [page.fields.get(f"players-{at}-name") for at in range(4)] == [["Ana"], ["Beto"], ["Caro"], None]
    assert "/groups/new" in answer.all("a", "href")
    page = opened(client, "/groups/new")
    assert page.fields["player"][:4] == ["Ana", "Beto", "Caro", ""]
    made = client.post("/groups/new", data={**page.fields, "do": ["make"]})
    assert opened(client, made.location).fields["game"] == [KN]
    # a player without a name is left out
    send(client, KP, as_posted(client, renamed(ROUNDS[KP], {"Ana": "Ana", "Beto": "Player 2", "Caro": "Caro"})))
    assert opened(client, "/groups/new").fields["player"][:3] == ["Ana", "Caro", ""]


@pytest.mark.parametrize("token", [None, "", "expired"])
@pytest.mark.parametrize("do", ["settle", "next", "add"])
def test_missing_or_expired_token_gives_the_form_back(client: FlaskClient, token: str | None, do: str) -> None:
    fields = as_posted(client, ROUNDS[KP])
    fields.pop("csrf_token")
    page = send(client, KP, {**fields, **({} if token is None else {"csrf_token": [token]})}, do)
    assert not page.has_result
    assert "press the button again" in page.text
    assert _without_token(page.fields) == _without_token(fields)
    assert send(client, KP, page.fields).has_result


# a request of what there is not, or not in this way, or that is too large | the answer
ERRORS = [
    *(("GET", path, 404) for path in ("/settle/whist", "/help/whist", "/nothing", "/settle/", "/settle/knock%00")),
    *((method, path, 405) for method, path in (("POST", "/"), ("PUT", "/settle/knock"), ("DELETE", "/help/knock"))),
    ("POST", "/settle/knock", 413),
]


@pytest.mark.parametrize(("method", "path", "status"), ERRORS)
def test_an_error_is_a_page(client: FlaskClient, method: str, path: str, status: int) -> None:
    response = client.open(path, method=method, data={"stake": "1" * 70_000} if status == 413 else None)
    assert (response.status_code, response.mimetype) == (status, "text/html")
    assert "/" in Page(response.text).all("a", "href")
    assert ("GET" in response.headers.get("Allow", "")) == (status == 405)


EVIL = "<script>alert(1)</script>"
QUOTE = "\"><img src=x onerror='alert(1)'>"


@pytest.mark.parametrize("text", [EVIL, QUOTE])
@pytest.mark.parametrize("do", ["settle", "add"])
def test_what_is_typed_is_escaped(client: FlaskClient, text: str, do: str) -> None:
    fields = as_posted(client, ROUNDS[KP])
    odd = ["players-0-name", "players-0-hand", "players-0-cards", "players-0-draws", "players-1-name", "stake", "pot"]
    odd += ["rules-ante", "rules-settlement", "dealer", "asked-knocker"]
    page = send(client, KP, {**fields, **{name: [text] for name in odd}}, do)
    assert text not in page.html
    assert not page.all("img", "onerror")
    (source,) = page.all("script", "src")
    assert source.startswith("/static/scripts/entry.js?v=")
    assert [tag for tag, _ in page.tags].count("script") == 1
    winner = send(client, KP, {**fields, "players-0-name": [text]})
    assert winner.texts["won"].startswith(text) and text not in winner.html


def test_answers_that_no_longer_matter_stay_in_sight(client: FlaskClient) -> None:
    fields = as_posted(client, changed(KP, {"rules": {"draw_fee": 2}, "round.draws": {"Ana": 3}}))
    assert fields["players-0-draws"] == ["3"]
    page = send(client, KP, {**fields, "rules-draw_fee": ["x"]})
    assert list(page.errors) == ["rules-draw_fee"]
    assert page.fields["players-0-draws"] == ["3"]


@pytest.mark.parametrize(
    ("game", "rule", "asked"),
    [
        ("knock-poker", "draw_fee=1", "draws"),
        ("knock-rummy", "total=30", "kept"),
        ("knock-poker", "draw_fee=0", ""),
        ("dompe", "outright_bonus=1", ""),
    ],
)
def test_what_a_changed_rule_asks_is_asked_before_the_round_is_settled(
    client: FlaskClient, game: str, rule: str, asked: str
) -> None:
    option, _, value = rule.partition("=")
    blank = opened(client, f"/settle/{game}").fields
    fields = {**as_posted(client, ROUNDS[game]), "asks": blank["asks"], f"rules-{option}": [value]}
    page = send(client, game, fields)
    news = "The house rules ask more now. Answer it, and settle again."
    assert (news in page.text, "won" in page.texts) == ((bool(asked), not asked))
    assert bool(asked) == any(asked and name.endswith(f"-{asked}") for name in page.fields)
    # the page that asks it settles, whether it was answered or not
    again = send(client, game, {**page.fields, "do": []})
    assert (news in again.text, "won" in again.texts) == (False, True)


def test_cards_tapped_of_another_deck_stay_in_sight(client: FlaskClient) -> None:
    fields = as_posted(client, ROUNDS["dompe"])
    tapped = {**fields, "players-0-hand": ["Kd"], "players-0-cards": ["Ks", "9h"], "rules-deck": ["spanish-40"]}
    page = send(client, "dompe", tapped, "rules")
    assert page.fields["players-0-hand"] == ["Kd Ks 9h"]


# what is entered of a single round of three players, and what the bar says is next
@each_row("""\
knock-poker || Player 3 deals, Player 1 begins
dompe || Player 3 deals, Player 2 begins
domino-poker || Player 3 deals, Player 1 begins
knock-poker | asked-knocker=0 | Player 1 knocked. Last turns: Player 2, then Player 3
knock-poker | asked-knocker=0, players-0-hand=9s | Player 1 knocked. Last turns: Player 2, then Player 3
knock-poker | asked-knocker=0, players-1-dropped=y | Cards missing: Player 1 (5) and Player 3 (5)
dompe | asked-caller=0 | Player 1 called. Last turn: Player 3; an outright win ends the round
knock-rummy | asked-knocker=0 | Cards missing: Player 1 (7), Player 2 (7) and Player 3 (7)
knock-poker | players-0-hand=9s | Cards missing: Player 1 (4), Player 2 (5) and Player 3 (5)
""")
def test_a_single_round_says_who_begins_and_who_still_plays_after_a_knock(
    client: FlaskClient, row: tuple[str, str, str]
) -> None:
    game, entered, told = row
    fields = {**opened(client, f"/settle/{game}").fields, "do": "remove-3"}
    page = Page(client.post(f"/settle/{game}", data=fields).text)
    fields = {**page.fields, **dict(one.split("=") for one in entered.split(", ") if one)}
    live = client.post(f"/settle/{game}/live", data=fields).get_json()["live"]
    assert live["missing"].replace("\xa0", " ") == told
    if not entered:  # at once, and without the page's script
        assert f'aria-live="polite">{told}</p>' in page.html


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("stake", "0", "The stake must be a whole number from 1 to 1,000,000, not “0”"),
        ("rules-ante", "abc", "Ante must be a whole number from 0 to 1,000, not “abc”"),
        ("rules-knock_payment", "-2", "Knock payment must be a whole number from 0 to 1,000, not “-2”"),
    ],
)
def test_wrong_settings_are_told_at_their_field(client: FlaskClient, field: str, typed: str, told: str) -> None:
    fields = opened(client, "/settle/knock-poker").fields
    html = client.post("/settle/knock-poker", data={**fields, field: typed, "do": "rules"}).text
    page = Page(html)
    assert "The house rules apply to this round" not in page.text
    assert f'<a href="#{field}">{told}</a>' in html
    assert told in page.texts[f"{field}-error"]
    assert re.search(r'<details class="panel" id="rules" open', html)
    assert page.fields[field] == [typed]


def test_a_typed_raise_is_on_top_of_the_call(client: FlaskClient) -> None:
    def acts(fields: dict[str, Any], do: str, typed: str = "") -> Page:
        return Page(client.post(f"/settle/{DP}", data={**fields, "bet_amount": typed, "do": do}).text)

    page = acts(opened(client, f"/settle/{DP}").fields, "act-bet", "2")
    assert "2" in page.fields["bets"][0]
    low = acts(page.fields, "act-raise", "0")
    assert low.errors["bet_amount"] == "It must be 1 or more"
    assert low.fields["bets"] == page.fields["bets"]
    typed, tapped = acts(page.fields, "act-raise", "3"), acts(page.fields, "act-raise-5")
    assert typed.fields["bets"] == tapped.fields["bets"] != page.fields["bets"]
    assert 'data-with="Raise by {amount}"' in page.html


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("points", [f"Missing: Player {number}'s points" for number in (1, 2, 3, 4)]),
        ("won_by", ["Tap who won"]),
        (
            "",
            [
                f"Player {number} must show a hand; enter it, or take Player {number} out of the round"
                for number in (1, 2, 3, 4)
            ],
        ),
    ],
)
def test_what_is_missing_is_what_the_page_asks_for(client: FlaskClient, way: str, told: list[str]) -> None:
    page = send(client, KN, {**opened(client, f"/settle/{KN}").fields, "way": [way], "asked-knocker": ["0"]})
    assert [text.strip() for text in page.texts["problems"].split("fix")[1].splitlines() if text.strip()] == told


def test_who_knocked_is_asked_once_if_somebody_dropped_before_a_knock(client: FlaskClient) -> None:
    fields = {**as_posted(client, ROUNDS[KP]), "asked-knocker": [""], "players-1-hand": [""], "players-1-cards": []}
    html = send(client, KP, {**fields, "players-1-dropped": ["y"]}).html
    problems = html[html.index('id="problems"') :].partition("</ul>")[0]
    assert (problems.count("Who knocked?"), "before a knock" in html) == (1, False)
