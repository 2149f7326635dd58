"""Tries a game in the contract, the store and the pages, silently: `python tests/try_game.py KEY FOLDER`.

Expectations come from the declarations and examples of the game itself, so any game can be tried.
"""

from __future__ import annotations

import sys

from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from pages import Page, as_posted, opened, send
from sample_rounds import RESULTS, ROUNDS

from companion import create_app
from companion.contract.naming import renamed
from companion.games import all_games
from companion.store.audit import audit
from companion.store.groups import groups, links
from companion.store.models import db
from companion.store.night import play
from companion.store.refusals import Sent


def main(key: str, folder: str) -> None:
    """Try the pages, the API, the demo, and a night with its leaderboard; at last the audit finds nothing wrong."""
    app = create_app({"INSTANCE": folder, "TESTING": True})
    client = app.test_client()
    try_pages(client, key)
    try_api(client, key)
    try_demo(app.test_client(), key)
    try_night(app, app.test_client(), key)
    with app.app_context():
        assert list(audit()) == []
        db.session.remove()


def try_pages(client: FlaskClient, key: str) -> None:
    """Find the game on the home page, with a picture; settle a round of it, and read its help, also in Spanish."""
    game = all_games()[key]
    home = opened(client, "/")
    assert f"/settle/{key}" in home.all("a", "href")
    assert home.html.count('<svg class="picture"') >= len(all_games())
    winner, net, *_ = RESULTS[key]
    answer = send(client, key, as_posted(client, ROUNDS[key]))
    assert answer.texts["won"].startswith(f"{winner} wins")
    assert_has_nets(answer, net)
    for language in ("en", "es"):
        help_page = client.get(f"/help/{key}?language={language}", follow_redirects=True)
        assert help_page.status_code == 200
        assert game.name in help_page.text
    client.get("/?language=en")


def try_api(client: FlaskClient, key: str) -> None:
    """Settle over JSON, by the schema; find the game and its reasons in the lists."""
    listed = client.get("/api/games").get_json()["games"]
    assert key in [game["key"] for game in listed]
    schema = client.get("/api/openapi.json").get_json()
    settlement = client.post("/api/settle", json=ROUNDS[key]).get_json()
    for name, document in (("Round", ROUNDS[key]), ("Settlement", settlement)):
        reference = {"$ref": f"#/components/schemas/{name}", "components": schema["components"]}
        Draft202012Validator(reference).validate(document)
    assert f"{key}-round" in schema["components"]["schemas"]
    assert [settlement["net"][name] for name in ROUNDS[key]["players"]] == RESULTS[key][1]
    transfer = schema["components"]["schemas"]["Settlement"]["properties"]["transfers"]["items"]["properties"]
    assert {reason.key for reason in all_games()[key].reasons} <= set(transfer["reason"]["enum"])


def try_demo(client: FlaskClient, key: str) -> None:
    """Make the demo: the game is in its leaderboard."""
    fields = opened(client, "/").fields
    night = client.post("/demo", data={name: fields[name] for name in ("csrf_token", "secret")}).location
    group = next(href for href in opened(client, night).all("a", "href") if href.startswith("/g/"))
    assert all_games()[key].name in opened(client, f"{group}/leaderboard").text


def try_night(app: Flask, client: FlaskClient, key: str) -> None:
    """Play a night of this game alone: the round, the session, the leaderboard and the charts show it."""
    names, secret = ROUNDS[key]["players"], links.new_secret()
    with app.app_context():
        group = groups.make_group("Friday", names, secret)
        ids = {player.name: str(player.id) for player in group.players}
        session = groups.start_night(group, [int(ids[name]) for name in names], key, {}, links.new_secret())
        play.save_round(session.public_id, 1, renamed(ROUNDS[key], ids), Sent("first", "a phone"))
        here, night = f"/g/{group.public_id}", f"/s/{session.public_id}"
        db.session.remove()
    client.get(f"/open/{secret}")
    for path in (night, f"{night}/lines/1", f"{night}/round", f"{night}/rules", f"{night}/pictures", f"{night}/print"):
        opened(client, path)
    board = opened(client, f"{here}/leaderboard?game={key}")
    assert_has_nets(board, RESULTS[key][1])


def signed(units: int) -> str:
    """Write a gain or loss as the pages do."""
    return f"{units:+,}".replace("-", "\u2212") if units else "0"


def assert_has_nets(page: Page, net: list[int]) -> None:
    """Look for everybody's gain or loss on a page."""
    for change in net:
        assert signed(change) in page.text


if __name__ == "__main__":
    main(*sys.argv[1:])
