"""The endpoints for passkeys: one is added, removed, or logs somebody in."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from flask import request, session
from msgspec import Meta

from web.accounts.account import Account
from web.accounts.passkeys import Challenge, Site, refused
from web.accounts.visitor import need_account, visitor
from web.api.endpoint import endpoint
from web.lobby.api import me_line
from web.lobby.shapes import Me
from web.profile.inheritance import log_in_with_everything
from web.services import limiter, services
from web.site.limits.limiter import LOGGING_IN, PROVING
from web.site.names import is_readable_text
from web.site.problems import Problem

CHALLENGE = "challenge"
"""Under this name the browser's signed cookie keeps what it has to answer."""


class ProvenByPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Annotated[str, Meta(max_length=200)]


class Options(msgspec.Struct, frozen=True):
    """What the page hands to `navigator.credentials`, in WebAuthn's words."""

    options: dict[str, Any]


class NewPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the device has made, in WebAuthn's words, and what it is to be called."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    credential: dict[str, Any]


class ShownPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the device says to the challenge, in WebAuthn's words."""

    credential: dict[str, Any]


class PasskeyLine(msgspec.Struct, frozen=True):
    """A passkey of yours; times in milliseconds since 1970, `used` 0 when it was not yet."""

    id: str
    name: str
    made: int
    used: int


def site() -> Site:
    """Where passkeys are valid: at the address that the host names, or at which the page is."""
    origin = services().settings.server.url or request.host_url.rstrip("/")
    return Site(urlsplit(origin).hostname or "", origin)


def ask_for(offer: tuple[Challenge, dict[str, Any]]) -> Options:
    challenge, options = offer
    session[CHALLENGE] = msgspec.to_builtins(challenge)
    return Options(options)


def challenge() -> Challenge:
    """What this browser has to answer. It is gone with that."""
    try:
        return msgspec.convert(session.pop(CHALLENGE, None), Challenge)
    except msgspec.ValidationError:
        raise refused() from None


def owner() -> Account:
    account = services().people.get(need_account().person)
    if account is None:
        raise Problem(401, "log-in-first", "Please log in first.")
    return account


def lines() -> list[PasskeyLine]:
    return [
        PasskeyLine(id_, each.name, each.made, each.used) for id_, each in owner().passkeys.items()
    ]


@endpoint(
    "POST",
    "/api/passkeys/options",
    "Begin to add a passkey, by your password",
    who="account",
    scope="account",
    body=ProvenByPassword,
    answer=Options,
    problems=(429,),
)
@limiter.limit(PROVING, act="prove-password")
def begin_passkey(body: ProvenByPassword) -> Options:
    account = owner()
    services().people.check_password(account.id, body.password)
    return ask_for(services().passkeys.offer_to_add(account, site()))


@endpoint(
    "POST",
    "/api/passkeys",
    "Add the passkey that your device has made",
    who="account",
    scope="account",
    body=NewPasskey,
    answer=list[PasskeyLine],
    status=201,
    problems=(409, 429),
)
@limiter.limit("10 per minute")
def add_passkey(body: NewPasskey) -> list[PasskeyLine]:
    account, name = owner(), " ".join(body.name.split())
    if not is_readable_text(name):
        raise Problem(422, "bad-name", "Please choose a name that can be read.")
    services().passkeys.add(account, site(), challenge(), body.credential, name)
    return lines()


@endpoint(
    "DELETE",
    "/api/passkeys/<passkey>",
    "Remove a passkey of yours",
    who="account",
    scope="account",
    answer=list[PasskeyLine],
    problems=(404,),
)
def remove_passkey(passkey: str) -> list[PasskeyLine]:
    services().people.remove_passkey(owner().id, passkey)
    return lines()


@endpoint(
    "POST",
    "/api/session/passkey/options",
    "Begin to log in by a passkey",
    who="anyone",
    scope="account",
    answer=Options,
    problems=(429,),
)
@limiter.limit("30 per minute")
def begin_passkey_session() -> Options:
    return ask_for(services().passkeys.offer_to_log_in(site()))


@endpoint(
    "POST",
    "/api/session/passkey",
    "Log in by a passkey",
    who="anyone",
    scope="account",
    body=ShownPasskey,
    answer=Me,
    problems=(429,),
)
@limiter.limit(LOGGING_IN, act="log-in")
def start_passkey_session(body: ShownPasskey) -> Me:
    log_in_with_everything(services().passkeys.log_in(site(), challenge(), body.credential))
    return me_line(visitor())
