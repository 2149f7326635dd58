"""Computes response times from two readings of the app's metrics."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

_BUCKET = re.compile(
    r'^companion_(?:request|(queue))_seconds_bucket\{le="([^"]+)"(?:,method="[^"]+",route="([^"]+)")?\} (\S+)$',
    re.MULTILINE,
)
ROUTES = {
    "/s/<public_id>/draft": "tap",
    "/s/<public_id>/state": "poll",
    "/s/<public_id>/round": "round",
    "queue": "queue",
}


def slowest(before: str, after: str, share: float = 0.99) -> dict[str, float]:
    """Give for each route how many milliseconds this share of its answers took at most."""
    counts: dict[str, Counter[float]] = defaultdict(Counter)
    for text, sign in ((before, -1), (after, 1)):
        for queue, limit, route, number in _BUCKET.findall(text):
            counts[queue or route][float(limit)] += sign * float(number)
    found = {}
    for route, buckets in counts.items():
        limits, all_of = sorted(buckets), max(buckets.values())
        if route in ROUTES and all_of:
            reached = next(limit for limit in limits if buckets[limit] >= share * all_of)
            found[ROUTES[route]] = 1000 * reached
    return found
