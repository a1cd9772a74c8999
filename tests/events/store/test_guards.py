"""The database itself refuses to change a log, whoever connects and however they ask."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from events.store.backups.transfer import check_store
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass, TakeGold

COLUMNS = "position, game, version, event, previous, hash"
ROW = "(3, 'g2', 1, '{}', 'x', 'y')"

CHANGES = [
    "UPDATE events SET event = '{}'",
    "UPDATE events SET position = position + 10",
    "UPDATE events SET hash = 'x' WHERE version = 2",
    "DELETE FROM events",
    "DELETE FROM events WHERE position = 2",
    "UPDATE heads SET version = 1",
    "UPDATE heads SET game = 'other'",
    "DELETE FROM heads",
    f"INSERT INTO events ({COLUMNS}) VALUES {ROW}",
    f"INSERT INTO events ({COLUMNS}) SELECT {COLUMNS} FROM events",
    f"INSERT INTO events ({COLUMNS}) SELECT 3, game, version, event, previous, hash FROM events",
    f"INSERT INTO events ({COLUMNS}) SELECT 9, game, 3, event, hash, hash FROM events LIMIT 1",
    "INSERT INTO heads SELECT 'new', version, hash, position FROM heads",
]
SQLITE_CHANGES = [
    f"INSERT OR REPLACE INTO events ({COLUMNS})"
    " SELECT position, game, version, '{}', previous, hash FROM events",
    f"REPLACE INTO events ({COLUMNS}) SELECT 3, game, version, '{{}}', previous, hash FROM events",
    f"INSERT OR IGNORE INTO events ({COLUMNS}) VALUES {ROW}",
    "INSERT INTO events (game, version, event, previous, hash) VALUES ('g2', 2, '{}', 'x', 'y')",
    "UPDATE OR REPLACE events SET version = 1",
    "UPDATE OR IGNORE events SET version = 1",
    "INSERT OR REPLACE INTO heads SELECT game, 1, hash, position FROM heads",
    f"INSERT INTO events ({COLUMNS}) SELECT * FROM (SELECT {COLUMNS} FROM events) WHERE true"
    " ON CONFLICT DO UPDATE SET event = '{}'",
]
POSTGRES_CHANGES = [
    "TRUNCATE events",
    "TRUNCATE events, heads CASCADE",
    "TRUNCATE heads",
    "SET session_replication_role = replica; DELETE FROM events",
    "SET session_replication_role = replica; UPDATE events SET event = '{}'",
    f"INSERT INTO events ({COLUMNS}) SELECT {COLUMNS} FROM events"
    " ON CONFLICT (position) DO UPDATE SET event = '{}'",
    # A record whose hash does not fit: this server can count.
    f"INSERT INTO events ({COLUMNS}) SELECT 3, game, 3, event, hash, hash FROM events"
    " WHERE version = 2",
]


REFUSED = "a record (can only be added|is never)|a head is the last"


def on_notes(change: str) -> str:
    """The same change to the log of notes."""
    for games, notes in (
        ("events", "notes"),
        ("event", "note"),
        ("heads", "note_heads"),
        ("game", "stream"),
        ("'g2'", "'game/g2'"),
    ):
        change = change.replace(games, notes)
    return change


@pytest.fixture
def kept(store: Store) -> Iterator[None]:
    """Two records of each log, which must be there unchanged afterwards."""
    records = store.append("g1", 0, [Pass(seat=1), TakeGold(seat=2)])
    notes = store.notes.append("game/g1", 0, [b"{}", b"\xff"])
    yield
    assert store.read_all() == records
    assert store.notes.read_all() == notes
    assert check_store(store) == 4


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("recursive", ["on", "off"])
@pytest.mark.parametrize("change", CHANGES + SQLITE_CHANGES)
@pytest.mark.usefixtures("kept")
def test_sqlite_refuses(url: str, change: str, recursive: str) -> None:
    with closing(sqlite3.connect(url, isolation_level=None)) as conn:
        conn.execute(f"PRAGMA recursive_triggers = {recursive}")
        for same in (change, on_notes(change).replace("'{}'", "x'7b7d'")):
            with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
                conn.execute(same)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize("change", CHANGES + POSTGRES_CHANGES)
@pytest.mark.usefixtures("kept")
def test_postgres_refuses(url: str, change: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        for same in (change, on_notes(change)):
            with pytest.raises(psycopg.errors.IntegrityError, match=REFUSED):
                conn.execute(same.encode())


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.usefixtures("kept")
def test_postgres_guards_from_another_search_path(url: str) -> None:
    schema = url.rpartition("%3D")[2]
    insert = f"INSERT INTO {schema}.events ({COLUMNS}) VALUES {ROW}"
    with psycopg.connect(url.replace(schema, "public"), autocommit=True) as conn:
        for same in (insert, on_notes(insert)):
            with pytest.raises(psycopg.errors.IntegrityError, match="as the next one"):
                conn.execute(same.encode())


def test_the_file_is_as_durable_as_promised(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        settings = ("journal_mode", "synchronous")
        found = [store._link.fetch(f"PRAGMA {name}")[0][0] for name in settings]  # type: ignore[attr-defined]
        assert found == ["wal", 2]
