"""`lacitta export`: every form of a stored game or a log, and one line when it cannot be had."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import load_game, write_game
from events.store.stores import open_store
from replays.files.stores import export_game
from replays.notes import annotations as a
from replays.notes.annotations import Author, Content, Place
from tests.web.shared import read_back
from web.cli.main import main


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A finished game with a public and a private note, and a running one."""
    place = str(tmp_path / "games.db")
    with open_store(place) as store:
        events = play_out(new_game(2, 8), RandomBot(8)).events
        store.append("done", 0, events)
        store.append("running", 0, events[:20])
        notes = [
            a.Noted(
                by=Author(name="Anna", person="account-7"),
                note=f"n{number}",
                at=Place(number=number),
                content=Content(text=text),
                seen_by=seen_by,  # type: ignore[arg-type]
            )
            for number, (text, seen_by) in enumerate(
                [("For **everyone**.", "all"), ("My secret plan.", "me")], start=3
            )
        ]
        store.notes.append("game/done", 0, [msgspec.json.encode(note) for note in notes])
    return place


def test_the_log_is_what_it_was(db: str, tmp_path: Path) -> None:
    out = tmp_path / "done.jsonl"
    assert lacitta("export", "done", "--out", str(out), "--db", db).exit_code == 0
    with open_store(db) as store:
        assert out.read_bytes() == export_game(store, "done")
    again = lacitta("export", str(out), "--as", "log")
    assert again.stdout_bytes == out.read_bytes()


def test_the_page_carries_the_notes_that_everyone_may_read(db: str, tmp_path: Path) -> None:
    page = lacitta("export", "done", "--as", "html", "--db", db, "--language", "de").stdout_bytes
    shared = read_back(page)
    notes = [note.html for moment in shared.tracks[0].moments for note in moment.notes]
    assert notes == ["<p>For <strong>everyone</strong>.</p>"]
    assert b"secret plan" not in page
    assert b"account-7" not in page
    assert b'<html lang="de">' in page


def test_notes_from_a_file(db: str, tmp_path: Path) -> None:
    log, notes = tmp_path / "log", tmp_path / "notes"
    log.write_bytes(write_game("g", new_game(2, 8).events))
    note = a.Noted(
        by=Author(name="Bo"),
        note="n",
        at=Place(number=2),
        content=Content(text="Hi"),
        seen_by="all",
    )
    notes.write_bytes(msgspec.json.encode(note) + b"\n\n")
    page = lacitta("export", str(log), "--as", "html", "--notes", str(notes)).stdout_bytes
    assert read_back(page).tracks[0].moments[1].notes[0].html == "<p>Hi</p>"
    notes.write_bytes(b"\n" + msgspec.json.encode(note).replace(b'"noted"', b'"sung"'))
    result = lacitta("export", str(log), "--as", "html", "--notes", str(notes))
    assert f"{notes}, line 2: " in result.stderr
    assert result.exit_code == 2


def test_pictures_of_any_moment(db: str, tmp_path: Path) -> None:
    def svg(*words: str) -> str:
        result = lacitta("export", "done", "--as", "svg", "--db", db, *words)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    assert "Year 1 · Political rounds, round 1" in svg("--at", "2")
    assert "Year 2 · Demolition and feeding" in svg("--year", "2")
    assert svg("--year", "6") == svg()
    assert "The game is over" in svg()
    assert "Die Partie ist zu Ende" in svg("--language", "de")
    out = tmp_path / "table.png"
    words = ("--as", "png", "--dark", "--width", "200", "--at", "2", "--out", str(out))
    assert lacitta("export", "running", *words, "--db", db).exit_code == 0
    assert out.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "there is no game nobody"),
        (["done", "--as", "html", "--at", "3"], "choose a picture's moment: svg, png"),
        (["done", "--as", "svg", "--at", "3", "--year", "1"], "two moments"),
        (["done", "--as", "svg", "--at", "9999"], "the game has only"),
        (["running", "--as", "svg", "--year", "4"], "did not reach the end of year 4"),
        (["done", "--as", "png", "--width", "9"], "9 is not in the range"),
        (["done", "--as", "bmp"], "'bmp' is not one of"),
        (["{bad}", "--as", "svg"], "bad.jsonl, line 4: seat: "),
    ],
)
def test_one_line_when_it_cannot_be_had(
    words: list[str], message: str, db: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(write_game("g", new_game(2, 8).events[:1]) + b'\n{"type":"gold","seat":9}\n')
    result = lacitta("export", *(word.format(bad=bad) for word in words), "--db", db)
    assert result.exit_code == 2
    assert message in result.stderr, result.stderr
    assert result.stderr.count("\n") == 1


def test_an_exported_log_is_read_again(db: str, tmp_path: Path) -> None:
    out = tmp_path / "running.jsonl"
    lacitta("export", "running", "--out", str(out), "--db", db)
    assert len(load_game(out).events) == 20


def test_every_form_is_offered() -> None:
    from web.cli.store.commands import OFFERED
    from web.cli.store.export import FORMS

    assert (*FORMS, "study") == OFFERED
