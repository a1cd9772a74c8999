"""The way to one SQLite file: a connection per thread, patience with writers, plain errors."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sqlite_utils import Database

from events.messages.sentence import Sentence, about, message_of
from events.store.connections import PerThread
from events.store.errors import (
    NewerSchema,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreReadOnly,
)
from events.store.guards import GuardFault
from events.store.sql.connection import Execute
from events.store.sqlite.guards import guard_faults, restore_guards
from events.store.sqlite.schema import APPLICATION, STAND_INS, migrations

P = ParamSpec("P")
T = TypeVar("T")
Row = tuple[Any, ...]

PATIENCE = 60.0
"""Seconds to wait for other writers before giving up."""

LEFT_TO_REPLICATOR = 25_000
"""Pages of the write-ahead log, some 100 MB, until a connection carries them over by itself though
there is a replicator. That does it after a thousand, when it has read them; who comes before makes
it copy the whole file anew. But where it has died the log must not fill the disk."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}


def explain(error: sqlite3.Error, path: Path, patience: float = PATIENCE) -> StoreError:
    """An error of SQLite's about a file as one of ours."""
    place = str(path)
    extended: int = getattr(error, "sqlite_errorcode", 0) or 0
    code = extended & 0xFF
    if code in _BUSY:
        return StoreBusy(place, patience)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and disk_is_full(path.parent)):
        return StoreFull(place)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StoreReadOnly(place)
    if code == sqlite3.SQLITE_CANTOPEN:
        if path.is_file():
            return StoreReadOnly(place)
        return NotAStore(place, Sentence("it cannot be opened as a file"))
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStore(place, Sentence("it is no SQLite file"))
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamaged(place, message_of(error))
    if code == sqlite3.SQLITE_IOERR:
        return StoreGone(place, message_of(error))
    return StoreError(about(place, message_of(error)))


def disk_is_full(folder: Path) -> bool:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < 64 * 1024


class SqliteLink:
    """Connections to one file, each used by one thread of one process."""

    parameter = "?"

    def __init__(
        self, path: Path, *, create: bool, patience: float = PATIENCE, replicated: bool = False
    ) -> None:
        self.path, self.patience, self.replicated = path, patience, replicated
        self.place = str(path)
        self._connections = PerThread(self._connect)
        if not create and not path.exists():
            raise NotAStore(self.place, Sentence("there is no such file"))
        self._stand_ins = ""
        self.restored: list[GuardFault] = []
        self.read_only = path.exists() and not os.access(path, os.W_OK)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def db(self) -> Database:
        """This thread's connection."""
        if self._connections.closed:
            raise StoreGone(self.place, Sentence("it has been closed"))
        return self._connections.get()

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """All rows of one query."""
        with self.explained():
            return self._patiently(self._fetch, sql, parameters)

    def _fetch(self, sql: str, parameters: Sequence[object]) -> list[Row]:
        return self.db.execute(sql, parameters).fetchall()

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[Row]:
        """The rows of one query as of one moment, a few at a time."""
        with self.explained():
            yield from self._patiently(self.db.execute, sql, parameters)

    def write_one(self, sql: str, parameters: Sequence[object]) -> int | None:
        """One statement as a transaction of its own: the row's number, or None when nothing was
        stored. Why not is for `writing` to find out, which has the patience."""
        try:
            return self.db.conn.execute(sql, parameters).lastrowid
        except sqlite3.Error:
            return None

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One transaction that holds the write lock from its start: all of it is kept, or nothing.

        A transaction that begins by reading and then wants to write fails at once when another
        writer came between; waiting for the lock first cannot fail so.
        """
        if self.read_only:
            raise StoreReadOnly(self.place)
        db = self.db
        execute = db.conn.execute
        try:
            self._patiently(execute, "BEGIN IMMEDIATE")
            yield db
            execute("COMMIT")
        except BaseException as error:
            if db.conn.in_transaction:
                execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise explain(error, self.path, self.patience) from error
            raise

    @contextmanager
    def transaction(self) -> Iterator[Execute]:
        with self.writing() as db:
            yield db.execute

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """SQLite's errors as ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path, self.patience) from error

    def _patiently(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Again while others hold the file. SQLite waits itself, but not in every case: not while
        the journal mode changes, nor while another process recovers the log after a crash."""
        deadline = 0.0
        while True:
            try:
                return act(*args, **kwargs)
            except sqlite3.OperationalError as error:
                code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
                now = time.monotonic()
                deadline = deadline or now + self.patience
                if code not in _BUSY or now > deadline:
                    raise
                time.sleep(random.uniform(0.001, 0.02))

    def _connect(self) -> Database:
        db = self._open()
        if self._stand_ins:
            db.conn.executescript(self._stand_ins)
        return db

    def _open(self) -> Database:
        db = self._connect_as("ro" if self.read_only else "rwc")
        try:
            db.execute("PRAGMA synchronous = FULL")  # the only mode that survives a power cut
            if self.replicated:
                db.execute(f"PRAGMA wal_autocheckpoint = {LEFT_TO_REPLICATOR}")
        except sqlite3.Error as error:
            db.close()
            code = error.sqlite_errorcode & 0xFF
            if self.read_only and code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                # Where no side files can be made, it opens only as a file that nobody writes.
                return self._connect_as("ro&immutable=1")
            raise
        return db

    def _connect_as(self, mode: str) -> Database:
        conn = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=min(self.patience, 5.0),
            isolation_level=None,
            check_same_thread=False,
        )
        # Text in a damaged file need not be UTF-8. The check must be able to read it all the same.
        conn.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        return Database(conn, execute_plugins=False)

    def _prepare(self) -> None:
        """See whose file this is before anything is written to it, then bring it up to date."""
        with self.explained():
            if self._patiently(self._is_ready):
                if not self.read_only:
                    self._patiently(self.db.enable_wal)  # a backup comes without
                    self._restore_guards()
                return
        if self.read_only:
            with self.explained():
                pending = [step.name for step in migrations.pending(self.db)]
                if not STAND_INS.keys() >= set(pending):
                    raise StoreReadOnly(self.place)
                self._stand_ins = "".join(STAND_INS[step] for step in pending)
                self._connections.renew()
            return
        with self.explained():
            self._patiently(self.db.enable_wal)
        with self.writing() as db:
            if not self._is_ready():
                db.execute(f"PRAGMA application_id = {APPLICATION}")
                migrations.apply(db)
        self._restore_guards()

    def guard_faults(self) -> list[GuardFault]:
        with self.explained():
            return [] if self._stand_ins else self._patiently(guard_faults, self.db)

    def _restore_guards(self) -> None:
        if self.guard_faults():
            with self.writing() as db:
                self.restored = restore_guards(db)

    def _is_ready(self) -> bool:
        db = self.db
        ((application,),) = db.execute("PRAGMA application_id").fetchall()
        ((tables,),) = db.execute("SELECT count(*) FROM sqlite_master").fetchall()
        if application != APPLICATION:
            if application == 0 and tables == 0:
                return False
            raise NotAStore(self.place, Sentence("a SQLite file of something else"))
        known = {step.name for step in migrations._migrations}
        newer = [step.name for step in migrations.applied(db) if step.name not in known]
        if newer:
            raise NewerSchema(self.place, newer)
        return not migrations.pending(db)
