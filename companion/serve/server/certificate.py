"""The self-signed certificate for `companion --https`, kept in the instance folder."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAYS = 397  # phones reject certificates that are valid for longer
_EXPIRES_SOON = timedelta(days=30)
_EARLIEST = datetime(2026, 6, 1, tzinfo=UTC)  # no clock that is right shows an earlier time


@dataclass(frozen=True)
class Certificate:
    """`file` has the certificate and its private key; `fingerprint` is the SHA-256 fingerprint that browsers show."""

    file: Path
    fingerprint: str


def certificate_for(instance: Path, names: Sequence[str]) -> Certificate:
    """Return a certificate for these host names and addresses.

    Makes a new one if there is none, if it isn't valid yet or expires soon, or if it doesn't cover all names.
    """
    file = instance / "certificate.pem"
    certificate = _read(file)
    if certificate is None or not _is_good(certificate, names):
        certificate = _make(file, names)
    return Certificate(file, certificate.fingerprint(hashes.SHA256()).hex(":").upper())


def _read(file: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _is_good(certificate: x509.Certificate, names: Sequence[str]) -> bool:
    held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_valid = certificate.not_valid_before_utc <= _now() and certificate.not_valid_after_utc - _now() > _EXPIRES_SOON
    return set(_general(names)) <= set(held) and is_valid


def _now() -> datetime:
    """Return the time. A computer whose clock begins in 1970 makes a certificate that phones with the time accept."""
    return max(datetime.now(UTC), _EARLIEST)


def _general(names: Sequence[str]) -> list[x509.GeneralName]:
    """Convert names to certificate entries; IP addresses and host names have different types."""
    written: list[x509.GeneralName] = []
    for name in dict.fromkeys(names):
        try:
            written.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            written.append(x509.DNSName(name))
    return written


def _make(file: Path, names: Sequence[str]) -> x509.Certificate:
    """Write a new certificate and key to one file, atomically and readable only by its owner."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Table Companion")])
    now = _now()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now + timedelta(days=_DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(_general(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        opened.write(made.public_bytes(Encoding.PEM))
    draft.replace(file)
    return made
