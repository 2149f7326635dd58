"""Settings, the instance folder, and the secret key created on the first start."""

import random
import re
import stat
import subprocess
import sys
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waiting import MAX_SECONDS

from companion import config, create_app, folders

CHECKOUT = Path(__file__).resolve().parent.parent
GOOD_KEY = "b3f1c07a9d5e48262f60d7718c4be953"


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


@pytest.mark.thorough
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
        place.write_text(GOOD_KEY)
        raise FileExistsError

    monkeypatch.setattr("os.link", lost)
    assert config.make_secret_key(tmp_path) == GOOD_KEY
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
        f"The secret key in {place} is {said}; it must have 32 random characters or more. Put the file back"
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
    where = folders.paths()
    assert where == folders.Paths(CHECKOUT / "templates", CHECKOUT / "static", CHECKOUT / "instance")


# the system, its variables, and where the data of an installed package is; "here" is the working folder
DATA_FOLDERS: list[tuple[str, dict[str, str], str]] = [
    ("linux", {"HOME": "/home/ana"}, "/home/ana/.local/share/table-companion"),
    ("linux", {"HOME": "/home/ana", "XDG_DATA_HOME": "/data"}, "/data/table-companion"),
    ("linux", {"HOME": "/home/ana", "XDG_DATA_HOME": "data"}, "/home/ana/.local/share/table-companion"),
    ("darwin", {"HOME": "/Users/ana"}, "/Users/ana/Library/Application Support/table-companion"),
    ("win32", {"LOCALAPPDATA": "/C/ana/AppData/Local"}, "/C/ana/AppData/Local/table-companion"),
    ("win32", {}, "here/instance"),
]


@pytest.mark.parametrize(("platform", "variables", "data"), DATA_FOLDERS)
def test_an_installed_package_keeps_its_data_with_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], data: str
) -> None:
    package = tmp_path / "site-packages" / "companion"
    monkeypatch.setattr(folders, "__file__", str(package / "folders.py"))
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert folders.paths() == folders.Paths(package / "templates", package / "static", tmp_path / data)


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
    ("COMPANION_SECRET_KEY", GOOD_KEY, "SECRET_KEY", GOOD_KEY),
    ("DATABASE_URL", "postgres://ana:pass@b/c?x=y", "SQLALCHEMY_DATABASE_URI", "postgresql://ana:pass@b/c?x=y"),
    ("DATABASE_URL", " sqlite:////a.db\n", "SQLALCHEMY_DATABASE_URI", "sqlite:////a.db"),
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
    ("COMPANION_SECRET_KEY", [f"{GOOD_KEY}  # python3 -c 'import secrets'", f"{GOOD_KEY[:16]}\u2003{GOOD_KEY[16:]}"]),
    ("COMPANION_SECRET_KEY", ["…            # python3 -c 'import secrets; …'", f"…{GOOD_KEY}", f"{GOOD_KEY}..."]),
    ("COMPANION_SECRET_KEY", [f"Change-Me-{GOOD_KEY}", f"change_this{GOOD_KEY}", f"your-secret-key-{GOOD_KEY}"]),
    ("COMPANION_SECRET_KEY", ["k" * 64, "0123456789abcdef" * 4, GOOD_KEY * 2, "abcdefghijklmnopqrstuvwxyz0123456789"]),
    ("DATABASE_URL", ["companion.db", "mysql://a:hidden@b/c", "postgresql+asyncpg://a:hidden@b/c", "'sqlite:///a.db'"]),
]


@pytest.mark.parametrize(("name", "texts"), BAD, ids=[name for name, _ in BAD])
def test_a_bad_setting_is_a_one_sentence_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, texts: list[str]
) -> None:
    for text in texts:
        monkeypatch.setenv(name, text)
        with pytest.raises(
            config.BadSetting, match=f"{name} (is|isn't|begins) .*; it must (be|have|look like) .+"
        ) as said:
            config.read_settings({"INSTANCE": tmp_path})
        assert "hidden" not in str(said.value)


@pytest.mark.parametrize("number", range(10))
def test_a_key_made_as_the_readme_says_is_taken(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(number)
    for key in (chance.randbytes(16).hex(), chance.randbytes(32).hex(), b64encode(chance.randbytes(24)).decode()):
        monkeypatch.setenv("COMPANION_SECRET_KEY", key)
        assert config.read_settings({"INSTANCE": tmp_path})["SECRET_KEY"] == key


# name | the setting it is taken for
MISSPELT = [
    ("COMPANION_PUBLIK_URL", "COMPANION_PUBLIC_URL"),
    ("COMPANION_TRUSTED_HOST", "COMPANION_TRUSTED_HOSTS"),
    ("companion_log", "COMPANION_LOG"),
    ("COMPANON_SECRET_KEY", "COMPANION_SECRET_KEY"),
    ("COMPANION-METRICS", "COMPANION_METRICS"),
    ("COMPANION_TELEPATHY", None),
]


@pytest.mark.parametrize(("name", "meant"), MISSPELT)
def test_a_misspelt_setting_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, meant: str | None
) -> None:
    monkeypatch.setenv(name, "x")
    said = f"There is no setting {name}; " + (f"did you mean {meant}\\?" if meant else "they are COMPANION_INSTANCE, ")
    with pytest.raises(config.BadSetting, match=said):
        config.read_settings({"INSTANCE": tmp_path})


@pytest.mark.parametrize(
    ("name", "text", "setting"),
    [
        ("COMPANION_SECRET_KEY", GOOD_KEY, "SECRET_KEY"),
        ("DATABASE_URL", "sqlite:////a.db", "SQLALCHEMY_DATABASE_URI"),
        ("COMPANION_MAY_MAKE_GROUPS", "three kings", "MAY_MAKE_GROUPS"),
    ],
)
def test_a_secret_may_be_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, setting: str
) -> None:
    (tmp_path / "secret").write_text(f"{text}\n")
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "secret"))
    assert config.read_settings({"INSTANCE": tmp_path})[setting] == text
    monkeypatch.setenv(name, text)
    with pytest.raises(config.BadSetting, match=f"{name} and {name}_FILE are both set"):
        config.read_settings({"INSTANCE": tmp_path})
    monkeypatch.delenv(name)
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "gone"))
    with pytest.raises(config.BadSetting, match=f"{name}_FILE is .* can't be read: .*No such file"):
        config.read_settings({"INSTANCE": tmp_path})


def test_other_programs_may_have_settings_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COMPOSE_PROJECT_NAME", "COMPANY", "DATABASE_URI", "PUBLIC_URL"):
        monkeypatch.setenv(name, "x")
    assert config.read_settings({"INSTANCE": tmp_path})["PUBLIC_URL"] == ""


def test_with_a_secret_key_the_instance_folder_is_made_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_SECRET_KEY", GOOD_KEY)
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "new" / "instance"))
    assert create_app().test_client().get("/readyz").status_code == 200
    assert [path.name for path in (tmp_path / "new" / "instance").glob("*key*")] == []


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
    names = set(config.SETTINGS)
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (CHECKOUT / "README.md").read_text(), re.MULTILINE))
    assert len(names) > 10
    assert table == names
