"""What the first phone would wait for is done in advance: hands are counted, templates and tables loaded."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2.environment import Template
from sqlalchemy.orm import Mapper
from waiting import MAX_SECONDS

from companion import create_app
from companion.contract.catalogue import example_round
from companion.engine.hands import counting
from companion.games import all_games
from companion.serve.warming import open_pages, warm_up
from companion.web.entering import single_round


@pytest.mark.thorough
def test_examples_need_no_further_counting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    warm_up(create_app({"INSTANCE": tmp_path, "TESTING": True}), after=0).join(MAX_SECONDS)

    def counted(*_of: object) -> None:
        raise AssertionError("these hands have not been counted")

    for name in ("patterns", "combinations"):
        monkeypatch.setattr(counting, name, counted)
    for game in all_games().values():
        for example in game.examples:
            dealt = example_round(game, example)
            settled = game.settle(dealt)
            shown = set() if settled.is_by_word else {hand.player for hand in settled.hands}
            assert set(game.rarities(dealt.options, settled)) == shown


def test_the_first_page_loads_no_template_and_configures_no_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    app = create_app({"INSTANCE": tmp_path, "TESTING": True, "JSON_LOG": True})
    open_pages(app)
    assert [record for record in caplog.records if record.name.startswith("companion")] == []

    def loaded(*_of: object) -> None:
        raise AssertionError("this has not been loaded")

    monkeypatch.setattr(Template, "from_code", loaded)
    monkeypatch.setattr(Template, "_from_namespace", loaded)
    monkeypatch.setattr(Mapper, "_check_configure", loaded)
    for language in ("en", "es"):
        for key in all_games():
            page = app.test_client().get(f"/settle/{key}", headers={"Accept-Language": language})
            assert page.status_code == 200


def test_a_page_that_fails_is_logged_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app({"INSTANCE": instance, "TESTING": True})
    opened: list[str] = []
    page: Callable[..., str] = single_round.round_page

    def fails(form: single_round.RoundForm, *rest: object) -> str:
        opened.append(form.game.key)
        if form.game.key == "knock":
            raise ZeroDivisionError
        return page(form, *rest)

    monkeypatch.setattr(single_round, "round_page", fails)
    open_pages(app)
    assert {*opened} == {*all_games()}
    assert "Exception in GET /settle/<key>" in caplog.text
