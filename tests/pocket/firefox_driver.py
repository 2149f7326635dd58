"""Firefox, told what to do by WebDriver BiDi: Playwright drives only a build of its own."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from waiting import MAX_SECONDS, until

MASKED = bytes(byte ^ 1 for byte in range(256))  # Firefox takes a mask of zeros for none
TAPS = Path(__file__).with_name("firefox_taps.js").read_text()


class _Socket:
    """As much of a WebSocket as Firefox's answers need."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=MAX_SECONDS)
        self._file = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13"
        self._socket.sendall(f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{upgrade}\r\n\r\n".encode())
        while self._file.readline().strip():
            pass

    def send(self, text: str) -> None:
        content, size = text.encode(), len(text.encode())
        length = struct.pack("!BQ", 255, size) if size > 65535 else struct.pack("!BH", 254, size)
        if size < 126:
            length = bytes([128 + size])
        self._socket.sendall(b"\x81" + length + b"\1\1\1\1" + content.translate(MASKED))

    def receive(self) -> bytes:
        content, is_whole = b"", 0
        while not is_whole:
            first, size = self._file.read(2)
            if size > 125:
                size = int.from_bytes(self._file.read(2 if size == 126 else 8), "big")
            part = self._file.read(size)
            if first & 15 < 3:  # not a ping
                content, is_whole = content + part, first & 128
        return content


class Firefox:
    """A Firefox with the profile of a folder."""

    def __init__(self, profile: Path, preferences: Mapping[str, object] | None = None) -> None:
        told = {"browser.download.folderList": 2, "browser.download.dir": str(profile), **(preferences or {})}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in told.items()]
        (profile / "user.js").write_text("\n".join(lines))
        options = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
        log = profile / "stderr.txt"
        with log.open("w") as stderr:
            self._program = subprocess.Popen(
                ["firefox-esr", *options], stdout=stderr, stderr=stderr, start_new_session=True
            )
        listening = re.compile(r"BiDi listening on ws://127.0.0.1:(\d+)")
        until(lambda: listening.search(log.read_text()) or self._program.poll() is not None)
        found = listening.search(log.read_text())
        if found is None:
            raise RuntimeError(log.read_text())
        self._socket, self._sent = _Socket(int(found[1])), 0
        self.send("session.new", capabilities={})

    def send(self, method: str, **params: object) -> Any:
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while (answer := json.loads(self._socket.receive())).get("id") != self._sent:
            pass
        if answer["type"] == "error":
            raise RuntimeError(answer["message"])
        return answer["result"]

    def tab(self) -> Tab:
        return Tab(self)

    def kill(self) -> None:
        """End all its processes at once, as a phone does that runs out of memory."""
        os.killpg(self._program.pid, 9)
        self._program.wait()


class Tab:
    def __init__(self, browser: Firefox) -> None:
        self._browser, self._context = browser, browser.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.setViewport", viewport={"width": 390, "height": 844})

    def send(self, method: str, **params: object) -> Any:
        return self._browser.send(method, context=self._context, **params)

    def open(self, url: str) -> Tab:
        self.send("browsingContext.navigate", url=url, wait="complete")
        return self

    def touch(self, x: int, y: int) -> None:
        """Tap as a finger does: a page may do more then than after a click by script."""
        steps: list[dict[str, object]] = [{"type": "pointerMove", "x": x, "y": y}]
        steps += [{"type": f"pointer{what}", "button": 0} for what in ("Down", "Up")]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": steps}
        self.send("input.performActions", actions=[finger])

    def printed(self) -> bytes:
        return base64.b64decode(self.send("browsingContext.print")["data"])

    def run(self, script: str, *given: object) -> Any:
        """Run the body of a function with what is given as `given`; returns what it returns."""
        body = f"{TAPS}\nconst given = {json.dumps(given)}\n{script}"
        expression = f"(async () => {{ {body} }})().then((found) => JSON.stringify(found ?? null))"
        answer = self._browser.send(
            "script.evaluate", expression=expression, target={"context": self._context}, awaitPromise=True
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])
