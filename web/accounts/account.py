"""An account as it is stored: who somebody is, how they log in, what they want to be told."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from web.api.scopes import SCOPES, Scope
from web.settings import ADDRESS
from web.site.names import looks

PersonName = Annotated[str, Meta(min_length=1, max_length=30)]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
Email = Annotated[str, Meta(max_length=200, pattern=rf"^({ADDRESS})?\Z")]
HookKind = Literal["discord", "slack"]


class Wishes(msgspec.Struct, frozen=True):
    """What somebody wants to be told. Without `mail` nothing comes by mail."""

    mail: bool = True
    turn: bool = True
    begins: bool = True
    ends: bool = True
    mentioned: bool = True
    time: bool = True
    digest: Annotated[int, Meta(ge=0, le=23)] | None = None
    """The hour of a daily letter, where somebody lives; without one they come as things happen."""


class Webhook(msgspec.Struct, frozen=True):
    """An address of a chat that takes messages for somebody."""

    kind: HookKind
    url: str


class Subscription(msgspec.Struct, frozen=True):
    """A browser's address for pushes, in the words of Web Push: where they go, and the keys by
    which the browser alone can read them."""

    endpoint: str
    p256dh: str
    auth: str
    session: str
    """The key of the session in which it was made; it ends with that."""
    made: int
    browser: str = ""
    system: str = ""


class Token(msgspec.Struct, frozen=True):
    """What a program may do for somebody, and until when; 0 is for ever."""

    label: str
    scopes: tuple[Scope, ...] = SCOPES
    expires: int = 0

    def lasts(self, time: int) -> bool:
        return not self.expires or time < self.expires


class Passkey(msgspec.Struct, frozen=True):
    """A device that proves who it belongs to: its public key, and how often it has been used by
    its own count."""

    name: str
    key: str
    count: int
    made: int
    used: int = 0


class Closure(msgspec.Struct, frozen=True):
    """A host has closed an account: when, and the reason that its owner is told."""

    time: int
    reason: str


class Account(msgspec.Struct, frozen=True):
    """Someone with a password. `id` never changes; guests have an id, too, but no account."""

    id: str
    name: str
    password: str
    email: str = ""
    language: str = ""
    tokens: dict[str, Token | str] = {}
    """By the hash of each. A mere label is a token from before there were scopes: it has all."""
    wishes: Wishes = Wishes()
    webhooks: dict[str, Webhook] = {}
    subscriptions: dict[str, Subscription] = {}
    """Devices that take pushes, by what their endpoints hash to."""
    muted: tuple[str, ...] = ()
    """Games of which nothing is told, the last muted last."""
    toured: bool = False
    """Shown around a table, which is offered once."""
    confirmed: bool = False
    """Whether somebody has shown to get what goes to `email`. One from before this was asked for
    gets letters as ever, but no password is reset by it."""
    wanted_email: str = ""
    """An address that is to take the place of `email` once it is confirmed."""
    passkeys: dict[str, Passkey] = {}
    """By the id that the device gave each."""
    era: int = 0
    """Rises with every new password; a session that was begun with an earlier one is none."""
    closed: Closure | None = None
    login: str = ""
    """The name to log in with, where a host has taken it off the pages."""

    def valid_tokens(self, time: int) -> dict[str, Token]:
        """The tokens that can be used, by the hash of each."""
        found = {
            key: Token(each) if isinstance(each, str) else each for key, each in self.tokens.items()
        }
        return {key: token for key, token in found.items() if token.lasts(time)}


def lists_of(key: str, account: Account) -> dict[str, int]:
    """The lists that an account stands in: by its confirmed address, and by what its name looks
    like. Of its several documents it is the one by id."""
    if not key.startswith("id/") or not account.id:
        return {}
    lists = {f"look/{look}": 0 for look in looks_of(account)}
    if account.confirmed:
        lists[f"address/{account.email.lower()}"] = 0
    return lists


def looks_of(account: Account) -> frozenset[str]:
    """What the name that somebody logs in by looks like; it stays taken when it is not shown."""
    return looks(account.login or account.name)
