"""Stores of older releases: they open, nothing is lost, and all works."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlite_utils import Database, Migrations

from events.store.backups.transfer import check_store, restore
from events.store.errors import StoreGone, StoreReadOnly
from events.store.postgres import connection as postgres_link
from events.store.postgres.schema import STEPS
from events.store.protocol import Store
from events.store.sqlite.schema import migrations
from events.store.stores import open_store
from events.types import Pass
from projections.readmodels.projector import READ_MODELS, Projector
from tests.events.server import Server
from tests.events.store.test_errors import as_nobody, open_folder
from web.seating.anonymity import Anonymity

__all__ = ["open_folder"]

SAMPLES = Path(__file__).parent / "samples"
ONE_PLACE = "store-v1"
"""Written when documents and read models still lay in one place."""
RELEASES = ("store-0.1.0", "store-0.2.0")
"""One of each release since. With each file is what is in it."""
AS_TODAY = RELEASES[-1:]
"""Whose SQLite files are made by the same steps as today's."""


def expected_in(sample: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))
    return found


def count_records(expected: dict[str, Any]) -> int:
    return sum(version for part in ("games", "notes") for version, _ in expected[part].values())


EXPECTED = expected_in(ONE_PLACE)
RECORDS = count_records(EXPECTED)


def load_sample(url: str, sample: str = ONE_PLACE) -> None:
    """The sample of its kind, there."""
    if not url.startswith("postgresql"):
        shutil.copyfile(SAMPLES / f"{sample}.sqlite", url)
        return
    with psycopg.connect(url, autocommit=True) as conn:
        ((schema,),) = conn.execute("SELECT current_schema()").fetchall()
        conn.execute(f"DROP SCHEMA {schema}".encode())
        dump = (SAMPLES / f"{sample}.sql").read_bytes()
        conn.execute(dump.replace(b"lacitta_sample", schema.encode()))


def check_kept(store: Store, expected: dict[str, Any] = EXPECTED) -> None:
    """Every game, note and document of the sample is there as it was."""
    assert check_store(store) == count_records(expected)
    times = store._link.fetch("SELECT time FROM events ORDER BY position")  # type: ignore[attr-defined]
    assert [time or 0 for (time,) in times] == [r.decode().time for r in store.read_all()]
    for part, log in (("games", store), ("notes", store.notes)):
        heads = {head.game: [head.version, head.head] for head in log.heads()}
        assert heads == expected[part]
    assert store.documents.names() == sorted(expected["documents"])
    for name, kept in expected["documents"].items():
        assert store.documents.version(name) == kept["version"]
        found = {key: body.decode() for key, body in store.documents.items(name)}
        assert found == kept["documents"]


def entries(store: Store) -> dict[str, tuple[int, list[tuple[str, bytes]]]]:
    models = store.read_models
    return {name: (models.position(name), models.items(name)) for name in models.names()}


def test_a_store_of_one_place_for_all(url: str) -> None:
    load_sample(url)
    with open_store(url, create=False) as store:
        check_kept(store)
        Projector(store, Anonymity(store)).catch_up()
        followed = entries(store)
        assert sorted(followed) == sorted(READ_MODELS)
        assert [key for key, _ in followed["scoreboard"][1]] == sorted(EXPECTED["games"])
    with open_store(url, create=False) as store:  # now there is nothing left to do
        check_kept(store)
        assert entries(store) == followed
        Projector(store, Anonymity(store)).rebuild()
        assert entries(store) == followed


def test_a_backup_of_one_place_for_all_is_restored(url: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    load_sample(str(backup))
    with open_store(backup, create=False) as source, open_store(url) as store:
        assert restore(source, store) == RECORDS
        check_kept(store)
        for each in (source, store):
            Projector(each, Anonymity(each)).rebuild()
        assert entries(store) == entries(source)
        store.backup(tmp_path / "new.db")
    with open_store(tmp_path / "new.db", create=False) as new:
        check_kept(new)


@pytest.mark.parametrize("sample", RELEASES)
def test_a_store_of_an_earlier_release(url: str, sample: str, tmp_path: Path) -> None:
    expected = expected_in(sample)
    load_sample(url, sample)
    for _ in range(2):
        with open_store(url, create=False) as store:
            check_kept(store, expected)
            Projector(store, Anonymity(store)).rebuild()
            assert store.read_models.position("waiting") == store.position()
            check_kept(store, expected)
    with open_store(url, create=False) as store:
        store.backup(tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db", create=False) as copy:
        check_kept(copy, expected)


def die_after(statements: int, url: str) -> bool:
    """Open a store in a child that is killed after so many statements. False when it was not."""
    child = os.fork()
    if child == 0:
        left = statements

        def count(statement: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        connect = sqlite3.connect

        def traced(*args: Any, **more: Any) -> sqlite3.Connection:
            conn = connect(*args, **more)
            conn.set_trace_callback(count)
            return conn

        sqlite3.connect = traced  # type: ignore[assignment]
        try:
            open_store(url).close()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_a_kill_while_carrying_over_loses_nothing(tmp_path: Path) -> None:
    """SQLite tells each statement, those of triggers too: it is killed all along the way."""
    path, killed = tmp_path / "games.db", 0
    load_sample(str(path))
    while die_after(killed * 7, str(path)):
        killed += 1
        with closing(sqlite3.connect(path)) as conn:
            tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master")}
            assert ("shelf_documents" in tables) != ("documents" in tables)
    assert killed > 20
    with open_store(path, create=False) as store:
        check_kept(store)


@pytest.mark.parametrize("step", ["documents", "times", "no_story", "hashes"])
def test_a_kill_while_a_server_carries_over_loses_nothing(
    server: Server, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.new_schema()
    load_sample(url)
    dying = {**STEPS, step: f"{STEPS[step]}; SELECT pg_terminate_backend(pg_backend_pid())"}
    with monkeypatch.context() as patched:
        patched.setattr(postgres_link, "STEPS", dying)
        with pytest.raises(StoreGone):
            open_store(url)
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT to_regclass('documents')").fetchone() == (None,)
    with open_store(url, create=False) as store:
        check_kept(store)


def before_notes(url: str) -> None:
    """A store from before there were notes."""
    load_sample(url)
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as pg:
            pg.execute("""
                DROP TABLE notes, note_heads;
                DROP FUNCTION lacitta_notes_only_next, lacitta_note_field;
                DELETE FROM lacitta_migrations WHERE name = 'notes';
            """)
        return
    with closing(sqlite3.connect(url, isolation_level=None)) as conn:
        for kind, name in (("VIEW", "annotations"), ("TABLE", "notes"), ("TABLE", "note_heads")):
            conn.execute(f"DROP {kind} {name}")
        conn.execute("DELETE FROM _sqlite_migrations WHERE name = 'notes'")


def test_a_store_from_before_there_were_notes(url: str) -> None:
    before_notes(url)
    with open_store(url, create=False) as store:
        assert store.notes.append("game/over", 0, [b"a note"])[0].version == 1
        store.append("g1", 0, [Pass(seat=3)])
        assert check_store(store) == store.position() + 1
        assert store.documents.names() == sorted(EXPECTED["documents"])


@pytest.mark.parametrize("sample", [ONE_PLACE, *RELEASES, "without-notes"])
def test_an_older_backup_that_may_only_be_read(open_folder: Path, sample: str) -> None:
    path, notes = open_folder / "games.db", sample != "without-notes"
    expected = expected_in(sample if notes else ONE_PLACE)
    if notes:
        load_sample(str(path), sample)
    else:
        before_notes(str(path))
    path.chmod(0o444)
    before = path.read_bytes()
    target = open_folder / "target"
    target.mkdir()
    target.chmod(0o777)

    def look() -> None:
        with open_store(path) as store, open_store(target / "new.db") as new:
            assert (store.notes.streams() != []) == notes
            if sample not in AS_TODAY:
                assert store.read_models.names() == store.read_models.items("scoreboard") == []
            for _ in range(2):
                with pytest.raises(StoreReadOnly):
                    store.notes.append("game/g1", 0, [b"a note"])
                with pytest.raises(StoreReadOnly):
                    store.documents.save("tables", expected["documents"]["tables"]["version"], {})
            restore(store, new)
            for each in (store, new) if notes else ():
                check_kept(each, expected)
            assert new.notes.append("game/g1", 0, [b"a note"])[0].version == 1

    as_nobody(look)
    assert path.read_bytes() == before


def released(names: set[str]) -> Migrations:
    """The steps of an older release."""
    older = Migrations("lacitta")
    older._migrations = [step for step in migrations._migrations if step.name in names]
    assert {step.name for step in older._migrations} == names
    return older


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_released_step_never_changes(tmp_path: Path) -> None:
    """What old stores were made with is for ever: a new thing is a new step."""
    assert {name: digest(step) for name, step in STEPS.items()} == {
        "log": "d9612e81a4b03b99",
        "shelf": "c6e592e17e874743",
        "notes": "3bec1e387d63c785",
        "documents": "c1fbb3354626fdd2",
        "times": "fc8bb2dbaf84a056",
        "lists": "f829a82e1c5956c1",
        "no_story": "0b0685810bad5d27",
        "scratch": "364bbe38f2b0aa96",
        "hashes": "ac26efa964405b2f",
    }
    made: dict[str, str] = {}
    seen: set[str] = set()
    for step in migrations._migrations:
        seen.add(step.name)
        db = Database(tmp_path / f"{step.name}.db")
        released(set(seen)).apply(db)
        rows = db.execute(
            "SELECT sql FROM sqlite_master WHERE name NOT LIKE '%fts%' AND name NOT LIKE '_sqlite%'"
            " AND name NOT LIKE 'sqlite%' ORDER BY rowid"
        ).fetchall()
        made[step.name] = digest("\n".join(" ".join(sql.split()) for (sql,) in rows))
        db.close()
    assert made == {
        "log": "9e14788c2d50f689",
        "guards": "871572670023c3c0",
        "views": "3740585614dbf320",
        "shelf": "c3391963a1423e83",
        "notes": "33e9a9e466be87f1",
        "documents": "638bcdc4d09b0c7c",
        "lists": "c297b7b6dc2529e5",
        "no_story": "2065b341db6d45fc",
        "scratch": "aaf4ad96554bff3c",
    }
