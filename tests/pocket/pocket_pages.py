"""Every address that a page may ask for; as a script, prints them as JSON for the group G and the night N."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion import create_app

_KNOWN = {
    "key": "dompe",
    "number": 1,
    "code": "en",
    "filename": "icons/icon.svg",
    "what": "group.json",
    "secret": "x",
}


def pages(instance: Path, group: str, night: str) -> list[str]:
    """Return the paths of the URL map, for a group and a night of a phone; `instance` is an empty folder."""
    app = create_app({"INSTANCE": instance}, opens=False)
    paths = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "pwa.worker":  # asked of the host, and by no page here
            ids = {"public_id": group if str(rule).startswith("/g/") else night}
            with app.test_request_context():
                built = rule.build({**dict.fromkeys(rule.arguments, 1), **_KNOWN, **ids}, append_unknown=False)
            paths.append(f"/pocket{built[1] if built else ''}")
    return paths


def unexpected(found: dict[str, int]) -> dict[str, int]:
    """Return the statuses that none of those pages has; the API for nights wants a token."""
    return {path: status for path, status in found.items() if status not in (200, 404, 401 if "/api/" in path else 200)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(pages(Path(folder), "G", "N")))
