"""Lists of tables and games when there are many: in order, by pages, and as the games stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.actions.legal import legal_actions
from tests.load.town import Town, fill
from tests.web.world import World
from web.lobby import page
from web.seating.new_table import NewTable


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def test_open_tables_come_by_pages_for_programs(world: World) -> None:
    fill(world.store, 250, 0, 40, waiting=250, follow=False)
    nobody = world.nobody()
    first = nobody.get("/api/tables").json
    ids = [each["id"] for each in first]
    assert len(ids) == 100
    while first:
        first = nobody.get(f"/api/tables?after={ids[-1]}").json
        ids += [each["id"] for each in first]
    # Each fourth is by invitation; the newest comes first.
    assert ids == [f"waiting-{n:06}" for n in reversed(range(250)) if n % 4 != 3]
    assert [each["id"] for each in nobody.get("/api/tables?page=2").json] == ids[100:]
    assert nobody.get("/api/tables?page=9999").json == []
    assert nobody.get("/api/tables?after=nowhere").status_code == 404
    assert nobody.get("/api/tables?after=%00").status_code == 422
    # One that came before stays a place to go on from, though somebody has sat down there.
    someone = world.person("Dora")
    assert someone.post(f"/api/tables/{ids[50]}/seats", {}).status_code == 200
    after = [each["id"] for each in nobody.get(f"/api/tables?after={ids[50]}").json]
    assert after == ids[51:151]
    assert ids[50] not in [each["id"] for each in nobody.get("/api/tables").json]


def test_a_table_moves_from_list_to_list(world: World) -> None:
    lobby, anna, bert = world.services.lobby, world.person("Anna"), world.person("Bert")
    table = lobby.create(NewTable(players=2), anna.id, "Anna")
    assert lobby.open_ids(9) == lobby.ids_of(anna.id) == [table.id]
    lobby.join(table.id, bert.id, "Bert")
    assert (lobby.open_ids(9), lobby.ids_of(bert.id)) == ([], [table.id])
    lobby.leave(table.id, anna.id)
    assert (lobby.open_ids(9), lobby.ids_of(anna.id)) == ([table.id], [])
    lobby.reseat(anna.id, "person-new")  # who made it, though they do not sit there
    assert lobby.get(table.id).creator == "person-new"
    lobby.join(table.id, anna.id, "Anna")
    lobby.mark_started(table.id)
    assert (lobby.open_ids(9), lobby.watched_ids(9)) == ([], [table.id])
    lobby.vacate(bert.id, "gone", "Anonymous")
    assert lobby.ids_of(bert.id) == lobby.ids_of("") == []
    assert [each.id for each in lobby.of("gone")] == [table.id]


@pytest.fixture
def town(world: World) -> Town:
    return fill(world.store, 40, 16, 6)


def test_games_stand_as_they_do_when_folded(
    world: World, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    standings, games = world.services.standings, [*town.running, *town.over]
    folded = {game: standings._fold(game) for game in games}
    with monkeypatch.context() as patched:
        patched.setattr(standings, "_fold", None)  # none of them need be
        assert standings.of(games) == folded


def test_running_games_are_found_behind_many_that_are_over(
    world: World, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "SHOWN", 3)
    newest = world.services.lobby.watched_ids(99)
    over = [id_ for id_ in newest if id_ in town.over]
    running = [id_ for id_ in newest if id_ in town.running]
    assert {*newest[:6]} < {*over} or {*newest[:6]} < {*running}
    with world.app.app_context():
        assert page.games_to_watch(set()) == (running[:3], over[:3])
        assert page.games_to_watch({running[0], over[1]}) == (running[1:4], [over[0], *over[2:4]])


def test_a_game_that_moved_on_stands_where_it_is(world: World, town: Town) -> None:
    """Before the read models know, and when they cannot follow it."""
    kept, game = world.services, town.running[0]
    before = kept.standings.of([game])[game]
    live = kept.games.live(game)
    seat = min(live.state.awaiting)
    kept.games.act(game, legal_actions(live.state, seat)[0])
    moved = kept.standings.of([game])[game]
    assert moved == kept.standings._fold(game) != before
    kept.projector.catch_up()
    assert kept.standings.of([game])[game] == moved
    position = kept.store.read_models.position("troubles")
    trouble = b'{"version":1,"reason":"broken"}'
    kept.store.read_models.save("troubles", position, position, {game: trouble})
    kept.store.read_models.save("scoreboard", position, position, {game: b"not even JSON"})
    assert kept.standings.of([game])[game] == moved
