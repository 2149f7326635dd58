"""Where the app's files are, and its settings: read once, from the environment."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_BODY_BYTES = 64 * 1024


@dataclass(frozen=True)
class Paths:
    """The folders that are not code: next to the package in a checkout, inside it in a wheel."""

    templates: Path
    static: Path
    instance: Path


def paths() -> Paths:
    """Find the folders; an installed wheel keeps its instance in the working directory."""
    package = Path(__file__).resolve().parent
    checkout = package.parent
    if (checkout / "pyproject.toml").exists():
        return Paths(checkout / "templates", checkout / "static", checkout / "instance")
    return Paths(package / "templates", package / "static", Path.cwd() / "instance")


def read_settings(overrides: Mapping[str, object] | None = None) -> dict[str, object]:
    """Put the settings together: defaults, then the environment, then `overrides`.

    `COMPANION_INSTANCE` moves the instance folder, `DATABASE_URL` the database out of it. The folder and a secret key
    in it are made when they are missing.
    """
    settings: dict[str, object] = {
        "INSTANCE": os.environ.get("COMPANION_INSTANCE") or paths().instance,
        "MAX_CONTENT_LENGTH": MOST_BODY_BYTES,
        "MAX_FORM_MEMORY_SIZE": MOST_BODY_BYTES,
        # a table that paused for hours still settles its round
        "WTF_CSRF_TIME_LIMIT": None,
        "SESSION_COOKIE_SAMESITE": "Lax",
        **(overrides or {}),
    }
    instance = Path(str(settings["INSTANCE"])).absolute()
    settings["INSTANCE"] = instance
    settings.setdefault(
        "SQLALCHEMY_DATABASE_URI", os.environ.get("DATABASE_URL") or f"sqlite:///{instance}/companion.db"
    )
    if not settings.get("SECRET_KEY"):
        settings["SECRET_KEY"] = secret_key(instance)
    return settings


def secret_key(instance: Path) -> str:
    """Read the instance's secret key, making a random one first that only the owner may read.

    Two processes that start at once end up with the same key: the file appears whole, and the first one stays.
    """
    instance.mkdir(parents=True, exist_ok=True)
    place = instance / "secret_key"
    if not place.exists():
        draft = instance / f"secret_key.{secrets.token_hex(8)}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, place)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return place.read_text()
