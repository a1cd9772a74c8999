"""A moment as a test from the viewer and a study, and a report of what broke."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import fold as folding
from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.types import AnyEvent, TakeGold
from replays.corpus.case_file import read_case, write_case
from replays.corpus.cases import case_at, judge_case
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from tests.web.world import World, holder


class Fair(World):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert = self.person("Anna"), self.person("Bert")
        self.over = play_out(new_game(2, "cases"), RandomBot(1))
        seats = [holder(self.anna, "Anna"), holder(self.bert, "Bert")]
        self.seat("over", self.over, seats)
        self.running = new_game(2, "cases")
        self.running.add(TakeGold(seat=min(self.running.state.awaiting)))
        self.seat("running", self.running, seats)
        by = Author(name="Anna", person=self.anna.id)
        for written in (
            StudyOpened(by=by, title="Hunger", seen_by="all"),
            ChapterPut(by=by, chapter="c1", title="A", game="over"),
        ):
            self.services.notebooks.write("study/s1", lambda _, written=written: written)


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fair]:
    made = Fair(tmp_path_factory.mktemp("fair"))
    yield made
    made.close()


def nameless(events: list[AnyEvent], number: int) -> bytes:
    return write_case(case_at(events, number))


@pytest.mark.parametrize("path", ["/replay/over/31", "/study/s1/c1/31"])
def test_the_viewer_offers_the_moment_that_it_shows_as_a_test(path: str, fair: Fair) -> None:
    page = fair.anna.get(path).text
    address = f"{path}/moment.case.toml"
    assert f'href="{address}"' in page
    got = fair.anna.get(address)
    assert got.headers["Content-Disposition"] == 'attachment; filename="lacitta-over-31.case.toml"'
    assert got.data == nameless(fair.over.events, 31)
    assert b"Anna" not in got.data
    assert judge_case(read_case(got.data)) == []


def test_an_action_can_be_tried_there(fair: Fair) -> None:
    action = '{"type":"gold","seat":2}'
    seat = min(fair.running.state.awaiting)
    for number, tried in ((3, action), (3, action.replace("2", str(seat)))):
        got = fair.bert.get(f"/replay/running/{number}/moment.case.toml?action={tried}")
        case = read_case(got.data)
        assert case.then.legal == (f'"seat":{seat}' in tried)
        assert case.when.action == tried
        assert judge_case(case) == []
    for nonsense, status in (("{}", 422), ("[" * 1500, 422), ("x" * 2001, 413)):
        path = f"/replay/running/3/moment.case.toml?action={nonsense}"
        assert fair.bert.get(path).status_code == status


def test_what_the_rules_refuse_is_offered_as_a_test(fair: Fair) -> None:
    """At a table when it is looked at and when it is done, and at a moment of a game or a study."""
    seat = min(fair.running.state.awaiting)
    player = fair.anna if seat == 1 else fair.bert
    free = next(iter(fair.running.state.board.hex_at))
    attempt = {"type": "found", "seat": seat, "at": free, "source": free}
    for path in (
        "/api/games/running/preview",
        f"/api/games/running/actions?version={len(fair.running.events)}",
        "/api/notebooks/game/over/choices/-/-?number=3",
        "/api/notebooks/study/s1/choices/c1/-?number=3",
        "/api/notebooks/game/over/lines",
        "/api/notebooks/study/s1/lines",
    ):
        line = {"at": {"number": 3}, "move": {"action": attempt}, "cards": "as-they-were"}
        line |= {"title": "Instead", "chapter": "c1" if "/study/" in path else ""}
        refused = player.ask("POST", path, line if path.endswith("/lines") else attempt)
        assert refused.status_code == 409, refused.text
        got = player.get(refused.json["test"])
        assert got.headers["Content-Type"] == "application/toml"
        case = read_case(got.data)
        assert (case.then.legal, case.then.refused) == (False, refused.json["code"])
        assert judge_case(case) == []
        assert b"Anna" not in got.data


def test_what_is_refused_in_a_line_is_a_test_of_the_line(fair: Fair) -> None:
    lines = "/api/notebooks/game/over/lines"
    other = {"at": {"number": 3}, "move": {"bot": "random", "turns": 1}, "cards": "as-they-were"}
    made = fair.anna.post(lines, {**other, "title": "Other"}).json
    seat = fair.over.events[3].seat  # type: ignore[union-attr]
    tried = {"action": {"type": "gold", "seat": seat}}
    for path in ("lines/{id}/moves", "choices/-/{id}?number={last}"):
        body = tried if path.endswith("moves") else tried["action"]
        refused = fair.anna.post(f"/api/notebooks/game/over/{path.format(**made)}", body)
        assert refused.status_code == 409, refused.text
        case = read_case(fair.anna.get(refused.json["test"]).data)
        assert case.then.refused == refused.json["code"] == "not-awaited"
        assert len(case.events()) == made["last"]
        assert judge_case(case) == []


def test_what_is_no_moment_is_said(fair: Fair) -> None:
    assert fair.anna.get("/replay/over/9999/moment.case.toml").status_code == 404
    first = fair.anna.get("/replay/over/1/moment.case.toml")
    assert first.status_code == 409
    assert "from 2 to" in first.text


def test_of_a_running_game_the_secret_stays(fair: Fair) -> None:
    start = fair.running.events[1]
    for path in ("3/moment.case.toml", "2/moment.case.toml?cards=open", "report.case.toml"):
        got = fair.bert.get(f"/replay/running/{path}")
        assert got.status_code == 200
        assert start.secret not in got.text  # type: ignore[union-attr]
        assert judge_case(read_case(got.data)) == []


@pytest.mark.parametrize(
    ("path", "report"),
    [
        ("/table/over", "/replay/over/report.case.toml"),
        ("/table/over/parts", "/replay/over/report.case.toml"),
        ("/table/over/plans", "/replay/over/report.case.toml"),
        ("/replay/over/31", "/replay/over/report.case.toml"),
        ("/replay/over/review", "/replay/over/report.case.toml"),
        ("/study/s1/c1/31", "/study/s1/c1/report.case.toml"),
        ("/study/s1/c1/guess/31", "/study/s1/c1/report.case.toml"),
        ("/api/games/over/story", "/replay/over/report.case.toml"),
        ("/api/notebooks/game/over", "/replay/over/report.case.toml"),
        ("/api/notebooks/study/s1/choices/c1/-?number=3", "/study/s1/c1/report.case.toml"),
    ],
)
def test_wherever_a_game_breaks_its_report_is_offered(
    path: str, report: str, fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair.app.config["PROPAGATE_EXCEPTIONS"] = False

    def broken() -> None:
        raise KeyError("anything")

    with monkeypatch.context() as patch:
        patch.setitem(fair.app.before_request_funcs, None, [broken])
        answer = fair.anna.get(path)
        assert answer.status_code == 500
        found = answer.json["link"] if path.startswith("/api/") else answer.text
        assert report in found
    fair.app.config["PROPAGATE_EXCEPTIONS"] = None
    case = read_case(fair.anna.get(report).data)
    assert judge_case(case) == []
    assert b"Anna" not in write_case(case)


def test_whatever_breaks_offers_a_report_that_fails_until_it_is_mended(
    fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair.app.config["PROPAGATE_EXCEPTIONS"] = False
    own, then = folding.APPLY[TakeGold]

    def broken(*_: object) -> None:
        raise KeyError("gold")

    fair.services.replays._replays.drop("running")
    with monkeypatch.context() as patch:
        patch.setitem(folding.APPLY, TakeGold, (broken, then))
        page = fair.anna.get("/replay/running")
        assert page.status_code == 500
        assert 'href="/replay/running/report.case.toml"' in page.text
        answer = fair.anna.get("/api/games/running/course")
        report = fair.anna.get("/replay/running/report.case.toml")
        assert report.status_code == 200
        case = read_case(report.data)
        assert case.when.words.endswith("takes 2 gold.")
        assert judge_case(case)[-1] == "But now: It is refused: KeyError: 'gold' (broken)"
    assert answer.status_code in (200, 500)
    assert own is folding.APPLY[TakeGold][0]
    assert judge_case(case) == []
    assert fair.running.events[1].secret not in report.text  # type: ignore[union-attr]
    fair.app.config["PROPAGATE_EXCEPTIONS"] = None
