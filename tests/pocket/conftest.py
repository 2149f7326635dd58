"""The folder for phones, built once per run, on a host."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect
from pocket_host import SCOPE, Host
from pocket_phone import PATIENCE, Phone
from waiting import until

from companion.pocket.build import build
from companion.pocket.tools import Missing


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the built site below its scope; compressing it well would take minutes."""
    ready = os.environ.get("POCKET_SITE")  # a folder that was built before, above its scope
    if ready:
        return Path(ready)
    # workers share one run's folder, which takes one of them more than a minute
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pocket-site"
    told = folder.with_name("pocket-told")
    try:
        folder.mkdir()
    except FileExistsError:
        until(told.exists)
    else:
        try:
            build(folder / SCOPE.strip("/"), SCOPE, effort=1)
        except Missing as missing:
            (folder / "missing").write_text(str(missing))
        told.touch()
    if (folder / "missing").exists():
        pytest.skip(f"The folder for phones can't be built here: {(folder / 'missing').read_text()}")
    return folder


@pytest.fixture
def host(built: Path, tmp_path: Path) -> Iterator[Host]:
    """Return a host with a copy of the folder, which a test may change."""
    host = Host(Path(shutil.copytree(built, tmp_path / "host")))
    yield host
    host.off()


@pytest.fixture
def phone(playwright: Playwright, host: Host, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Phone]:
    """Return a phone in English, or in the language that a test asks for."""
    expect.set_options(timeout=PATIENCE)
    phone = Phone(playwright, tmp_path / "profile", host, getattr(request, "param", "en-US"))
    yield phone
    phone.context.close()
    assert phone.said == []
