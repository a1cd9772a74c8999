"""The replay viewer's pages: every moment, no further than stored, no more than may be known."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.bots import RandomBot
from engine.chance.resample import resample
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import position
from engine.state import State
from engine.view import SPECTATOR, view
from events.store.protocol import Store
from events.types import AnyEvent, Poll
from tests.amounts import one_in
from tests.waiting import PATIENCE
from tests.web.access.test_leaks import Twins, twins_in
from tests.web.world import Someone, World, holder, put_table, table_of
from web.drawing.charts import Series, line_chart
from web.games import replays
from web.games.replays import Replays
from web.site.problems import Problem


@pytest.fixture(scope="module")
def finished() -> Game:
    return play_out(new_game(3, "replays"), RandomBot(4))


@pytest.fixture
def world(tmp_path: Path, finished: Game) -> Iterator[World]:
    made = World(tmp_path)
    anna, bert, carla = (made.person(name) for name in ("Anna", "Bert", "Carla"))
    made.anna = anna  # type: ignore[attr-defined]
    seats = [holder(anna, "Anna"), holder(bert, "Bert"), holder(carla, "Carla")]
    made.seat("over", finished, seats)
    half = Game.__new__(Game)
    half.events = finished.events[: len(finished.events) // 2]
    half.state = fold(half.events)
    made.seat("half", half, seats)
    # As `lacitta import` leaves it: a game without a table.
    made.store.append("imported", 0, finished.events)
    table = table_of("waiting", half, seats)
    put_table(made.store, msgspec.structs.replace(table, started=False))
    yield made
    made.close()


def test_every_moment_has_a_page_that_works_without_scripts(world: World, finished: Game) -> None:
    """From the first moment the links lead on, turn by turn, to the end."""
    nobody, seen = world.nobody(), list[int]()
    at = f"/replay/over/{len(finished.events) - 30}"
    while at:
        page = nobody.get(at)
        assert page.status_code == 200
        seen.append(int(re.search(r'data-number="(\d+)"', page.text)[1]))  # type: ignore[index]
        tags = re.findall(r'<a [^>]*data-step="turn-on"[^>]*>', page.text)
        found = re.search(r'href="([^"]+)"', tags[0])
        at = found[1] if found else ""
    assert seen[-1] == len(finished.events)
    assert seen == sorted(set(seen))
    assert len(seen) > 10
    assert (
        nobody.get("/replay/over").text.count(f'data-replay="over" data-number="{seen[-1]}"') == 1
    )


def test_a_part_is_what_the_page_shows(world: World) -> None:
    part = world.nobody().get("/replay/over/40/parts")
    page = world.nobody().get("/replay/over/40")
    assert part.text.strip() in page.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/replay/nowhere", 404),
        ("/replay/no%20id/1", 404),
        ("/replay/waiting/1", 409),
        ("/replay/over/0", 404),
        ("/replay/over/999999", 404),
        ("/replay/over/999999/parts", 404),
        ("/replay/over/compare?a=x", 404),
        ("/replay/over/compare?a=0", 404),
        ("/replay/over/compare?b=٣", 404),
        ("/replay/over/1?seat=²", 200),
        ("/replay/imported/7", 200),
        ("/replay/imported/compare?a=3&b=70", 200),
        ("/api/games/over/moments/x", 404),
        ("/api/games/over/moments/9?seat=2", 403),
        ("/api/games/over/moments/9?revealed=2", 422),
        ("/api/games/imported/moments/9", 200),
        ("/api/games/imported/course", 200),
    ],
)
def test_what_does_not_exist_is_said(world: World, path: str, status: int) -> None:
    assert world.nobody().get(path).status_code == status


def test_numbers_can_be_asked_why(world: World) -> None:
    text = world.nobody().get("/replay/over/60/parts").text
    asked = set(re.findall(r'data-why="([^"]+)"', text))
    kinds = {re.sub(r"[a-z]\d+", "CITY", re.sub(r"(?<=/)\d", "SEAT", why)) for why in asked}
    assert kinds == {
        "points/SEAT",
        "gold/SEAT",
        "food/SEAT",
        "score/SEAT/citizens",
        "score/SEAT/cities",
        "score/SEAT/hunger",
        "citizens/CITY",
        "service/CITY/culture",
        "service/CITY/education",
        "service/CITY/health",
    }


def test_hidden_cards_are_shown_after_the_end_and_only_then(world: World) -> None:
    """The same moment of the same game, once over and once still running."""

    def hidden(path: str) -> int:
        return world.nobody().get(path).text.count("voice-hidden")

    first_round = next(n for n in range(2, 30) if hidden(f"/replay/over/{n}/parts") == 3)
    assert hidden(f"/replay/over/{first_round}/parts?cards=open") == 0
    assert hidden(f"/replay/half/{first_round}/parts?cards=open") == 3
    for game, count in (("over", 0), ("half", 3)):
        answer = world.nobody().get(f"/api/games/{game}/moments/{first_round}?revealed=1").json
        assert answer is not None
        assert answer["view"]["voice"][-1].count("?") == count
        assert bool(answer["view"]["secret"]) == (game == "over")
    assert "The pile from the top" in world.nobody().get("/replay/over/9?cards=open").text
    assert "The pile from the top" not in world.nobody().get("/replay/half/9?cards=open").text
    # The switch is offered where it works, and every link keeps it.
    assert "Show hidden cards" not in world.nobody().get("/replay/half/9").text
    assert "Show hidden cards" in world.nobody().get("/replay/over/9").text
    links = re.findall(
        r'href="/replay/over/\d+([^"]*)"', world.nobody().get("/replay/over/9?cards=open").text
    )
    links = [each for each in links if not each.startswith(("/picture", "/moment.case"))]
    assert links.count("?cards=open") >= len(links) - 1


def test_two_moments_differ_in_words_and_marks(world: World) -> None:
    text = world.nobody().get("/replay/over/compare?a=10&b=80").text
    assert text.count("<svg") >= 2
    assert "has in addition" in text
    assert 'class="hex built' in text
    assert re.search(r'class="hex [^"]*\bnew\b', text)
    assert re.search(r'class="hex [^"]*\bnote-green\b', text)
    # Each side is stepped by itself.
    on = world.services.replays.get("over").steps(10)["turn-on"]
    assert f'href="/replay/over/compare?a={on}&amp;b=80"' in text
    assert "a=10&amp;b=" in text
    same = world.nobody().get("/replay/over/compare?a=10&b=10").text
    assert "Nothing on the table differs." in same


def test_tables_and_lobby_lead_to_the_viewer(world: World) -> None:
    anna: Someone = world.anna  # type: ignore[attr-defined]
    assert 'href="/replay/over/1"' in anna.get("/").text
    assert 'href="/replay/half' not in anna.get("/").text
    lobby = world.nobody().get("/").text
    assert "Finished games to look through" in lobby
    assert 'href="/replay/over/1"' in lobby
    assert 'href="/table/half"' in lobby
    assert 'href="/table/over"' not in lobby
    assert 'href="/replay/over/1"' in anna.get("/table/over").text
    assert 'href="/replay/half"' in anna.get("/table/half").text
    assert 'href="/table/half"' in anna.get("/replay/half").text
    assert 'href="/table/' not in anna.get("/replay/imported").text


@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_no_moment_of_a_running_game_depends_on_hidden_cards(seed: int, tmp_path: Path) -> None:
    """Every moment as facts, some as pages; two moments together; the charts."""
    real, s, poller = polled(seed)
    rng = random.Random(seed)
    with twins_in(tmp_path / "twins") as twins:
        for seat in (SPECTATOR, poller):
            other = resample(real, s, rng, seat)
            # The guard: without it, equal answers would prove nothing.
            assert position(s) != position(fold(other))
            id_ = twins.seat(real, other)
            ask_everywhere(twins, id_, seat, len(real))


def test_a_seat_sees_what_it_has_polled_from_then_on(tmp_path: Path) -> None:
    """The proof above is not empty: each moment shows what its viewer knew at that moment."""
    real, _, poller = polled(0)
    with twins_in(tmp_path / "twins") as twins:
        id_ = twins.seat(real, real)
        hidden = [
            twins.ask(who, "GET", f"/replay/{id_}/{number}/parts").count(b"voice-hidden")
            for who in (twins.people[poller - 1], twins.spectator)
            for number in (len(real) - 1, len(real))
        ]
    assert hidden in ([3, 1, 3, 3], [3, 0, 3, 3])


def polled(seed: int) -> tuple[list[AnyEvent], State, int]:
    """A game up to a poll in its third year or later whose cards are hidden from the others."""
    for number in range(100):
        game = new_game(2 + seed, f"moments/{seed}/{number}")
        events = play_out(game, RandomBot(seed)).events
        for count, event in enumerate(events, 1):
            s = fold(events[:count]) if isinstance(event, Poll) and count > 40 else None
            if s and s.phase == "politics" and not s.chance and s.year > 2:
                assert isinstance(event, Poll)
                return events[:count], s, event.seat
    raise AssertionError("nobody polled")


def ask_everywhere(twins: Twins, id_: str, seat: int, last: int) -> None:
    who = twins.people[seat - 1] if seat else twins.spectator
    for number in range(1, last + 1):
        twins.ask(who, "GET", f"/api/games/{id_}/moments/{number}?revealed=1")
        if number % 9 == 0 or number == last:
            twins.ask(who, "GET", f"/replay/{id_}/{number}/parts?cards=open")
    for path in (
        f"/replay/{id_}",
        f"/replay/{id_}/compare?cards=open",
        f"/replay/{id_}/compare?a={last}&b=5",
        f"/api/games/{id_}/course",
    ):
        twins.ask(who, "GET", path)


def test_a_replay_is_never_ahead_of_the_store_and_keeps_up(
    store: Store, finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Replays(store)
    with pytest.raises(Problem):
        kept.get("g")
    for upto in (30, 31, 70, len(finished.events)):
        start = len(store.read("g"))
        store.append("g", start, finished.events[start:upto])
        replay = kept.get("g")
        assert replay.last == upto
        assert replay.over == (upto == len(finished.events))
        assert replay.timeline().points[-1].number <= upto
        assert view(replay.at(upto)) == view(fold(finished.events[:upto]))
    monkeypatch.setattr(replays, "KEPT", 2)
    kept = Replays(store)
    for name in ("a", "b", "c"):
        store.append(name, 0, finished.events[:9])
        kept.get(name)
    assert len(kept._replays) == 2
    assert kept.get("g").last == len(finished.events)


def test_many_threads_look_through_a_game_that_grows(store: Store, finished: Game) -> None:
    kept, wrong = Replays(store), list[BaseException]()
    store.append("g", 0, finished.events[:20])
    done = threading.Event()

    def look(seed: int) -> None:
        rng = random.Random(seed)
        try:
            while not done.is_set():
                replay = kept.get("g")
                number = rng.randint(1, replay.last)
                assert replay.moment(number).number == number
                moment = replay.moment(number)
                assert replay.at(number).year == moment.year + moment.ended
                replay.steps(number)
                replay.timeline()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=look, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for upto in range(20, len(finished.events), 6):
        store.append("g", upto, finished.events[upto : upto + 6])
    done.set()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert not wrong
    assert kept.get("g").last == len(finished.events)


def test_points_that_would_hide_each_other_step_aside() -> None:
    lines = [Series(seat=seat, values=[4, seat]) for seat in (1, 2, 3)]
    drawn = line_chart(
        lines, ["Year 1", "<now>"], lambda i, p: f"{i}&{p}", lambda p: f"/replay/g/{p}"
    )
    assert "&lt;now&gt;" in drawn
    centres = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="8"', drawn)
    assert len(set(centres)) == 6
    assert {y for _, y in centres[::2]} == {centres[0][1]}
    assert len(set(re.findall(r'stroke-dasharray="([^"]+)"', drawn))) == 2
    assert drawn.count("<a href=") == 8
