"""Positions in which seats owe something, and a table of people who give orders."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import Game, new_game
from engine.state import State
from engine.view import view
from events.types import AnyEvent, Build, TakeGold
from tests.web.world import Someone, World, holder
from web.orders.deciding import Decision, decide
from web.orders.shapes import AnyOrder, SeatOrders, StandingOrder

GAMES = 40


@functools.cache
def moments(owed: str) -> list[tuple[list[AnyEvent], int]]:
    """Logs of games in which random bots came to where a seat owes something, and that seat."""
    found = []
    for seed in range(GAMES):
        game, bot = new_game(2 + seed % 3, f"orders/{seed}"), RandomBot(seed)
        while game.state.awaiting:
            seat = min(game.state.awaiting)
            if game.state.awaiting[seat] == owed:
                found.append((list(game.events), seat))
            game.add(bot.pick(legal_actions(game.state, seat)))
    return found


def positions(owed: str, most: int = 60) -> list[tuple[State, int]]:
    return [(fold(events), seat) for events, seat in moments(owed)[:most]]


def standing(order: AnyOrder, others: list[str] | None = None) -> StandingOrder:
    return StandingOrder(id="x", order=order, since=0, year=1, time=0, others=others or [])


def decided(s: State, seat: int, order: AnyOrder, others: list[str] | None = None) -> Decision:
    """What an order decides in a position."""
    return decide(standing(order, others), view(s, seat), s.board)


class Town(World):
    """Anna and Bert at a table, Anna to begin; Carla looks on."""

    def __init__(self, folder: Path | str, **more: Any) -> None:
        super().__init__(folder, **more)
        self.anna, self.bert, self.carla = (self.person(name) for name in ("Anna", "Bert", "Carla"))
        games = (new_game(2, f"orders/{seed}") for seed in range(20))
        self.start = next(game for game in games if min(game.state.awaiting) == 1)
        self.seat("game", self.start, [holder(self.anna, "Anna"), holder(self.bert, "Bert")])

    @property
    def state(self) -> State:
        return self.services.games.live("game").state

    @property
    def version(self) -> int:
        return self.services.games.live("game").version

    def last(self) -> AnyEvent:
        """The last event that somebody decided."""
        story = self.services.games.live("game").story
        return next(event for event, _ in reversed(story) if getattr(event, "seat", 0))

    def stored(self, seat: int = 1) -> SeatOrders:
        return self.services.orders.stored("game", seat)

    def why(self, seat: int = 1) -> str:
        """Why the last order of a seat ended."""
        return self.stored(seat).ended[0].ending.code

    def order(self, who: Someone, body: Any) -> Any:
        answer = who.ask("PUT", "/api/games/game/orders", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json

    def run(self) -> int:
        return self.services.order_runner.run_once()

    def gold(self, seat: int) -> None:
        """A seat takes gold by itself."""
        self.services.games.act("game", TakeGold(seat=seat))

    def play_until(self, owed: str, seat: int, *, run: bool = False) -> None:
        """Random bots' choices for everyone, until a seat owes something."""
        bot = RandomBot(7)
        while self.state.awaiting.get(seat) != owed:
            first = min(self.state.awaiting)
            self.services.games.act("game", bot.pick(legal_actions(self.state, first)))
            if run:
                self.run()


def put_at(world: World, owed: str, people: list[Someone], name: str = "at") -> tuple[str, int]:
    """A game of two in which a seat owes something, on the table of these people."""
    events, seat = next((log, seat) for log, seat in moments(owed) if len(fold(log).seats) == 2)
    game = Game.__new__(Game)
    game.events, game.state = list(events), fold(events)
    return world.seat(name, game, [holder(who, str(n)) for n, who in enumerate(people)]), seat


def farm_at(s: State, seat: int) -> Build:
    """A farm that a seat could build."""
    found = [
        action
        for action in legal_actions(s, seat)
        if isinstance(action, Build) and action.building == "farm" and action.card == "action"
    ]
    return found[0]


def politics(*turns: list[Any], **more: Any) -> dict[str, Any]:
    """A political order as it is sent; a step is an action or an action with conditions."""

    def step(given: Any) -> Any:
        action, only = given if isinstance(given, tuple) else (given, {})
        return {"action": msgspec.to_builtins(action), "only": only}

    return {"kind": "politics", "turns": [[step(each) for each in turn] for turn in turns], **more}
