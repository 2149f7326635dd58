"""nginx with the settings of `companion deploy-files`, in front of a gunicorn."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_connection
from time import sleep

from ports import free_port

TABLES_OF_A_HOUSE = 40  # what its limits leave room for behind one address
_HOSTING = Path(__file__).parents[2] / "companion" / "serve" / "commands" / "deploy" / "nginx.conf"
_WHOLE = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 8192; }}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{sample}
}}
"""


def sample(port: int, behind: int) -> str:
    """Return the sample, on a port without HTTPS, in front of another."""
    found = re.search(r"^limit_req_zone.*?^}\n", _HOSTING.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    text = re.sub(r" *ssl_certificate.*\n", "", found[0])
    changed = text.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}").replace(
        "127.0.0.1:8000", f"127.0.0.1:{behind}"
    )
    assert changed.count("127.0.0.1:") == 2
    return changed


@contextmanager
def nginx(behind: int) -> Iterator[int]:
    """Run it before a port of this computer; returns its own port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        settings = Path(folder, "nginx.conf")
        settings.write_text(_WHOLE.format(folder=folder, sample=sample(port, behind)))
        process = subprocess.Popen(["nginx", "-e", f"{folder}/errors", "-p", folder, "-c", str(settings)])
        try:
            while True:
                assert process.poll() is None, Path(folder, "errors").read_text()
                with suppress(OSError), create_connection(("127.0.0.1", port), timeout=1):
                    break
                sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait()
