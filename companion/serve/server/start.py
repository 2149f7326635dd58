"""Starts the app on a port and serves it until Ctrl+C, over HTTP or HTTPS."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Flask
from sqlalchemy.engine import make_url

from companion import create_app
from companion.config import read_settings, require_package
from companion.web.http.monitoring import figures
from companion.web.http.network.addresses import network_addresses

from ..existing import own_games
from ..sending.sender import start_sending
from ..warming import warm_up
from . import mdns
from .firewall import Watch
from .listening import is_on_all_addresses, listen, listen_on_ipv6
from .server import Listener, run
from .welcome import welcome


def serve(host: str, port: int | None, https: bool = False) -> int:
    """Serve until interrupted; returns 1 if no port could be opened."""
    if https:
        require_package("cryptography", "https", "--https")
    with contextlib.ExitStack() as opened:
        try:
            listening = _listen(opened, host, port)
            plain = _listen(opened, host, None) if https else []
        except OSError as error:
            where = host if port is None else f"port {port} of {host}"
            sentence = f"Cannot listen on {where}: {error.strerror or error}. Choose another --host or --port."
            print(sentence, file=sys.stderr)
            return 1
        if plain:
            _serve_https(host, listening, plain)
        else:
            _serve_http(host, listening)
    return 0


def _listen(opened: contextlib.ExitStack, host: str, port: int | None) -> list[socket.socket]:
    """Open a port, and the same one for IPv6 if the host means all addresses."""
    first = opened.enter_context(listen(host, port))
    second = listen_on_ipv6(first)
    return [first] if second is None else [first, opened.enter_context(second)]


def _serve_http(host: str, listening: Sequence[socket.socket]) -> None:
    app = make_app(**_mdns_settings(host))
    port = listening[0].getsockname()[1]
    print(welcome(host, port))
    print(where_data_is(app), *own_games(app), sep="\n", flush=True)
    _run(app, host, [Listener(channel) for channel in listening], f"http://{{}}:{port}/", [port])


def _serve_https(host: str, listening: Sequence[socket.socket], plain: Sequence[socket.socket]) -> None:
    """Serve over HTTPS, and on `plain` the page that explains the browser's warning."""
    from .certificate import certificate_for

    certificate = certificate_for(Path(str(read_settings()["INSTANCE"])), own_names(host))
    port, plain_port = (sockets[0].getsockname()[1] for sockets in (listening, plain))
    app = make_app(CERTIFICATE=(certificate.fingerprint, port), **_mdns_settings(host))
    print(welcome(host, port, plain_port))
    print(f"The certificate is self-signed. Its SHA-256 fingerprint:\n  {certificate.fingerprint}\n")
    print(where_data_is(app), *own_games(app), sep="\n", flush=True)
    listeners = [Listener(channel, certificate.file) for channel in listening]
    listeners += [Listener(channel) for channel in plain]
    _run(app, host, listeners, f"https://{{}}:{port}/", [port, plain_port])


def _run(app: Flask, host: str, listeners: Sequence[Listener], url: str, ports: Sequence[int]) -> None:
    """Serve until interrupted; announces the computer's name, and prints advice if no phone connects."""
    is_behind_proxy = bool(app.config["TRUSTED_PROXIES"])
    warm_up(app)
    start_sending(app)
    visited: Callable[[], None] = lambda: None  # noqa: E731
    with contextlib.ExitStack() as context:
        if is_on_all_addresses(host) and not is_behind_proxy:
            visited = context.enter_context(Watch(ports, print_line)).visited
            if mdns.is_installed():
                line = f"Phones can also open: {url}"
                announcement = mdns.Announcement(
                    ports[0], network_addresses(), lambda name: print_line(line.format(name))
                )
                context.enter_context(announcement)
        run(app, listeners, is_behind_proxy, visited)


def where_data_is(app: Flask) -> str:
    """Say where the database is, without its password, and where the instance folder is if that is another place."""
    url = make_url(str(app.config["SQLALCHEMY_DATABASE_URI"]))
    folder = Path(app.instance_path)
    if url.get_backend_name() == "sqlite" and url.database and Path(url.database).parent == folder:
        return f"The data is in {folder}."
    return f"The data is in {url.render_as_string()}; the instance folder is {folder}."


def print_line(text: str) -> None:
    """Print a line while serving; ignores a closed console."""
    with contextlib.suppress(OSError, ValueError):
        print(text, flush=True)


def _mdns_settings(host: str) -> dict[str, object]:
    """Return the setting that adds the mDNS names to the accepted host names, if those are restricted."""
    names = read_settings()["HOST_NAMES"]
    if not names or not is_on_all_addresses(host) or not mdns.is_installed():
        return {}
    assert isinstance(names, tuple)
    return {"HOST_NAMES": (*names, *mdns.NAMES)}


def own_names(host: str) -> list[str]:
    """List the names and addresses that a certificate for this computer must cover."""
    name = socket.gethostname().lower()
    announced = mdns.NAMES if is_on_all_addresses(host) and mdns.is_installed() else ()
    # not IPv6 addresses: they change daily, and after each new certificate every browser would warn again
    addresses = [address for address in network_addresses() if ":" not in address]
    names = ["localhost", "127.0.0.1", "::1", name, f"{name}.local", *announced, *addresses, host]
    return [covered for covered in names if covered and covered.isascii() and not is_on_all_addresses(covered)]


def make_app(**settings: object) -> Flask:
    """Create the app for serving: with metrics, if configured."""
    app = create_app(settings)
    if app.config["METRICS"]:
        figures.serve(app)
    return app
