"""What the SQL that both databases understand is run through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from events.store.guards import GuardFault

AT_ONCE = 100
"""Rows or keys in one statement."""


class StatementResult(Protocol):
    """What a statement gives back."""

    @property
    def rowcount(self) -> int: ...


class Execute(Protocol):
    """Runs one statement of a transaction."""

    def __call__(self, sql: str, parameters: Sequence[object], /) -> StatementResult: ...


class SqlLink(Protocol):
    """A way to a database."""

    @property
    def parameter(self) -> str:
        """How a statement writes a parameter."""

    def fetch(self, sql: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """All rows of one query."""

    def stream(self, sql: str, parameters: tuple[object, ...] = ()) -> Iterator[Any]:
        """The rows of one query as of one moment, a few at a time."""

    def transaction(self) -> AbstractContextManager[Execute]:
        """All statements in it are stored, or none."""

    @property
    def restored(self) -> list[GuardFault]:
        """What was wrong with the guards when the store was opened."""

    def guard_faults(self) -> list[GuardFault]:
        """What is wrong with them now."""

    def close(self) -> None: ...
