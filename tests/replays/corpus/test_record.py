"""A stored game becomes a recorded one: nobody can be recognised in it, and it still holds."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from engine.snapshot import position
from events.codec import decode_event, encode_event, load_game
from events.store.stores import open_store
from events.types import AnyEvent, GameOpened, Seat
from replays.corpus.record import without_names
from replays.files.proof import prove
from web.cli.main import main


def lacitta(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def played(length: int | None = None) -> list[AnyEvent]:
    """A game between people with names, at some time of a summer."""
    game = play_out(new_game(3, "record"), RandomBot(3))
    opening, *events = game.events
    assert isinstance(opening, GameOpened)
    seats = [Seat(name=name) for name in ("Margherita", "Ercole", "Lucrezia")]
    log: list[AnyEvent] = [msgspec.structs.replace(opening, seats=seats), *events]
    timed = [
        msgspec.structs.replace(event, time=1_720_000_000_000 + n) for n, event in enumerate(log)
    ]
    return timed[:length]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "club.db"
    with open_store(path) as store:
        store.append("friday-at-lucrezias", 0, played())
        store.append("still-running", 0, played(40))
    return path


def test_nobody_is_recognised(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "games"
    result = lacitta("record", "friday-at-lucrezias", "--db", db, "--out", out, "--name", "summer")
    assert result.output == f"{out / 'summer.jsonl'}\n"
    data = (out / "summer.jsonl").read_bytes()
    for trace in (b"Margherita", b"Ercole", b"Lucrezia", b"friday", b'"time"', b'"head"'):
        assert trace not in data
    file = load_game(out / "summer.jsonl")
    assert file.header.game == "summer"
    proof = prove(file.events)
    assert proof.over
    assert proof.shuffles
    assert lacitta("replay", out / "summer.jsonl").exit_code == 0


def test_the_game_is_the_same() -> None:
    nameless = [decode_event(without_names(encode_event(event))) for event in played()]
    assert position(fold(nameless)) == position(fold(played()))


def test_a_name_is_made_up_and_never_written_over(db: Path, tmp_path: Path) -> None:
    words = ("record", "friday-at-lucrezias", "--db", db, "--out", tmp_path / "games")
    assert lacitta(*words).exit_code == 0
    (file,) = (tmp_path / "games").iterdir()
    assert file.name.startswith("recorded-beginner-3p-")
    again = lacitta(*words)
    assert again.exit_code == 2
    assert again.stderr.endswith("File exists\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["still-running"], "game still-running is not over"),
        (["never-played"], "never-played"),
        (["friday-at-lucrezias", "--name", "../elsewhere"], "../elsewhere"),
    ],
)
def test_what_cannot_be_recorded_is_said_in_one_line(
    words: list[str], message: str, db: Path, tmp_path: Path
) -> None:
    result = lacitta("record", *words, "--db", db, "--out", tmp_path / "games")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith("lacitta: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "games").exists()


def test_a_recorded_game_has_its_coverage(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "games"
    lacitta("record", "friday-at-lucrezias", "--db", db, "--out", out, "--name", "summer")
    result = lacitta("corpus", out)
    assert result.exit_code == 1
    assert "1 game; " in result.output
    found = json.loads(lacitta("corpus", out, "--json").output)
    assert found["covered"]["players"]["3"] == ["summer"]
    assert "players: 2" in found["missing"]


def test_a_game_that_does_not_hold_is_named(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "games"
    lacitta("record", "friday-at-lucrezias", "--db", db, "--out", out, "--name", "summer")
    lines = (out / "summer.jsonl").read_bytes().splitlines(keepends=True)
    (out / "summer.jsonl").write_bytes(b"".join(lines[:8] + lines[9:]))
    result = lacitta("corpus", out)
    assert result.exit_code == 2
    assert "lacitta: summer: event 8: " in result.stderr
    assert lacitta("corpus", tmp_path / "nowhere").exit_code == 2
