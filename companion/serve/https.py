"""HTTPS for the server: TLS connections whose handshake doesn't block the others.

As the certificate is self-signed, a second port serves plain HTTP, where every request gets a page that explains the
browser's warning.
"""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Any

from .certificate import Certificate
from .server import Channel, Listener, Server

_CHUNK = 64 * 1024  # bytes offered per write; TLS accepts 16 kB of them


def https_listener(opened: socket.socket, certificate: Certificate) -> Listener:
    """Make a listener that serves a socket over TLS with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate.file)
    return Listener(opened, TlsChannel, context)


class _NotYet(Exception):  # noqa: N818 - not an error
    """The rest of a TLS record has not arrived yet."""


class TlsChannel(Channel):
    """A TLS connection. Until the handshake is finished, each piece of data that arrives advances it."""

    def __init__(self, server: Server, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        assert server.tls is not None
        self._tls = threading.Lock()  # OpenSSL lets one thread at a time use a connection
        self._is_shaking, self._has_to_write = True, False
        sock.setblocking(False)
        encrypted = server.tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        try:
            super().__init__(server, encrypted, addr, adj, map=map)
        except BaseException:
            encrypted.close()
            raise
        self.sendbuf_len = _CHUNK

    def readable(self) -> bool:
        """Return whether the connection waits to read from the client."""
        return not self._has_to_write if self._is_shaking else bool(super().readable())

    def writable(self) -> bool:
        """Return whether the connection has data for the client."""
        return self._has_to_write if self._is_shaking else bool(super().writable())

    def handle_read(self) -> None:
        """Continue the handshake, or read."""
        if self._is_shaking:
            self._shake()
            return
        try:
            super().handle_read()
        except _NotYet:
            return

    def handle_write(self) -> None:
        """Continue the handshake, or write."""
        if self._is_shaking:
            self._shake()
        else:
            super().handle_write()

    def recv(self, buffer_size: int) -> bytes:
        """Read from the client; raises _NotYet while a TLS record is incomplete."""
        try:
            with self._tls:
                return super().recv(buffer_size)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
            raise _NotYet from error

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Write to the client; returns how many bytes the network accepted."""
        try:
            with self._tls:
                return super().send(data, do_close)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0

    def _shake(self) -> None:
        try:
            with self._tls:
                self.socket.do_handshake()
        except ssl.SSLWantReadError:
            self._has_to_write = False
        except ssl.SSLWantWriteError:
            self._has_to_write = True
        except OSError:  # not TLS, or the client rejected the certificate
            self.handle_close()
        else:
            self._is_shaking = self._has_to_write = False
