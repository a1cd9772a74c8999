"""A device with passkeys, as an authenticator would be, and as one that lies."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Device:
    """Holds one passkey. What it says can be made wrong in every part."""

    def __init__(self) -> None:
        self._key, self.id = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
        self.count = 0
        self.user = ""

    def make(
        self, options: dict[str, Any], origin: str, flags: int = PRESENT | VERIFIED
    ) -> dict[str, Any]:
        """Answer to what the server asks in order to add a passkey."""
        self.user = options["user"]["id"]
        numbers = self._key.public_key().public_numbers()
        point = {-2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, **point})
        held = bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        data = self._data(options["rp"]["id"], flags | ATTESTED) + held
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"], origin)
        return self._credential(clientDataJSON=client, attestationObject=attested)

    def show(
        self,
        options: dict[str, Any],
        origin: str,
        flags: int = PRESENT | VERIFIED,
        host: str = "",
    ) -> dict[str, Any]:
        """Answer to what the server asks in order to log in."""
        self.count += 1
        data = self._data(host or options["rpId"], flags)
        client = self._client("webauthn.get", options["challenge"], origin)
        signed = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        credential = self._credential(
            clientDataJSON=client, authenticatorData=data, signature=signed
        )
        credential["response"]["userHandle"] = self.user
        return credential

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _client(self, kind: str, challenge: str, origin: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
        return json.dumps(told).encode()

    def _credential(self, **response: bytes) -> dict[str, Any]:
        name = bytes_to_base64url(self.id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": {key: bytes_to_base64url(value) for key, value in response.items()},
        }
