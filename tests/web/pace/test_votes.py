"""Votes about who lets the others wait: carried once, lapsed with the first own action."""

from __future__ import annotations

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import DEFAULT_BOT, make_bot
from engine.chance.dealer import bot_seed
from engine.view import view
from events.types import HandOver, Turn
from projections.clocks.rest import DAY, HOUR
from tests.web.notices.mailing import MINUTE
from tests.web.pace.pacing import BANK, VOTE, PacedTown, absent_and_others, days
from tests.web.world import Someone


def test_a_vote_has_one_decision_made_by_what_the_seat_may_know(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(VOTE, *friends)
    seat, owner, others = absent_and_others(town, game, friends)
    votes = f"/api/games/{game}/votes"
    town.pass_time(BANK - 1)
    assert others[0].post(votes, {"seat": seat, "what": "decide"}).status_code == 409
    town.pass_time(1)
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    live = town.services.games.live(game)
    version = live.version
    bot = make_bot(DEFAULT_BOT, bot_seed(live.state, version, seat))
    expected = bot.choose(view(live.state, seat), live.state.board, legal_actions(live.state, seat))
    assert owner.post(votes, {"seat": seat, "what": "decide"}).status_code == 403
    first = others[0].post(votes, {"seat": seat, "what": "decide"})
    assert first.json is not None
    (motion,) = first.json["votes"]
    assert (motion["needed"], motion["mine"], len(motion["votes"])) == (2, "decide", 1)
    others[0].post(votes, {"seat": seat, "what": "decide"})
    (motion,) = town.clocks(game)["votes"]
    assert motion["votes"] == [{"name": motion["votes"][0]["name"], "what": "decide"}]
    assert live.version == version
    carried = others[1].post(votes, {"seat": seat, "what": "bot"})  # who wants more wants this, too
    assert carried.status_code == 200
    made = town.events(game)[version]
    assert isinstance(made, Turn)
    assert msgspec.structs.replace(made, time=0) == msgspec.structs.replace(expected, by="vote")
    assert town.left(game, seat) == 6 * HOUR
    assert town.services.votes.games() == []
    story = owner.get(f"/api/games/{game}/story?after={version}").json
    assert story is not None
    assert len(story["lines"][0]["sentences"]) >= 2


def test_a_vote_puts_a_bot_on_the_seat(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, _, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    for other in others:
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    last = town.events(game)[-1]
    assert isinstance(last, HandOver)
    assert (last.seat, last.by) == (seat, "vote")


def test_a_vote_lapses_when_the_absent_one_acts(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, owner, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    for what in ("decide", "nothing", "bot"):
        others[0].post(f"/api/games/{game}/votes", {"seat": seat, "what": what})
    act = msgspec.to_builtins(legal_actions(town.services.games.live(game).state, seat)[0])
    assert owner.post(f"/api/games/{game}/actions", act).status_code == 201
    assert town.clocks(game)["votes"] == []
    late = others[1].post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert late.status_code == 409
    # The next time that this seat has no time left, the old vote counts for nothing.
    while town.owing(game) != seat:
        town.act(game)
    town.pass_time(BANK)
    (motion,) = town.clocks(game)["votes"]
    assert motion["votes"] == []


def test_a_carried_vote_whose_server_died_is_carried_out_by_the_referee(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = town.paced(VOTE, *friends[:2])
    seat, _, (other,) = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    with monkeypatch.context() as dying:
        dying.setattr(town.services.votes, "carry_out", lambda game, now=None: False)
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    for _ in range(3):
        town.services.referee.tick(town.time)
    assert [e.by for e in town.events(game) if isinstance(e, HandOver)] == ["vote"]


def test_without_a_pace_three_days_are_long_enough(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(None, *friends[:3])
    seat, owner, others = absent_and_others(town, game, friends)
    town.services.rests.go(owner.id, *days(town, 1, 2))
    town.pass_time(3 * DAY + MINUTE)
    assert town.clocks(game) | {"now": 0, "version": 0} == {
        "version": 0,
        "now": 0,
        "pace": None,
        "clocks": [],
        "votes": [],
    }, "two days of holiday do not count"
    town.pass_time(2 * DAY)
    (motion,) = town.clocks(game)["votes"]
    assert motion["options"] == ["bot"]
    decide = others[0].post(f"/api/games/{game}/votes", {"seat": seat, "what": "decide"})
    assert decide.status_code == 409
    for other in others:
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert town.services.games.live(game).state.players[seat].bot == "steward"
