"""The page of all components: there for who asks for it when the app is started, and for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from companion import create_app


def test_without_the_setting_there_is_no_such_page(app: Flask) -> None:
    assert app.test_client().get("/look").status_code == 404


def test_every_component_is_drawn_in_both_themes(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEBUG", "1")
    page = create_app({"INSTANCE": instance}).test_client().get("/look")
    assert page.status_code == 200
    for part in (
        *("button primary", "player-9", "player of-pot", "card", "tile", 'aria-pressed="true"', "data-owner", "slot"),
        *("tab way", "tab out", "tab wrong", "tab nobody", "segments", 'aria-invalid="true"', "carried", "problems"),
        *("dock", "tabs", "standings", "payments", "tick", "transfers", "rounds", 'class="void"', "podium", "chart"),
    ):
        assert page.text.count(part) >= 2, part
    assert 'data-theme="light"' in page.text and 'data-theme="dark"' in page.text
