"""A list that lies on disk: of a comparison of many games nothing stays in memory."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import Any, TypeVar, overload

import msgspec

IN_MEMORY = 256 * 1024
"""Bytes up to which no file is made."""
PREFIX = 4
"""Bytes that say how long the next item is."""
T = TypeVar("T", bound=msgspec.Struct)


class Spool(Sequence[T]):
    """Structs that are added one by one and read in order: by rank, then as they came.

    >>> class Word(msgspec.Struct):
    ...     text: str
    >>> spool = Spool(Word, ranks=2)
    >>> for text, rank in (("later", 1), ("first", 0), ("last", 1)):
    ...     spool.add(Word(text), rank)
    >>> [word.text for word in spool], len(spool), spool[1].text, spool[1:3] == [*spool][1:]
    (['first', 'later', 'last'], 3, 'later', True)
    """

    def __init__(self, kind: type[T], ranks: int = 1) -> None:
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)
        self._files: list[Any] = []
        for _ in range(ranks):
            file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  (it lives as long as the spool)
            weakref.finalize(self, file.close)
            self._files.append(file)
        self._length = 0

    def add(self, item: T, rank: int = 0) -> None:
        data = msgspec.msgpack.encode(item)
        file = self._files[rank]
        file.seek(0, 2)
        file.write(len(data).to_bytes(PREFIX, "big") + data)
        self._length += 1

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for file in self._files:
            place = 0
            while True:
                # Somebody else may read meanwhile.
                file.seek(place)
                if not (prefix := file.read(PREFIX)):
                    break
                length = int.from_bytes(prefix, "big")
                yield self._decoder.decode(file.read(length))
                place += PREFIX + length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(self._length)))
        return next(islice(self, range(self._length)[index], None))
