"""Which pages may use the camera: only those on which a hand is photographed, and none loosens anything else."""

from __future__ import annotations

import io

import pytest
from devices import PlayedNight
from every_page import Site, View
from flask.testing import FlaskClient
from pytest import MonkeyPatch

from companion import camera

NEVER, HERE = "camera=()", "camera=(self)"
# where a round is entered, by the end of the address
OF_ENTRY = ("/round", "/mine", "/correct")


def has_button(text: str) -> bool:
    """Return whether a page offers the camera: not for cards that cannot be read, nor beside a result."""
    return "data-photo>" in text and "&#34;off&#34;: &#34;&#34;" in text and "data-overtaken" not in text


@pytest.mark.thorough
def test_only_pages_that_photograph_a_hand_may_use_the_camera(site: Site) -> None:
    with_camera: list[View] = []
    policies = set()
    for view in site.views:
        answer = site.devices[view.phone].client.get(f"/{site.address(view)}")
        (permissions,) = answer.headers.getlist("Permissions-Policy")
        assert permissions.count("camera=") == 1
        assert (HERE in permissions) == has_button(answer.text), view
        if HERE in permissions:
            with_camera.append(view)
        policies.add((permissions.replace(HERE, NEVER), *answer.headers.getlist("Content-Security-Policy")))
    assert len(policies) == 1
    assert 10 < len(with_camera) < len(site.views) / 2
    entries = {view.path.partition("?")[0] for view in with_camera}
    assert [path for path in entries if not path.startswith("/settle/") and not path.endswith(OF_ENTRY)] == []


@pytest.mark.thorough
def test_what_pages_load_and_send_may_not(site: Site) -> None:
    for view in site.answers:
        fields = {} if view.fields is None else {"method": "POST", "data": view.fields}
        with site.devices[view.phone].client.open(view.path, **fields) as answer:
            assert HERE not in answer.headers.get("Permissions-Policy", NEVER), view


def test_an_answer_about_a_photo_may_not(night: PlayedNight) -> None:
    body = {**night.round_fields(night.keeper), "do": "photo-1", "photo": (io.BytesIO(b"x"), "x.jpg")}
    answer = night.keeper.client.post(f"{night.night}/round/photo", data=body)
    assert NEVER in answer.headers["Permissions-Policy"]


def test_a_page_without_the_button_may_not(client: FlaskClient, monkeypatch: MonkeyPatch) -> None:
    assert HERE in client.get("/settle/knock-poker").headers["Permissions-Policy"]
    spanish = {"rules-deck": "spanish-40", "do": "rules"}
    assert HERE in client.get("/settle/dompe").headers["Permissions-Policy"]
    assert NEVER in client.post("/settle/dompe", data=spanish).headers["Permissions-Policy"]
    monkeypatch.setattr(camera, "is_installed", lambda: False)
    assert NEVER in client.get("/settle/knock-poker").headers["Permissions-Policy"]
