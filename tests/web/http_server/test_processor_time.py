"""No request computes for long in the thread that answers it: that is done elsewhere.

Asked for is everything there is, on a large table: five players in the middle of their game, a long
game that is over, one as long as a file can bring, a full plan, a full notebook.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from engine.bots import ask, make_bot
from engine.copying import copy_state
from engine.selfplay import Game, new_game, play_out
from engine.turn import play
from events.types import AnyEvent, AskTakeBack, TakeGold
from replays.files.stores import MAX_EVENTS
from replays.notes.annotations import Author, Content, Noted, Place
from replays.whatif.plans import MAX_STEPS, Plan, PlanStep, bare
from tests.web.access.test_permissions import TABLE, Row, Town
from web.jobs.pool import Done, Task, execute
from web.plans.service import Folder
from web.site.cache import Cache

pytestmark = pytest.mark.long
PLAIN = "GET /table/<id_>"
"""What everything is measured by: the page of a table."""
MOST = 5.0
"""So many times as long as for that a request may compute."""
EVENTS, NOTES = 60, 150
LINES = "/api/notebooks/game/done/lines"
PRINCE = {"bot": "prince", "turns": 4}
COSTLY = {
    "POST a prince's line": Row(
        LINES,
        [],
        json={"at": {"number": 20}, "cards": "as-they-were", "move": PRINCE},
    ),
    "POST a prince's line, dealt anew": Row(LINES, [], json={"at": {"number": 90}, "move": PRINCE}),
    "GET a prince's hint": Row("/api/games/game/hint?seat=1&bot=prince", []),
    "GET the game as a page": Row("/replay/done/game.html", []),
    "GET the game as a picture": Row("/replay/done/100/picture.png", []),
    "GET the game in notation": Row("/replay/done/game.txt", []),
    "GET other rules": Row("/replay/done/under/flush/50", []),
    "GET a game as long as can be": Row("/replay/long", []),
    "GET a moment of it": Row("/replay/long/3000", []),
    "GET two moments of it": Row("/replay/long/compare?a=5&b=4000", []),
    "GET its course": Row("/api/games/long/course", []),
    "GET its notes": Row("/api/notebooks/game/long", []),
    "GET all plans": Row("/api/games/game/plans?seat=1", []),
    "GET the plans' page": Row("/table/game/plans?seat=1", []),
}
"""What takes long altogether."""


class ThreadPool:
    """Computes beside the requests, as processes would."""

    size = 2

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        future: Future[Done] = Future()
        threading.Thread(target=lambda: future.set_result(execute(task, args)), daemon=True).start()
        return future

    def stop(self) -> None:
        pass


def half_played() -> Game:
    game, bot = new_game(5, "processor", setup="expert"), make_bot("steward", 1)
    while len(game.events) < EVENTS or min(game.state.awaiting) != 1:
        game.add(ask(bot, game.state, min(game.state.awaiting)))
    return game


def taken_back_for_ever() -> list[AnyEvent]:
    """As many events as a file may hold."""
    game = new_game(2, "long")
    seat = min(game.state.awaiting)
    pair = [TakeGold(seat=seat), AskTakeBack(seat=seat)]
    return [*game.events, *pair * ((MAX_EVENTS - len(game.events)) // 2)]


def long_plan(game: Game) -> Plan:
    """What a steward would do at seat 1 for as long as a plan has room."""
    s, bot, steps = copy_state(game.state), make_bot("steward", 2), list[PlanStep]()
    while s.awaiting and len(steps) < MAX_STEPS:
        seat = 1 if 1 in s.awaiting else min(s.awaiting)
        action = ask(bot, s, seat)
        if seat == 1:
            steps.append(PlanStep(len(steps) + 1, bare(action)))
        play(s, action)
    return Plan(1, "Mine", len(game.events), steps, len(steps))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    game = half_played()
    done = play_out(new_game(5, "done", setup="expert"), make_bot("steward", 3))
    folder: Path = tmp_path_factory.mktemp("processor")
    town = Town(folder, game=game, done=done, pool=ThreadPool())
    town.store.append("long", 0, taken_back_for_ever())
    anna = town.people["owner"].id
    plan = long_plan(game)
    plans = Folder([plan], deleted=[Plan(2, "Gone", 2)], last_id=2)
    town.services.plans.change(anna, "game", 1, lambda _: plans)
    by, content = Author(name="Anna", person=anna), Content(text="**So** it [was](/rules). " * 20)
    for number in range(NOTES):
        at = Place(number=2 + number % EVENTS)
        note = Noted(by=by, note=f"m{number}", at=at, content=content, seen_by="all")
        town.services.notebooks.write("game/game", lambda _, note=note: note)  # type: ignore[misc]
    yield town
    town.close()


def forget(town: Town) -> None:
    """As after a restart, but for what every page shares."""
    for service in vars(town.services).values():
        for kept in vars(service).values() if hasattr(service, "__dict__") else ():
            if isinstance(kept, Cache):
                kept._values.clear()


def computed(town: Town, rule: str, row: Row) -> float:
    """The longest that a thread computed for one answer, until all was there."""
    forget(town)
    longest, until = 0.0, time.monotonic() + 60
    while time.monotonic() < until:
        start = time.thread_time()
        status = town.ask(town.people["owner"], rule.split(" ")[0], row)
        longest = max(longest, time.thread_time() - start)
        if status != 202:
            assert rule not in COSTLY or status in (200, 201)
            return longest
        time.sleep(0.02)
    raise AssertionError("it is never there")


def test_no_request_computes_for_long(town: Town) -> None:
    reading = {rule: row for rule, row in TABLE.items() if rule.startswith("GET")}
    writing = {rule: row for rule, row in TABLE.items() if rule not in reading}
    took: dict[str, float] = {}
    for rows in (reading | COSTLY, writing):
        for rule, row in rows.items():
            # The first time loads templates and the like.
            took[rule] = min([computed(town, rule, row) for _ in range(3)][1:])
    most = MOST * took[PLAIN]
    worst = sorted(took.items(), key=lambda each: -each[1])
    for rule, seconds in worst[:10]:
        print(f"{1000 * seconds:6.1f} ms {rule}")
    assert [rule for rule, seconds in worst if seconds > most] == []
