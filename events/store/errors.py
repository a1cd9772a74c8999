"""Errors of the stores, each with a sentence for a person. None leaves anything half-written."""

from __future__ import annotations

from events.errors import EventError, called
from events.messages.sentence import Sentence


class StoreError(EventError):
    """Base of what can go wrong with a store."""


class VersionConflict(StoreError):
    """Somebody else appended first: read on from `expected` and decide again."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        self.game, self.expected, self.found = game, expected, found
        super().__init__(
            Sentence(
                "{game} is at version {found}, not at {expected}",
                game=called(game),
                found=found,
                expected=expected,
            )
        )


class DocumentConflict(StoreError):
    """Somebody else changed this collection of documents first: look at it and decide again."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        self.name, self.expected, self.found = name, expected, found
        super().__init__(
            Sentence(
                "{game} is at version {found}, not at {expected}",
                game=name,
                found=found,
                expected=expected,
            )
        )


class ReadModelConflict(StoreError):
    """Another worker has moved this read model: start again from its position."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        self.name, self.expected, self.found = name, expected, found
        super().__init__(
            Sentence(
                "read model {name} is at position {found}, not at {expected}",
                name=name,
                found=found,
                expected=expected,
            )
        )


class NoSuchGame(StoreError):
    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(Sentence("there is no game {game}", game=game))


class BadGameId(StoreError):
    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(
            Sentence(
                "{game} cannot be the id of a game: up to 64 letters, digits, _ and -",
                game=repr(game[:80]),
            )
        )


class BadStream(StoreError):
    def __init__(self, stream: str) -> None:
        self.stream = stream
        super().__init__(
            Sentence(
                "{stream} cannot be the name of a stream of notes: game/, study/, chat/ or audit/, "
                "then up to 64 letters, digits, _ and -",
                stream=repr(stream[:80]),
            )
        )


class NoteTooLong(StoreError):
    def __init__(self, stream: str, size: int, most: int) -> None:
        self.stream, self.size, self.most = stream, size, most
        super().__init__(
            Sentence(
                "a note has {size} bytes, but {most} are the most; nothing stored",
                size=size,
                most=most,
            )
        )


class ListsBehind(StoreError):
    """The lists of a collection or read model have to be made anew before they are changed."""

    def __init__(self, name: str) -> None:
        super().__init__(Sentence("{name}: its lists are out of date; nothing stored", name=name))


class NotNext(StoreError):
    """A foreign record does not continue this store."""


class StoreBusy(StoreError):
    def __init__(self, place: str, seconds: float = 0) -> None:
        super().__init__(
            Sentence(
                "{place}: others kept the store busy for {seconds} s; nothing stored",
                place=place,
                seconds=f"{seconds:g}",
            )
            if seconds
            else Sentence(
                "{place}: others kept the store busy for too long; nothing stored", place=place
            )
        )


class StoreFull(StoreError):
    def __init__(self, place: str) -> None:
        super().__init__(Sentence("{place}: the disk is full; nothing stored", place=place))


class StoreReadOnly(StoreError):
    def __init__(self, place: str) -> None:
        super().__init__(
            Sentence("{place}: the store may only be read; nothing stored", place=place)
        )


class NotAStore(StoreError):
    def __init__(self, place: str, why: str) -> None:
        super().__init__(Sentence("{place}: not a store of games: {why}", place=place, why=why))


class NewerSchema(StoreError):
    def __init__(self, place: str, steps: list[str]) -> None:
        self.steps = steps
        super().__init__(
            Sentence(
                "{place}: written by a newer lacitta (unknown here: {steps}); "
                "update lacitta to open it",
                place=place,
                steps=", ".join(steps),
            )
        )


class StoreDamaged(StoreError):
    def __init__(self, place: str, why: str) -> None:
        super().__init__(
            Sentence("{place}: the store is damaged: {why}; restore a backup", place=place, why=why)
        )


class StoreGone(StoreError):
    """The store cannot be reached. An append in flight is stored wholly or not at all; appending
    again at the same version settles which: it succeeds, or it is a VersionConflict."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(
            Sentence("{place}: the store cannot be reached: {why}", place=place, why=why)
        )


class MissingExtra(StoreError):
    def __init__(self, extra: str) -> None:
        super().__init__(
            Sentence(
                "this kind of store needs the extra {quoted}: pip install 'lacitta[{extra}]'",
                quoted=repr(extra),
                extra=extra,
            )
        )
