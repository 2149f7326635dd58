"""Single statements beside the transactions, with one message to the server and without a ping."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine

ALONE = "companion_alone"  # of a connection: nothing is sent before its statement


def connect_alone(engine: Engine) -> Connection:
    """Return a connection on which each statement is a transaction of its own; it may be dead, see DBAPIError."""
    options: Any = {ALONE: True}
    if engine.dialect.name == "postgresql":  # its driver begins a transaction; SQLite's leaves that to `database`
        options["isolation_level"] = "AUTOCOMMIT"
    return engine.execution_options(**options).connect()
