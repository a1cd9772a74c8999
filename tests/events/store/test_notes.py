"""Notes beside the games: what every store must do with them, on a real file and a real server."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from events.chain import GENESIS, ChainError, record_hash
from events.store.backups.transfer import check_game, check_store, restore
from events.store.errors import BadStream, NoteTooLong, NotNext, VersionConflict
from events.store.notes import MAX_NOTE
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass
from tests.amounts import Amount
from tests.events.store.processes.workers import (
    Won,
    compete_for_notes,
    note_and_acknowledge,
    nursery,
    race,
)

PROCESSES, TURNS = 3, 30
KILLS = 4, 20
"""In an ordinary run, and with `--long`."""
HOSTILE = [
    *(
        "",
        "g1",
        "game",
        "game/",
        "study/ü",
        "notes/g1",
        "chat/",
        "chats/g1",
        "Game/g1",
        "game/a/b",
        "game/-a",
        " game/a",
    ),
    *("game/a\n", "study/x\0", "game/\ud800", f"game/{'a' * 65}", "game/a' OR 1=1 --", "game/%"),
]
BYTES = [
    b"",
    b"\0\xff\xfe no text",
    b'{"type":"remark","by":"anna","time":1700000000000,"text":"Citt\xc3\xa0\\n"}',
    b"line\nfeed",
    b"[" * 5000,
    b'{"time":99999999999999999999,"type":["\\u0000"],"by":"\\u0000"}',
    bytes(range(256)) * (MAX_NOTE // 256),
]


def test_bytes_come_back_as_they_were(store: Store) -> None:
    stored = store.notes.append("game/g1", 0, BYTES)
    assert [record.event for record in store.notes.read("game/g1")] == BYTES
    assert store.notes.read("game/g1") == stored == store.notes.read_all()
    assert [type(record.event) for record in store.notes.read("game/g1", after=6)] == [bytes]
    for number, note in enumerate(BYTES):  # one by one they take another way
        store.notes.append("study/s1", number, [note])
    assert [record.event for record in store.notes.read("study/s1")] == BYTES
    assert check_store(store) == 2 * len(BYTES)


def test_streams_are_chains_of_their_own(store: Store) -> None:
    (first,) = store.notes.append("game/g1", 0, [b"a"])
    store.notes.append("study/g1", 0, [b"b"])
    store.append("g1", 0, [Pass(seat=1)])
    (third,) = store.notes.append("game/g1", 1, [b"c"])
    assert (first.position, first.game, first.previous) == (1, "game/g1", GENESIS)
    assert (third.position, third.version, third.previous) == (3, 2, first.hash)
    assert third.hash == record_hash(first.hash, "game/g1", 2, b"c")
    assert check_game(store.notes, "game/g1") == third.hash
    assert (store.position(), store.notes.position()) == (1, 3)


def test_streams_are_found_by_how_they_begin(store: Store) -> None:
    for stream in ("study/b", "game/b", "chat/b", "game/B", "game/a_1", "game/a-1"):
        store.notes.append(stream, 0, [b""])
    games = ["game/B", "game/a-1", "game/a_1", "game/b"]
    assert store.notes.streams() == ["chat/b", *games, "study/b"]
    assert store.notes.streams("game/a") == ["game/a-1", "game/a_1"]
    assert store.notes.streams("study/") == ["study/b"]
    for prefix in ("game/b/", "x", "%", "game/\0", "\ud800"):
        assert store.notes.streams(prefix) == []
    assert (store.notes.version("game/b"), store.notes.version("game/c")) == (1, 0)
    assert store.notes.read("game/c") == []


def test_a_conflict_is_named_and_stores_nothing(store: Store) -> None:
    store.notes.append("study/s", 0, [b"a", b"b"])
    for expected in (-1, 0, 1, 3):
        for notes in ([b"x"], [b"x", b"y"], []):
            with pytest.raises(VersionConflict, match=r"stream study/s is at version 2, not at"):
                store.notes.append("study/s", expected, notes)
    assert store.notes.append("study/s", 2, []) == []
    assert store.notes.version("study/s") == store.notes.position() == 2


@pytest.mark.parametrize("stream", HOSTILE)
def test_a_name_that_can_be_none_is_refused(store: Store, stream: str) -> None:
    with pytest.raises(BadStream, match="cannot be the name of a stream"):
        store.notes.append(stream, 0, [b"x"])
    assert store.notes.position() == store.notes.version(stream) == 0
    assert store.notes.read(stream) == []
    assert store.notes.head(stream) is None


def test_a_note_that_is_too_long_stores_nothing(store: Store) -> None:
    with pytest.raises(NoteTooLong, match="65537 bytes, but 65536 are the most"):
        store.notes.append("game/g1", 0, [b"fine", b"x" * (MAX_NOTE + 1)])
    assert store.notes.position() == 0


def test_people_see_who_wrote_and_when(store: Store) -> None:
    store.notes.append("game/g1", 0, BYTES)
    rows = store._link.fetch(
        'SELECT type, "by", time FROM notes WHERE version <> 6 ORDER BY version'
    )  # type: ignore[attr-defined]
    nothing = (None, None, None)
    assert rows == [nothing, nothing, ("remark", "anna", 1700000000000), *[nothing] * 3]


def test_backup_and_restore(store: Store, tmp_path: Path) -> None:
    for number, note in enumerate(BYTES * 2):
        store.notes.append(f"{('game', 'chat')[number % 2]}/g1", number // 2, [note])
    store.append("g1", 0, [Pass(seat=1)])
    store.backup(tmp_path / "backup.db")
    notes = store.notes.read_all()
    store.notes.append("study/later", 0, [b"later"])
    with (
        open_store(tmp_path / "backup.db", create=False) as backup,
        open_store(tmp_path / "restored.db") as restored,
    ):
        assert check_store(backup) == len(notes) + 1
        restored.notes.adopt(backup.notes.read_all(limit=5))
        done: list[int] = []
        assert restore(backup, restored, done.append) == done[-1] == len(notes) - 4
        assert restored.notes.read_all() == notes
        assert restore(backup, restored) == 0
        restored.notes.append("study/mine", 0, [b"mine"])
        with pytest.raises(NotNext, match="other games"):
            restore(backup, restored)


def test_a_backup_is_restored_into_each_kind(url: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "source.db") as source, open_store(url) as target:
        source.append("g1", 0, [Pass(seat=1)])
        source.notes.append("game/g1", 0, BYTES)
        assert restore(source, target) == len(BYTES) + 1
        assert target.notes.read_all() == source.notes.read_all()


def test_a_backup_holds_the_events_that_its_notes_are_about(store: Store, tmp_path: Path) -> None:
    done = threading.Event()

    def play_and_note() -> None:
        version = 0
        while not done.is_set():
            store.append("g1", version, [Pass(seat=1)])
            version += 1
            store.notes.append("game/g1", version - 1, [b"on event %d" % version])

    thread = threading.Thread(target=play_and_note)
    thread.start()
    try:
        for number in range(1, 6):
            assert store.wait(number * 5, 20)
            store.backup(tmp_path / f"{number}.db")
    finally:
        done.set()
        thread.join()
    for number in range(1, 6):
        with open_store(tmp_path / f"{number}.db", create=False) as backup:
            assert check_store(backup) > number * 5
            assert backup.notes.version("game/g1") <= backup.position()


def test_several_processes_append(url: str) -> None:
    won = race(compete_for_notes, url, PROCESSES, TURNS)
    with open_store(url) as store:
        assert check_store(store) == PROCESSES * (TURNS + 1)
        stored = [(r.game, r.version, int(r.event)) for r in store.notes.read("game/wanted")]
        assert stored == sorted(won, key=lambda one: one[1])


def test_killed_at_random_moments(url: str, amount: Amount) -> None:
    kills = amount(*KILLS)
    context, chance = nursery(), random.Random(2)
    acknowledged: set[Won] = set()
    for seed in range(1, kills + 1):
        ear, mouth = context.Pipe(duplex=False)
        child = context.Process(target=note_and_acknowledge, args=(url, seed, mouth))
        child.start()
        mouth.close()
        ear.poll(30)  # let it begin, so that the kill meets an append
        time.sleep(chance.uniform(0, 0.02))
        child.kill()
        child.join()
        try:
            while True:
                acknowledged.update(ear.recv())
        except EOFError:
            ear.close()
    with open_store(url) as store:
        found = [(r.game, r.version, int(r.event)) for r in store.notes.read_all(limit=100_000)]
        assert check_store(store) == len(found) == len({mark for *_, mark in found})
        assert acknowledged <= set(found)
        assert len(acknowledged) > kills


TAMPERING = {
    "UPDATE notes SET note = x'00' WHERE version = 2 AND stream = 'game/a'": "version 2: changed",
    "UPDATE notes SET hash = previous WHERE position = 3": "version 2: changed",
    "UPDATE notes SET stream = 'game/c' WHERE position = 1": "stream game/c, version 1: changed",
    "UPDATE notes SET position = 99 WHERE position = 3": "reordered|missing",
    "UPDATE notes SET version = 9 WHERE position = 5": "version 3: missing",
    "DELETE FROM notes WHERE position = 3": "version 2: missing",
    "DELETE FROM notes WHERE position = 6": "version 3: missing",
    "DELETE FROM notes": "version 1: missing",
    "DELETE FROM note_heads WHERE stream = 'study/b'": "stream study/b, version 4: missing",
    "UPDATE note_heads SET version = 2 WHERE stream = 'study/b'": "stream study/b, version",
    "UPDATE note_heads SET position = 1 WHERE stream = 'study/b'": "version 3: reordered",
    "INSERT INTO note_heads VALUES ('game/\x1b[2J', 1, 'x', 9)": r"x1b\[2J', version 0: foreign",
}


@pytest.mark.parametrize("change", TAMPERING)
def test_a_change_behind_the_guards_is_found(tmp_path: Path, change: str) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        for version in range(3):
            store.notes.append("game/a", version, [b"a%d" % version])
            store.notes.append("study/b", version, [b"b%d" % version])
        store.append("g1", 0, [Pass(seat=1)])
        assert check_store(store) == 7
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'note%'"
        ).fetchall():
            conn.execute(f"DROP TRIGGER {name}")
        conn.execute(change)
    with open_store(path) as store:
        with pytest.raises(ChainError, match=TAMPERING[change]) as caught:
            check_store(store)
        assert "\x1b" not in str(caught.value)
        assert check_game(store, "g1") == store.read("g1")[-1].hash
