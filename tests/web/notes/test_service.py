"""Notes, what-if lines and studies over the API, read by each person as far as they may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots import RandomBot
from engine.selfplay import Game, play_out
from replays.notes.annotations import Author, Content, Noted, Place, SeatStanding
from tests.first_board import new_game
from tests.web.world import Someone, World, holder

GAME = "/api/notebooks/game/over"
RUNNING = "/api/notebooks/game/running"


class Desk(World):
    """A finished game and a running one of Anna's and Bert's."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert, self.zoe = (self.person(n) for n in ("Anna", "Bert", "Zoe"))
        self.over = play_out(new_game(2, "notes"), RandomBot(1))
        running = new_game(2, "notes")
        for event in self.over.events[len(running.events) : 40]:
            running.add(event) if hasattr(event, "seat") else None
        self.running: Game = running
        seats = [holder(self.anna, "Anna"), holder(self.bert, "Bert")]
        self.seat("over", self.over, seats)
        self.seat("running", running, seats)

    def made(self, who: Someone, path: str, body: Any, status: int = 201) -> dict[str, Any]:
        answer = who.post(path, body)
        assert answer.status_code == status, answer.text
        assert isinstance(answer.json, dict)
        return answer.json


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def note(number: int = 12, **also: Any) -> dict[str, Any]:
    return {"at": {"number": number}, "content": {"text": "**Why?**"}, "seen_by": "all"} | also


def read(who: Someone, path: str = GAME) -> dict[str, Any]:
    answer = who.get(path)
    assert answer.status_code == 200, answer.text
    assert isinstance(answer.json, dict)
    return answer.json


def test_a_note_with_everything_is_read_again(desk: Desk) -> None:
    content = {
        "text": "**Too early** <script>alert(1)</script>",
        "glyph": "?!",
        "hexes": {"c7": "red"},
        "arrows": [{"start": "c7", "end": "d4", "colour": "blue"}],
        "city": "c7",
    }
    id_ = desk.made(desk.anna, f"{GAME}/notes", note(content=content))["id"]
    (seen,) = read(desk.nobody())["notes"]
    assert seen["content"] == content
    assert (seen["note"], seen["by"], seen["yours"], seen["changed"]) == (id_, "Anna", False, False)
    assert "<strong>Too early</strong>" in seen["html"]
    assert "script" not in seen["html"]
    assert read(desk.anna)["notes"][0]["yours"]
    assert desk.anna.id not in desk.zoe.get(GAME).text


def test_private_by_link_and_for_all(desk: Desk) -> None:
    for seen_by in ("me", "link", "all"):
        desk.made(desk.anna, f"{GAME}/notes", note(seen_by=seen_by))
    word = read(desk.anna)["link"]
    assert [n["seen_by"] for n in read(desk.anna)["notes"]] == ["me", "link", "all"]
    assert [n["seen_by"] for n in read(desk.bert)["notes"]] == ["all"]
    assert [n["seen_by"] for n in read(desk.bert, f"{GAME}?by={word}")["notes"]] == ["link", "all"]
    assert read(desk.bert)["link"] != word
    assert [n["seen_by"] for n in read(desk.zoe, f"{GAME}?by={'0' * 24}")["notes"]] == ["all"]
    assert [n["seen_by"] for n in read(desk.zoe, f"{GAME}?by=%C3%BD")["notes"]] == ["all"]


def test_answers_rewriting_and_withdrawing(desk: Desk) -> None:
    first = desk.made(desk.anna, f"{GAME}/notes", note())["id"]
    desk.made(desk.bert, f"{GAME}/notes", note(answers=first))
    changed = {"content": {"text": "Better.", "glyph": "!"}, "seen_by": "all"}
    desk.made(desk.anna, f"{GAME}/notes/{first}", changed, 200)
    seen = read(desk.zoe)["notes"]
    assert (seen[0]["content"]["glyph"], seen[1]["answers"]) == ("!", first)
    assert seen[0]["rewritten"]
    assert desk.anna.ask("DELETE", f"{GAME}/notes/{first}").status_code == 200
    seen = read(desk.zoe)["notes"]
    assert seen[0]["withdrawn"]
    assert seen[0]["content"] == {}


def test_a_note_says_when_the_table_beneath_it_has_changed(desk: Desk) -> None:
    desk.made(desk.anna, f"{GAME}/notes", note(30))
    table = desk.services.notebooks.get("game/over").notes
    (written,) = table.values()
    assert written.then is not None
    richer = [
        SeatStanding(seat=1, points=1, gold=99, food=9, citizens=9),
        *written.then.players[1:],
    ]
    otherwise = msgspec.structs.replace(written.then, players=richer, cities=[])
    desk.services.notebooks.write(
        "game/over",
        lambda _: Noted(
            by=Author(name="Anna", person=desk.anna.id),
            note="older",
            at=Place(number=30),
            content=Content(text="Under other rules."),
            seen_by="all",
            then=otherwise,
        ),
    )
    first, second = read(desk.zoe)["notes"]
    assert not first["changed"]
    assert second["changed"]
    assert any("99 then" in words for words in second["differences"])


def test_a_line_of_three_actions_nested_and_cut(desk: Desk) -> None:
    choices = desk.anna.get(f"{GAME}/choices/-/-?number=20").json
    wish = {
        "at": {"number": 20},
        "move": {"action": choices["actions"][-1]},
        "cards": "as-they-were",
        "seen_by": "all",
    }
    made = desk.made(desk.anna, f"{GAME}/lines", wish)
    line, last = made["id"], made["last"]
    for _ in range(2):
        choices = desk.anna.get(f"{GAME}/choices/-/{line}?number={last}").json
        move = {"action": choices["actions"][0]}
        last = desk.made(desk.anna, f"{GAME}/lines/{line}/moves", move)["last"]
    last = desk.made(desk.anna, f"{GAME}/lines/{line}/moves", {"bot": "steward", "turns": 5})[
        "last"
    ]
    inner = {"at": {"number": 22, "line": line}, "move": {"bot": "random"}, "seen_by": "all"}
    nested = desk.made(desk.bert, f"{GAME}/lines", inner)["id"]
    lines = read(desk.zoe)["lines"]
    assert [(x["line"], x["by"], x["redealt"]) for x in lines] == [
        (line, "Anna", False),
        (nested, "Bert", False),
    ]
    assert len(lines[0]["story"]) == last - 20
    desk.made(desk.anna, f"{GAME}/lines/{line}/cut", {"number": 21}, 200)
    assert [(x["line"], x["last"]) for x in read(desk.zoe)["lines"]] == [(line, 21)]


def test_the_same_move_tried_twice_is_one_line(desk: Desk) -> None:
    actions = desk.anna.get(f"{GAME}/choices/-/-?number=20").json["actions"]
    played = msgspec.to_builtins(desk.over.events[20])
    other, another = [each for each in actions if each != played][:2]
    wish = {"at": {"number": 20}, "move": {"action": other}, "cards": "as-they-were"}
    made = desk.made(desk.anna, f"{GAME}/lines", wish)
    assert desk.made(desk.anna, f"{GAME}/lines", wish) == made
    bot = {"bot": "steward", "turns": 3}
    desk.made(desk.anna, f"{GAME}/lines/{made['id']}/moves", bot)
    # It is entered after that move, however far it goes by now; others have a line of their own.
    assert desk.made(desk.anna, f"{GAME}/lines", wish) == made
    assert desk.made(desk.bert, f"{GAME}/lines", wish)["id"] != made["id"]
    assert desk.made(desk.anna, f"{GAME}/lines", wish | {"move": {"action": another}}) != made
    # Who wants others to read it does not end up in a line that nobody reads.
    assert desk.made(desk.anna, f"{GAME}/lines", wish | {"seen_by": "all"})["id"] != made["id"]
    dealt = wish | {"cards": "dealt-anew"}
    anew = desk.made(desk.anna, f"{GAME}/lines", dealt)
    assert anew["id"] != made["id"]
    assert desk.made(desk.anna, f"{GAME}/lines", dealt)["id"] == anew["id"]
    # The game's own move is no line; nor is a line's own.
    own = desk.made(desk.anna, f"{GAME}/lines", wish | {"move": {"action": played}})
    assert own["id"] == ""
    assert own["last"] > 20
    inside = {"number": made["last"], "line": made["id"]}
    line = desk.services.notebooks.get("game/over").lines[made["id"]]
    further = msgspec.to_builtins(line.events[made["last"] - 20])
    on = desk.made(desk.anna, f"{GAME}/lines", wish | {"at": inside, "move": {"action": further}})
    assert on["id"] == made["id"]
    assert len(read(desk.anna)["lines"]) == 4


def test_an_illegal_action_in_a_line_gets_the_rules_reason(desk: Desk) -> None:
    wish = {"at": {"number": 20}, "move": {"action": {"type": "pass", "seat": 1}}}
    answer = desk.anna.post(f"{GAME}/lines", wish)
    assert answer.status_code == 409
    assert answer.json["rule"].startswith("R")
    assert not read(desk.anna)["lines"]


def test_while_a_game_runs_a_line_is_played_with_other_cards(desk: Desk) -> None:
    wish = {"at": {"number": 10}, "move": {"bot": "random"}, "seen_by": "all"}
    answer = desk.anna.post(f"{RUNNING}/lines", wish | {"cards": "as-they-were"})
    assert answer.json["code"] == "still-hidden"
    assert desk.zoe.post(f"{RUNNING}/lines", wish | {"seat": 1}).status_code == 403
    desk.made(desk.zoe, f"{RUNNING}/lines", wish)
    desk.made(desk.anna, f"{RUNNING}/lines", wish | {"seat": 1})
    lines = read(desk.anna, RUNNING)["lines"]
    assert [(x["seat"], x["redealt"], x["seen_by"]) for x in lines] == [
        (0, True, "all"),
        (1, True, "me"),
    ]
    assert len(read(desk.bert, RUNNING)["lines"]) == 1


def test_a_study_of_two_games(desk: Desk) -> None:
    study = desk.made(desk.anna, "/api/studies", {"title": "Hunger", "introduction": "*Read.*"})
    base = f"/api/studies/{study['id']}"
    first = desk.made(desk.anna, f"{base}/chapters", {"title": "One", "game": "over"})["id"]
    second = desk.made(
        desk.anna, f"{base}/chapters", {"title": "Two", "game": "over", "start": 9, "guess": 2}
    )["id"]
    book = f"/api/notebooks/study/{study['id']}"
    desk.made(desk.anna, f"{book}/notes", note(chapter=second, seen_by="all"))
    assert desk.bert.get(book).status_code == 404
    desk.made(desk.anna, base, {"title": "Hunger", "seen_by": "link"}, 200)
    word = read(desk.anna, book)["link"]
    assert desk.bert.get(book).status_code == 404
    assert read(desk.bert, f"{book}?by={word}")["title"] == "Hunger"
    desk.made(desk.anna, f"{base}/order", {"chapters": [second, first]}, 200)
    desk.made(desk.anna, base, {"title": "Hunger", "seen_by": "all"}, 200)
    seen = read(desk.bert, book)
    assert [c["chapter"] for c in seen["chapters"]] == [second, first]
    assert [s["title"] for s in desk.nobody().get("/api/studies").json] == ["Hunger"]
    assert desk.anna.ask("DELETE", f"{base}/chapters/{second}").status_code == 200
    assert read(desk.bert, book)["notes"] == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (f"{GAME}/notes", note(100_000), 404),
        (f"{GAME}/notes", note(0), 422),
        (f"{GAME}/notes", note(at={"number": 3, "line": "nowhere"}), 404),
        (f"{GAME}/notes", note(content={"text": "x" * 10_001}), 422),
        (f"{GAME}/notes", note(content={"glyph": "<b>"}), 422),
        (f"{GAME}/notes", note(content={"hexes": {"c7": "url(x)"}}), 422),
        (f"{GAME}/notes", note(extra=1), 422),
        (f"{GAME}/lines", {"at": {"number": 3}, "move": {}}, 422),
        (f"{GAME}/lines", {"at": {"number": 3}, "move": {"bot": "nobody"}}, 422),
        (f"{GAME}/lines", {"at": {"number": 3}, "move": {"bot": "random", "turns": 999}}, 422),
        ("/api/notebooks/game/none/notes", note(), 404),
        ("/api/notebooks/diary/over/notes", note(), 404),
        ("/api/notebooks/study/none/notes", note(), 404),
        ("/api/notebooks/game/..%2F..%2Fx/notes", note(), 404),
        ("/api/studies", {"title": ""}, 422),
    ],
)
def test_nonsense_is_refused_in_a_sentence(desk: Desk, path: str, body: Any, status: int) -> None:
    answer = desk.anna.post(path, body)
    assert answer.status_code == status, answer.text
    assert answer.json["sentence"]


def test_several_servers_write_into_one_notebook(desk: Desk) -> None:
    book = desk.services.notebooks
    other = type(book)(desk.store, lambda: 1, "key")
    by = Author(name="Anna", person=desk.anna.id)
    for number in range(6):
        note_ = Noted(
            by=by, note=f"n{number}", at=Place(number=3), content=Content(), seen_by="all"
        )
        (book, other)[number % 2].write("game/over", lambda _, note_=note_: note_)  # type: ignore[misc]
    assert list(book.get("game/over").notes) == [f"n{number}" for number in range(6)]
