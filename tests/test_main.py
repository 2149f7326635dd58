"""`python3 companion` without what makes environments: a sentence, and nothing installed unasked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion import __main__ as start


def test_without_venv_the_package_to_install_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\nexit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(start, "VENV", tmp_path / "venv")
    monkeypatch.setenv("PATH", str(tmp_path))  # there is no apt-get to be called
    with pytest.raises(SystemExit) as told:
        start.main(["environment"])
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert str(told.value) == f"Python cannot make an environment here. Install it with: sudo apt-get install {package}"
    assert (tmp_path / "called").read_text() == f"-m venv {tmp_path}/venv\n"
