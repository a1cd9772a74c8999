"""Proofs and moves of stored games: what fits is proved, what does not is named."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from engine.bots import RandomBot
from engine.chance.dealer import deal
from engine.errors import CannotFold
from engine.fold import fold
from engine.material.numbers import POLITICS
from engine.selfplay import new_game, play_out
from events.chain import ChainError
from events.codec import load_game, read_game, write_game
from events.errors import EventError
from events.store.backups.transfer import restore
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, GameStarted, PoliticsShuffled
from replays.files.import_ import BadFile, import_file
from replays.files.proof import prove
from replays.files.stores import (
    BadGame,
    check_file,
    check_game,
    check_store,
    export_game,
    store_game,
)


def played(seed: int = 1, players: int = 4) -> list[AnyEvent]:
    return play_out(new_game(players, f"care/{seed}", bot="random"), RandomBot(seed)).events


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = open_store(tmp_path / "games.db")
    for seed in range(3):
        made.append(f"g{seed}", 0, played(seed))
    return made


def redo(secret: str, purpose: str, cards: list[str]) -> list[str]:
    """The documented procedure, redone from its description alone."""
    cards = list(cards)
    for i, k in enumerate(range(len(cards) - 1, 0, -1)):
        digest = hashlib.sha256(f"{secret}/{purpose}/{i}".encode()).hexdigest()
        j = int(digest, 16) % (k + 1)
        cards[k], cards[j] = cards[j], cards[k]
    return cards


def test_anyone_can_redo_the_shuffles() -> None:
    log = played(5)
    started = next(event for event in log if isinstance(event, GameStarted))
    assert hashlib.sha256(started.secret.encode()).hexdigest() == started.commitment
    politics = sorted(started.politics, key=POLITICS.index)
    assert redo(started.secret, "politics", politics) == started.politics  # type: ignore[arg-type]
    number = 0
    for index, event in enumerate(log):
        if isinstance(event, PoliticsShuffled):
            number += 1
            before = fold(log[:index])
            discards = [POLITICS[card] for card in before.all_discards()]
            assert redo(started.secret, f"shuffle-{number}", discards) == event.cards  # type: ignore[arg-type]
    assert number > 0


def test_a_finished_game_is_proved() -> None:
    proof = prove(played())
    assert proof.over
    assert proof.shuffles


def test_a_dealer_who_stacks_the_deck_is_found_out() -> None:
    log = played(2)
    for index, event in enumerate(log):
        if isinstance(event, GameStarted):
            cards = list(event.voice)
            other = next(i for i, card in enumerate(cards) if card != cards[0])
            cards[0], cards[other] = cards[other], cards[0]
            log[index] = msgspec.structs.replace(event, voice=cards)
    with pytest.raises(CannotFold, match="event 2: the cards do not follow"):
        prove(log)


def test_a_secret_that_was_not_committed_to_is_refused() -> None:
    log = played(2)
    started = log[1]
    log[1] = msgspec.structs.replace(started, secret="0" * 64)  # type: ignore[type-var]
    with pytest.raises(CannotFold, match="wrong-commitment"):
        prove(log)


def test_a_game_without_a_secret_claims_nothing() -> None:
    log = new_game(2, 1).events[:2]
    log[1] = msgspec.structs.replace(log[1], secret="", commitment="")  # type: ignore[type-var]
    assert not prove(log).shuffles
    assert deal(fold(log)) is None


def test_check_walks_every_game(store: Store) -> None:
    assert [found.game for found in check_store(store)] == ["g0", "g1", "g2"]


def test_a_head_that_was_shown_must_occur(store: Store) -> None:
    heads = [record.hash for record in store.read("g1")]
    for head in (heads[0], heads[40], heads[-1]):
        assert check_game(store, "g1", head).head == heads[-1]
    with pytest.raises(ChainError):
        check_game(store, "g1", "ab" * 32)


def test_a_log_rewritten_from_the_start_is_proved_by_a_head_kept(tmp_path: Path) -> None:
    with open_store(tmp_path / "true.db") as true:
        true.append("g", 0, played(1))
        kept = true.read("g")[30].hash
    with open_store(tmp_path / "false.db") as false:
        false.append("g", 0, played(2))
        assert check_game(false, "g").proof.over
        with pytest.raises(ChainError):
            check_game(false, "g", kept)


def test_export_and_import_are_the_same_bytes(store: Store, tmp_path: Path) -> None:
    data = export_game(store, "g1")
    file = tmp_path / "g1.jsonl"
    file.write_bytes(data)
    with open_store(tmp_path / "other.db") as other:
        assert store_game(other, load_game(file)) == "g1"
        assert export_game(other, "g1") == data
        assert [r.hash for r in other.read("g1")] == [r.hash for r in store.read("g1")]


def test_a_file_that_is_not_what_its_head_says_is_refused_whole(
    store: Store, tmp_path: Path
) -> None:
    game = read_game(export_game(store, "g1"))
    file = tmp_path / "g1.jsonl"
    file.write_bytes(write_game("g1", game.events[:-1], head=game.header.head))
    with pytest.raises(BadGame, match="head"):
        check_file(load_game(file))
    with open_store(tmp_path / "other.db") as other:
        with pytest.raises(BadFile, match="head"):
            import_file(other, file)
        assert other.position() == 0


def test_an_illegal_file_is_refused_whole(store: Store, tmp_path: Path) -> None:
    game = read_game(export_game(store, "g1"))
    file = tmp_path / "g1.jsonl"
    file.write_bytes(write_game("g1", [*game.events[:5], *game.events[6:]]))
    with pytest.raises(CannotFold):
        check_file(load_game(file))
    with open_store(tmp_path / "other.db") as other:
        with pytest.raises(BadFile, match="line 7"):
            import_file(other, file)
        assert other.position() == 0


def test_backup_and_restore_keep_every_record(store: Store, tmp_path: Path) -> None:
    store.backup(tmp_path / "backup.db")
    store.append("later", 0, played(9))
    backup = tmp_path / "backup.db"
    with open_store(tmp_path / "again.db") as again, open_store(backup, create=False) as source:
        restore(source, again)
        assert again.read_all(limit=10_000) == [
            record for record in store.read_all(limit=10_000) if record.game != "later"
        ]
        assert len(list(check_store(again))) == 3


def with_one_other_byte(event: str, rng: random.Random) -> str:
    """Changed, but still JSON: the table itself takes nothing else."""
    while True:
        at = rng.randrange(len(event))
        changed = event[:at] + rng.choice("0123456789abcxyz") + event[at + 1 :]
        with suppress(ValueError):
            if changed != event and json.loads(changed):
                return changed


def tampered(path: Path, rng: random.Random) -> None:
    """One random change behind the store's back: the triggers are dropped first."""
    db = sqlite3.connect(path)
    triggers = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        db.execute(f'DROP TRIGGER "{name}"')
    rows = db.execute("SELECT position, version, event FROM events WHERE game = 'g1'").fetchall()
    position, _, event = rng.choice(rows)
    kind = rng.choice(["byte", "remove", "swap"])
    if kind == "byte":
        event = with_one_other_byte(event, rng)
        db.execute("UPDATE events SET event = ? WHERE position = ?", (event, position))
    elif kind == "remove":
        db.execute("DELETE FROM events WHERE position = ?", (position,))
    else:
        twin = rng.choice([row for row in rows if row[2] != event])
        for here, there in ((position, twin[2]), (twin[0], event)):
            db.execute("UPDATE events SET event = ? WHERE position = ?", (there, here))
    db.commit()
    db.close()


@pytest.mark.parametrize("chunk", range(4))
def test_every_change_to_a_stored_log_is_found(chunk: int, store: Store, tmp_path: Path) -> None:
    rng = random.Random(chunk)
    for number in range(50):
        copy = tmp_path / f"copy-{number}.db"
        store.backup(copy)
        tampered(copy, rng)
        with open_store(copy, create=False) as changed, pytest.raises(EventError):
            list(check_store(changed))
