"""The way to one PostgreSQL database: a connection per thread, reconnecting, plain errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg import errors

from events.messages.sentence import Sentence
from events.store.connections import PerThread
from events.store.errors import (
    NewerSchema,
    NotAStore,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreGone,
    StoreReadOnly,
)
from events.store.guards import GuardFault
from events.store.names import place_of
from events.store.postgres.guards import guard_faults, restore_guards
from events.store.postgres.schema import CHANNEL, LOCK, MARK, MARK_TABLE, STEPS, TABLES
from events.store.sql.connection import Execute

T = TypeVar("T")
Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]

CONNECT_SECONDS = 10


def lost(conn: Connection, error: psycopg.OperationalError) -> bool:
    """Is it the connection that failed, and not only the command? Then it is closed for good."""
    if conn.broken or isinstance(error, errors.AdminShutdown | errors.CrashShutdown):
        conn.close()
        return True
    return False


class PostgresLink:
    """Connections to one database, each used by one thread of one process."""

    parameter = "%s"

    def __init__(self, url: str, *, create: bool) -> None:
        self.url, self.place = url, place_of(url)
        self._connections = PerThread(self.connect)
        self._listeners = PerThread(self._listen)
        self.restored: list[GuardFault] = []
        try:
            with self.explained():
                self._prepare(create)
        except BaseException:
            self.close()
            raise

    @property
    def conn(self) -> Connection:
        """This thread's connection, made anew when it is broken."""
        if self._connections.closed:
            raise StoreGone(self.place, Sentence("it has been closed"))
        conn = self._connections.get()
        return self._connections.renew() if conn.closed else conn

    @property
    def listener(self) -> Connection:
        """A connection of this thread that only listens, so that no news comes between queries."""
        listener = self._listeners.get()
        return self._listeners.renew() if listener.closed else listener

    def _listen(self) -> Connection:
        listener = self.connect()
        listener.execute(f"LISTEN {CHANNEL}".encode())
        return listener

    def connect(self) -> Connection:
        """One more connection."""
        conn: Connection = psycopg.connect(
            self.url, autocommit=True, connect_timeout=CONNECT_SECONDS
        )
        # Whatever the server's default: what is acknowledged must be on the disk.
        conn.execute(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
        )
        # Whatever the server's default: who waited for a lock must then see what the one before has
        # committed. At a higher level all is seen as it was when the waiting began.
        conn.execute("SET default_transaction_isolation = 'read committed'")
        return conn

    def fetch(self, sql: str, parameters: tuple[object, ...] = ()) -> list[Row]:
        """All rows of one query; asked once more when an old connection turns out broken."""
        return self.retry(lambda conn: conn.execute(sql.encode(), parameters).fetchall())

    def stream(self, sql: str, parameters: tuple[object, ...] = ()) -> Iterator[Row]:
        """The rows of one query as of one moment, a few at a time, over a connection of its own."""
        with (
            self.explained(),
            closing(self.connect()) as conn,
            conn.transaction(),
            conn.cursor("stream") as cursor,
        ):
            yield from cursor.execute(sql.encode(), parameters)

    def retry(self, act: Callable[[Connection], T]) -> T:
        """Do something that may be done twice."""
        with self.explained():
            conn = self.conn
            try:
                return act(conn)
            except psycopg.OperationalError as error:
                if not lost(conn, error):
                    raise
                return act(self.conn)

    @contextmanager
    def transaction(self) -> Iterator[Execute]:
        with self.explained():
            conn = self.conn
            with conn.transaction():
                yield lambda sql, parameters: conn.execute(sql.encode(), parameters)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """PostgreSQL's errors as ours."""
        try:
            yield
        except psycopg.Error as error:
            raise self.explain(error) from error

    def explain(self, error: psycopg.Error) -> StoreError:
        if isinstance(error, errors.DiskFull):
            return StoreFull(self.place)
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            return StoreReadOnly(self.place)
        if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected):
            return StoreBusy(self.place)
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        if isinstance(error, psycopg.OperationalError):
            return StoreGone(self.place, why)
        return StoreError(f"{self.place}: {why}")

    def close(self) -> None:
        self._connections.close()
        self._listeners.close()

    def _prepare(self, create: bool) -> None:
        """See whose schema this is before anything is written to it, then bring it up to date."""
        conn = self.conn
        if self._pending(conn, create):
            with conn.transaction():
                conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                pending = self._pending(conn, create)
                if pending == list(STEPS):
                    conn.execute(MARK_TABLE.encode())
                for step in pending:
                    conn.execute(STEPS[step].encode())
                    conn.execute(f"INSERT INTO {MARK} VALUES (%s)".encode(), (step,))
        if guard_faults(conn):
            # Who may not put them right can still read, and is told.
            with (
                suppress(errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction),
                conn.transaction(),
            ):
                conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                self.restored = restore_guards(conn)

    def guard_faults(self) -> list[GuardFault]:
        return self.retry(guard_faults)

    def _pending(self, conn: Connection, create: bool) -> list[str]:
        found = {
            name
            for (name,) in conn.execute(
                "SELECT relname FROM pg_class WHERE relname = ANY (%s)"
                " AND relnamespace = to_regnamespace(quote_ident(current_schema()))",
                ([MARK, *TABLES],),
            )
        }
        if MARK not in found:
            if found:
                raise NotAStore(
                    self.place,
                    Sentence("it has a table {found} of something else", found=min(found)),
                )
            if not create:
                raise NotAStore(self.place, Sentence("there are no games in this database"))
            return list(STEPS)
        applied = [name for (name,) in conn.execute(f"SELECT name FROM {MARK}".encode())]
        if newer := sorted(set(applied) - set(STEPS)):
            raise NewerSchema(self.place, newer)
        return [step for step in STEPS if step not in applied]
