"""Every single change to a stored log is found, and the record named."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from events.chain import ChainError, record_hash, verify_chain
from events.record import Record
from events.store.backups.transfer import check_game, check_store
from events.store.errors import NoSuchGame
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Build, Pass, TakeGold

CHANGES = 1000
GAMES = 4


def fill(store: Store) -> None:
    chance = random.Random(0)
    versions = dict.fromkeys((f"game-{n}" for n in range(GAMES)), 0)
    for n in range(120):
        game = chance.choice(list(versions))
        event = chance.choice(
            [
                Pass(seat=chance.randint(1, 5), time=1_700_000_000_000 + n),
                TakeGold(seat=1, time=n),
                Build(seat=2, building="farm", at="p10", card="action", time=n),
            ]
        )
        store.append(game, versions[game], [event])
        versions[game] += 1


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[list[Record]]:
    """Logs read from a real file."""
    with open_store(tmp_path_factory.mktemp("log") / "games.db") as store:
        fill(store)
        return [store.read(info.game) for info in store.games()]


def other_byte(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ chance.randint(1, 255)]) + data[at + 1 :]


def other_text(text: str, chance: random.Random) -> str:
    return other_byte(text.encode(), chance).decode("utf-8", "surrogateescape")


def change_byte(log: list[Record], chance: random.Random) -> list[Record]:
    at = chance.randrange(len(log))
    record, field = (
        log[at],
        chance.choice(["event", "event", "previous", "hash", "game", "version"]),
    )
    value = getattr(record, field)
    if field == "event":
        value = other_byte(value, chance)
    elif field == "version":
        value ^= 1 << chance.randrange(8)
    else:
        value = other_text(value, chance)
    return [*log[:at], msgspec.structs.replace(record, **{field: value}), *log[at + 1 :]]


def swap(log: list[Record], chance: random.Random) -> list[Record]:
    one, two = sorted(chance.sample(range(len(log)), 2))
    log = list(log)
    log[one], log[two] = log[two], log[one]
    return log


def remove(log: list[Record], chance: random.Random) -> list[Record]:
    at = chance.randrange(len(log))
    return log[:at] + log[at + 1 :]


def double(log: list[Record], chance: random.Random) -> list[Record]:
    where = chance.randrange(len(log) + 1)
    return [*log[:where], chance.choice(log), *log[where:]]


KINDS: dict[Callable[[list[Record], random.Random], list[Record]], set[str]] = {
    change_byte: {"changed", "missing", "doubled", "reordered", "foreign"},
    swap: {"reordered"},
    remove: {"missing"},
    double: {"doubled", "reordered"},
}


def test_any_single_change_to_a_log_is_found(games: list[list[Record]]) -> None:
    chance = random.Random(7)
    for _ in range(CHANGES):
        log = chance.choice(games)
        kind = chance.choice(list(KINDS))
        changed = kind(log, chance)
        first = next(
            (n for n, (a, b) in enumerate(zip(log, changed, strict=False), 1) if a != b),
            min(len(log), len(changed)) + 1,
        )
        with pytest.raises(ChainError) as caught:
            verify_chain(changed, log[-1].hash, game=log[0].game)
        error = caught.value
        assert error.what in KINDS[kind]
        assert error.game == log[0].game
        if kind is remove:
            assert error.version == first
        if kind is change_byte and error.what in ("changed", "foreign"):
            assert error.version == first
    for log in games:
        assert verify_chain(log, log[-1].hash) == log[-1].hash


COLUMNS = "position, game, version, event, previous, hash"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Store, sqlite3.Connection]]:
    """A store whose guards and constraints somebody took away, and that somebody's connection."""
    path = tmp_path / "games.db"
    with (
        open_store(path) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as conn,
    ):
        fill(store)
        for kind, name in conn.execute(
            "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')"
            " AND name NOT LIKE 'read_model%'"
        ).fetchall():
            conn.execute(f"DROP {kind} {name}")
        for table in ("events", "heads"):
            conn.execute(f"CREATE TABLE copy AS SELECT * FROM {table}")
            conn.execute(f"DROP TABLE {table}")
            conn.execute(f"ALTER TABLE copy RENAME TO {table}")
        conn.execute("CREATE TABLE good AS SELECT * FROM events")
        conn.execute("CREATE TABLE good_heads AS SELECT * FROM heads")
        conn.execute("PRAGMA synchronous = OFF")
        yield store, conn


def tamper(conn: sqlite3.Connection, chance: random.Random) -> None:
    """One change in the file."""
    rows = conn.execute(f"SELECT rowid, {COLUMNS} FROM events").fetchall()
    row, position, game, *_ = chance.choice(rows)
    kind = chance.choice(["byte", "byte", "number", "swap", "remove", "double", "head"])
    if kind == "byte":
        column = chance.choice(["event", "event", "previous", "hash", "game"])
        (old,) = conn.execute(
            f"SELECT CAST({column} AS BLOB) FROM events WHERE rowid = ?", (row,)
        ).fetchone()
        new = other_byte(old, chance)
        conn.execute(f"UPDATE events SET {column} = CAST(? AS TEXT) WHERE rowid = ?", (new, row))
    elif kind == "number":
        column = chance.choice(["position", "version"])
        by = chance.choice([-1000, -2, -1, 1, 2, 1000])
        conn.execute(f"UPDATE events SET {column} = {column} + ? WHERE rowid = ?", (by, row))
    elif kind == "swap":
        other, there = chance.choice([(r[0], r[1]) for r in rows if r[2] == game and r[0] != row])
        conn.execute("UPDATE events SET position = ? WHERE rowid = ?", (there, row))
        conn.execute("UPDATE events SET position = ? WHERE rowid = ?", (position, other))
    elif kind == "remove":
        conn.execute("DELETE FROM events WHERE rowid = ?", (row,))
    elif kind == "double":
        place = chance.choice(["position", "(SELECT max(position) + 1 FROM events)"])
        conn.execute(
            f"INSERT INTO events ({COLUMNS})"
            f" SELECT {place}, game, version, event, previous, hash FROM events WHERE rowid = ?",
            (row,),
        )
    else:
        change = chance.choice(
            ["version = version - 1", "version = version + 1", "hash = previous", "position = 1"]
        ).replace("previous", "'" + "0" * 64 + "'")
        conn.execute(f"UPDATE heads SET {change} WHERE game = ?", (game,))


def test_any_single_change_in_the_file_is_found(
    opened: tuple[Store, sqlite3.Connection],
) -> None:
    store, conn = opened
    chance = random.Random(11)
    assert check_store(store) == 120
    for _ in range(CHANGES):
        tamper(conn, chance)
        with pytest.raises(ChainError, match=r"game .+, version -?\d+: \w+: "):
            check_store(store)
        conn.execute("BEGIN")
        for table, good in (("events", "good"), ("heads", "good_heads")):
            conn.execute(f"DELETE FROM {table}")
            conn.execute(f"INSERT INTO {table} SELECT * FROM {good}")
        conn.execute("COMMIT")
    assert check_store(store) == 120


def test_a_whole_game_that_is_gone_is_missed(opened: tuple[Store, sqlite3.Connection]) -> None:
    store, conn = opened
    conn.execute("DELETE FROM events WHERE game = 'game-2'")
    with pytest.raises(ChainError):
        check_store(store)
    with pytest.raises(ChainError, match="game game-2, version 1: missing"):
        check_game(store, "game-2")


def test_a_log_rewritten_with_fitting_hashes_is_betrayed_by_a_shown_head(
    opened: tuple[Store, sqlite3.Connection],
) -> None:
    store, conn = opened
    shown = check_game(store, "game-1")
    previous = "0" * 64
    for record in store.read("game-1"):
        event = record.event.replace(b'"seat":1', b'"seat":3')
        digest = record_hash(previous, record.game, record.version, event)
        conn.execute(
            "UPDATE events SET event = CAST(? AS TEXT), previous = ?, hash = ? WHERE position = ?",
            (event, previous, digest, record.position),
        )
        previous = digest
    conn.execute("UPDATE heads SET hash = ? WHERE game = 'game-1'", (previous,))
    assert check_store(store) == 120
    assert check_game(store, "game-1") != shown
    with pytest.raises(ChainError, match=f"no record has the hash {shown}"):
        check_game(store, "game-1", shown=shown)


def test_a_game_that_is_not_there(store: Store) -> None:
    with pytest.raises(NoSuchGame, match="there is no game nowhere"):
        check_game(store, "nowhere")


def test_the_chain_can_be_redone_with_a_few_lines(games: list[list[Record]]) -> None:
    """As the documentation says it, without our code."""
    from hashlib import sha256

    for log in games:
        previous = b"0" * 64
        for number, record in enumerate(log, start=1):
            lines = [previous, log[0].game.encode(), b"%d" % number, record.event]
            previous = sha256(b"\n".join(lines)).hexdigest().encode()
            assert record.hash == previous.decode()
