"""Whatever is deleted or altered behind a store's back is found and named: by a checkpoint that was
published before, by the guards, or by reading what is there."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import psycopg
import pytest

from events.errors import EventError
from events.messages.sentence import message_of
from events.store.backups.transfer import check_store, restore
from events.store.checkpoints.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    StoreSummary,
    read_checkpoint,
    remember,
    remembered,
    without_names,
    write_checkpoint,
)
from events.store.checkpoints.proof import (
    prove_game,
    prove_growth,
    read_proof,
    verify_proof,
    write_proof,
)
from events.store.errors import NoSuchGame
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import TakeGold
from replays.files.stores import check_notes, store_faults
from tests.conftest import Amount
from tests.events.server import Server
from tests.events.store.checkpoints.tamperers import (
    CAREFUL,
    PostgresTamperer,
    SqliteTamperer,
    Tamperer,
    delete_game,
)
from tests.events.store.checkpoints.test_tampering import fill, other_byte

SAMPLES = Path(__file__).parents[1] / "samples"
BY = b'"by":{"name":"Anna","person":"p1"},"time":1700000000000}'
OPENED = b'{"type":"study-opened","title":"Openings %d",' + BY
SAID = b'{"type":"said","said":"m%d","seat":1,"words":["Hello"],"at":{"number":8,"year":1},' + BY


def make(store: Store) -> Checkpoint:
    """Games, notes and documents, and their checkpoint."""
    fill(store)
    for number in range(4):
        store.notes.append(f"study/s{number}", 0, [OPENED % number])
        store.notes.append(f"chat/game-{number}", 0, [SAID % n for n in range(3)])
    for version in range(3):
        for name in ("accounts", "tables"):
            store.documents.save(
                name, version, {f"{name}-{version}": b"{}", "all": b"%d" % version}
            )
    checkpoint = StoreSummary(store).checkpoint(1_700_000_000_000)
    remember(store, checkpoint)
    return checkpoint


def grow(store: Store) -> None:
    """What people do from one day to the next."""
    for info in store.games():
        store.append(info.game, info.version, [TakeGold(seat=2)])
    store.append("new", 0, [TakeGold(seat=1)])
    store.notes.append("study/s1", 1, [OPENED % 9])
    store.notes.append("chat/new", 0, [SAID % 1])


def found_in(url: str | Path, checkpoint: Checkpoint | None) -> list[str]:
    """All that a check says against a store."""
    with open_store(url, create=False) as store:
        found = list(store_faults(store, checkpoint))
        for check in (check_store, check_notes):
            try:
                check(store)
            except EventError as error:
                found.append(message_of(error))
        return found


@pytest.fixture(scope="module")
def yesterday(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Checkpoint]:
    """A store that went on for a while, and its checkpoint from before."""
    path = tmp_path_factory.mktemp("store") / "games.db"
    with open_store(path) as store:
        checkpoint = make(store)
        grow(store)
        store.backup(path.with_name("copy.db"))
    return path.with_name("copy.db"), checkpoint


def tamper(tamperer: Tamperer) -> str:
    """One thing of all that can be done; the words that must name it."""
    if tamperer.chance.random() < 0.15:
        return tamperer.spoil()
    act = tamperer.chance.choice(CAREFUL)
    tamperer.lift()
    named = act(tamperer)
    tamperer.put_back()
    return named


def test_every_tampering_is_found_and_named(
    yesterday: tuple[Path, Checkpoint], tmp_path: Path, amount: Amount
) -> None:
    original, checkpoint = yesterday
    published = read_checkpoint(write_checkpoint(checkpoint))
    assert found_in(original, published) == []
    for seed in range(amount(40, 1000)):
        path = tmp_path / "games.db"
        shutil.copy(original, path)
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            conn.execute("PRAGMA synchronous = OFF")
            named = tamper(SqliteTamperer(random.Random(seed), checkpoint, conn))
        found = found_in(path, published)
        assert any(named in each for each in found), (seed, named, found)


DAMAGED = [
    *[("events", column) for column in ("game", "previous", "hash")],
    *[("notes", column) for column in ("stream", "note", "previous", "hash")],
    *[(table, "hash") for table in ("heads", "note_heads")],
    *[("heads", "game"), ("note_heads", "stream")],
    *[("documents", column) for column in ("name", "key", "body")],
    ("document_versions", "name"),
]


def test_any_damaged_byte_is_told_in_words(
    yesterday: tuple[Path, Checkpoint], tmp_path: Path, amount: Amount
) -> None:
    """Whatever it makes of a name or a hash: no text at all, or one that a terminal should not be
    shown."""
    original, checkpoint = yesterday
    for seed in range(amount(15, 300)):
        chance = random.Random(seed)
        path = tmp_path / "games.db"
        shutil.copy(original, path)
        table, column = chance.choice(DAMAGED)
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            tamperer = SqliteTamperer(chance, checkpoint, conn)
            tamperer.lift()
            rows = conn.execute(f"SELECT rowid, CAST({column} AS BLOB) FROM {table}").fetchall()
            row, old = chance.choice(rows)
            kind = "BLOB" if column in ("note", "body") else "TEXT"
            new = other_byte(old, chance)
            conn.execute(
                f"UPDATE {table} SET {column} = CAST(? AS {kind}) WHERE rowid = ?", (new, row)
            )
            tamperer.put_back()
        for known in (checkpoint, without_names(checkpoint)):
            found = found_in(path, known)
            assert found, (seed, table, column)
            assert "\n".join(found).encode(), (seed, table, column)


def test_every_tampering_of_a_server_is_found_and_named(server: Server, amount: Amount) -> None:
    for seed in range(amount(4, 60)):
        url = server.new_schema()
        with open_store(url) as store:
            checkpoint = make(store)
            grow(store)
        assert found_in(url, checkpoint) == []
        with psycopg.connect(url, autocommit=True) as conn:
            named = tamper(PostgresTamperer(random.Random(seed), checkpoint, conn))
        found = found_in(url, checkpoint)
        assert any(named in each for each in found), (seed, named, found)


def test_an_altered_checkpoint_does_not_pass(
    yesterday: tuple[Path, Checkpoint], amount: Amount
) -> None:
    path, checkpoint = yesterday
    for seed in range(amount(20, 200)):
        chance = random.Random(seed)
        shown = checkpoint if chance.random() < 0.5 else without_names(checkpoint)
        data = write_checkpoint(shown)
        at = chance.choice([n for n, byte in enumerate(data) if chr(byte).isalnum()])
        altered = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with pytest.raises(BadCheckpoint, match=r"not a checkpoint|the checkpoint was altered"):
            read_checkpoint(altered)
    forged = msgspec.structs.replace(
        without_names(checkpoint), games=msgspec.structs.replace(checkpoint.games, root="0" * 64)
    )
    assert found_in(path, forged) == [
        f"games: the first {forged.games.size} records are not those of the checkpoint"
    ]


@pytest.fixture
def opened(store: Store) -> tuple[Store, Checkpoint]:
    return store, make(store)


def test_a_checkpoint_of_yesterday_proves_a_store_that_grew(
    opened: tuple[Store, Checkpoint], tmp_path: Path
) -> None:
    """And its backup, and what is restored from it."""
    store, checkpoint = opened
    assert StoreSummary(store).documents_changed(checkpoint) is False
    grow(store)
    store.documents.save("tables", 3, {"all": b"another"})
    for known in (checkpoint, without_names(checkpoint)):
        assert list(store_faults(store, known)) == []
    assert StoreSummary(store).documents_changed(checkpoint)
    store.backup(tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db") as copy, open_store(tmp_path / "again.db") as again:
        restore(copy, again)
        for other in (copy, again):
            assert list(store_faults(other, checkpoint)) == []
            assert remembered(other) == [without_names(checkpoint)]


def test_a_checkpoint_without_names_says_nothing_about_anyone(
    opened: tuple[Store, Checkpoint],
) -> None:
    _, checkpoint = opened
    shown = write_checkpoint(without_names(checkpoint))
    for name in (b"game-1", b"study", b"chat", b"accounts", b"tables"):
        assert name in write_checkpoint(checkpoint)
        assert name not in shown


def test_a_store_remembers_enough_to_miss_a_whole_game(
    yesterday: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """With no published checkpoint at all."""
    path = tmp_path / "games.db"
    shutil.copy(yesterday[0], path)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        tamperer = SqliteTamperer(random.Random(1), yesterday[1], conn)
        tamperer.lift()
        delete_game(tamperer)
        tamperer.put_back()
    with open_store(path) as store:
        check_store(store)
    (found,) = found_in(path, None)
    assert found.startswith("games: ")


def test_proofs_without_a_store(opened: tuple[Store, Checkpoint]) -> None:
    store, checkpoint = opened
    before = {info.game: info for info in store.games()}
    grow(store)
    known = without_names(checkpoint)
    for game, info in before.items():
        proof = read_proof(write_proof(prove_game(store, game, known)))
        assert proof == prove_game(store, game, known)
        assert (proof.head.version, proof.head.head) == (info.version, info.head)  # type: ignore[union-attr]
        assert verify_proof(proof, known)
        other = msgspec.structs.replace(proof.head, head="0" * 64)  # type: ignore[union-attr]
        assert not verify_proof(msgspec.structs.replace(proof, head=other), known)
    with pytest.raises(NoSuchGame):
        prove_game(store, "new", known)
    growth = read_proof(write_proof(prove_growth(store, known)))
    assert verify_proof(growth, known)
    today = StoreSummary(store).checkpoint(0)
    assert growth.games[1] == today.games
    assert not verify_proof(growth, today)
    with pytest.raises(BadCheckpoint, match="not a proof"):
        read_proof(b"{}")


def test_a_proof_from_another_store_is_not_made(
    opened: tuple[Store, Checkpoint], tmp_path: Path
) -> None:
    store, _ = opened
    with open_store(tmp_path / "other.db") as other:
        other.append("g1", 0, [TakeGold(seat=1)])
        foreign = StoreSummary(other).checkpoint(0)
    with pytest.raises(BadCheckpoint, match="does not go on"):
        prove_growth(store, foreign)


def test_guards_are_put_right_and_that_is_remembered(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(url) as store:
        store.append("g1", 0, [TakeGold(seat=1)])
        assert store.guard_faults() == []
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute("DROP TRIGGER heads_never_deleted ON heads")
    else:
        with closing(sqlite3.connect(url)) as file:
            file.execute("DROP TRIGGER heads_never_deleted")
    expected = "guard heads_never_deleted: missing"
    with open_store(url) as store:
        assert [fault.sentence for fault in store.guard_faults()] == [expected]
        assert expected in caplog.text
        (note,) = store.notes.read("store/guards")
        assert b"heads_never_deleted" in note.event
    with open_store(url) as store:
        assert store.guard_faults() == []
        assert store.notes.version("store/guards") == 1


def test_a_checkpoint_is_read_and_made_as_ever(opened: tuple[Store, Checkpoint]) -> None:
    """A published one must be readable for ever, and the same store must give it again."""
    store, checkpoint = opened
    for name, shown in (("names", checkpoint), ("public", without_names(checkpoint))):
        sample = (SAMPLES / f"checkpoint-v1-{name}.json").read_bytes()
        assert read_checkpoint(sample) == shown
        assert write_checkpoint(shown) == sample
    for name, proof in (
        ("game", prove_game(store, "game-2", checkpoint)),
        ("growth", prove_growth(store, checkpoint)),
    ):
        sample = (SAMPLES / f"checkpoint-v1-{name}-proof.json").read_bytes()
        assert verify_proof(read_proof(sample), checkpoint)
        assert name == "growth" or write_proof(proof) == sample
