"""Encrypts a push message for one browser (RFC 8291), and signs the request that sends it (VAPID, RFC 8292).

The key that signs is made of the app's own secret key: all processes and hosts have the same one, and no file, database
or export has it. It needs the extra `push`; without it, no phone is reminded.
"""

from __future__ import annotations

import base64
import json
import secrets
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.store.groups.links import keyed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
_RECORD = 4096  # bytes: a push service takes no longer message
_VALID = 12 * 3600  # seconds, of the 24 hours that are allowed
_POINT, _SECRET, _SALT = 65, 16, 16  # bytes


@cache
def is_available() -> bool:
    """Return whether what encrypts is installed."""
    return find_spec("cryptography") is not None


def encoded(data: bytes) -> str:
    """Write bytes as Base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Read Base64 for URLs; raises ValueError if it isn't any."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def are_keys(public_key: str, auth: str) -> bool:
    """Return whether a browser's public key and secret are such."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
        return len(decoded(public_key)) == _POINT and len(decoded(auth)) == _SECRET
    except ValueError:
        return False


def public_key() -> str:
    """Return the app's public key, by which push services know it again."""
    return encoded(_point(_own_key()))


def _own_key() -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    number = int.from_bytes(keyed("web push"), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, ec.SECP256R1())


def _point(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def sealed(
    text: str, public_key: str, auth: str, key: EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """Encrypt a text for the browser that has this key and secret; `key` and `salt` are random and used once."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt = salt or secrets.token_bytes(_SALT)
    key = key or ec.generate_private_key(ec.SECP256R1())
    theirs, mine = decoded(public_key), _point(key)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    both = _derived(shared, decoded(auth), b"WebPush: info\0" + theirs + mine, 32)
    content_key = _derived(both, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(both, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(content_key).encrypt(nonce, text.encode() + b"\2", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def headers(endpoint: str, origin: str, moment: int) -> dict[str, str]:
    """Return the headers that say who sends a message; `moment` is in seconds since 1970."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": moment + _VALID, "sub": origin}
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    return {
        "Authorization": f"vapid t={signed}.{encoded(_signature(signed))}, k={public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
    }


def _signature(text: str) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256

    numbers = utils.decode_dss_signature(_own_key().sign(text.encode(), ec.ECDSA(SHA256())))
    return b"".join(number.to_bytes(32, "big") for number in numbers)
