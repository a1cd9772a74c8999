"""Who is a host. Whoever has the database says so on the command line; no page can."""

from __future__ import annotations

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store


class Host(msgspec.Struct, frozen=True):
    """An account that may moderate, and since when."""

    since: int


class Hosts:
    """The hosts of a server, by the ids of their accounts."""

    def __init__(self, store: Store) -> None:
        self._hosts = Collection(store, "hosts", Host)

    def __contains__(self, person: str) -> bool:
        return bool(person) and self._hosts.get(person) is not None

    def all(self) -> list[str]:
        return [person for person, _ in self._hosts.all()]

    def add(self, person: str, time: int) -> None:
        self._hosts.change(lambda: {} if person in self else {person: Host(time)})

    def remove(self, person: str) -> None:
        self._hosts.change(lambda: {person: None} if person in self else {})
