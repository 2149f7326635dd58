"""What webhooks are told: signed as the specification says, for a whole night, to a bot that posts it into a chat."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from devices import PlayedNight
from flask import Flask
from jsonschema import Draft202012Validator
from ports import free_port
from programs import Program, token_of
from receivers import Receiver
from sample_rounds import changed
from test_keeping_score_by_api import SIX, without_money
from waiting import until

import companion
from companion.serve.sending.sender import Sender
from companion.store.log import deliveries
from companion.web.api import hook_messages

GUIDE = Path(companion.__file__).parent / "web" / "api" / "WEBHOOKS.md"
EVERY = ["night.opened", "round.saved", "round.corrected", "round.voided", "payment.ticked", "night.closed"]


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    app.config["WEBHOOKS"] = "anywhere"
    return PlayedNight(app)


def hook(night: PlayedNight, url: str, *events: str) -> str:
    """Make a webhook on the page; returns its secret."""
    page = night.post("{group}/webhooks", url=url, events=[*events] or EVERY, do="make").text
    found = re.search(r"<code>(whsec_\S+)</code>", page)
    assert found is not None
    return found[1]


def send_all(app: Flask) -> None:
    Sender(app, quiet=0).send_all()


def play(night: PlayedNight, send: Callable[[], object]) -> None:
    """Play a whole night, and send after each of its events."""
    night.does("{group}/webhooks", do="test-1")
    for step in ("round", "void 1", "back 1", "round", "close"):
        night.plays(step)
        send()
    plan = night.plan("/end")
    amount = night.page(f"{plan}/0").fields["amount-0"]
    for do in ("pay-0", "unpay-0"):
        night.does(plan, do=do, **{"amount-0": amount})
        send()


def test_each_message_is_signed_and_as_described(night: PlayedNight, app: Flask) -> None:
    document = json.loads(night.keeper.get("/api/openapi.json").data)
    with Receiver() as receiver:
        secret = hook(night, receiver.url)
        play(night, lambda: send_all(app))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    types = []
    for headers, body in receiver.got:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}".encode()
        mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{mac}"
        message = json.loads(body)
        types.append(message["type"])
        content = document["webhooks"][message["type"]]["post"]["requestBody"]["content"]["application/json"]
        Draft202012Validator({**content["schema"], "components": document["components"]}).validate(message)
        told = re.sub(r'"(id|url)": "[^"]*"', "", body.decode())  # random, so that they may contain a card
        assert not [card for card in ("9s", "Ah", "8c", "hands") if card in told]
    rounds = ["round.saved", "round.voided", "round.corrected", "round.saved"]
    assert types == ["test", *rounds, "night.closed", "payment.ticked", "payment.ticked"]
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == len(types)
    assert secret not in night.html("{group}/webhooks")


CHIPS = [
    "This is a test of Table Companion",
    "Round 1, Knock Poker: Ana +6, Beto -3, Caro -3",
    "Round 1, Knock Poker: voided",
    "Round 1, Knock Poker, corrected: Ana +6, Beto -3, Caro -3",
    "Round 2, Knock Poker: Ana +6, Beto -3, Caro -3",
    "The night is over: Ana +12, Beto -6, Caro -6. Beto pays Ana 6. Caro pays Ana 6",
    "Beto paid Ana 6",
    "Taken back: Beto paid Ana 6",
]
IN_EUR = {"+12": "+6.00 EUR", "6": "3.00 EUR", "-6": "-3.00 EUR", "+6": "+3.00 EUR", "-3": "-1.50 EUR"}
MONEY = [re.sub(r"(?<!Round )(?<!\d)[+-]?\d+\b(?!, Knock)", lambda found: IN_EUR[found[0]], text) for text in CHIPS]


@contextmanager
def running(program: str, port: int, settings: dict[str, str]) -> Iterator[None]:
    """Run a program until it listens on a port, and until the end."""
    environment = os.environ | settings | {"PORT": str(port)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: is_open(port))
            yield
        finally:
            process.kill()


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(("chat", "currency"), [("telegram", ""), ("discord", "EUR")])
def test_a_bot_posts_a_night_into_a_chat(app: Flask, chat: str, currency: str) -> None:
    app.config["WEBHOOKS"] = "anywhere"
    night = PlayedNight(app, **({"currency": currency, "stake": "0.50"} if currency else {}))
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    with Receiver(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") as server:
        there, port = f"http://127.0.0.1:{server.port}", free_port()
        settings = {"DISCORD_WEBHOOK": f"{there}/api/webhooks/1/abc"}
        if chat == "telegram":
            settings = {"TELEGRAM_SERVER": there, "TELEGRAM_TOKEN": "1:abc", "TELEGRAM_CHAT": "-100"}
        settings["WEBHOOK_SECRET"] = hook(night, f"http://127.0.0.1:{port}/")
        with running(program, port, settings):
            play(night, lambda: send_all(app))
    said = [json.loads(body)["text" if chat == "telegram" else "content"] for _, body in server.got]
    assert said == (MONEY if currency else CHIPS)


def test_a_chat_reads_a_night_of_six_games(night: PlayedNight, app: Flask) -> None:
    """The guide's transcript: what the bot posts of a night that a program opens, plays, corrects and closes."""
    guide = GUIDE.read_text(encoding="utf-8")
    (program,), (transcript,) = (re.findall(rf"```{kind}\n(.*?)```", guide, re.DOTALL) for kind in ("python", "text"))
    keeper, port = Program(app, token_of(night, "keep")), free_port()
    with Receiver(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") as chat:
        settings = {"DISCORD_WEBHOOK": f"http://127.0.0.1:{chat.port}/api/webhooks/1/abc"}
        settings["WEBHOOK_SECRET"] = hook(night, f"http://127.0.0.1:{port}/")
        with running(program, port, settings):
            here = {"night": keeper.call("open_night", {"game": SIX[0], "players": [*night.players]})["id"]}
            for game in SIX:
                keeper.call("save_round", without_money(game), **here)
                send_all(app)
            keeper.call("void_round", number=2, **here)
            keeper.call("correct_round", changed(SIX[0], {"round.knocker": "Beto"}), number=1, **here)
            keeper.call("close_night", {"split": True}, **here)
            send_all(app)
            night.night = f"/s/{here['night']}"
            plan = night.plan("/end")
            night.does(plan, do="pay-0", **{"amount-0": night.page(f"{plan}/0").fields["amount-0"]})
            send_all(app)
    assert [json.loads(body)["content"] for _, body in chat.got] == transcript.splitlines()


def test_a_thread_sends_until_it_is_stopped(
    night: PlayedNight, app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_message: Any) -> Any:
        raise RuntimeError("a bug")

    sender = Sender(app, 0.01, quiet=0)
    with Receiver() as receiver, monkeypatch.context() as patch:
        hook(night, receiver.url)
        patch.setattr(hook_messages, "written", broken)
        with caplog.at_level(logging.ERROR):
            night.does("{group}/webhooks", do="test-1")
            sender.start()
            until(lambda: "could not be sent" in caplog.text)
        patch.undo()
        night.does("{group}/webhooks", do="test-1")
        until(lambda: len(receiver.got) == 2)
    sender.stop()
    sender.join()


def test_a_database_that_is_away_is_no_bug(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def away() -> bool:
        asked.append(1)
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorname, error.sqlite_errorcode = "SQLITE_BUSY", sqlite3.SQLITE_BUSY
        raise error

    monkeypatch.setattr(deliveries, "is_due", away)
    sender = Sender(app, 0.01, quiet=0)
    sender.start()
    until(lambda: len(asked) > 2)
    sender.stop()
    sender.join()
    assert "could not be sent" not in caplog.text
