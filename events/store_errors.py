"""Errors of the stores, each with a sentence for a person. None leaves anything half-written."""

from __future__ import annotations

from events.errors import EventError, called


class StoreError(EventError):
    """Base of what can go wrong with a store."""


class VersionConflict(StoreError):
    """Somebody else appended first: read on from `expected` and decide again."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        self.game, self.expected, self.found = game, expected, found
        super().__init__(f"{called(game)} is at version {found}, not at {expected}")


class ShelfConflict(StoreError):
    """Another worker has moved this read model: start again from its position."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        self.name, self.expected, self.found = name, expected, found
        super().__init__(f"read model {name} is at position {found}, not at {expected}")


class NoSuchGame(StoreError):
    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(f"there is no game {game}")


class BadGameId(StoreError):
    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(
            f"{game[:80]!r} cannot be the id of a game: up to 64 letters, digits, _ and -"
        )


class BadStream(StoreError):
    def __init__(self, stream: str) -> None:
        self.stream = stream
        super().__init__(
            f"{stream[:80]!r} cannot be the name of a stream of notes: game/, study/ or "
            "chat/, then up to 64 letters, digits, _ and -"
        )


class NoteTooLong(StoreError):
    def __init__(self, stream: str, size: int, most: int) -> None:
        self.stream, self.size, self.most = stream, size, most
        super().__init__(f"a note has {size} bytes, but {most} are the most; nothing stored")


class NotNext(StoreError):
    """A foreign record does not continue this store."""


class StoreBusy(StoreError):
    def __init__(self, place: str, seconds: float = 0) -> None:
        time = f" for {seconds:g} s" if seconds else " for too long"
        super().__init__(f"{place}: others kept the store busy{time}; nothing stored")


class StoreFull(StoreError):
    def __init__(self, place: str) -> None:
        super().__init__(f"{place}: the disk is full; nothing stored")


class StoreReadOnly(StoreError):
    def __init__(self, place: str) -> None:
        super().__init__(f"{place}: the store may only be read; nothing stored")


class NotAStore(StoreError):
    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: not a store of games: {why}")


class NewerSchema(StoreError):
    def __init__(self, place: str, steps: list[str]) -> None:
        self.steps = steps
        super().__init__(
            f"{place}: written by a newer lacitta (unknown here: {', '.join(steps)}); "
            "update lacitta to open it"
        )


class StoreDamaged(StoreError):
    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: the store is damaged: {why}; restore a backup")


class StoreGone(StoreError):
    """The store cannot be reached. An append in flight is stored wholly or not at all; appending
    again at the same version settles which: it succeeds, or it is a VersionConflict."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: the store cannot be reached: {why}")


class MissingExtra(StoreError):
    def __init__(self, extra: str) -> None:
        super().__init__(
            f"this kind of store needs the extra {extra!r}: pip install 'lacitta[{extra}]'"
        )
