"""The viewer with notes and what-if lines: what it shows to whom, and what nobody learns by it."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance.resample import resample
from engine.fold import fold
from engine.snapshot import position
from engine.view import SPECTATOR
from replays.files.import_ import read_handed
from replays.notes.annotations import (
    Author,
    Content,
    Noted,
    Place,
)
from replays.notes.notebook import MAX_DEPTH, Line
from tests.amounts import one_in
from tests.web.access.test_leaks import Twins, moments, twins_in
from tests.web.notes.test_service import GAME, RUNNING, Desk, note
from tests.web.world import Someone
from web.games.lines import Branches
from web.notes import api as note_routes
from web.notes.page import in_tree_order
from web.notes.scene import place_of

PAGES = (
    "/replay/over?line={line}",
    "/replay/over/22?line={line}",
    "/replay/over/22/parts?line={line}",
    "/replay/over/22/moments?line={line}",
    "/replay/over/compare?a=2&b=22&line={line}",
    "/replay/over/22/why/gold/1?line={line}",
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def begun(desk: Desk, who: Someone, base: str = GAME, **also: Any) -> tuple[str, int]:
    """A line that a bot plays from moment 20 on, and its last moment."""
    wish = {"at": {"number": 20}, "move": {"bot": "random", "turns": 4}, "seen_by": "all"} | also
    made = desk.made(who, f"{base}/lines", wish)
    return made["id"], made["last"]


def test_a_line_is_stepped_through_like_a_game(desk: Desk) -> None:
    line, last = begun(desk, desk.anna, title="More <gold>", cards="as-they-were")
    page = desk.zoe.get(f"/replay/over/{last}?line={line}")
    assert page.status_code == 200
    assert "What if: More &lt;gold&gt;" in page.text
    assert "<gold>" not in page.text
    assert "as they were" in page.text
    assert f'data-last="{last}"' in page.text
    assert 'href="/replay/over/20" data-leave' in page.text.replace("amp;", "")
    told = re.findall(r'<li value="(\d+)"( class="otherwise")?', page.text)
    assert {int(n) > 20 for n, otherwise in told if otherwise} == {True}
    assert {int(n) > 20 for n, otherwise in told if not otherwise} == {False}
    # Every step stays in the line, and the line ends where it ends.
    steps = re.findall(r'<a [^>]*data-step[^>]*href="([^"]+)"', page.text)
    assert steps
    assert all(f"line={line}" in step for step in steps)
    assert desk.zoe.get(f"/replay/over/{last + 1}?line={line}").status_code == 404
    there = desk.zoe.get(f"/replay/over/{last}/parts?line={line}").text
    assert there.strip() in page.text
    assert there != desk.zoe.get(f"/replay/over/{last}/parts").text
    boards = [
        re.findall(r"<svg.*?</svg>", desk.zoe.get(f"/replay/over/{number}/parts{query}").text)[0]
        for number in (9, last)
        for query in ("", f"?line={line}")
    ]
    assert boards[0] == boards[1]
    assert boards[2] != boards[3]


def test_a_private_line_exists_for_nobody_else(desk: Desk) -> None:
    for seen_by in ("me", "link"):
        line, _ = begun(desk, desk.anna, seen_by=seen_by, cards="as-they-were")
        for path in PAGES:
            asked = path.format(line=line)
            assert desk.anna.get(asked).status_code == 200, asked
            assert desk.bert.get(asked).status_code == 404, asked
            assert desk.nobody().get(asked).status_code == 404, asked
            by = desk.bert.get(f"{asked}&by={desk.anna.get(GAME).json['link']}")
            assert by.status_code == (200 if seen_by == "link" else 404)
        assert line not in desk.bert.get("/replay/over/20").text
        assert line in desk.anna.get("/replay/over/20").text


def test_notes_on_a_moment_are_for_those_who_may_read_them(desk: Desk) -> None:
    content = {
        "text": "**Bold** <script>alert(1)</script>",
        "glyph": "?!",
        "hexes": {"c7": "red"},
        "arrows": [{"start": "c7", "end": "d4", "colour": "blue"}],
    }
    for seen_by in ("me", "link", "all"):
        own = content | {"text": f"{content['text']} for {seen_by}"}
        desk.made(desk.anna, f"{GAME}/notes", note(30, content=own, seen_by=seen_by))
    word = desk.anna.get(GAME).json["link"]

    def reads(who: Someone, query: str = "") -> list[str]:
        page = who.get(f"/replay/over/30{query}").text
        part = who.get(f"/replay/over/30/parts{query}").text
        assert part.strip() in page
        assert "<script>alert" not in page
        return re.findall(r"</strong>[^<]* for (\w+)</p>", part)

    assert reads(desk.anna) == ["me", "link", "all"]
    assert reads(desk.bert) == ["all"]
    assert reads(desk.nobody(), f"?by={word}") == ["link", "all"]
    page = desk.nobody().get(f"/replay/over/30?by={word}").text
    assert page.count(f"by={word}") > 20
    assert "doubtful" in page
    assert "c7 red, c7 → d4 blue" in page
    assert desk.anna.id not in page
    assert page.count('class="noted"') == 1
    # Elsewhere only the list and the marks tell of it.
    elsewhere = desk.nobody().get("/replay/over/31").text
    assert "<strong>Bold</strong>" in elsewhere.partition("all-notes")[2]
    assert "<strong>Bold</strong>" not in elsewhere.partition("all-notes")[0]
    assert elsewhere.count('class="noted"') == 1


def test_a_note_on_a_changed_table_shows_both(desk: Desk) -> None:
    desk.made(desk.anna, f"{GAME}/notes", note(30))
    (written,) = desk.services.notebooks.get("game/over").notes.values()
    assert written.then is not None
    assert "Then and now" not in desk.zoe.get("/replay/over/30").text
    otherwise = msgspec.structs.replace(written.then, cities=written.then.cities[:1])
    older = Noted(
        by=Author(name="Anna", person=desk.anna.id),
        note="older",
        at=Place(number=30),
        content=Content(text="Under other rules."),
        seen_by="all",
        then=otherwise,
    )
    desk.services.notebooks.write("game/over", lambda _: older)
    page = desk.zoe.get("/replay/over/30").text
    assert "is not as it was when it was written" in page
    assert page.count('id="then-older-board-title"') == 1
    assert page.count('id="now-older-board-title"') == 1


def test_a_guest_writes_under_a_name_and_keeps_it(desk: Desk) -> None:
    nobody = desk.nobody()
    assert nobody.post(f"{GAME}/notes", note()).json["code"] == "say-who"
    assert nobody.post(f"{GAME}/notes", note(guest="   ")).json["code"] == "say-who"
    desk.made(nobody, f"{GAME}/notes", note(guest="Anna"))
    desk.made(nobody, f"{GAME}/notes", note(guest="Another name", answers=""))
    seen = nobody.get(GAME).json["notes"]
    assert [(n["by"], n["yours"]) for n in seen] == [("Anna (guest)", True)] * 2
    assert nobody.get("/replay/over/12").text.count("data-withdraw") == 2
    assert "data-withdraw" not in desk.anna.get("/replay/over/12").text


def test_notes_before_a_line_belong_to_what_it_leaves(desk: Desk) -> None:
    line, last = begun(desk, desk.anna, cards="as-they-were")
    inner, end = begun(desk, desk.bert, at={"number": last, "line": line}, move={"bot": "random"})
    desk.made(desk.anna, f"{GAME}/notes", note(20, content={"text": "In the game."}))
    at = {"number": 22, "line": line}
    desk.made(desk.anna, f"{GAME}/notes", note(at=at, content={"text": "In the line."}))
    book = desk.services.notebooks.get("game/over")
    assert place_of(book, inner, last) == Place(number=last, line=line)
    assert place_of(book, inner, 20) == Place(number=20)
    read = {
        number: re.findall(r"In the \w+", desk.zoe.get(f"/replay/over/{number}/parts{query}").text)
        for number, query in ((20, f"?line={inner}"), (22, f"?line={inner}"), (end, ""))
    }
    page = desk.zoe.get(f"/replay/over/{end}?line={inner}").text
    assert set(read[20]) == {"In the game"}
    assert set(read[22]) == {"In the line"}
    assert not read[end]
    assert "In the line" not in desk.zoe.get("/replay/over/22/parts").text
    assert "Back to the line that it leaves" in page
    assert page.count('class="noted"') == 2


def test_an_action_is_tried_without_beginning_a_line(desk: Desk) -> None:
    path = f"{GAME}/choices/-/-?number=20"
    choices = desk.nobody().get(path).json
    tried = desk.nobody().post(path, choices["actions"][0])
    assert tried.status_code == 200
    assert tried.json["board"].startswith("<svg")
    refused = desk.nobody().post(path, {"type": "gold", "seat": 3 - choices["seat"]})
    assert refused.status_code == 409
    assert refused.json["rule"].startswith("R")
    assert desk.nobody().post(f"{RUNNING}/choices/-/-?number=9&seat=1", {}).status_code == 422
    assert not desk.services.notebooks.get("game/over").lines


def test_a_line_that_is_cut_or_written_on_is_folded_anew(desk: Desk) -> None:
    line, last = begun(desk, desk.anna, cards="as-they-were")
    for path, number in (("moves", last + 1), ("cut", 21)):
        body = {"bot": "random"} if path == "moves" else {"number": 21}
        answer = desk.anna.post(f"{GAME}/lines/{line}/{path}", body)
        assert answer.status_code < 300
        page = desk.zoe.get(f"/replay/over?line={line}").text
        assert int(re.search(r'data-number="(\d+)"', page)[1]) >= number  # type: ignore[index]
    assert desk.zoe.get(f"/replay/over/22?line={line}").status_code == 404


def test_lines_are_kept_while_their_notebook_stands(desk: Desk, monkeypatch: Any) -> None:
    monkeypatch.setattr("web.games.lines.KEPT", 2)
    for number in (20, 21, 22):
        begun(desk, desk.anna, cards="as-they-were", at={"number": number})
    book = desk.services.notebooks.get("game/over")
    game, kept = desk.services.replays.get("over").cursor, Branches()
    first, second, third = book.lines
    replay = kept.replay("game/over", book, game, first)
    assert kept.replay("game/over", book, game, first) is replay
    assert kept.replay("game/over", book, game, second) is not replay
    assert kept.replay("game/over", book, game, first) is replay
    kept.replay("game/over", book, game, third)
    kept.replay("game/over", book, game, second)
    assert kept.replay("game/over", book, game, first) is not replay


def test_hidden_cards_of_a_running_game_stay_hidden_in_its_lines(desk: Desk) -> None:
    """Even a line that was played to its end does not open what the game still hides."""
    line, last = begun(desk, desk.zoe, RUNNING, move={"bot": "random", "turns": 200})
    page = desk.zoe.get(f"/replay/running/20?line={line}&cards=open").text
    assert "voice-hidden" in page
    assert "Show hidden cards" not in page
    assert "dealt anew, as a spectator knew them" in page
    assert "follow_game" not in page
    assert "follow_game" in desk.zoe.get("/replay/running").text
    ending = desk.zoe.get(f"/replay/running/{last}?line={line}&cards=open").text
    assert "Hide what was hidden then" not in ending


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twins]:
    # What the server draws by lot is the same on both, so that only what is hidden differs.
    monkeypatch.setattr(secrets, "randbits", lambda bits: 7)
    ids = iter(f"id-{number}" for number in range(10_000) for _ in "ab")
    monkeypatch.setattr(note_routes, "new_id", lambda: next(ids))
    with twins_in(tmp_path / "twins") as twins:
        for world in twins.worlds:
            world.services.notebooks._clock = lambda: 1_700_000_000_000
        yield twins


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_no_line_of_a_running_game_depends_on_hidden_cards(seed: int, twins: Twins) -> None:
    """The same line is begun and gone on with on both servers: every answer is the same."""
    rng = random.Random(seed)
    for real, s in moments(seed):
        for seat in (SPECTATOR, min(s.awaiting)):
            other = resample(real, s, rng, seat)
            assert msgspec.json.encode(position(s)) != msgspec.json.encode(position(fold(other)))
            id_ = twins.seat(real, other)
            who = twins.people[seat - 1] if seat else twins.spectator
            base, at = f"/api/notebooks/game/{id_}", {"number": len(real)}
            asked = f"{base}/choices/-/-?number={len(real)}&seat={seat}"
            actions = msgspec.json.decode(twins.ask(who, "GET", asked))["actions"]
            for action in rng.sample(actions, min(3, len(actions))):
                twins.ask(who, "POST", asked, action)
            wish = {"at": at, "move": {"action": actions[0]}, "seat": seat, "seen_by": "all"}
            made = msgspec.json.decode(twins.ask(who, "POST", f"{base}/lines", wish))
            line = made["id"]
            on = f"{base}/lines/{line}/moves"
            last = msgspec.json.decode(twins.ask(who, "POST", on, {"bot": "random", "turns": 6}))[
                "last"
            ]
            inner = wish | {"at": {"number": last - 1, "line": line}, "move": {"bot": "random"}}
            twins.ask(who, "POST", f"{base}/lines", inner)
            twins.ask(who, "POST", f"{base}/notes", {"at": at, "content": {"text": "Here."}})
            twins.ask(who, "GET", base)
            for number in (1, len(real), len(real) + 1, last):
                twins.ask(who, "GET", f"/replay/{id_}/{number}?line={line}&seat={seat}&cards=open")
            twins.ask(who, "GET", f"/replay/{id_}/compare?line={line}&a={len(real)}&b={last}")
            twins.ask(who, "GET", f"/replay/{id_}/{last}/why/points/1?line={line}")
            # The bot that plays for all seats knows no more than the line.
            twins.ask(who, "GET", f"{base}/choices/-/{line}?number={last}&seat={seat}")
            twins.ask(who, "GET", f"{base}/choices/-/{line}/hint?number={last}&seat={seat}")


def test_lines_nest_as_deep_as_a_study_may_be_read(desk: Desk) -> None:
    at: dict[str, object] = {"number": 20}
    for _ in range(MAX_DEPTH):
        wish = {"at": at, "move": {"bot": "random"}, "cards": "as-they-were", "seen_by": "all"}
        made = desk.made(desk.anna, f"{GAME}/lines", wish)
        at = {"number": made["last"], "line": made["id"]}
    refused = desk.anna.post(f"{GAME}/lines", wish | {"at": at})
    assert refused.status_code == 409
    assert refused.json == {
        "code": "bad-note",
        "sentence": f"lines are nested at most {MAX_DEPTH} deep",
    }
    assert desk.zoe.get(f"/replay/over?line={at['line']}").status_code == 200
    text = desk.zoe.get("/replay/over/game.txt").data
    assert len(read_handed(Path("game.txt"), text).book.lines) == MAX_DEPTH


def test_lines_stand_as_a_tree() -> None:
    """Each before those that leave it, whoever was written first; one whose parent is not seen
    stands by itself."""

    def line(name: str, number: int, inside: str = "") -> Line:
        at = Place(number=number, line=inside)
        by = Author(name="Anna")
        return Line(line=name, by=by, time=1, chapter="", at=at, events=[], seen_by="all")

    written = [
        line("late", 30), line("early", 10), line("within", 12, "early"),
        line("deep", 13, "within"), line("beside", 11, "early"), line("lost", 5, "hidden"),
    ]  # fmt: skip
    found = [each.line for each in in_tree_order(written)]
    assert found == ["lost", "early", "beside", "within", "deep", "late"]
