"""Stores made before a step of the schema was added: they open, nothing is lost, and all works."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from events.record import Record
from events.store.errors import StoreReadOnly
from events.store.postgres import connection as postgres_link
from events.store.postgres.schema import STEPS
from events.store.sqlite import connection as sqlite_link
from events.store.sqlite.schema import migrations
from events.store.stores import open_store
from events.store.transfer import check_store, restore
from events.types import Pass
from tests.events.store.test_errors import as_nobody, open_folder

__all__ = ["open_folder"]

BEFORE_NOTES = {"log", "guards", "views", "shelf"}


def released(names: set[str]) -> Migrations:
    """The steps of an older release."""
    older = Migrations("lacitta")
    older._migrations = [step for step in migrations._migrations if step.name in names]
    assert {step.name for step in older._migrations} == names
    return older


def make_older(url: str, monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """A store as it was before there were notes, with a game in it."""
    with monkeypatch.context() as past:
        past.setattr(sqlite_link, "migrations", released(BEFORE_NOTES))
        older = {name: step for name, step in STEPS.items() if name in BEFORE_NOTES}
        past.setattr(postgres_link, "STEPS", older)
        with open_store(url) as store:
            store.shelf.save("m", 0, 1, {"k": b"v"})
            return store.append("g1", 0, [Pass(seat=1), Pass(seat=2)])


def test_a_store_from_before_there_were_notes(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    records = make_older(url, monkeypatch)
    for _ in range(2):  # the second time there is nothing left to do
        with open_store(url, create=False) as store:
            assert store.read_all() == records
            assert store.shelf.get("m", "k") == b"v"
            store.margin.append("game/g1", store.margin.version("game/g1"), [b"a note"])
            records += store.append("g1", len(records), [Pass(seat=3)])
    with open_store(url, create=False) as store:
        assert check_store(store) == 4 + 2


def test_an_older_backup_that_may_only_be_read(
    open_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = open_folder / "games.db"
    records = make_older(str(path), monkeypatch)
    path.chmod(0o444)
    before = path.read_bytes()
    target = open_folder / "target"
    target.mkdir()
    target.chmod(0o777)

    def look() -> None:
        with open_store(path) as store, open_store(target / "new.db") as new:
            assert store.read_all() == records
            assert check_store(store) == 2
            assert store.margin.streams() == store.margin.read("game/g1") == []
            for _ in range(2):
                with pytest.raises(StoreReadOnly):
                    store.margin.append("game/g1", 0, [b"a note"])
            assert restore(store, new) == 2
            assert new.margin.append("game/g1", 0, [b"a note"])[0].version == 1

    as_nobody(look)
    assert path.read_bytes() == before


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_released_step_never_changes(tmp_path: Path) -> None:
    """What old stores were made with is for ever: a new thing is a new step."""
    assert {name: digest(step) for name, step in STEPS.items()} == {
        "log": "d9612e81a4b03b99",
        "shelf": "c6e592e17e874743",
        "notes": "3bec1e387d63c785",
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
    }
