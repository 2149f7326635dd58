"""The self-signed certificate of `companion --https`: its names, its lifetime, and when it is renewed."""

from __future__ import annotations

import hashlib
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256

from companion.serve.server import certificate
from companion.serve.server.certificate import certificate_for

NAMES = ["localhost", "192.0.2.7", "::1", "kitchen"]


def read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_it_names_this_computer_and_its_fingerprint_is_what_browsers_show(tmp_path: Path) -> None:
    made = certificate_for(tmp_path / "instance", NAMES)
    found = read(made.file)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "kitchen"]
    assert [str(address) for address in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "::1"]
    # phones refuse what is good for longer
    assert found.not_valid_after_utc - found.not_valid_before_utc <= timedelta(days=398)
    whole = ssl.PEM_cert_to_DER_cert(made.file.read_text().partition("-----END PRIVATE KEY-----\n")[2])
    assert made.fingerprint.replace(":", "").lower() == hashlib.sha256(whole).hexdigest()
    assert made.file.stat().st_mode & 0o777 == 0o600
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(made.file)


# the names of the next start, how many days later that is, and whether the certificate is another one then
STARTS = [
    (NAMES, 0, False),
    (NAMES[:2], 0, False),
    ([*NAMES, "192.0.2.8"], 0, True),
    (NAMES, 350, False),
    (NAMES, 370, True),
    (NAMES, -1, False),
    (NAMES, -365, True),
]


@pytest.mark.parametrize(
    ("names", "days", "another"),
    STARTS,
    ids=["same", "fewer", "more", "good", "near its end", "yesterday", "not valid yet"],
)
def test_a_new_certificate_is_made_when_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], days: int, another: bool
) -> None:
    first = certificate_for(tmp_path, NAMES)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=days)

    monkeypatch.setattr(certificate, "datetime", Later)
    assert (certificate_for(tmp_path, names).fingerprint != first.fingerprint) is another


def test_a_computer_that_begins_in_1970_makes_a_certificate_for_phones_with_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Long(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime(1970, 1, 2, tzinfo=UTC)

    monkeypatch.setattr(certificate, "datetime", Long)
    made = read(certificate_for(tmp_path, NAMES).file)
    assert made.not_valid_after_utc > datetime(2027, 1, 1, tzinfo=UTC)
    assert certificate_for(tmp_path, NAMES).fingerprint.lower().replace(":", "") == made.fingerprint(SHA256()).hex()


def test_a_broken_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").write_text("-----BEGIN CERTIFICATE-----\n?\n")
    assert read(certificate_for(tmp_path, NAMES).file).issuer
