"""Computes response times from two readings of the app's metrics."""

from __future__ import annotations

import re
from collections import defaultdict

_BUCKET = re.compile(
    r'^companion_(?:request|(queue))_seconds_bucket\{le="([^"]+)"(?:,route="([^"]+)")?\} (\S+)$', re.MULTILINE
)
ROUTES = {
    "/s/<public_id>/draft": "tap",
    "/s/<public_id>/state": "poll",
    "/s/<public_id>/round": "round",
    "queue": "queue",
}


def slowest(before: str, after: str, share: float = 0.99) -> dict[str, float]:
    """Give for each route how many milliseconds this share of its answers took at most."""
    counts: dict[str, dict[float, float]] = defaultdict(dict)
    earlier = {(limit, queue or route): float(number) for queue, limit, route, number in _BUCKET.findall(before)}
    for queue, limit, route, number in _BUCKET.findall(after):
        name = queue or route
        counts[name][float(limit)] = float(number) - earlier.get((limit, name), 0.0)
    found = {}
    for route, buckets in counts.items():
        limits, all_of = sorted(buckets), max(buckets.values())
        if route in ROUTES and all_of:
            reached = next(limit for limit in limits if buckets[limit] >= share * all_of)
            found[ROUTES[route]] = 1000 * reached
    return found
