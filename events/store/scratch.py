"""Scratch: what any process on a store may need for a while, and nobody misses after that."""

from __future__ import annotations

from typing import Protocol

ROOM = 128 * 1024 * 1024
"""Bytes in all; beyond, what would end soonest is forgotten."""


class Scratch(Protocol):
    """Bytes by key, each for so many seconds. It is in no backup."""

    def put(self, key: str, body: bytes, seconds: float) -> None:
        """Remember something; what is too large is not."""

    def get(self, key: str) -> bytes | None:
        """What is remembered, if its time is not over."""

    def drop(self, key: str) -> bytes | None:
        """Forget something. Gives it to whoever drops it first."""
