"""Push messages: the example of RFC 8291, a browser's way to decrypt them, and the signature of their request."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask import Flask

from companion.web.phones import web_push

# of RFC 8291, section 5 and appendix A
TEXT = "When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


def key_of(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(read(text), "big"), ec.SECP256R1())


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869, for up to 32 bytes."""
    made = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(made, info + b"\1", hashlib.sha256)[:length]


def opened(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> str:
    """Decrypt a message as a browser does: RFC 8188 and RFC 8291, written from their texts."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    theirs, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= size == 4096
    mine = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    both = hkdf(auth, shared, b"WebPush: info\0" + mine + theirs, 32)
    nonce = hkdf(salt, both, b"Content-Encoding: nonce\0", 12)
    plain = AESGCM(hkdf(salt, both, b"Content-Encoding: aes128gcm\0", 16)).decrypt(nonce, sealed, None)
    text, _, padding = plain.rpartition(b"\2")
    assert padding == b""
    return text.decode()


def test_it_encrypts_as_in_the_example_of_the_rfc() -> None:
    assert web_push.encoded(web_push.sealed(TEXT, PUBLIC, AUTH, key_of(SENDER), read(SALT))) == SEALED
    assert opened(read(SEALED), key_of(RECEIVER), read(AUTH)) == TEXT


def test_each_message_has_a_key_of_its_own() -> None:
    first, second = (web_push.sealed("¿Ya?", PUBLIC, AUTH) for _ in range(2))
    assert first[:16] != second[:16] and first[21:86] != second[21:86]
    assert opened(first, key_of(RECEIVER), read(AUTH)) == opened(second, key_of(RECEIVER), read(AUTH)) == "¿Ya?"


def verified(authorization: str) -> dict[str, object]:
    """Check the signature of a request with the key that it names; returns what it claims."""
    token, _, key = authorization.removeprefix("vapid t=").partition(", k=")
    signed, _, signature = token.rpartition(".")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), read(key))
    r, s = (int.from_bytes(read(signature)[at : at + 32], "big") for at in (0, 32))
    point.verify(utils.encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    head, claims = (json.loads(read(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return {**claims, "k": key}


def test_a_request_is_signed_with_the_key_that_phones_know(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    with app.app_context():
        sent = web_push.headers("https://push.example.net:8443/abc", "https://cards.example.org/", 1_000)
        known = web_push.public_key()
        assert verified(sent["Authorization"]) == {
            "aud": "https://push.example.net:8443",
            "exp": 1_000 + 12 * 3600,
            "sub": "https://cards.example.org/",
            "k": known,
        }
        with pytest.raises(InvalidSignature):
            verified(sent["Authorization"].replace("t=ey", "t=eyJ9LnsifQ.ey"))
        monkeypatch.setitem(app.config, "SECRET_KEY", "x" * 40)
        assert web_push.public_key() != known


@pytest.mark.parametrize(
    ("key", "auth"),
    [
        ("", AUTH),
        (PUBLIC, ""),
        (PUBLIC[:-4], AUTH),
        (PUBLIC, AUTH + "AA"),
        (PUBLIC[:-1] + "é", AUTH),
        ("A" * 87, AUTH),
        (PUBLIC, "!" * 22),
    ],
)
def test_keys_that_are_none_are_refused(key: str, auth: str) -> None:
    assert web_push.are_keys(PUBLIC, AUTH)
    assert not web_push.are_keys(key, auth)
