"""Whole stores: checked from end to end, copied into a file, and restored from one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from events.chain import GENESIS, ChainError, record_hash, verify_chain
from events.store_errors import NoSuchGame, NotAStore, NotNext

if TYPE_CHECKING:
    from events.record import Record
    from events.store import Store

BATCH = 5000

Progress = Callable[[int], None]
"""Is told how many records are done."""


def everything(store: Store, after: int = 0) -> Iterator[list[Record]]:
    """All records past a position, in batches."""
    while batch := store.read_all(after, BATCH):
        yield batch
        after = batch[-1].position


def check_game(store: Store, game: str, shown: str | None = None) -> str:
    """Walk one game's chain: its head, or ChainError. `shown` must be among its hashes."""
    records = store.read(game)
    info = store.game(game)
    if info is None and not records:
        raise NoSuchGame(game)
    if info is not None and info.version > len(records):  # the game may have gone on meanwhile
        records = [record for record in store.read(game) if record.version <= info.version]
    head = verify_chain(records, info.head if info else GENESIS, game=game, shown=shown)
    if info is not None and info.version != len(records):
        why = f"the store says that the game is at version {info.version}"
        raise ChainError(game, len(records), "foreign", why)
    return head


def check_store(store: Store, progress: Progress | None = None) -> int:
    """Walk everything: how many records fit, or ChainError at the first that does not.

    >>> from tempfile import TemporaryDirectory
    >>> from events.store import open_store
    >>> from events.types import TakeGold
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     stored = store.append("g1", 0, [TakeGold(seat=1), TakeGold(seat=2)])
    ...     check_store(store)
    2
    """
    heads = {info.game: (info.version, info.head, info.position) for info in store.games()}
    ends: dict[str, tuple[int, str, int]] = {}
    done = 0
    for batch in everything(store):
        for record in batch:
            version, head, _ = ends.get(record.game, _START)
            if not _fits(record, done + 1, version + 1, head):
                raise _misfit(store, record, done + 1, version)
            ends[record.game] = (record.version, record.hash, record.position)
            done += 1
        if progress is not None:
            progress(done)
    for game in sorted(heads.keys() | ends.keys()):
        _check_end(store, game, heads.get(game, _START), ends.get(game, _START))
    return done


_START = (0, GENESIS, 0)


def _fits(record: Record, position: int, version: int, head: str) -> bool:
    return (
        record.position == position
        and record.version == version
        and record.previous == head
        and record.hash == record_hash(head, record.game, version, record.event)
    )


def _misfit(store: Store, record: Record, position: int, version: int) -> ChainError:
    """What happened here. The rest of the game tells more than the one record."""
    try:
        check_game(store, record.game)
    except ChainError as error:
        return error
    except NoSuchGame:
        return ChainError(record.game, record.version, "foreign", "no game can have this id")
    why = f"it stands at position {record.position}, where {position} comes next"
    if record.version != version + 1:
        return ChainError(record.game, record.version, "reordered", why)
    return ChainError(record.game, record.version, "missing", f"{why}: one before it is gone")


def _check_end(
    store: Store, game: str, head: tuple[int, str, int], end: tuple[int, str, int]
) -> None:
    if head == end:
        return
    check_game(store, game)
    # All is well if the game went on after we had looked where it stands.
    if end[0] <= head[0]:
        raise ChainError(
            game, end[0], "reordered", f"it stands at position {end[2]}, not {head[2]}"
        )


def copy_to_file(source: Store, path: Path) -> None:
    """All records of a store, as of now, into a new SQLite store."""
    from events.sqlite_store import SqliteStore

    if path.exists():
        raise NotAStore(str(path), "a backup is made into a new file, and this one exists")
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    last = source.position()
    try:
        with SqliteStore(part) as target:
            for batch in everything(source):
                target.adopt([record for record in batch if record.position <= last])
                if batch[-1].position >= last:
                    break
        os.link(part, path)
    except FileExistsError:
        raise NotAStore(str(path), "another backup got there first") from None
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{part}{end}").unlink(missing_ok=True)


def restore(backup: Store, target: Store, progress: Progress | None = None) -> int:
    """Bring a backup's records into a store that is empty, or that was being restored from it.

    The whole backup is checked first. Returns how many records were brought.
    """
    check_store(backup)
    start = target.position()
    if start and target.read_all(start - 1, 1) != backup.read_all(start - 1, 1):
        raise NotNext("the store holds other games already: restore into an empty one")
    done = 0
    for batch in everything(backup, start):
        target.adopt(batch)
        done += len(batch)
        if progress is not None:
            progress(done)
    return done
