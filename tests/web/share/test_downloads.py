"""What can be taken along: files with what the reader may see, and a frame for other sites."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import read_game
from replays.files.study import read_study
from replays.notation import parse_text
from replays.notes.annotations import (
    AnyWritten,
    Author,
    ChapterPut,
    Content,
    Noted,
    Place,
    StudyOpened,
)
from tests.web.world import World, holder
from web.share import downloads

FINISHED = ("log.jsonl", "game.txt")


class Fair(World):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert = self.person("Anna"), self.person("Bert")
        self.over = play_out(new_game(2, "sharing"), RandomBot(1))
        seats = [holder(self.anna, "Anna"), holder(self.bert, "Bert")]
        self.seat("over", self.over, seats)
        self.seat("running", new_game(2, "sharing"), seats)
        self.by = Author(name="Anna", person=self.anna.id)
        for stream, chapter in (("game/over", ""), ("study/s1", "c1")):
            if chapter:
                self.write(stream, StudyOpened(by=self.by, title="Hunger", seen_by="all"))
                self.write(stream, ChapterPut(by=self.by, chapter="c1", title="A", game="over"))
            for seen_by in ("me", "all"):
                self.write(stream, self.note(f"note-for-{seen_by}", seen_by, chapter))

    def note(self, text: str, seen_by: str, chapter: str = "") -> Noted:
        return Noted(
            by=self.by,
            chapter=chapter,
            note=text,
            at=Place(number=12),
            content=Content(text=text),
            seen_by=seen_by,  # type: ignore[arg-type]
        )

    def write(self, stream: str, written: AnyWritten) -> None:
        self.services.notebooks.write(stream, lambda _: written)


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fair]:
    made = Fair(tmp_path_factory.mktemp("fair"))
    yield made
    made.close()


def test_the_log_and_the_notation_are_those_of_the_game(fair: Fair) -> None:
    log = fair.nobody().get("/replay/over/log.jsonl")
    assert read_game(log.data).events == fair.over.events
    assert log.headers["Content-Disposition"] == 'attachment; filename="lacitta-over.jsonl"'
    parsed = parse_text(fair.nobody().get("/replay/over/game.txt").data)
    assert parsed.game is not None
    assert parsed.game.events == fair.over.events


@pytest.mark.parametrize("path", ["/replay/over/game.txt", "/replay/over/game.html"])
def test_only_notes_that_the_reader_may_see_go_along(path: str, fair: Fair) -> None:
    mine, others = fair.anna.get(path).text, fair.bert.get(path).text
    assert "note-for-all" in mine
    assert "note-for-all" in others
    assert "note-for-me" in mine
    assert "note-for-me" not in others
    assert fair.anna.id not in mine


def test_a_study_as_a_file_holds_for_each_reader(fair: Fair) -> None:
    for who, notes in ((fair.anna, {"note-for-me", "note-for-all"}), (fair.bert, {"note-for-all"})):
        answer = who.get("/study/s1/study.json")
        assert fair.anna.id not in answer.text
        study = read_study(answer.data)
        assert set(study.book.notes) == notes
        assert study.games["over"].events == fair.over.events


@pytest.mark.parametrize(
    "path", ["/replay/over/game.txt", "/replay/over/game.html", "/study/s1/study.json"]
)
def test_a_file_holds_so_many_notes_and_no_more(
    path: str, fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MOST_WRITTEN", len("note-for-all"))
    assert fair.nobody().get(path).status_code == 200
    answer = fair.anna.get(path)
    assert answer.status_code == 409
    assert "There are more notes here than a file can hold." in answer.text
    assert fair.anna.get("/replay/over/12/picture.svg").status_code == 200


def test_while_a_game_runs_its_log_stays_here(fair: Fair) -> None:
    by = fair.by
    fair.write("study/s2", StudyOpened(by=by, title="Now", seen_by="all"))
    fair.write("study/s2", ChapterPut(by=by, chapter="c1", title="Now", game="running"))
    paths = [f"/replay/running/{name}" for name in FINISHED]
    for path in (*paths, "/study/s2/study.json"):
        answer = fair.anna.get(path)
        assert answer.status_code == 409
        assert "While the game runs, its log holds hidden cards." in answer.text
    page = fair.anna.get("/replay/running/2").text
    assert not any(f"/replay/running/{name}" in page for name in FINISHED)
    assert "/replay/running/game.html" in page
    assert all(f"/replay/over/{name}" in fair.anna.get("/replay/over/2").text for name in FINISHED)


@pytest.mark.parametrize(
    "path",
    ["/replay/over/12/picture.svg", "/replay/over/log.jsonl", "/replay/over/game.txt"],
)
def test_whoever_has_a_file_already_gets_nothing_again(path: str, fair: Fair) -> None:
    first = fair.bert.get(path)
    again = fair.bert.client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "no-cache, private"


def test_a_picture_changes_with_its_notes(fair: Fair) -> None:
    before = fair.nobody().get("/replay/over/20/picture.svg").headers["ETag"]
    content = Content(hexes={"c7": "red"})
    at = Place(number=20)
    fair.write("game/over", Noted(by=fair.by, note="red", at=at, content=content, seen_by="all"))
    after = fair.nobody().get("/replay/over/20/picture.svg")
    assert after.headers["ETag"] != before
    assert fair.nobody().get("/replay/over/9999/picture.svg").status_code == 404
    png = fair.nobody().get("/replay/over/20/picture.png")
    assert png.data.startswith(b"\x89PNG")


def test_only_the_frame_may_be_framed(fair: Fair) -> None:
    answer = fair.anna.get("/embed/over/12")
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "form-action 'none'" in policy
    assert "default-src 'none'" in policy
    assert "Set-Cookie" not in answer.headers
    for word in ("<form", "<input", "csrf", "Anna</a>", "note-for"):
        assert word not in answer.text
    for path in ("/replay/over/12", "/study/s1", "/study/s1/c1", "/studies", "/import", "/"):
        assert "frame-ancestors 'none'" in fair.anna.get(path).headers["Content-Security-Policy"]
    assert (
        "frame-ancestors 'none'"
        in fair.anna.get("/embed/over/9999").headers["Content-Security-Policy"]
    )
    assert fair.nobody().get("/embed/nowhere/1").status_code == 404
    # The frame is the same for a player as for anyone: it looks as a spectator.
    assert fair.anna.get("/embed/running/2").data == fair.nobody().get("/embed/running/2").data


def test_the_study_file_is_plain_json(fair: Fair) -> None:
    made = json.loads(fair.nobody().get("/study/s1/study.json").data)
    assert (made["format"], made["version"], made["study"]) == ("lacitta-study", 1, "s1")
