"""The ends of years and of the game, as cards, and playing again with the same people."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.bots import RandomBot
from engine.effects import CitizenMoved, CitizensStarved, VoiceSpoke
from engine.selfplay import Game, new_game, play_out
from engine.walk import Walk
from engine.year_end import YearEffects
from projections.years.history import History
from projections.years.year_end import summarize_year
from tests.web.world import Someone, World, holder
from web.seating.service import Holder

FRAGMENT = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def game() -> Game:
    return play_out(new_game(3, "endings"), RandomBot(2))


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory, game: Game) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("endings"))
    people = [world.person(name) for name in ("Anna", "Bert")]
    holders = [holder(each, name) for each, name in zip(people, ("Anna", "Bert"), strict=True)]
    world.seat("game", game, [*holders, Holder(name="Bot 1", bot="random")])
    world.people = people  # type: ignore[attr-defined]
    yield world
    world.close()


def browser(world: World, index: int) -> Someone:
    found: Someone = world.people[index]  # type: ignore[attr-defined]
    return found


def test_every_year_s_end_is_told_as_the_story_has_it(world: World) -> None:
    live = world.services.games.live("game")
    client = world.nobody().client
    moved = starved = 0
    for year in range(1, live.state.year + 1):
        answer = client.get(f"/table/game/year/{year}", headers=FRAGMENT)
        assert answer.status_code == 200
        page = answer.get_data(as_text=True)
        assert "<html" not in page
        assert f'data-year="{year}"' in page
        rows = re.findall(r'<tr class="seat-\d.*?</tr>', page, re.DOTALL)
        assert len(rows) == 3
        moved += sum(int(n) for n in re.findall(r"[:] (\d+) citizens?, ", page))
        starved += sum(int(n) for n in re.findall(r'class="hungry">(\d+)<', page))
        page = client.get(f"/table/game/year/{year}", headers={"Accept": "text/html"}).text
        assert "<html" in page
    told = [effect for _, effects in live.story for effect in effects]
    assert moved == sum(isinstance(effect, CitizenMoved) for effect in told) > 0
    hungry = [effect.citizens for effect in told if isinstance(effect, CitizensStarved)]
    assert starved == sum(hungry) > 0
    assert sum(isinstance(effect, VoiceSpoke) for effect in told) == live.state.year
    assert client.get("/table/game/year/7").status_code == 404
    assert client.get("/table/nowhere/year/1").status_code == 404


def test_the_story_leads_to_each_year_s_end(world: World) -> None:
    page = world.nobody().client.get("/table/game").get_data(as_text=True)
    shown = re.findall(r'data-card href="(/table/game/year/\d)"', page)
    assert shown == [f"/table/game/year/{year}" for year in range(6, 6 - len(shown), -1)]
    assert len(shown) > 1


def test_the_end_of_a_game_names_the_winner_and_marks_one_s_own_row(world: World) -> None:
    state = world.services.games.live("game").state
    page = browser(world, 0).client.get("/table/game/end", headers=FRAGMENT).get_data(as_text=True)
    assert len(re.findall("<tr class=.seat-1 mine. aria-current", page)) == 1
    assert "lc-chart" in page
    assert 'data-share="ending-link"' in page
    assert 'action="/table/game/rematch"' in page
    head = re.findall("<h2[^>]*>(.*?)</h2>", page)[0]
    assert head == "You have won!" or all(state.name(winner) in head for winner in state.winners)
    assert (head == "You have won!") == (state.winners == [1])
    assert "rematch" not in world.nobody().client.get("/table/game/end").get_data(as_text=True)


def test_a_running_game_has_no_end(world: World) -> None:
    world.seat("begun", new_game(2, "begun"), [holder(browser(world, 0), "Anna")] * 2)
    assert world.nobody().client.get("/table/begun/end").status_code == 409
    assert browser(world, 0).ask("POST", "/table/begun/rematch", form={}).status_code == 409


def test_a_rematch_is_one_table_for_all_who_ask(world: World) -> None:
    anna, bert = browser(world, 0), browser(world, 1)
    lobby = world.services.lobby
    first = anna.ask("POST", "/table/game/rematch", form={})
    assert first.status_code == 303
    table = lobby.get(first.location.rsplit("/", 1)[1])
    assert not table.started
    assert not table.open
    assert [seat.name for seat in table.seats] == ["Anna", "", "Bot 1"]
    assert table.setup == lobby.get("game").setup
    # Asked again, it is the same one; the others hear of it once.
    assert anna.ask("POST", "/table/game/rematch", form={}).location == first.location
    said = list(world.services.chats.get("game").lines.values())
    assert len(said) == 1
    assert table.invitation in str(said[0].words)
    page = bert.client.get("/table/game/end").get_data(as_text=True)
    assert "Join the rematch" in page
    assert bert.ask("POST", "/table/game/rematch", form={}).location == first.location
    table = lobby.get(table.id)
    assert [seat.name for seat in table.seats] == ["Anna", "Bert", "Bot 1"]
    assert table.started
    # Whoever did not sit there is not let in.
    assert world.person("Carla").ask("POST", "/table/game/rematch", form={}).status_code == 403


def test_a_rematch_against_bots_begins_at_once(world: World, game: Game) -> None:
    carla = world.person("Carla")
    bots = [Holder(name=f"Bot {number}", bot="random") for number in (1, 2)]
    world.seat("alone", game, [holder(carla, "Carla"), *bots])
    answer = carla.ask("POST", "/table/alone/rematch", form={})
    assert world.services.lobby.get(answer.location.rsplit("/", 1)[1]).started
    assert not world.services.chats.get("alone").lines


def test_a_rematch_that_everybody_left_is_made_anew(world: World) -> None:
    anna = browser(world, 0)
    first = anna.ask("POST", "/table/game/rematch", form={}).location
    anna.ask("POST", f"{first}/leave", form={})
    second = anna.ask("POST", "/table/game/rematch", form={}).location
    assert second != first
    assert world.services.lobby.get("game").next == second.rsplit("/", 1)[1]


def test_the_history_tells_the_same_gains(game: Game) -> None:
    """What a card says of a seat is what the course of the game says of it."""
    history = History(3)
    for step in Walk(game.events, make_sink=YearEffects):
        history.note(step.effects)
    for year in history.years:
        summary = summarize_year(game.events, year.year)
        assert summary is not None
        assert [seat.now for seat in summary.seats] == year.players
        assert sum(move.citizens for move in summary.moves) == len(year.moves)
