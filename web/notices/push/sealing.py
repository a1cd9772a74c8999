"""How a push leaves: encrypted for one browser (RFC 8291), signed by this server (RFC 8292)."""

from __future__ import annotations

import base64
import functools
import hashlib
import os
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from events.store.protocol import Store
from web.accounts.account import Subscription
from web.site.secrets import server_secret

PUSH_KEY = "push-key"
CURVE = ec.SECP256R1()
LASTS = 12 * 3600
"""Seconds that a signature holds; push services take at most a day."""
POINT, SECRET = 65, 16
"""Bytes of a browser's public key and of its secret."""


class BadKeys(ValueError):
    """Nothing can be encrypted with these."""


class PushKeys:
    """The server's own pair of keys, made when the first one asks, and kept in the store: browsers
    know the server by it."""

    def __init__(self, store: Store, contact: str) -> None:
        self._store, self._contact = store, contact

    @functools.cached_property
    def _signer(self) -> Vapid02:
        return Vapid02.from_raw(server_secret(self._store, PUSH_KEY, new_key).encode())

    @functools.cached_property
    def public(self) -> str:
        """What a browser subscribes with."""
        point = self._signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return to_text(point)

    def headers(
        self, endpoint: str, now: int, about: str, seconds: int, urgency: str
    ) -> dict[str, str]:
        """With a message of which a push service keeps but the last about one thing."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now // 1000 + LASTS,
            "sub": self._contact,
        }
        return {
            **self._signer.sign(claims),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(seconds),
            "Urgency": urgency,
            "Topic": hashlib.sha256(about.encode()).hexdigest()[:32],
        }


def new_key() -> str:
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return to_text(number.to_bytes(32, "big"))


def seal(subscription: Subscription, message: bytes) -> bytes:
    """A message as the browser alone can read it."""
    point, secret = browser_keys(subscription.p256dh, subscription.auth)
    return bytes(
        http_ece.encrypt(
            message,
            salt=os.urandom(16),
            private_key=ec.generate_private_key(CURVE),
            dh=point,
            auth_secret=secret,
            version="aes128gcm",
        )
    )


def browser_keys(p256dh: str, auth: str) -> tuple[bytes, bytes]:
    """A browser's public key and its secret, or BadKeys."""
    try:
        point, secret = to_bytes(p256dh), to_bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    except ValueError as error:
        raise BadKeys(str(error)) from None
    if len(point) != POINT or len(secret) != SECRET:
        raise BadKeys("of another length")
    return point, secret


def to_text(data: bytes) -> str:
    """As base64 for addresses, which Web Push writes everything in."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    """
    >>> to_bytes("_-8")
    b'\\xff\\xef'
    """
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
