"""Ends the build of the image: makes `/data`, and fails if something that the app loads was left out.

Python stores the byte code of what is loaded here, so that the app starts as fast on a read-only file system.
"""

import os
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import features

from companion import create_app
from companion.camera import read_hand
from companion.engine.pieces.cards import FRENCH_WITH_JOKER

MODULES = (
    "brotli",
    "psycopg",
    "companion.serve.commands.main",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
)
for module in MODULES:
    import_module(module)
for picture in ("jpg", "webp"):
    assert features.check(picture), f"no photograph can be read: {picture}"
read_hand(Path("/app/static/icons/icon-512.png"), FRENCH_WITH_JOKER, 5)
with TemporaryDirectory() as instance:
    app = create_app({"INSTANCE": instance})
    assert app.test_client().get("/").status_code == 200
    assert app.test_client().get("/", headers={"Accept-Language": "es"}).status_code == 200
os.mkdir("/data", mode=0o700)
os.chown("/data", 10001, 10001)
