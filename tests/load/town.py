"""A store full of people and tables, made in bulk, for tests of how a server bears many of them.

    with open_store(url) as store:
        town = fill(store, tables=10_000, running=2_000, people=1_000)
    town.people[0].token, town.running[0], town.seats["running-000000"]

Of the tables that do not run, some wait for players and the others are over. Everybody sits at
about as many tables as everybody else. The same arguments give the same ids, tokens and logs; a
store can be filled once. As a command: `python -m tests.load.town URL TABLES RUNNING PEOPLE`.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TypeVar

import msgspec

from engine.bots import RandomBot, ask
from engine.selfplay import Game, new_game
from events.chain import GENESIS, chain_on
from events.codec import encode_event
from events.record import Record
from events.store.collection import Collection
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, GameOpened, Resign, Seat
from projections.clocks.clock import Pace
from tests.web.world import CHEAP, PASSWORD
from web.accounts.account import Account, Token, Webhook
from web.accounts.keys import token_key
from web.accounts.service import People
from web.app import create_app
from web.seating.service import Holder, Table, stored_tables
from web.services import Services

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
MINUTE = 60_000
BATCH = 2_000
"""Documents, or games, that are stored at once."""
PATTERNS = 12
"""Different games, of which all others are copies under other names."""
PACE = Pace(bank=30 * 24 * 60, increment=24 * 60)


@dataclass(frozen=True)
class Citizen:
    """Somebody with an account; the password is `tests.web.world.PASSWORD`."""

    id: str
    name: str
    token: str


@dataclass(frozen=True)
class Town:
    """Who and what a store was filled with: people, and the ids of tables by what they do."""

    people: list[Citizen]
    running: list[str]
    over: list[str]
    waiting: list[str]
    seats: dict[str, list[Citizen | None]] = field(repr=False)
    """Who sits at a table, seat by seat; nobody where a bot sits or the seat is free."""
    owing: dict[str, list[int]] = field(repr=False)
    """The seats of people whose decision a running game waits for."""


def fill(
    store: Store,
    tables: int,
    running: int,
    people: int,
    *,
    waiting: int | None = None,
    events: int = 20,
    told: int = 0,
    bots: bool = True,
    follow: bool = True,
) -> Town:
    """Fill an empty store.

    `waiting`: how many tables wait for players (a tenth of those that do not run).
    `events`: about how long the log of a running game is; those that are over are short.
    `told`: how many people have a webhook, so that letters are made for them.
    `bots`: whether a bot sits at every third table; none of them owes a turn.
    `follow`: whether the read models and the outbox are brought up to the log.
    """
    waiting = (tables - running) // 10 if waiting is None else waiting
    now = int(time.time() * 1000)
    citizens = [Citizen(f"person-{n:016x}", f"Citizen {n}", f"load-{n}") for n in range(people)]
    app = create_app(store, hasher=CHEAP, limits=False, run_bots=False)
    kept: Services = app.extensions["lacitta"]  # an outbox tells of what comes after it alone
    put_people(store, citizens, told)
    town = Town(
        citizens,
        [f"running-{n:06}" for n in range(running)],
        [f"over-{n:06}" for n in range(tables - running - waiting)],
        [f"waiting-{n:06}" for n in range(waiting)],
        {},
        {},
    )
    going = [begun_game(n, events, bots) for n in range(PATTERNS)]
    ended = [ended_game(n) for n in range(PATTERNS)]
    plan = [
        *((id_, going[n % PATTERNS]) for n, id_ in enumerate(town.running)),
        *((id_, ended[n % PATTERNS]) for n, id_ in enumerate(town.over)),
        *((id_, None) for id_ in town.waiting),
    ]
    line = in_line(citizens)
    made = [
        seat_people(town, line, id_, game, number, now - MINUTE * (len(plan) - number))
        for number, (id_, game) in enumerate(plan)
    ]
    store_all(stored_tables(store), ((table.id, table) for table in made))
    put_games(store, ((table, game) for table, (_, game) in zip(made, plan, strict=True) if game))
    if follow:
        kept.projector.catch_up()
        while kept.outbox.follow():
            pass
    return town


def put_people(store: Store, citizens: list[Citizen], told: int) -> None:
    """Accounts with a token each. They share one hashed password, which is what takes time."""
    service = People(store, CHEAP)
    password = CHEAP.hash(PASSWORD)
    documents: dict[str, Account | None] = {}
    for number, citizen in enumerate(citizens):
        key = token_key(citizen.token)
        hooks = {"hook": Webhook("discord", "https://chat.example/hook")} if number < told else {}
        account = Account(
            citizen.id, citizen.name, password, tokens={key: Token("load")}, webhooks=hooks
        )
        documents |= service._both(account)
        documents |= service._looks_of(account)
        documents[f"token/{key}"] = Account(citizen.id, citizen.name, "")
    store_all(Collection(store, "accounts", Account), documents.items())


def begun_game(number: int, events: int, bots: bool) -> Game:
    """A game that waits for people alone."""
    game = new_game(2 + number % 3, f"town/{number}")
    if bots and number % 3 == 0:
        opened = game.events[0]
        assert isinstance(opened, GameOpened)
        *others, last = opened.seats
        seats = [*others, msgspec.structs.replace(last, bot="random")]
        game = Game(msgspec.structs.replace(opened, seats=seats), f"{number:064x}")
    bot, state = RandomBot(number), game.state

    def waits_for_bots() -> bool:
        return any(state.players[seat].bot for seat in state.awaiting)

    while len(game.events) < events or waits_for_bots():
        game.add(ask(bot, state, min(state.awaiting)))
        assert state.awaiting, "the game is over before it is so long"
    return game


def ended_game(number: int) -> Game:
    """A game that all have given up."""
    game = new_game(2 + number % 3, f"town/over/{number}")
    while game.state.awaiting:
        game.add(Resign(seat=min(game.state.awaiting)))
    return game


def in_line(people: list[Citizen]) -> Iterator[Citizen]:
    """Everybody as often as everybody else, and beside others each time: two halves that are
    shuffled apart, so that nobody comes twice among as many as sit at a table."""
    rng = random.Random(1)
    halves = [people[::2], people[1::2]]
    while True:
        for half in halves:
            rng.shuffle(half)
            yield from half


def seat_people(
    town: Town, line: Iterator[Citizen], id_: str, game: Game | None, number: int, created: int
) -> Table:
    """A table of the lobby with people on its seats."""
    bots = [seat.bot for seat in opening(game).seats] if game else ["", ""]
    citizens = [next(line) for _ in bots]
    seats = [
        Holder(name="Bot 1", bot=bot) if bot else Holder(person=citizen.id, name=citizen.name)
        for bot, citizen in zip(bots, citizens, strict=True)
    ]
    if game is None:
        seats[1] = Holder()
    sitting = [None if bot else who for bot, who in zip(bots, citizens, strict=True)]
    town.seats[id_] = sitting if game else [citizens[0], None]
    if game is not None and game.state.awaiting:
        town.owing[id_] = sorted(game.state.awaiting)
    return Table(
        id=id_,
        creator=citizens[0].id,
        created=created,
        setup="beginner",
        ruleset=game.state.rules.name if game else "standard",
        seats=seats,
        open=number % 4 != 3,
        invitation=f"invitation-{number}",
        started=game is not None,
        pace=PACE if game and number % 4 == 0 else None,
    )


def opening(game: Game) -> GameOpened:
    opened = game.events[0]
    assert isinstance(opened, GameOpened)
    return opened


def put_games(store: Store, games: Iterable[tuple[Table, Game]]) -> None:
    """The logs of tables, each as its own table names the players and as old as it is."""
    positions = count(store.position() + 1)

    def records() -> Iterator[list[Record]]:
        for table, game in games:
            seats = [Seat(name=seat.name, bot=seat.bot) for seat in table.seats]
            opened = msgspec.structs.replace(opening(game), seats=seats)
            log: list[AnyEvent] = [opened, *game.events[1:]]
            encoded = [
                encode_event(msgspec.structs.replace(event, time=table.created)) for event in log
            ]
            chained = chain_on(table.id, 0, GENESIS, 0, encoded)
            yield [msgspec.structs.replace(each, position=next(positions)) for each in chained]

    for some in batches(records()):
        store.adopt([record for log in some for record in log])


def store_all(collection: Collection[S], documents: Iterable[tuple[str, S | None]]) -> None:
    for some in batches(documents):
        collection.change(lambda some=some: dict(some))  # type: ignore[misc]


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, BATCH)):
        yield some


if __name__ == "__main__":
    with open_store(sys.argv[1]) as opened_store:
        fill(opened_store, *map(int, sys.argv[2:5]))
