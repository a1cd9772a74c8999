"""Time at the tables: clocks, the referee, rest, pages; each thing once, whoever looks and dies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.types import HandOver
from projections.clocks.rest import DAY, HOUR
from tests.web.pace.pacing import BANK, BOT, REMIND, VOTE, PacedTown, absent_and_others, days
from tests.web.world import Someone, bot_turn
from web.pace.due import DueClocks
from web.pace.referee import Referee
from web.site.problems import Problem


def test_a_clock_runs_for_who_is_waited_for_and_earns_by_deciding(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    town.pass_time(20 * HOUR)
    shown = town.clocks(game)["clocks"]
    assert (shown[seat - 1]["left"], shown[seat - 1]["ticking"]) == (BANK - 20 * HOUR, "running")
    assert (shown[2 - seat]["left"], shown[2 - seat]["ticking"]) == (BANK, "standing")
    assert shown[seat - 1]["until"] == town.time + BANK - 20 * HOUR
    town.act(game)
    assert town.left(game, seat) == BANK - 14 * HOUR


def test_at_zero_a_bot_takes_the_seat_once_whoever_looks(
    town: PacedTown, friends: list[Someone], tmp_path: Path
) -> None:
    """Two servers on one store, both of which have seen that the time is up."""
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    twin = PacedTown(tmp_path)
    twin.time = town.time
    town.pass_time(BANK - 1)
    twin.pass_time(BANK - 1)
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    for each in (town, twin):
        each.time += 1
    for each in (town, twin, town, twin):
        each.services.referee.tick(each.time)
    handed = [event for event in town.events(game) if isinstance(event, HandOver)]
    assert [(event.seat, event.bot, event.by) for event in handed] == [(seat, "steward", "clock")]
    assert town.clocks(game)["clocks"][seat - 1]["ticking"] == "bot"
    twin.close()


def test_a_referee_that_looked_too_early_is_not_too_late(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its look and its deed another server hands over, and the person comes back."""
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    games, version = town.services.games, 0
    real = games.act

    def meanwhile(game: str, action: Any, known: int | None = None) -> Any:
        monkeypatch.setattr(games, "act", real)
        real(game, HandOver(seat=seat, bot="steward", by="clock"))
        real(game, HandOver(seat=seat, bot=""))
        nonlocal version
        version = games.live(game).version
        return real(game, action, known)

    monkeypatch.setattr(games, "act", meanwhile)
    town.pass_time(BANK)
    assert games.live(game).version == version


def test_a_referee_finds_its_duties_again_after_a_restart(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    town.catch_up()
    town.time += BANK
    kept = town.services

    def fresh() -> Referee:
        due, clock = DueClocks(town.store), lambda: town.time
        return Referee(
            *(town.store, kept.lobby, kept.games, kept.clocks, kept.votes, kept.outbox, due, clock)
        )

    fresh().tick()
    assert [event.by for event in town.events(game) if isinstance(event, HandOver)] == ["clock"]


def test_who_comes_back_plays_on_with_what_the_bot_earned(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    seat, owner, (other,) = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    bot_turn(town.services.bots, game)
    back = {"type": "hand-over", "seat": seat, "bot": ""}
    assert other.post(f"/api/games/{game}/actions", back).status_code == 403
    assert owner.post(f"/api/games/{game}/actions", back).status_code == 201
    assert town.left(game, seat) == 6 * HOUR
    go = {"type": "hand-over", "seat": seat, "bot": "steward", "by": "clock"}
    assert owner.post(f"/api/games/{game}/actions", go).status_code == 201
    last = town.events(game)[-1]
    assert isinstance(last, HandOver)
    assert last.by == ""  # whoever plays cannot write that a clock did


def test_holidays_and_sleep_hold_from_now_on(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(REMIND, *friends[:2])
    seat, owner, _ = absent_and_others(town, game, friends)
    rests = town.services.rests
    town.pass_time(10 * HOUR)
    before = town.left(game, seat)
    rests.go(owner.id, *days(town, 0, 5))
    with pytest.raises(Problem, match="passed"):
        rests.go(owner.id, *days(town, -3, -3 + 5))
    assert town.left(game, seat) == before
    town.pass_time(DAY)
    assert town.left(game, seat) == before
    assert town.clocks(game)["clocks"][seat - 1]["ticking"] == "away"
    (holiday,) = rests.of(owner.id).holidays
    rests.come_back(owner.id, holiday.begins)
    town.pass_time(HOUR)
    assert town.left(game, seat) == before - HOUR
    with pytest.raises(Problem, match="twelve"):
        rests.choose(owner.id, "Europe/Helsinki", 0, 13 * 60)
    with pytest.raises(Problem, match="zone"):
        rests.choose(owner.id, "Atlantis/Nowhere", 0, 60)
    with pytest.raises(Problem, match="days of a year"):
        rests.go(owner.id, *days(town, 100, 150))
    for hour in range(5):
        rests.choose(owner.id, "Europe/Helsinki", 0, 60 + hour)
    with pytest.raises(Problem, match="less often"):
        rests.choose(owner.id, "Europe/Helsinki", 0, 120)
    assert town.left(game, seat) == before - HOUR


def test_what_is_kept_of_rest_and_votes_is_exported_and_forgotten(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, _, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    voter = others[0]
    town.services.rests.choose(voter.id, "Asia/Tokyo", 0, 60)
    voter.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    taken = voter.get("/account/export").json
    assert taken is not None
    assert taken["rest"]["habits"][0]["zone"] == "Asia/Tokyo"
    assert [(vote["game"], vote["seat"], vote["what"]) for vote in taken["votes"]] == [
        (game, seat, "bot")
    ]
    voter.ask("POST", "/account/delete", form={"password": "correct horse"})
    assert town.services.rests.of(voter.id).habits == ()
    assert town.services.votes.games() == []


def test_a_table_is_made_with_a_pace_by_the_form(town: PacedTown, friends: list[Someone]) -> None:
    form = {"players": "2", "pace": "own", "bank": "3", "bank_unit": "days", "increment": "90"}
    form |= {"increment_unit": "minutes", "at_zero": "vote"}
    made = friends[0].ask("POST", "/tables", form=form)
    assert made.status_code == 303
    table = town.services.lobby.get(made.location.rpartition("/")[2])
    assert table.pace is not None
    assert (table.pace.bank, table.pace.increment, table.pace.at_zero) == (3 * 24 * 60, 90, "vote")
    words = "3 days each, 1 hour, 30 minutes more per decision; then the others vote"
    for path in (made.location, "/"):
        assert words in friends[1].get(path).text
    for wrong in ({"bank": "900"}, {"pace": "warp"}, {"at_zero": "doom"}, {"increment": "0"}):
        again = friends[0].ask("POST", "/tables", form=form | wrong)
        assert again.status_code == 422
        assert 'role="alert"' in again.text
    relaxed = friends[0].ask("POST", "/tables", form={"players": "2", "pace": "relaxed"})
    table = town.services.lobby.get(relaxed.location.rpartition("/")[2])
    assert table.pace is not None
    assert (table.pace.bank, table.pace.increment) == (5 * 24 * 60, 12 * 60)


def test_the_account_page_takes_rest(town: PacedTown, friends: list[Someone]) -> None:
    anna = friends[0]
    form = {"zone": "America/New_York", "begins": "23:00", "ends": "07:30"}
    assert anna.ask("POST", "/account/rest", form=form).status_code == 303
    habit = town.services.rests.of(anna.id).habits[-1]
    assert (habit.zone, habit.begins, habit.ends) == ("America/New_York", 23 * 60, 450)
    page = anna.get("/account").text
    assert 'value="23:00"' in page
    for wrong in ({"zone": "x"}, {"begins": "25:00"}, {"ends": ""}, {"ends": "22:00"}):
        answer = anna.ask("POST", "/account/rest", form=form | wrong)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
    first, last = days(town, 3, 6)
    sent = {"first": first.isoformat(), "last": last.isoformat()}
    assert anna.ask("POST", "/account/holidays", form=sent).status_code == 303
    assert anna.ask("POST", "/account/holidays", form=sent).status_code == 409
    assert anna.ask("POST", "/account/holidays", form={"first": "x"}).status_code == 422
    (holiday,) = town.services.rests.of(anna.id).holidays
    assert "4 of 42 days" in anna.get("/account").text
    ended = anna.ask("POST", f"/account/holidays/{holiday.begins}/end", form={})
    assert ended.status_code == 303
    assert town.services.rests.of(anna.id).holidays == ()


def test_the_lobby_and_the_table_tell_the_time(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(REMIND, *friends[:2])
    seat, owner, (other,) = absent_and_others(town, game, friends)
    town.pass_time(5 * HOUR)
    assert "Your time: 1 day, 19 hours" in owner.get("/").text
    assert "Your time:" not in other.get("/").text
    mine = owner.get("/api/me/games").json
    assert mine is not None
    assert mine[0]["left"] == BANK - 5 * HOUR
    page = other.get(f"/table/{game}").text
    assert f'class="clock running" data-clock="{seat}"' in page
    assert f'class="clock standing" data-clock="{3 - seat}"' in page
    town.pass_time(40 * HOUR)
    assert 'class="your-time low"' in owner.get("/").text
    assert f'class="clock running low" data-clock="{seat}"' in other.get(f"/table/{game}").text
