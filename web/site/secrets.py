"""What the server alone knows: made once, kept in the store, the same for every worker."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store


class ServerSecret(msgspec.Struct, frozen=True):
    """A setting that the server makes once and keeps."""

    value: str


def server_secret(store: Store, name: str, make: Callable[[], str]) -> str:
    """The secret of this name. Whoever asks first makes it."""
    settings = Collection(store, "settings", ServerSecret)
    if settings.get(name) is None:
        settings.change(lambda: {} if settings.get(name) else {name: ServerSecret(make())})
    stored = settings.get(name)
    assert stored is not None
    return stored.value
