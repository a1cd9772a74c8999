"""Passkeys (WebAuthn): a device proves who it belongs to, and no password is typed.

A challenge is bound to the browser that asked for it and used once: the browser's signed cookie
holds it, and the store holds which have been used.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from events.store.collection import Collection
from events.store.protocol import Store
from web.accounts.account import Account, Passkey
from web.accounts.service import People
from web.site.problems import Problem

LIFETIME = 5 * 60 * 1000
"""Milliseconds in which a challenge is answered."""
NAME = "La Città"
ALWAYS = UserVerificationRequirement.REQUIRED
"""A passkey stands for a password, so the device makes sure who holds it."""
Purpose = Literal["add", "log-in"]


class Challenge(msgspec.Struct, frozen=True):
    """What a browser has to answer, as its cookie keeps it; for whom, when a passkey is added."""

    value: str
    purpose: Purpose
    made: int
    person: str = ""


class UsedChallenge(msgspec.Struct, frozen=True):
    made: int


class Site(msgspec.Struct, frozen=True):
    """Where passkeys are valid: the host's name, and the address that pages have."""

    host: str
    origin: str


class Passkeys:
    """Makes challenges and checks what devices say to them."""

    def __init__(self, store: Store, people: People, clock: Callable[[], int]) -> None:
        self._used = Collection(store, "used-challenges", UsedChallenge)
        self._people, self._clock = people, clock

    def offer_to_add(self, account: Account, site: Site) -> tuple[Challenge, dict[str, Any]]:
        """What a device is asked in order to make a passkey."""
        challenge = self._challenge("add", account.id)
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name=NAME,
            user_id=account.id.encode(),
            user_name=account.name,
            challenge=base64url_to_bytes(challenge.value),
            timeout=LIFETIME,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=ALWAYS
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(base64url_to_bytes(id_)) for id_ in account.passkeys
            ],
        )
        return challenge, msgspec.json.decode(webauthn.options_to_json(options))

    def add(
        self, account: Account, site: Site, challenge: Challenge, credential: Any, name: str
    ) -> None:
        """Keep what a device has made."""
        self._use(challenge, "add", account.id)
        try:
            made = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=base64url_to_bytes(challenge.value),
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except WRONG as error:
            raise refused() from error
        key = bytes_to_base64url(made.credential_public_key)
        passkey = Passkey(name, key, made.sign_count, self._clock())
        self._people.add_passkey(account.id, bytes_to_base64url(made.credential_id), passkey)

    def offer_to_log_in(self, site: Site) -> tuple[Challenge, dict[str, Any]]:
        """What any device is asked that has a passkey for this site; it says whose it is."""
        challenge = self._challenge("log-in")
        options = webauthn.generate_authentication_options(
            rp_id=site.host,
            challenge=base64url_to_bytes(challenge.value),
            timeout=LIFETIME,
            user_verification=ALWAYS,
        )
        return challenge, msgspec.json.decode(webauthn.options_to_json(options))

    def log_in(self, site: Site, challenge: Challenge, credential: Any) -> Account:
        """Whose passkey this is."""
        self._use(challenge, "log-in")
        try:
            id_ = bytes_to_base64url(base64url_to_bytes(credential["id"]))
            person = base64url_to_bytes(credential["response"]["userHandle"]).decode()
            account = self._people.get(person)
            passkey = account.passkeys.get(id_) if account else None
            if account is None or passkey is None:
                raise refused()
            shown = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=base64url_to_bytes(challenge.value),
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(passkey.key),
                # A copy of a device falls behind in counting.
                credential_current_sign_count=passkey.count,
                require_user_verification=True,
            )
        except WRONG as error:
            raise refused() from error
        self._people.note_passkey(account.id, id_, shown.new_sign_count, self._clock())
        return account

    def purge(self) -> None:
        """Forget challenges that are too old to be answered again."""
        since = self._clock() - LIFETIME
        self._used.change(
            lambda: {key: None for key, used in self._used.all() if used.made < since}
        )

    def _challenge(self, purpose: Purpose, person: str = "") -> Challenge:
        value = bytes_to_base64url(secrets.token_bytes(32))
        return Challenge(value, purpose, self._clock(), person)

    def _use(self, challenge: Challenge, purpose: Purpose, person: str = "") -> None:
        """Problem unless the challenge is for this, in time, and not used before."""
        if (challenge.purpose, challenge.person) != (purpose, person):
            raise refused()
        if not 0 <= self._clock() - challenge.made < LIFETIME:
            raise refused()
        key = hashlib.sha256(challenge.value.encode()).hexdigest()

        def edit() -> dict[str, UsedChallenge | None]:
            if self._used.get(key) is not None:
                raise refused()
            return {key: UsedChallenge(challenge.made)}

        self._used.change(edit)


WRONG = (WebAuthnException, KeyError, TypeError, ValueError, AttributeError)
"""What the library raises, and what comes of answers that have another shape."""


def refused() -> Problem:
    """One answer for whatever is wrong."""
    return Problem(403, "bad-passkey", "This passkey is not known here, or it came too late.")
