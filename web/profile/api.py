"""The endpoints of what somebody is told: devices that take pushes, games that are muted."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import request
from msgspec import Meta

from web.accounts.account import Subscription
from web.accounts.sessions import device_of, session_key
from web.accounts.visitor import need_account, session_word
from web.api.endpoint import endpoint
from web.games.seats import seated
from web.notices import egress
from web.notices.push.pusher import LONGEST_ENDPOINT
from web.notices.push.sealing import BadKeys, browser_keys
from web.services import limiter, services
from web.site.problems import Problem

Base64 = Annotated[str, Meta(max_length=120, pattern=r"^[A-Za-z0-9_=-]+\Z")]


class BrowserKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys by which the browser alone can read what it is sent."""

    p256dh: Base64
    auth: Base64


class NewSubscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser's `PushManager` has given."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=LONGEST_ENDPOINT)]
    keys: BrowserKeys


class DeviceLine(msgspec.Struct, frozen=True):
    """A device of yours that takes pushes; `id` begins the SHA-256 of its endpoint, `made` is in
    milliseconds since 1970."""

    id: str
    browser: str
    system: str
    made: int


class Muting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether you are told nothing of a game: by no letter, no webhook and no push."""

    game: Annotated[str, Meta(min_length=1, max_length=60)]
    muted: bool


def lines(person: str) -> list[DeviceLine]:
    account = services().people.get(person)
    return [
        DeviceLine(key, each.browser, each.system, each.made)
        for key, each in (account.subscriptions if account else {}).items()
    ]


@endpoint(
    "GET",
    "/api/me/devices",
    "Your devices that take pushes",
    who="account",
    answer=list[DeviceLine],
)
def get_devices() -> list[DeviceLine]:
    return lines(need_account().person)


@endpoint(
    "POST",
    "/api/me/devices",
    "Send pushes to this browser, by the subscription that it has made",
    who="account",
    scope="account",
    body=NewSubscription,
    answer=list[DeviceLine],
    status=201,
    problems=(409, 429),
)
@limiter.limit("30 per hour")
def add_device(body: NewSubscription) -> list[DeviceLine]:
    person = need_account().person
    if not services().settings.notices.push:
        raise Problem(403, "no-push", "This server sends no pushes.")
    try:
        egress.checked(body.endpoint, LONGEST_ENDPOINT)
        browser_keys(body.keys.p256dh, body.keys.auth)
    except (Problem, BadKeys):
        raise Problem(
            422, "bad-subscription", "Pushes cannot be sent to what this browser gave."
        ) from None
    browser, system = device_of(request.headers.get("User-Agent", ""))
    services().people.add_subscription(
        person,
        Subscription(
            endpoint=body.endpoint,
            p256dh=body.keys.p256dh,
            auth=body.keys.auth,
            session=session_key(session_word()),
            made=services().clocks.now(),
            browser=browser,
            system=system,
        ),
    )
    return lines(person)


@endpoint(
    "DELETE",
    "/api/me/devices/<device>",
    "Send no pushes to a device of yours any more",
    who="account",
    scope="account",
    answer=list[DeviceLine],
    problems=(404,),
)
def remove_device(device: str) -> list[DeviceLine]:
    person = need_account().person
    if not services().people.remove_subscription(person, device):
        raise Problem(404, "no-such-device", "There is no such device.")
    return lines(person)


@endpoint(
    "POST",
    "/api/me/muted",
    "Be told nothing of a game of yours any more, or again",
    who="account",
    body=Muting,
    answer=Muting,
    problems=(403, 404, 429),
)
@limiter.limit("60 per minute")
def mute_game(body: Muting) -> Muting:
    person = need_account().person
    seated(body.game)
    services().people.mute(person, body.game, body.muted)
    return body
