"""Liveness and readiness probes."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy.exc import SQLAlchemyError

from companion.store import is_ready

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """Liveness: the process responds. The database isn't queried."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Readiness: the database responds and has this app's version; otherwise 503."""
    try:
        is_up = is_ready()
    except SQLAlchemyError:
        is_up = False
    return Response("ok\n" if is_up else "not ready\n", 200 if is_up else 503, mimetype="text/plain")
