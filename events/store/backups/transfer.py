"""Whole stores: checked from end to end, copied into a file, and restored from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, zip_longest
from pathlib import Path

from events.chain import GENESIS, ChainError, record_hash, verify_chain
from events.messages.sentence import Sentence
from events.record import Record
from events.store.backups.file import backup_file
from events.store.documents import Documents
from events.store.errors import NoSuchGame, NotNext
from events.store.log import Log
from events.store.protocol import Store
from events.store.sqlite.store import SqliteStore

BATCH = 5000

Progress = Callable[[int], None]
"""Is told how many records are done."""


def everything(log: Log, after: int = 0) -> Iterator[list[Record]]:
    """All records past a position, in batches."""
    while batch := log.read_all(after, BATCH):
        yield batch
        after = batch[-1].position


def check_game(log: Log, game: str, shown: str | None = None) -> str:
    """Walk one game's chain: its head, or ChainError. `shown` must be among its hashes.

    Given a store's notes it walks a stream of notes.
    """
    records = log.read(game)
    info = log.head(game)
    if info is None and not records:
        raise NoSuchGame(game)
    if info is not None and info.version > len(records):  # the game may have gone on meanwhile
        records = [record for record in log.read(game) if record.version <= info.version]
    head = verify_chain(records, info.head if info else GENESIS, game=game, shown=shown)
    if info is not None and info.version != len(records):
        why = Sentence("the store says that it ends in version {version}", version=info.version)
        raise ChainError(game, len(records), "foreign", why)
    return head


def check_store(store: Store, progress: Progress | None = None) -> int:
    """Walk all games and notes: how many records fit, or ChainError at the first that does not.

    >>> from tempfile import TemporaryDirectory
    >>> from events.store.stores import open_store
    >>> from events.types import TakeGold
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     stored = store.append("g1", 0, [TakeGold(seat=1), TakeGold(seat=2)])
    ...     check_store(store)
    2
    """
    games = _check_log(store, progress)
    return games + _check_log(store.notes, progress and (lambda done: progress(games + done)))


def _check_log(log: Log, progress: Progress | None) -> int:
    heads = {head.game: (head.version, head.head, head.position) for head in log.heads()}
    ends: dict[str, tuple[int, str, int]] = {}
    done = 0
    for batch in everything(log):
        for record in batch:
            version, head, _ = ends.get(record.game, _START)
            if not _fits(record, done + 1, version + 1, head):
                raise _misfit(log, record, done + 1, version)
            ends[record.game] = (record.version, record.hash, record.position)
            done += 1
        if progress is not None:
            progress(done)
    for game in sorted(heads.keys() | ends.keys()):
        _check_end(log, game, heads.get(game, _START), ends.get(game, _START))
    return done


_START = (0, GENESIS, 0)
_NAMELESS = Sentence("nothing can have this name")


def _fits(record: Record, position: int, version: int, head: str) -> bool:
    return (
        record.position == position
        and record.version == version
        and record.previous == head
        and record.hash == record_hash(head, record.game, version, record.event)
    )


def _misfit(log: Log, record: Record, position: int, version: int) -> ChainError:
    """What happened here. The rest of the game tells more than the one record."""
    try:
        check_game(log, record.game)
    except ChainError as error:
        return error
    except NoSuchGame:
        return ChainError(record.game, record.version, "foreign", _NAMELESS)
    why = Sentence(
        "it stands at position {found}, where {expected} comes next",
        found=record.position,
        expected=position,
    )
    if record.version != version + 1:
        return ChainError(record.game, record.version, "reordered", why)
    return ChainError(
        record.game, record.version, "missing", Sentence("{why}: one before it is gone", why=why)
    )


def _check_end(log: Log, game: str, head: tuple[int, str, int], end: tuple[int, str, int]) -> None:
    if head == end:
        return
    try:
        check_game(log, game)
    except NoSuchGame:
        raise ChainError(game, end[0], "foreign", _NAMELESS) from None
    # All is well if the game went on after we had looked where it stands.
    if end[0] <= head[0]:
        raise ChainError(
            game,
            end[0],
            "reordered",
            Sentence(
                "it stands at position {found}, not {expected}", found=end[2], expected=head[2]
            ),
        )


def copy_to_file(source: Store, path: Path) -> None:
    """All that is in a store, as of now, into a new SQLite store; without read models, which
    follow from it."""
    with backup_file(path) as part, SqliteStore(part) as target:
        # Documents first, then notes: all are about events, and these are then within the end of
        # the games.
        _copy_documents(source.documents, target.documents)
        notes = source.notes.position()
        games = source.position()
        _copy(source, target, games)
        _copy(source.notes, target.notes, notes)


def _copy(source: Log, target: Log, last: int) -> None:
    for batch in everything(source):
        target.adopt([record for record in batch if record.position <= last])
        if batch[-1].position >= last:
            break


def _copy_documents(source: Documents, target: Documents) -> None:
    for name in source.names():
        target.adopt(name, *source.stream(name))


def restore(backup: Store, target: Store, progress: Progress | None = None) -> int:
    """Bring a backup into a store that is empty, or that was being restored from it.

    The whole backup is checked first. Returns how many records were brought. Read models are to be
    made anew afterwards.
    """
    check_store(backup)
    logs: list[tuple[Log, Log]] = [(backup, target), (backup.notes, target.notes)]
    for source, log in logs:
        start = log.position()
        if start and log.read_all(start - 1, 1) != source.read_all(start - 1, 1):
            raise NotNext(
                Sentence("the store holds other games already: restore into an empty one")
            )
    for name in target.documents.names():
        (_, ours), (_, theirs) = target.documents.stream(name), backup.documents.stream(name)
        first = next(ours, None)
        if first is not None and any(
            our != their for our, their in zip_longest(chain([first], ours), theirs)
        ):
            raise NotNext(
                Sentence("the store holds other accounts already: restore into an empty one")
            )
    done = 0
    for source, log in logs:
        for batch in everything(source, log.position()):
            log.adopt(batch)
            done += len(batch)
            if progress is not None:
                progress(done)
    _copy_documents(backup.documents, target.documents)
    # They were told names that the documents may have replaced.
    for name in target.read_models.names():
        target.read_models.clear(name)
    return done
