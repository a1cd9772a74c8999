"""What can go wrong with a store: one clear error each, and nothing half-written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from events.store.backups.transfer import check_store
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
from events.store.protocol import Store
from events.store.sqlite.store import SqliteStore
from events.store.stores import open_store
from events.types import HandOver, Pass
from tests.events.server import UNPRIVILEGED, Server

BATCH = [HandOver(seat=1, bot="x" * 40, time=n) for n in range(50)]


def fill_up(store: Store) -> int:
    """Append batches until the disk is full; how many were acknowledged."""
    for done in range(10_000):
        try:
            store.append(f"g{done}", 0, BATCH)
        except StoreFull:
            return done
    raise AssertionError("the disk is never full")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A disk of 2 MB, where we may make one."""
    mounted = os.geteuid() == 0 and (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2M", "tmpfs", tmp_path],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )
    yield tmp_path if mounted else None
    if mounted:
        subprocess.run(["umount", "-l", tmp_path], check=True)


def test_full_disk(small_disk: Path | None, tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        if small_disk is None:
            store._link.db.execute("PRAGMA max_page_count = 300")  # type: ignore[attr-defined]
        done = fill_up(store)
        assert done > 0
        assert len(store.games()) == done
        with pytest.raises(StoreFull, match="the disk is full; nothing stored"):
            store.append("more", 0, BATCH)
        with pytest.raises(StoreFull):
            store.documents.save("m", 0, {str(n): b"x" * 10_000 for n in range(300)})
        assert store.documents.version("m") == 0
        assert check_store(store) == done * len(BATCH)


def test_full_disk_as_the_database_counts_it(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        store._link.db.execute("PRAGMA max_page_count = 200")  # type: ignore[attr-defined]
        done = fill_up(store)
        assert check_store(store) == done * len(BATCH)
        store._link.db.execute("PRAGMA max_page_count = 100000")  # type: ignore[attr-defined]
        store.append("more", 0, BATCH)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_to_a_full_disk(
    small_disk: Path | None,
    kind: str,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    """Whole, or no file at all: also where the disk is full only in the very last moment."""
    if small_disk is None:
        pytest.skip("a disk of its own can only be made by root")
    url = str(tmp_path_factory.mktemp("source") / "games.db")
    if kind == "postgres":
        url = request.getfixturevalue("server").new_schema()
    whole = 0
    with open_store(url) as store:
        for number in range(1, 25):
            store.documents.save("m", number - 1, {str(number): b"x" * 100_000})
            store.append(f"g{number}", 0, BATCH)
            try:
                store.backup(small_disk / "backup.db")
            except StoreFull:
                assert list(small_disk.iterdir()) == []
                continue
            whole += 1
            copy = tmp_path_factory.mktemp("copy") / "backup.db"
            shutil.move(small_disk / "backup.db", copy)
            assert list(small_disk.iterdir()) == []
            with open_store(copy, create=False) as backup:
                assert check_store(backup) == number * len(BATCH)
                assert backup.documents.items("m") == store.documents.items("m")
    assert 0 < whole < 24


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_full_disk_of_the_server(store: Store, url: str) -> None:
    store.append("g1", 0, [Pass(seat=1)])
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("""
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE disk_full; END $$;
            CREATE TRIGGER z AFTER INSERT ON events EXECUTE FUNCTION full_disk();
        """)
        with pytest.raises(StoreFull):
            store.append("g1", 1, BATCH)
        conn.execute("DROP TRIGGER z ON events")
    assert check_store(store) == 1
    store.append("g1", 1, BATCH)


def as_nobody(act: Callable[[], None]) -> None:
    """In a child that may not do everything, as root may. Fails as the child does."""
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                import pwd

                os.setuid(pwd.getpwnam(UNPRIVILEGED).pw_uid)
            act()
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may enter."""
    folder = Path(tempfile.mkdtemp(prefix="lacitta-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("busy", [False, True])
def test_a_read_only_file_can_be_read(open_folder: Path, busy: bool) -> None:
    path = open_folder / "games.db"
    writer = open_store(path)
    writer.append("g1", 0, BATCH)
    if not busy:
        writer.close()
    for file in open_folder.iterdir():
        file.chmod(0o444)
    open_folder.chmod(0o555)

    def look() -> None:
        with open_store(path) as store:
            assert check_store(store) == len(BATCH)
            with pytest.raises(StoreReadOnly, match="may only be read"):
                store.append("g1", len(BATCH), BATCH)
            with pytest.raises(StoreReadOnly):
                store.append("g1", len(BATCH), BATCH[:1])
            with pytest.raises(StoreReadOnly):
                store.documents.save("m", 0, {"k": b"v"})
            assert check_store(store) == len(BATCH)

    as_nobody(look)
    writer.close()


def test_a_folder_that_may_not_be_written(open_folder: Path) -> None:
    open_folder.chmod(0o555)

    def look() -> None:
        with pytest.raises(StoreError):
            open_store(open_folder / "games.db")
        assert list(open_folder.iterdir()) == []

    as_nobody(look)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_read_only_server(store: Store, url: str) -> None:
    store.append("g1", 0, BATCH)
    with open_store(f"{url}%20-cdefault_transaction_read_only%3Don") as reader:
        assert check_store(reader) == len(BATCH)
        with pytest.raises(StoreReadOnly):
            reader.append("g1", len(BATCH), BATCH)
        with pytest.raises(StoreReadOnly):
            reader.read_models.save("m", 0, 1, {"k": b"v"})
    assert check_store(store) == len(BATCH)


def test_a_wrong_file(tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_text("Dear Anna, " * 100)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as conn:
        conn.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, what TEXT)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(NotAStore, match="not a store of games"):
            open_store(path)
        assert path.read_bytes() == before
    with pytest.raises(NotAStore):
        open_store(tmp_path)
    with pytest.raises(NotAStore):
        open_store(tmp_path / "no" / "such" / "folder.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.txt", "other.db"]


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        for n in range(20):
            store.append(f"g{n}", 0, BATCH)
    data = bytearray(path.read_bytes())
    data[3 * 4096 :] = b"\xa5" * (len(data) - 3 * 4096)
    path.write_bytes(data)
    with pytest.raises((StoreDamaged, NotAStore)), open_store(path) as store:
        check_store(store)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_wrong_database(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("CREATE TABLE events (id integer)")
        with pytest.raises(NotAStore, match="a table events of something else"):
            open_store(url)
        conn.execute("DROP TABLE events")
    with pytest.raises(NotAStore, match="no games in this database"):
        open_store(url, create=False)
    with pytest.raises(StoreGone, match='database "nowhere" does not exist'):
        open_store(url.replace("/postgres?", "/nowhere?"))


def test_a_newer_schema(url: str) -> None:
    with open_store(url) as store:
        store.append("g1", 0, BATCH)
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as pg:
            pg.execute("INSERT INTO lacitta_migrations VALUES ('teleport')")
    else:
        with closing(sqlite3.connect(url, isolation_level=None)) as conn:
            conn.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
                " VALUES ('lacitta', 'teleport', '2099')"
            )
    with pytest.raises(NewerSchema, match=r"newer lacitta \(unknown here: teleport\)"):
        open_store(url)


def test_another_writer_that_does_not_let_go(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with SqliteStore(path, patience=0.2) as store:
        store.append("g1", 0, BATCH)
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            conn.execute("BEGIN IMMEDIATE")
            for events in (BATCH, BATCH[:1]):
                with pytest.raises(StoreBusy, match=r"busy for 0.2 s; nothing stored"):
                    store.append("g1", len(BATCH), events)
            assert check_store(store) == len(BATCH)
            conn.execute("ROLLBACK")
        store.append("g1", len(BATCH), BATCH)


def test_a_writer_that_is_only_slow_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        conn.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, conn.close).start()
        assert len(store.append("g1", 0, BATCH)) == len(BATCH)


def test_no_server(server: Server) -> None:
    with pytest.raises(StoreGone, match="cannot be reached") as caught:
        open_store("postgresql://anna:secret@/games?host=/nowhere")
    assert "secret" not in str(caught.value)


def test_a_fork_gets_its_own_connection(store: Store) -> None:
    store.append("g1", 0, [Pass(seat=1)])

    def append() -> None:
        store.append("g1", 1, [Pass(seat=2)])
        store.close()

    child = os.fork()
    if child == 0:
        try:
            append()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.append("g1", 2, [Pass(seat=3)])
    assert check_store(store) == 3
