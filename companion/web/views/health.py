"""Liveness and readiness probes."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

from companion.store import is_ready

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """Tell that the process answers; the database is not asked."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Tell whether the database answers, in the version of this app."""
    try:
        found = is_ready()
    except SQLAlchemyError:
        found = False
    return Response("ok\n" if found else "not ready\n", 200 if found else 503, mimetype="text/plain")
