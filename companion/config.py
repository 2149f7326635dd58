"""The app's settings, which are read once from the environment, and its secret key."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import secrets
import sys
from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from .folders import install_command, paths
from .platform import Platform

MAX_BODY_BYTES = 64 * 1024
_PREFIX = "COMPANION_"
_POSTGRESQL_URL = "postgresql+psycopg://user@host/name"
_SQLITE_URL = "sqlite:////path/to/file.db"
# all settings there are; whatever else begins like them is a mistake, and would be ignored in silence
SETTINGS = (
    "COMPANION_INSTANCE",
    "DATABASE_URL",
    "COMPANION_SECRET_KEY",
    "COMPANION_PUBLIC_URL",
    "COMPANION_TRUSTED_HOSTS",
    "COMPANION_TRUSTED_PROXIES",
    "COMPANION_MAY_MAKE_GROUPS",
    "COMPANION_POOL_SIZE",
    "COMPANION_POOL_OVERFLOW",
    "COMPANION_POOL_TIMEOUT",
    "COMPANION_DEBUG",
    "COMPANION_LOG",
    "COMPANION_METRICS",
    "COMPANION_WEBHOOKS",
)
_SECRET = ("DATABASE_URL", "COMPANION_SECRET_KEY", "COMPANION_MAY_MAKE_GROUPS")  # NAME_FILE may name a file with them
_LIKE_THEM = 0.85  # how similar a name is that is taken for a misspelt one
_DATABASES = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
_MIN_KEY_LENGTH = 32
_MIN_KEY_VARIETY = 8  # different characters, and different steps from one to the next; random keys have 12 or more
_PLACEHOLDERS = ("changeme", "changethis", "replaceme", "placeholder", "yoursecret", "secretkey", "xxxxxxxx")
_MAX_DIGITS = 6  # of a number in a setting
_KEY_COMMAND = "python3 -c 'import secrets; print(secrets.token_hex(32))'"
EVERYBODY, NOBODY = "everybody", "nobody"  # who may create groups; any other value is a passphrase


class BadSetting(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """A setting with an unusable value; the message says which setting, and what is allowed."""


def require_package(module: str, extra: str, what: str) -> None:
    """Raise BadSetting if an optional package is missing; the message says how to install it."""
    if importlib.util.find_spec(module) is None:
        raise BadSetting(f"{what} needs a package that isn't installed. Install it with: {install_command(extra)}")


def read_settings(overrides: Mapping[str, object] | None = None) -> dict[str, object]:
    """Combine the settings: defaults, then the environment, then `overrides`. Raises BadSetting.

    If no secret key is configured, the instance's own is used; it is None until `make_secret_key` has created it.
    """
    _refuse_unknown_settings()
    public_url = _public_url()
    settings: dict[str, object] = {
        "INSTANCE": _text("COMPANION_INSTANCE") or paths().instance,
        "SECRET_KEY": _given_secret_key(),
        "PUBLIC_URL": public_url,
        "PLATFORM": Platform(),
        # not called TRUSTED_HOSTS, because Flask would then reject hosts with its own error page
        "HOST_NAMES": tuple(_text("COMPANION_TRUSTED_HOSTS").replace(",", " ").split()),
        "TRUSTED_PROXIES": _number("COMPANION_TRUSTED_PROXIES", 0, 0),
        "MAY_MAKE_GROUPS": _text("COMPANION_MAY_MAKE_GROUPS") or EVERYBODY,
        "PIN_HASHING": "scrypt:32768:8:1",  # Werkzeug's method for a group's PIN
        "MAKES_DATABASE": True,  # serving the app does, and migrates an older one; commands only use what is there
        "CERTIFICATE": None,  # if self-signed: (fingerprint, HTTPS port)
        "METRICS": read_metrics_address(),
        "SHOWS_LOOK": bool(_text("COMPANION_DEBUG")),  # the page of all components
        "JSON_LOG": _choice("COMPANION_LOG", ("text", "json")) == "json",
        "WEBHOOKS": _choice("COMPANION_WEBHOOKS", ("public", "anywhere")),  # where they may lead
        "MAX_CONTENT_LENGTH": MAX_BODY_BYTES,
        # twice as much, because Werkzeug also applies it to its buffer: a chunk of 64 kB and the rest of the last one
        "MAX_FORM_MEMORY_SIZE": 2 * MAX_BODY_BYTES,
        # a table may pause for hours and must still be able to settle its round
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_CHECK_DEFAULT": False,  # web/access/forms.py checks instead, and shows stale forms again
        # all messages are ours; WTForms would otherwise look for its own translations on every page
        "WTF_I18N_ENABLED": False,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": public_url.startswith("https:"),
        **(overrides or {}),
    }
    instance = Path(str(settings["INSTANCE"])).absolute()
    settings["INSTANCE"] = instance
    settings.setdefault("SQLALCHEMY_DATABASE_URI", _database_url() or f"sqlite:///{instance.as_posix()}/companion.db")
    settings.setdefault("SQLALCHEMY_ENGINE_OPTIONS", _engine_options(str(settings["SQLALCHEMY_DATABASE_URI"])))
    if not settings.get("SECRET_KEY"):
        settings["SECRET_KEY"] = read_secret_key(instance)
    return settings


def _text(name: str) -> str:
    """Return a setting's text without surrounding white space; "" if it isn't set."""
    return (_given(name) or "").strip()


def _given(name: str) -> str | None:
    """Return a setting's text as it is: the variable's, or that of the file that NAME_FILE names; None without both."""
    assert name in SETTINGS, name
    file = os.environ.get(f"{name}_FILE") if name in _SECRET else None
    if not file:
        return os.environ.get(name)
    if name in os.environ:
        raise BadSetting(f"{name} and {name}_FILE are both set; unset one of them")
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise BadSetting(f"{name}_FILE is {file!r}, which can't be read: {error}") from error


def _refuse_unknown_settings() -> None:
    """Raise BadSetting for a variable that looks like a setting but isn't one."""
    for name in sorted(os.environ.keys() - {*SETTINGS, *(f"{secret}_FILE" for secret in _SECRET)}):
        if not name.upper().startswith(_PREFIX[:4]):
            continue
        likeness = {known: SequenceMatcher(None, name.upper(), known).ratio() for known in SETTINGS}
        likest = max(SETTINGS, key=lambda known: likeness[known])
        if likeness[likest] >= _LIKE_THEM:
            raise BadSetting(f"There is no setting {name}; did you mean {likest}?")
        if name.upper().startswith(_PREFIX):
            raise BadSetting(f"There is no setting {name}; they are {', '.join(SETTINGS)}")


def _database_url() -> str:
    """Read the URL of the database; "" if there is none. Never shows it, because it may contain a password."""
    url = _text("DATABASE_URL")
    scheme, separator, rest = url.partition("://")
    if scheme == "postgres":  # as some hosts still write it
        return f"postgresql://{rest}"
    if url and (not separator or scheme not in _DATABASES):
        begins = f"begins with {scheme}://" if separator else "isn't a URL"
        raise BadSetting(f"DATABASE_URL {begins}; it must look like {_POSTGRESQL_URL} or {_SQLITE_URL}")
    return url


def _engine_options(uri: str) -> dict[str, object]:
    """Return the options for database connections; errors leave out values, because they end up in logs."""
    if not uri.startswith("postgresql"):
        return {"hide_parameters": True}
    if "+" not in uri.partition(":")[0] or uri.startswith("postgresql+psycopg:"):
        require_package("psycopg", "club", "DATABASE_URL with PostgreSQL")
    return {
        "hide_parameters": True,
        "pool_size": _number("COMPANION_POOL_SIZE", 5, 1),
        "max_overflow": _number("COMPANION_POOL_OVERFLOW", 10, 0),
        "pool_timeout": _number("COMPANION_POOL_TIMEOUT", 10, 1),
        "pool_recycle": 1800,
        "connect_args": {"connect_timeout": 5},
    }


def _public_url() -> str:
    """Read the public URL, without trailing slashes; "" if there is none."""
    text = _text("COMPANION_PUBLIC_URL").rstrip("/")
    if text and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?", text):
        raise BadSetting(f"COMPANION_PUBLIC_URL is {text!r}; it must look like https://cards.example.org")
    return text


def _number(name: str, default: int, least: int) -> int:
    text = _text(name) or str(default)
    if not text.isascii() or not text.isdigit() or len(text) > _MAX_DIGITS or int(text) < least:
        most = "9" * _MAX_DIGITS
        raise BadSetting(f"{name} is {text!r}; it must be a whole number from {least} to {most}")
    return int(text)


def _choice(name: str, choices: tuple[str, ...]) -> str:
    text = _text(name) or choices[0]
    if text not in choices:
        raise BadSetting(f"{name} is {text!r}; it must be {' or '.join(choices)}")
    return text


def read_metrics_address() -> tuple[str, int] | None:
    """Return the host and port on which to serve Prometheus metrics, or None. Raises BadSetting."""
    name = "COMPANION_METRICS"
    text = _text(name)
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 65536:
        raise BadSetting(f"{name} is {text!r}; it must look like 127.0.0.1:9100")
    require_package("prometheus_client", "club", name)
    return host, int(port)


def _given_secret_key() -> str | None:
    name = "COMPANION_SECRET_KEY"
    text = _given(name)
    if text is None:
        return None
    return _check_secret_key(text, name, f"Make one with: {_KEY_COMMAND}")


def read_secret_key(instance: Path) -> str | None:
    """Return the instance's secret key; None if it has none yet. Raises BadSetting."""
    place = instance / "secret_key"
    try:
        text = place.read_bytes().decode(errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    remedy = "Put the file back from a copy, or delete it: a new key is made, and every phone opens its link again"
    return _check_secret_key(text, f"The secret key in {place}", remedy)


def _check_secret_key(text: str, what: str, remedy: str) -> str:
    """Check the key that signs cookies: one that was copied from an example is known, and a damaged file isn't text."""
    key = text.strip()
    steps = [ord(after) - ord(before) for before, after in pairwise(key)]
    if len(key) < _MIN_KEY_LENGTH:
        flaw = f"{len(key)} characters long" if key else "empty"
    elif not key.isprintable() or "\N{REPLACEMENT CHARACTER}" in key:
        flaw = "not text"
    elif any(mark.isspace() or mark == "…" for mark in key) or "..." in key:
        flaw = "a placeholder, or has a comment behind it"
    elif any(word in re.sub("[^a-z]", "", key.casefold()) for word in _PLACEHOLDERS):
        flaw = "a placeholder"
    elif min(len(set(key)), len(set(steps))) < _MIN_KEY_VARIETY or key in (key + key)[1:-1]:
        flaw = "easy to guess"
    else:
        return text
    raise BadSetting(f"{what} is {flaw}; it must have {_MIN_KEY_LENGTH} random characters or more. {remedy}")


def rename_without_overwriting(draft: Path, place: Path) -> None:
    """Rename a finished file; raises FileExistsError if the name is taken."""
    if sys.platform == "win32":
        os.rename(draft, place)  # on Windows this never replaces an existing file
        return
    try:
        os.link(draft, place)
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # no hard links on Android, in a browser and on file systems of USB sticks
        if place.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place)) from None
        os.rename(draft, place)


def make_secret_key(instance: Path) -> str:
    """Create and return the instance's random secret key, readable only by its owner.

    If two processes start at once, both get the same key: the file appears atomically, and the first one wins.
    """
    instance.mkdir(0o700, parents=True, exist_ok=True)
    place = instance / "secret_key"
    draft = instance / f"secret_key.{secrets.token_hex(8)}"
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
        file.flush()
        os.fsync(file.fileno())
    try:
        rename_without_overwriting(draft, place)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
    key = read_secret_key(instance)
    assert key is not None
    return key
