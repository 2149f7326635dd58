"""Settings, the instance folder and the secret key, made on first start."""

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion import config, create_app

CHECKOUT = Path(__file__).resolve().parent.parent


def test_first_start_makes_the_folder_and_a_key_for_the_owner_alone(tmp_path: Path) -> None:
    instance = tmp_path / "deep" / "instance"
    key = create_app({"INSTANCE": instance}).config["SECRET_KEY"]
    place = instance / "secret_key"
    assert place.read_text() == key
    assert len(key) >= 32
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert {path.name.partition(".db")[0] for path in instance.iterdir()} == {"companion", "secret_key"}


def test_key_is_kept_over_restarts_and_differs_between_instances(tmp_path: Path) -> None:
    keys = [config.read_settings({"INSTANCE": tmp_path / name})["SECRET_KEY"] for name in ("a", "a", "b")]
    assert keys[0] == keys[1] != keys[2]


def test_processes_that_start_at_once_have_the_same_key(tmp_path: Path) -> None:
    code = (
        "import sys; from companion.config import read_settings as r; print(r({'INSTANCE': sys.argv[1]})['SECRET_KEY'])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "instance")]

    def start(_number: int) -> str:
        return subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True, timeout=60).stdout

    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(start, range(4)))
    assert keys == {(tmp_path / "instance" / "secret_key").read_text() + "\n"}
    assert [path.name for path in (tmp_path / "instance").iterdir()] == ["secret_key"]


def test_loser_of_the_race_takes_the_winner_s_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the other process's key appears between the look and the link
    def lost(_draft: Path, place: Path) -> None:
        place.write_text("theirs")
        raise FileExistsError

    monkeypatch.setattr("os.link", lost)
    assert config.secret_key(tmp_path) == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_given_secret_key_stays(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    assert config.read_settings({"INSTANCE": instance, "SECRET_KEY": "ours"})["SECRET_KEY"] == "ours"
    assert not (instance / "secret_key").exists()


def test_environment_moves_the_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "elsewhere"))
    app = create_app()
    assert app.config["INSTANCE"] == tmp_path / "elsewhere"
    assert Path(app.instance_path) == tmp_path / "elsewhere"
    assert (tmp_path / "elsewhere" / "secret_key").exists()


def test_relative_instance_is_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_INSTANCE", "here")
    assert config.read_settings()["INSTANCE"] == tmp_path / "here"


def test_checkout_keeps_its_folders_at_the_top() -> None:
    where = config.paths()
    assert where == config.Paths(CHECKOUT / "templates", CHECKOUT / "static", CHECKOUT / "instance")


def test_installed_package_has_its_folders_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "companion"
    monkeypatch.setattr(config, "__file__", str(package / "config.py"))
    monkeypatch.chdir(tmp_path)
    assert config.paths() == config.Paths(package / "templates", package / "static", tmp_path / "instance")


def test_bodies_are_bounded(tmp_path: Path) -> None:
    settings = config.read_settings({"INSTANCE": tmp_path})
    assert settings["MAX_CONTENT_LENGTH"] == settings["MAX_FORM_MEMORY_SIZE"] == 64 * 1024
