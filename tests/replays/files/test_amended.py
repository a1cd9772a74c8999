"""A game that a correction of the rules has changed goes along with its amendment, everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from events.codec import encode_events, load_game
from events.store.protocol import Store
from events.store.stores import open_store
from replays.amendments import amend, beside, load_amendments, sign
from replays.corpus.games import CORPUS
from replays.corpus.record import record
from replays.files.import_ import BadFile, import_file, load
from replays.files.stores import (
    BadGame,
    check_game,
    check_notes,
    export_game,
    stored_amendments,
)
from replays.files.study import BadStudy, read_study, write_study
from replays.notation import annotated, parse_text, write_text
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from replays.notes.notebook import read_notebook
from tests.replays.rulechange.review.making import forge_digest
from web.cli.main import main

GAME = "german"
SIGNED = ("before → now", "Anna", "2026-11-18", 'A slip is "mended"; [now].')


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game as code with a mistake recorded it, with what was signed for it since."""
    file = tmp_path / f"{GAME}.jsonl"
    shutil.copy(CORPUS / file.name, file)
    forge_digest(file)
    assert sign(file, GAME, amend(load_game(file).events, *SIGNED))
    return file


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


def test_without_its_amendment_it_does_not_hold(log: Path, store: Store) -> None:
    beside(log).unlink()
    with pytest.raises(BadFile, match=r"german\.jsonl, line \d+: .*digest"):
        import_file(store, log)
    assert store.games() == []


def test_it_is_imported_checked_and_exported_with_it(log: Path, store: Store) -> None:
    assert import_file(store, log) == GAME
    signed = load_amendments(beside(log))
    assert stored_amendments(store, GAME) == signed
    assert check_game(store, GAME).proof.amended == signed[-1]
    assert check_notes(store) == 1
    assert [record.event for record in store.read(GAME)] == load(log).file.encoded
    assert load_game(log).events == [record.decode() for record in store.read(GAME)]
    # Another one, named by whoever checks, counts instead.
    wrong = msgspec.structs.replace(signed[-1], digests={6: "1" * 64})
    with pytest.raises(BadGame, match="digest"):
        check_game(store, GAME, amendment=wrong)


def test_the_command_line_takes_it_there_and_back(log: Path, tmp_path: Path) -> None:
    db, out = str(tmp_path / "cli.db"), tmp_path / "out" / "again.jsonl"
    out.parent.mkdir()

    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words, "--db", db])
        assert done.exit_code == 0, done.output
        return done.output

    run("import", str(log))
    assert "1 game holds." in run("check")
    run("export", GAME, "--out", str(out))
    assert load_game(out).events == load_game(log).events
    assert load_amendments(beside(out)) == load_amendments(beside(log))
    text = out.with_suffix(".txt")
    run("export", GAME, "--as", "text", "--out", str(text))
    for file in (out, text):
        db = str(tmp_path / f"from-{file.suffix[1:]}.db")
        run("import", str(file))
        assert "1 game holds." in run("check")
        with open_store(db, create=False) as again:
            assert export_game(again, GAME) == out.read_bytes()
            assert stored_amendments(again, GAME) == load_amendments(beside(log))
    alone = CliRunner().invoke(main, ["export", GAME, "--db", db])
    assert alone.exit_code == 0
    assert alone.stdout_bytes == out.read_bytes()
    assert "this game has an amendment; --out writes it beside the log" in alone.stderr
    shown = CliRunner().invoke(main, ["replay", str(log), "--at", "200"])
    assert shown.exit_code == 2  # it has fewer; but not for its digests
    assert "only" in shown.output
    assert CliRunner().invoke(main, ["replay", str(log), "--year", "6"]).exit_code == 0


def test_notation_has_it_as_a_tag(log: Path) -> None:
    events, signed = load_game(log).events, load_amendments(beside(log))
    bare = write_text(annotated(GAME, events))
    assert "digest" in parse_text(bare).errors[0].message
    assert parse_text(bare, signed).errors == []  # those that lie beside it
    for first in (1, 40, len(events)):
        game = annotated(GAME, events, from_number=first, amendments=signed)
        text = write_text(game)
        parsed = parse_text(text)
        assert parsed.errors == parsed.warnings == []
        assert parsed.game == game
        assert write_text(parsed.game) == text
    wrong = text.replace('[Amendments [{"change"', '[Amendments [{"chance"')
    assert parse_text(wrong).errors[0].message.startswith("Amendments: ")


def test_a_study_takes_it_along(log: Path, store: Store) -> None:
    signed = load_amendments(beside(log))
    events = encode_events(load_game(log).events)
    by = Author(name="Anna")
    opened = StudyOpened(by=by, title="Slips", introduction="", seen_by="all")
    book = read_notebook([opened, ChapterPut(by=by, chapter="c1", title="One", game=GAME)])
    with pytest.raises(BadStudy, match=r"game german, event \d+: .*digest"):
        read_study(write_study("s1", book, lambda game: events))
    data = write_study("s1", book, lambda game: events, lambda game: signed)
    study = read_study(data)
    assert study.amendments == {GAME: signed}
    file = log.with_name("study.json")
    file.write_bytes(data)
    import_file(store, file)
    assert check_game(store, GAME).proof.amended == signed[-1]


def test_a_recorded_game_keeps_it_under_its_new_name(
    log: Path, store: Store, tmp_path: Path
) -> None:
    import_file(store, log)
    path = record(store, GAME, tmp_path / "recorded", "renamed")
    assert path.name == "renamed.jsonl"
    assert load_amendments(beside(path)) == load_amendments(beside(log))
    assert load(path).amendments


def test_what_cannot_be_followed_any_more_stays_in_the_file(log: Path, store: Store) -> None:
    """An action that the rules refuse now ends the game there."""
    lines = (CORPUS / log.name).read_bytes().split(b"\n")
    log.write_bytes(b"\n".join([*lines[:10], lines[9], *lines[10:]]))
    beside(log).unlink()
    assert sign(log, GAME, amend(load_game(log).events, *SIGNED))
    import_file(store, log)
    assert len(store.read(GAME)) == 9
    assert check_game(store, GAME).proof.over is False
