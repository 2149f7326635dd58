"""What all tests share: the profile of Hypothesis, and an app with an instance folder of its own."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

from companion import create_app

settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app({"INSTANCE": tmp_path, "TESTING": True})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
