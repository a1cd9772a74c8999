"""What every store must do, on a real file and on a real server."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from events.chain import GENESIS, record_hash, verify_chain
from events.codec import encode_event
from events.store.backups.transfer import check_game, check_store, restore
from events.store.errors import BadGameId, MissingExtra, NotAStore, NotNext, VersionConflict
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Build, HandOver, Pass, TakeGold

GOLD = [TakeGold(seat=1, time=1000), TakeGold(seat=2, time=2000)]


def test_events_come_back_as_they_were(store: Store) -> None:
    build = Build(seat=3, building="farm", at="A1", card="action", time=7)
    stored = store.append("g1", 0, [*GOLD, build])
    assert [record.decode() for record in store.read("g1")] == [*GOLD, build]
    assert store.read("g1") == stored
    assert [record.event for record in stored] == [encode_event(e) for e in [*GOLD, build]]
    assert [(record.position, record.version) for record in stored] == [(1, 1), (2, 2), (3, 3)]


def test_a_whole_game_at_once_comes_back_byte_for_byte(store: Store) -> None:
    odd = '{"type":"gold","seat":1,"by":"é \\" \\u0000 \\\\ 🏰 \u2028"}'
    events = [b'{"type":"pass","seat":2}', odd.encode()] * 400
    store.append_encoded("g", 0, events[:3])
    assert [r.event for r in store.append_encoded("g", 3, events[3:])] == events[3:]
    assert [r.event for r in store.read("g")] == events
    assert [r.position for r in store.read_all()] == list(range(1, 801))
    head = store.head("g")
    assert head is not None
    assert verify_chain(store.read("g"), head.head) == head.head
    with pytest.raises(VersionConflict):
        store.append_encoded("g", 3, events)
    assert store.position() == 800


def test_each_record_carries_the_hash_of_the_one_before(store: Store) -> None:
    store.append("g1", 0, GOLD)
    store.append("g2", 0, GOLD)
    (third,) = store.append("g1", 2, [Pass(seat=1)])
    first, second, _ = store.read("g1")
    assert first.previous == GENESIS
    assert second.previous == first.hash
    assert third.hash == record_hash(second.hash, "g1", 3, third.event)
    assert verify_chain(store.read("g1"), third.hash, shown=first.hash) == third.hash


def test_a_conflict_is_named_and_stores_nothing(store: Store) -> None:
    store.append("g1", 0, GOLD)
    for expected in (0, 1, 3, 99):
        for events in (GOLD, [Pass(seat=1)], []):
            with pytest.raises(VersionConflict) as caught:
                store.append("g1", expected, events)
            assert (caught.value.game, caught.value.expected, caught.value.found) == (
                "g1",
                expected,
                2,
            )
    with pytest.raises(VersionConflict):
        store.append("new", 1, GOLD)
    assert store.position() == 2
    assert store.append("g1", 2, []) == []


def test_a_head_that_another_process_moved_is_noticed(store: Store, url: str) -> None:
    store.append("g1", 0, [Pass(seat=1)])
    with open_store(url) as other:
        other.append("g1", 1, [Pass(seat=2)])
        with pytest.raises(VersionConflict):
            store.append("g1", 1, [Pass(seat=3)])
        store.append("g1", 2, [Pass(seat=3)])
        other.append("g2", 0, [Pass(seat=1)])
        assert store.append("g1", 3, [Pass(seat=4)])[0].position == 5
    assert check_store(store) == 5


def test_reading_from_a_version_and_from_a_position(store: Store) -> None:
    for version in range(5):
        for game in ("b", "a"):
            store.append(game, version, [Pass(seat=version % 5 + 1)])
    assert [record.version for record in store.read("a", after=3)] == [4, 5]
    assert store.read("nobody") == []
    everything = store.read_all()
    assert [record.position for record in everything] == list(range(1, 11))
    assert [record.position for record in store.read_all(after=3, limit=2)] == [4, 5]
    assert store.read_all(after=10) == []


def test_games_at_a_glance(store: Store) -> None:
    assert store.games() == []
    assert store.game("g1") is None
    store.append("g2", 0, GOLD)
    store.append("g1", 0, [Pass(seat=1, time=5)])
    store.append("g2", 2, [Pass(seat=1)])
    one, two = store.games()
    assert (one.game, one.version, one.position, one.type, one.time) == ("g1", 1, 3, "pass", 5)
    assert (two.game, two.version, two.type, two.time) == ("g2", 3, "pass", 0)
    assert two.head == store.read("g2")[-1].hash
    assert store.game("g2") == two


@pytest.mark.parametrize("game", ["", "a b", "ä", "a/b", "-a", "a" * 65, "a\n", "x\0", "\ud800"])
def test_an_id_that_can_be_none_is_refused(store: Store, game: str) -> None:
    with pytest.raises(BadGameId):
        store.append(game, 0, GOLD)
    assert store.position() == 0
    assert store.read(game) == []
    assert store.game(game) is None


def test_names_of_all_scripts_and_signs_survive(store: Store) -> None:
    names = ["Ω漢字🏰", "'; DROP TABLE events; --", "\0\n\u2028", '"seat":9,"time":8}', "%s"]
    events = [HandOver(seat=2, bot=name, time=3) for name in names]
    store.append("g1", 0, events)
    assert [record.decode() for record in store.read("g1")] == events
    assert check_store(store) == len(names)


def test_news_wakes_whoever_waits(store: Store, url: str) -> None:
    assert not store.wait(0, 0.05)
    woken: list[tuple[bool, float]] = []

    def listen() -> None:
        start = time.monotonic()
        woken.append((store.wait(0, 20), time.monotonic() - start))

    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(0.2)
    with open_store(url) as other:
        other.append("g1", 0, GOLD)
    thread.join()
    assert woken[0][0]
    assert woken[0][1] < 10
    assert store.wait(1, 0)
    assert not store.wait(2, 0)


def test_threads_share_a_store(store: Store) -> None:
    def play(game: str) -> None:
        for version in range(10):
            store.append(game, version, [Pass(seat=1)])

    threads = [threading.Thread(target=play, args=(f"g{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert check_store(store) == 60


def test_backup_and_restore(store: Store, url: str, tmp_path: Path) -> None:
    for n in range(20):
        store.append(f"g{n % 3}", n // 3, [Pass(seat=1, time=n)])
    file = tmp_path / "backup.db"
    store.backup(file)
    store.append("later", 0, GOLD)
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.db"]
    with pytest.raises(NotAStore, match="exists"):
        store.backup(file)
    with (
        open_store(file, create=False) as backup,
        open_store(tmp_path / "restored.db") as restored,
    ):
        assert check_store(backup) == 20
        half = backup.read_all(limit=7)
        restored.adopt(half)
        assert restore(backup, restored) == 13
        assert restored.read_all() == store.read_all(limit=20)
        with pytest.raises(NotNext):
            restored.adopt(half)
        restored.append("mine", 0, GOLD)
        with pytest.raises(NotNext, match="other games"):
            restore(backup, restored)


def test_a_backup_holds_the_documents(store: Store, tmp_path: Path) -> None:
    """In either kind of store, and so does the one that is restored from it, once."""
    store.append("g1", 0, GOLD)
    store.documents.adopt("accounts", 7, [("anna", b"1"), ("bob", b"2")])
    store.backup(tmp_path / "backup.db")
    with open_store(tmp_path / "backup.db") as backup, open_store(tmp_path / "new.db") as restored:
        for _ in range(2):
            restore(backup, restored)
            assert restored.documents.names() == backup.documents.names() == ["accounts"]
            assert restored.documents.items("accounts") == [("anna", b"1"), ("bob", b"2")]
            assert restored.documents.version("accounts") == 7
        restored.documents.save("accounts", 7, {"carla": b"3"})
        with pytest.raises(NotNext, match="other accounts"):
            restore(backup, restored)


def test_a_backup_can_be_played_on(store: Store, tmp_path: Path) -> None:
    store.append("g1", 0, GOLD)
    store.read_models.save("m", 0, 2, {"k": b"v"})
    store.backup(tmp_path / "backup.db")
    with open_store(tmp_path / "backup.db") as played:
        assert played._link.fetch("PRAGMA journal_mode") == [("wal",)]  # type: ignore[attr-defined]
        played.append("g1", 2, GOLD)
        assert check_store(played) == 4
    assert check_store(store) == 2


def test_backup_while_games_go_on(store: Store, tmp_path: Path) -> None:
    done = threading.Event()

    def play() -> None:
        version = 0
        while not done.is_set():
            store.append("g1", version, [Pass(seat=1)])
            version += 1

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for number in range(5):
            assert store.wait(number * 5, 20)
            store.backup(tmp_path / f"{number}.db")
    finally:
        done.set()
        thread.join()
    for number in range(5):
        with open_store(tmp_path / f"{number}.db", create=False) as backup:
            assert check_store(backup) >= number * 5


def test_one_game_moves_between_stores_byte_for_byte(store: Store, tmp_path: Path) -> None:
    records = store.append("g1", 0, GOLD)
    with open_store(tmp_path / "other.db") as other:
        other.append("g0", 0, GOLD)
        moved = other.append_encoded("g1", 0, [record.event for record in records])
    assert [record.hash for record in moved] == [record.hash for record in records]


def test_a_log_rewritten_from_the_start_is_proved_by_what_was_shown(store: Store) -> None:
    from events.chain import ChainError

    (record,) = store.append("g1", 0, [Pass(seat=1)])
    assert check_game(store, "g1", shown=record.hash) == record.hash
    with pytest.raises(ChainError, match="that was shown"):
        check_game(store, "g1", shown="ab" * 32)


def test_a_closed_store_says_so(store: Store) -> None:
    from events.store.errors import StoreGone

    store.close()
    with pytest.raises(StoreGone, match="closed"):
        store.append("g1", 0, GOLD)
    with pytest.raises(StoreGone, match="closed"):
        store.read("g1")


def test_stores_are_chosen_by_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(f"sqlite:///{tmp_path}/a b%20?.db") as store:
        store.append("g1", 0, GOLD)
    assert (tmp_path / "a b%20?.db").exists()
    with pytest.raises(NotAStore, match="neither sqlite nor postgresql"):
        open_store("mysql://localhost/games")
    with pytest.raises(NotAStore, match="no such file"):
        open_store(tmp_path / "missing.db", create=False)
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"lacitta\[postgres\]"):
        open_store("postgresql://localhost/games")
