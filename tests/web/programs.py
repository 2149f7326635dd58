"""A program at a table: it knows the app's address, a token, and what the OpenAPI document says; nothing else."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from devices import PlayedNight
from flask import Flask
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

PROBLEM = "application/problem+json"


def token_of(night: PlayedNight, access: str, label: str = "Bot") -> str:
    """Make a token on the group's page; returns its secret."""
    page = night.post("{group}/tokens", label=label, access=access, do="make").text
    found = re.search(r"<code>(tct_\w+)</code>", page)
    assert found is not None
    return found[1]


class Program:
    """Calls operations by their names, and checks that what it sends and gets is as the document says.

    Its client has no cookies. `etags` has the newest ETag of each path, which is sent where the document asks for one.
    """

    def __init__(self, app: Flask, token: str) -> None:
        self.client = app.test_client(use_cookies=False)
        self.document = json.loads(self.client.get("/api/openapi.json").data)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.etags: dict[str, str] = {}
        self.operations = {
            about["operationId"]: (method, path, about)
            for path, methods in self.document["paths"].items()
            for method, about in methods.items()
        }

    def call(self, operation: str, body: Any = None, headers: dict[str, str] | None = None, **given: Any) -> Any:
        """Call an operation that must succeed; returns its document."""
        answer = self.ask(operation, body, headers, **given)
        assert answer.status_code < 300, answer.text
        return answer.json

    def refused(self, operation: str, body: Any = None, headers: dict[str, str] | None = None, **given: Any) -> Any:
        """Call an operation that must be refused; returns the problem."""
        answer = self.ask(operation, body, headers, **given)
        assert answer.status_code >= 400, answer.text
        return answer.json

    def ask(
        self, operation: str, body: Any = None, headers: dict[str, str] | None = None, **given: Any
    ) -> TestResponse:
        """Call an operation, and check the answer: its status and shape stand in the document."""
        method, template, about = self.operations[operation]
        path = re.sub(r"{(\w+)}", lambda part: quote(str(given.pop(part[1])), safe=""), template)
        address = self.document["servers"][0]["url"] + path
        sent = dict(self.headers if about.get("security") else {})
        needed = [part["name"] for part in about.get("parameters", ()) if part["in"] == "header" and "required" in part]
        if "If-Match" in needed and "If-Match" not in (headers or {}):
            sent["If-Match"] = self.etags[re.sub(r"/void$", "", address)]
        more = {"json": body} if body is not None else {}
        answer = self.client.open(
            address, method=method.upper(), headers={**sent, **(headers or {})}, query_string=given, **more
        )
        self._check(answer, about)
        if "ETag" in answer.headers and answer.status_code < 300:
            self.etags[re.sub(r"/void$", "", answer.headers.get("Location", address))] = answer.headers["ETag"]
        return answer

    def _check(self, answer: TestResponse, about: Any) -> None:
        known = about["responses"]
        assert str(answer.status_code) in known, (answer.status_code, answer.text)
        if answer.status_code == 304:
            assert answer.data == b""
            return
        assert answer.mimetype == ("application/json" if answer.status_code < 300 else PROBLEM)
        schema = known[str(answer.status_code)]["content"][answer.mimetype]["schema"]
        self.validate(schema, answer.json)
        if answer.status_code >= 400:
            assert answer.json is not None
            assert answer.json["status"] == answer.status_code
            assert answer.json["detail"]

    def validate(self, schema: Any, value: object) -> None:
        """Check a value against a schema of the document."""
        Draft202012Validator({**schema, "components": self.document["components"]}).validate(value)
