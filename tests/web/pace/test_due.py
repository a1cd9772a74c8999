"""The referee looks at the games that are due or have moved, and at no other."""

from __future__ import annotations

import pytest

from projections.readmodels.lists import count_games, listed_games, make_lists
from tests.load.town import fill
from tests.web.pace.pacing import PacedTown, absent_and_others, days
from tests.web.world import Someone
from web.pace.due import DueClocks
from web.pace.referee import Referee

REMIND = {"bank": 1440, "increment": 60, "at_zero": "remind"}
VOTE = {"bank": 1440, "increment": 60, "at_zero": "vote"}
BANK = 1440 * 60_000


def looked(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    games: list[str] = []
    look = referee._look

    def noted(game: str, now: int) -> int | None:
        games.append(game)
        return look(game, now)

    monkeypatch.setattr(referee, "_look", noted)
    return games


def restarted(town: PacedTown) -> Referee:
    kept = town.services
    places = kept.lobby, kept.games, kept.clocks, kept.votes, kept.outbox
    return Referee(town.store, *places, DueClocks(town.store), lambda: town.time)


def test_after_a_restart_only_what_is_due_or_has_moved_is_looked_at(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = town.paced(REMIND, *friends[:2]), town.paced(REMIND, *friends[2:])
    town.paced(None, *friends[:2])
    town.pass_time(0)
    again = restarted(town)
    games = looked(again, monkeypatch)
    again.tick()
    assert games == []
    town.act(second)
    third = restarted(town)
    games = looked(third, monkeypatch)
    third.tick()
    assert games == [second]
    town.time += BANK
    third.tick()
    assert sorted(games[1:]) == sorted((first, second))


def test_a_rest_concerns_the_games_of_whoever_rests(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = town.paced(REMIND, *friends[:2])
    town.paced(REMIND, *friends[2:])
    town.pass_time(0)
    games = looked(town.services.referee, monkeypatch)
    town.services.rests.go(friends[0].id, *days(town, 0, 1))
    town.pass_time(0)
    assert games == [first]
    # Noted by a server that died before it could say for which games that matters.
    monkeypatch.setattr(town.services.rests, "changed", lambda person: None)
    town.services.rests.choose(friends[2].id, "UTC", 60, 120)
    again = restarted(town)
    games = looked(again, monkeypatch)
    again.tick()
    assert len(games) == 2


def test_votes_that_lapsed_are_not_kept(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, _, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    others[0].post(f"/api/games/{game}/votes", {"seat": seat, "what": "decide"})
    town.pass_time(0)
    assert town.services.votes.games() == [game]
    town.act(game)
    town.pass_time(0)
    assert town.services.votes.games() == []


def test_a_store_from_before_is_looked_through_once(
    town: PacedTown, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = fill(town.store, 30, 12, 8)
    models, referee = town.store.read_models, town.services.referee
    lists = {name: list(listed_games(models, name)) for name in ("running", "bots", "people")}
    assert lists == {"running": filled.running, "bots": [], "people": filled.running}
    models.relist("waiting", models.position("waiting"), "of another release", {})
    make_lists(models)
    assert list(listed_games(models, "people")) == filled.running
    town.services.projector.rebuild()
    assert {name: list(listed_games(models, name)) for name in lists} == lists
    assert count_games(models, "running") == 12
    games = looked(referee, monkeypatch)
    referee.tick()
    assert games == filled.running
    referee.tick()
    assert len(games) == 12
