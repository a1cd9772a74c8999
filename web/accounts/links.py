"""Links in letters that prove an address: they work once, for a while, and only the newest does."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Literal

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store

LinkKind = Literal["confirm", "reset"]
HOUR = 3600 * 1000
LIFETIMES: dict[LinkKind, int] = {"confirm": 24 * HOUR, "reset": HOUR}


class Link(msgspec.Struct, frozen=True):
    """What the newest link of a kind to a person is about; of its secret there is a hash alone."""

    secret: str
    address: str
    expires: int


class Links:
    """The links that have been sent and not been used."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._links, self._clock = Collection(store, "links", Link), clock

    def make(self, person: str, kind: LinkKind, address: str) -> str:
        """A new link, which makes the one before void. Gives its secret."""
        secret = secrets.token_urlsafe(32)
        link = Link(_hash(secret), address, self._clock() + LIFETIMES[kind])
        self._links.change(lambda: {f"{person}/{kind}": link})
        return secret

    def find(self, person: str, kind: LinkKind, secret: str) -> Link | None:
        """What a link is about while it works."""
        link = self._links.get(f"{person}/{kind}")
        if link is None or link.expires <= self._clock():
            return None
        return link if hmac.compare_digest(link.secret, _hash(secret)) else None

    def use(self, person: str, kind: LinkKind, secret: str) -> Link | None:
        """The same, once: of several who come at the same time one gets it."""
        found: list[Link | None] = [None]

        def edit() -> dict[str, Link | None]:
            found[0] = self.find(person, kind, secret)
            return {} if found[0] is None else {f"{person}/{kind}": None}

        self._links.change(edit)
        return found[0]

    def forget(self, person: str) -> None:
        self._links.change(lambda: dict.fromkeys(key for key, _ in self._links.all(f"{person}/")))

    def purge(self) -> None:
        """Take away what works no more."""

        def edit() -> dict[str, Link | None]:
            now = self._clock()
            return {key: None for key, link in self._links.all() if link.expires <= now}

        self._links.change(edit)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
