"""Files handed in: what is no game of ours is refused by name, and nothing is stored."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import MAX_BYTES, write_game
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, AskTakeBack, GameOpened, TakeGold
from replays.amendments import Amendment
from replays.cursor import Cursor
from replays.files import stores
from replays.files.import_ import BadFile, import_file, kind_of, load
from replays.files.proof import Proof, prove
from replays.files.stores import export_game
from replays.notation import annotated, write_text
from tests.web.shared import book_about
from web.cli.main import main

EVENTS = play_out(new_game(2, 4), RandomBot(4)).events
LOG = write_game("g1", EVENTS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.jsonl", data)
    return buffer.getvalue()


def tampered() -> bytes:
    """One action exchanged for another, so that the next does not follow."""
    lines = LOG.split(b"\n")
    lines[10], lines[11] = lines[11], lines[10]
    return b"\n".join(lines)


BAD = {
    "gzip": (gzip.compress(LOG), ": compressed files (gzip) are not opened"),
    "gzip bomb": (gzip.compress(bytes(50_000_000), 9), ": compressed files (gzip)"),
    "zip": (zipped(LOG), ": compressed files (zip)"),
    "bzip2": (bz2.compress(LOG), ": compressed files (bzip2)"),
    "xz": (lzma.compress(LOG), ": compressed files (xz)"),
    "oversize": (LOG + b" " * MAX_BYTES, f": larger than {MAX_BYTES} bytes"),
    "endless": (
        write_game("g1", [*EVENTS[:2], *[TakeGold(seat=1), AskTakeBack(seat=1)] * 35_000]),
        ": more than 5000 events: not one game",
    ),
    "empty": (b" \n\n", ": the file is empty"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00", ", line 3: this is not a text file"),
    "prose": (b"Dear Anna,\n", ", line 1: "),
    "bad notation": (b'[Seat1 "A"]\n[Seat2 "B"]\n1 glod', ", line 3: there is no action glod"),
    "half a study": (b'{"format":"lacitta-study"}', ": Object missing required field `version`"),
    "other JSON": (b'{"a":1}\n', ", line 1: a: "),
    "other format": (b'{"format":"pgn","version":1,"game":"g"}\n', ", line 1: format: "),
    "newer": (LOG.replace(b'"version":1', b'"version":99', 1), ", line 1: version: format version"),
    "bad event": (LOG + b'\n\n{"type":"sing"}\n', f", line {len(EVENTS) + 4}: type: "),
    "wrong rules": (tampered(), ", line 1"),
    "wrong chain": (write_game("g1", EVENTS, head="0" * 64), ", line 1: the file's head"),
    "no events": (write_game("g1", []), ""),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_game_is_refused_by_name(name: str, store: Store, tmp_path: Path) -> None:
    data, message = BAD[name]
    file = tmp_path / "handed-in.jsonl"
    file.write_bytes(data)
    with pytest.raises(BadFile) as refused:
        import_file(store, file)
    assert str(refused.value).startswith(f"{file}{message}"), str(refused.value)
    assert store.position() == 0


def test_a_file_is_proved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever hands in the longest game that there can be must not have it folded twice."""
    proofs = []

    def counted(events: list[AnyEvent], amendment: Amendment | None) -> Proof:
        proofs.append(len(events))
        return prove(events, amendment)

    monkeypatch.setattr(stores, "prove", counted)
    events = play_out(new_game(2, "once"), RandomBot(1)).events
    file = tmp_path / "g.jsonl"
    file.write_bytes(write_game("g", events))
    with open_store(tmp_path / "games.db") as store:
        import_file(store, file)
    assert proofs == [len(events)]


def test_the_line_is_that_of_the_event_even_among_blank_ones(tmp_path: Path) -> None:
    lines = LOG.splitlines(keepends=True)
    file = tmp_path / "log"
    file.write_bytes(lines[0] + b"\n\n" + b"".join(lines[1:9]) + b'\n{"type":"gold","seat":5}\n')
    with pytest.raises(BadFile, match="There is no seat 5") as refused:
        load(file)
    assert refused.value.line == 13


def test_a_game_is_imported_once(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(LOG)
    assert import_file(store, file) == "g1"
    with pytest.raises(BadFile, match="there is a game g1 already"):
        import_file(store, file)
    file.write_bytes(export_game(store, "g1"))
    assert len(load(file).file.events) == len(EVENTS)


def test_a_text_brings_its_notes_along(store: Store, tmp_path: Path) -> None:
    cursor = Cursor(EVENTS)
    book = book_about(cursor, notes=5)
    text = write_text(annotated("g2", EVENTS, book))
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    assert import_file(store, file) == "g2"
    result = CliRunner().invoke(
        main, ["export", "g2", "--as", "text", "--db", str(tmp_path / "games.db")]
    )
    assert result.stdout == text
    assert CliRunner().invoke(main, ["export", str(file), "--as", "text"]).stdout == text


def test_kinds_are_told_by_content() -> None:
    assert kind_of(LOG) == "log"
    assert kind_of(b'\n {"format":"lacitta-study","title":"x"}\n') == "study"
    assert kind_of(b"1. gold\n") == "notation"
    assert kind_of(b"{broken") == "log"


def test_on_the_command_line_it_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "bomb.gz"
    file.write_bytes(BAD["gzip bomb"][0])
    result = CliRunner().invoke(main, ["import", str(file), "--db", str(tmp_path / "new.db")])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"lacitta: {file}: compressed files")
    assert result.stderr.count("\n") == 1


def test_a_name_cannot_steer_a_terminal(tmp_path: Path) -> None:
    opening = EVENTS[0]
    assert isinstance(opening, GameOpened)
    seats = [msgspec.structs.replace(seat, name="\x1b[2J<script>") for seat in opening.seats]
    file = tmp_path / "log"
    events = [msgspec.structs.replace(opening, seats=seats), *EVENTS[1:5]]
    file.write_bytes(write_game("g1", events))
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.exit_code == 0, result.stderr
    assert "�[2J<script>" in result.stdout
    assert "\x1b" not in result.stdout
