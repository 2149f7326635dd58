"""Settings, the instance folder, and the secret key created on the first start."""

import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waiting import MAX_SECONDS

from companion import config, create_app

CHECKOUT = Path(__file__).resolve().parent.parent


def test_first_start_makes_the_folder_and_a_key_only_the_owner_can_read(tmp_path: Path) -> None:
    instance = tmp_path / "deep" / "instance"
    key = create_app({"INSTANCE": instance}).config["SECRET_KEY"]
    place = instance / "secret_key"
    assert place.read_text() == key
    assert len(key) >= 32
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert {path.name.partition(".db")[0] for path in instance.iterdir()} == {"companion", "secret_key"}


def test_key_is_kept_over_restarts_and_differs_between_instances(tmp_path: Path) -> None:
    keys = [create_app({"INSTANCE": tmp_path / name}).config["SECRET_KEY"] for name in ("a", "a", "b")]
    assert keys[0] == keys[1] != keys[2]


def test_processes_that_start_at_once_have_the_same_key(tmp_path: Path) -> None:
    code = "import sys; from companion import create_app as c; print(c({'INSTANCE': sys.argv[1]}).config['SECRET_KEY'])"
    command = [sys.executable, "-c", code, str(tmp_path / "instance")]

    def start(_number: int) -> str:
        return subprocess.run(
            command, cwd=CHECKOUT, check=True, capture_output=True, text=True, timeout=MAX_SECONDS
        ).stdout

    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(start, range(4)))
    assert keys == {(tmp_path / "instance" / "secret_key").read_text() + "\n"}
    assert not list(tmp_path.rglob("secret_key.*"))


def test_loser_of_the_race_takes_the_winner_s_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the other process's key appears between the look and the link
    def lost(_draft: Path, place: Path) -> None:
        place.write_text("theirs" * 6)
        raise FileExistsError

    monkeypatch.setattr("os.link", lost)
    assert config.make_secret_key(tmp_path) == "theirs" * 6
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


# what a secret key's file holds, and what is said of it
BAD_KEYS = [
    (b"", "empty"),
    (b" \n", "empty"),
    (b"k" * 31, "31 characters long"),
    (b"short" + b" " * 40, "5 characters long"),
    (bytes(64), "not text"),
    (b"\xff" * 64, "not text"),
    (b"k" * 40 + b"\x1b", "not text"),
]


@pytest.mark.parametrize(("content", "said"), BAD_KEYS)
def test_a_bad_secret_key_is_reported_and_kept(tmp_path: Path, content: bytes, said: str) -> None:
    place = tmp_path / "secret_key"
    place.write_bytes(content)
    with pytest.raises(config.BadSetting) as told:
        create_app({"INSTANCE": tmp_path})
    assert str(told.value).startswith(
        f"The secret key in {place} is {said}; it must have 32 characters or more. Put the file back"
    )
    assert place.read_bytes() == content
    assert not (tmp_path / "companion.db").exists()


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
    assert settings["MAX_CONTENT_LENGTH"] == 64 * 1024
    assert settings["MAX_FORM_MEMORY_SIZE"] == 2 * 64 * 1024


# a variable of the environment, its text, the setting and its value
ENVIRONMENT = [
    ("COMPANION_PUBLIC_URL", "https://cards.example.org/", "PUBLIC_URL", "https://cards.example.org"),
    ("COMPANION_PUBLIC_URL", "https://cards.example.org/", "SESSION_COOKIE_SECURE", True),
    ("COMPANION_PUBLIC_URL", "http://192.168.1.5:8000", "PUBLIC_URL", "http://192.168.1.5:8000"),
    ("COMPANION_PUBLIC_URL", "http://192.168.1.5:8000", "SESSION_COOKIE_SECURE", False),
    ("COMPANION_PUBLIC_URL", "https://club.example/table/", "PUBLIC_URL", "https://club.example/table"),
    ("COMPANION_PUBLIC_URL", "", "PUBLIC_URL", ""),
    ("COMPANION_TRUSTED_HOSTS", "a.example, .b.example c", "HOST_NAMES", ("a.example", ".b.example", "c")),
    ("COMPANION_TRUSTED_HOSTS", "", "HOST_NAMES", ()),
    ("COMPANION_TRUSTED_PROXIES", "2", "TRUSTED_PROXIES", 2),
    ("COMPANION_TRUSTED_PROXIES", "", "TRUSTED_PROXIES", 0),
    ("COMPANION_MAY_MAKE_GROUPS", "", "MAY_MAKE_GROUPS", config.EVERYBODY),
    ("COMPANION_MAY_MAKE_GROUPS", "nobody", "MAY_MAKE_GROUPS", config.NOBODY),
    ("COMPANION_MAY_MAKE_GROUPS", "three kings", "MAY_MAKE_GROUPS", "three kings"),
    ("COMPANION_METRICS", "127.0.0.1:9100", "METRICS", ("127.0.0.1", 9100)),
    ("COMPANION_METRICS", "", "METRICS", None),
    ("COMPANION_LOG", "json", "JSON_LOG", True),
    ("COMPANION_LOG", "", "JSON_LOG", False),
    ("COMPANION_SECRET_KEY", "the same everywhere" * 2, "SECRET_KEY", "the same everywhere" * 2),
    ("DATABASE_URL", "postgresql+psycopg://a/b", "SQLALCHEMY_DATABASE_URI", "postgresql+psycopg://a/b"),
]


@pytest.mark.parametrize(("name", "text", "setting", "value"), ENVIRONMENT)
def test_environment_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, setting: str, value: object
) -> None:
    monkeypatch.setenv(name, text)
    assert config.read_settings({"INSTANCE": tmp_path})[setting] == value


BAD = [
    (
        "COMPANION_PUBLIC_URL",
        ["cards.example", "ftp://a", "https://", "https://a/?b", "https://a#b", "https://a b", "https://["],
    ),
    ("COMPANION_TRUSTED_PROXIES", ["-1", "one", "1.5", "9999999", "²"]),
    ("COMPANION_METRICS", ["9100", ":9100", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "a:b"]),
    ("COMPANION_LOG", ["xml", "JSON"]),
    ("COMPANION_SECRET_KEY", ["", " ", "short", "k" * 31, "k" * 40 + "\x7f", "k" * 40 + "\udcff"]),
]


@pytest.mark.parametrize(("name", "texts"), BAD, ids=[name for name, _ in BAD])
def test_a_bad_setting_is_a_one_sentence_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, texts: list[str]
) -> None:
    for text in texts:
        monkeypatch.setenv(name, text)
        with pytest.raises(config.BadSetting, match=f"{name} is .*; it must (be|have|look like) .+"):
            config.read_settings({"INSTANCE": tmp_path})


def test_connections_to_postgresql_are_pooled_as_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://a/b")
    for name, number in (("SIZE", 3), ("OVERFLOW", 0), ("TIMEOUT", 7)):
        monkeypatch.setenv(f"COMPANION_POOL_{name}", str(number))
    options: Any = config.read_settings({"INSTANCE": tmp_path})["SQLALCHEMY_ENGINE_OPTIONS"]
    assert (options["pool_size"], options["max_overflow"], options["pool_timeout"]) == (3, 0, 7)
    for size in ("0", "1000000"):
        monkeypatch.setenv("COMPANION_POOL_SIZE", size)
        said = f"COMPANION_POOL_SIZE is '{size}'; it must be a whole number from 1 to 999999"
        with pytest.raises(config.BadSetting, match=said):
            config.read_settings({"INSTANCE": tmp_path})


def test_readme_lists_every_setting() -> None:
    names = set(re.findall(r"\b(?:COMPANION_[A-Z_]+|DATABASE_URL)\b", Path(config.__file__).read_text()))
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (CHECKOUT / "README.md").read_text(), re.MULTILINE))
    assert len(names) > 10
    assert table == names
