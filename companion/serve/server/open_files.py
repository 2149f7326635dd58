"""How many connections the server can hold: as many as this process may open files for."""

from __future__ import annotations

from typing import Any

# tells how many files a process may open; not available on Windows, which sets no limit
resource: Any
try:
    import resource
except ImportError:
    resource = None

_MAX_CONNECTIONS = 512
_FILES_EACH = 2  # a connection's socket, and a temporary file for a long body
_OTHER_FILES = 256  # databases, logs and the files being served


def most_connections() -> int:
    """Return how many connections the process can hold, after raising its limit on open files if possible."""
    if resource is None:
        return _MAX_CONNECTIONS
    wanted = _MAX_CONNECTIONS * _FILES_EACH + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    files = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(8, (files - _OTHER_FILES) // _FILES_EACH)
