"""Studies as files: what is written is read again, and what does not hold is refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import encode_events
from events.store.protocol import Store
from events.store.stores import open_store
from replays.cursor import Cursor
from replays.files.import_ import BadFile, import_file, import_new_study, read_handed_study
from replays.files.stores import MAX_EVENTS
from replays.files.study import BadStudy, read_study, write_study
from replays.notes.annotations import (
    Author,
    ChapterPut,
    Content,
    LineBegun,
    Noted,
    Place,
    StudyOpened,
)
from replays.notes.compaction import written_again
from replays.notes.notebook import MAX_DEPTH, Notebook, as_read_by, read_notebook
from replays.whatif.lines import let_bot_play
from web.cli.main import main

ANNA = Author(name="Anna", person="person-anna")
GAMES = {name: play_out(new_game(2, name), RandomBot(3)).events for name in ("one", "two")}


def some_book() -> Notebook:
    line = let_bot_play(Cursor(GAMES["two"]).at(20), RandomBot(5), 400)
    note = {"by": ANNA, "chapter": "c2", "content": Content(text="Why?", glyph="?")}
    return read_notebook(
        [
            StudyOpened(by=ANNA, title="Hunger", introduction="*Read.*", seen_by="all"),
            ChapterPut(by=ANNA, chapter="c1", title="One", game="one"),
            ChapterPut(by=ANNA, chapter="c2", title="Two", game="two", start=9, guess=2),
            LineBegun(
                by=ANNA, chapter="c2", line="x", at=Place(number=20), events=line, seen_by="all"
            ),
            Noted(**note, note="n", at=Place(number=22, line="x"), seen_by="all"),
            Noted(**note, note="secret", at=Place(number=3), seen_by="me"),
        ]
    )


def document() -> bytes:
    return write_study("s1", as_read_by(some_book(), ""), lambda game: encode_events(GAMES[game]))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


def test_what_is_written_is_read_again() -> None:
    study = read_study(document())
    assert study.book == as_read_by(some_book(), "")
    assert {game: file.events for game, file in study.games.items()} == GAMES
    games = {game: file.encoded for game, file in study.games.items()}
    assert write_study(study.study, study.book, games.__getitem__) == document()


def test_accounts_and_what_others_may_not_read_stay_behind() -> None:
    assert b"person-anna" not in document()
    assert b'"secret"' not in document().split(b'"written"')[1]


def test_a_long_line_is_written_in_parts() -> None:
    book = some_book()
    line = book.lines["x"]
    book.lines["x"] = msgspec.structs.replace(line, events=line.events * 50)
    again = written_again(book)
    assert len([each for each in again if type(each).__name__ == "LineContinued"]) > 1
    assert read_notebook(again).lines["x"].events == book.lines["x"].events


def test_ids_are_kept_by_hand_and_new_on_a_server(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    file.write_bytes(document())
    assert import_file(store, file) == "s1"
    assert {info.game for info in store.games()} == {"one", "two"}
    with pytest.raises(BadFile, match="there is a study s1 already"):
        import_file(store, file)
    db = str(tmp_path / "games.db")
    result = CliRunner().invoke(main, ["export", "s1", "--as", "study", "--db", db])
    assert json.loads(result.stdout) == json.loads(document())
    study = read_handed_study(file, document())
    id_ = import_new_study(store, study, Author(name="Bert", person="person-bert"))
    assert id_ != "s1"
    assert len(store.games()) == 4
    written = [json.loads(each.event) for each in store.notes.read(f"study/{id_}")]
    assert written[0]["by"] == {"name": "Bert", "person": "person-bert"}
    assert "seen_by" not in written[0]  # for its new author alone
    assert written[-1]["by"] == {"name": "Anna", "person": "person-bert"}
    assert {each["game"] for each in written if "game" in each}.isdisjoint(GAMES)


def test_another_game_of_the_same_name_is_not_replaced(store: Store, tmp_path: Path) -> None:
    store.append("two", 0, GAMES["one"])
    file = tmp_path / "study.json"
    file.write_bytes(document())
    with pytest.raises(BadFile, match="there is another game two already"):
        import_file(store, file)
    assert not store.notes.position()


def changed(change: Callable[[Any], object]) -> bytes:
    made = json.loads(document())
    change(made)
    return json.dumps(made).encode()


def nested(made: Any) -> None:
    line = next(each for each in made["written"] if each["type"] == "line-begun")
    made["written"] = [each for each in made["written"] if each["type"] != "noted"]
    for depth in range(MAX_DEPTH):
        at = {"number": 20, "line": f"y{depth - 1}" if depth else "x"}
        made["written"].append({**line, "line": f"y{depth}", "at": at, "events": []})


def illegal(made: Any) -> None:
    line = next(each for each in made["written"] if each["type"] == "line-begun")
    line["events"].insert(1, line["events"][0])


BAD: dict[str, tuple[Callable[[Any], object], str]] = {
    "newer": (lambda s: s.update(version=2), "version 2 is newer"),
    "unknown field": (lambda s: s.update(more=1), "unknown field `more`"),
    "too many games": (lambda s: s.update(games=s["games"] * 60), "length <= 100"),
    "twice": (lambda s: s["games"].append(s["games"][0]), "a game stands in it twice"),
    "no game": (lambda s: s.update(games=[]), "chapter c1: the game one is missing"),
    "head": (
        lambda s: s["games"][0].update(head="0" * 64),
        "game one.*: the file's head",
    ),
    "an event is missing": (
        lambda s: s["games"][1]["events"].pop(8) and s["games"][1].pop("head"),
        "game two, event 9",
    ),
    "no event": (lambda s: s["games"][0]["events"].insert(1, {"type": "sing"}), "one, event 2: "),
    "no moment": (lambda s: s["written"][1].update(start=9999), "has no moment 9999"),
    "no seat": (lambda s: s["written"][2].update(guess=5), "there is no seat 5"),
    "no opening": (lambda s: s["written"].pop(0), "never opened|only its author"),
    "note without moment": (
        lambda s: s["written"][-1].update(at={"number": 9999}),
        "note n: there is no moment 9999",
    ),
    "note without chapter": (
        lambda s: s["written"][-1].update(chapter="", at={"number": 3}),
        "belongs to no chapter",
    ),
    "illegal line": (illegal, r"line x, event 2: .*R\d+"),
    "too many events": (
        lambda s: s.update(games=[{"game": f"g{n}", "events": [0] * 5000} for n in range(11)]),
        "the games have more than 50000 events together",
    ),
    "deep": (nested, f"nested at most {MAX_DEPTH} deep"),
    "long text": (lambda s: s["written"][0].update(introduction="x" * 10_001), "length <= 10000"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_hold_is_refused_by_name(name: str) -> None:
    change, message = BAD[name]
    with pytest.raises(BadStudy, match=message):
        read_study(changed(change))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"format":"lacitta-study","version":1,"games":' + b"[" * 200_000, "array"),
        (b'{"format":"lacitta-study","version":1,"study":"s","games":[{"game":"g","events":['
         + b"[" * 100_000 + b"]" * 100_000 + b']}],"written":[]}', "nested too deeply|recursion"),
        (b'{"format":"lacitta-study"' + b" " * 4_000_000 + b"}", "larger than"),
        (b'{"format":"lacitta-study","version":1\xff', "utf-8|malformed|invalid"),
    ],
)  # fmt: skip
def test_what_is_no_study_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(BadStudy, match=f"(?i){message}"):
        read_study(data)


def test_every_field_is_documented() -> None:
    from replays.files import study

    text = (Path(study.__file__).parent / "STUDY.md").read_text(encoding="utf-8")
    for kind in (study.StudyFile, study.StudyGame):
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in text
    for bound in (study.MAX_GAMES, MAX_EVENTS, study.MAX_WRITTEN, MAX_DEPTH):
        assert f"{bound:,}" in text
