"""Bots at the tables: a thread that follows the log and answers where a bot's seat owes something.

It keeps nothing: after a restart it finds its duties in the log again, and the log's versions make
sure that a turn is played once, also when several servers run bots on one store.
"""

from __future__ import annotations

import logging
import math
import pickle
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

import msgspec

from engine.dealer import bot_seed
from engine.snapshot import snapshot
from events.store.errors import StoreError
from events.store.protocol import Store
from events.types import AnyEvent, GameOpened, HandOver, Turn
from projections.years.game_fold import Waiting
from web.games.live import Games
from web.games.thinking import choose_action
from web.jobs.queue import Class, Jobs, Owner
from web.seating.service import Lobby
from web.site.cache import Cache
from web.site.problems import Problem
from web.site.worker import PATIENCE, Worker

log = logging.getLogger(__name__)
KEPT = 10_000
SHORT_REST = 0.05
"""Seconds until the log is looked at again while bots think."""
MOST_EACH = 2
"""Bots that may think at one person's tables, or wait to, at a time."""
FIRST_RETRY = 0.25
"""Seconds until a turn that failed is tried again; each further failure doubles them."""
MOST_TRIES = 8
GUESTS = "guests"
_waiting = msgspec.json.Decoder(list[Waiting])


class BotRunner(Worker):
    """Plays for the seats that are handed to bots. They think in worker processes, where people
    take turns: many bots at one person's tables delay nobody else's."""

    def __init__(self, store: Store, games: Games, lobby: Lobby, jobs: Jobs) -> None:
        super().__init__("bots")
        self._store, self._games, self._lobby, self._jobs = store, games, lobby, jobs
        self._position: int | None = None
        self._due: dict[str, float] = {}
        """The games to look at, and not before when."""
        self._thinking: dict[str, str] = {}
        """The games whose bot thinks, and whose tables they are."""
        self._thoughts: SimpleQueue[tuple[str, Future[bytes]]] = SimpleQueue()
        self._creators: Cache[str, str] = Cache(KEPT)
        self._failed_turns: Counter[str] = Counter()
        self.set_aside: set[str] = set()
        """Games whose bots failed again and again. They are left alone until somebody acts."""

    def step(self) -> float:
        if self._position is None:
            self._position, games = self._duties()
            self._due = dict.fromkeys(games, 0.0)
        self._begin_turns()
        self._end_turn(self._position)
        for record in self._store.read_all(after=self._position):
            self._due.setdefault(record.game, 0.0)
            self._position = record.position
        return 0

    def reset(self) -> None:
        self._position = None

    def _begin_turns(self) -> None:
        """Let bots think wherever one is due, a few at a time for each person."""
        now, busy = time.monotonic(), Counter(self._thinking.values())
        for game in sorted(game for game, when in self._due.items() if when <= now):
            if game in self._thinking or self._stop.is_set():
                continue
            try:
                whose = self._creators.get_or_make(game, lambda game=game: self._creator(game))  # type: ignore[misc]
                if busy[whose] >= MOST_EACH:
                    continue
                thought = self._think(game, whose)
            except StoreError:
                raise
            except Exception as error:
                self._fail(game, error)
                continue
            del self._due[game]
            if thought is None:
                self._failed_turns.pop(game, None)
                continue
            busy[whose] += 1
            self._thinking[game] = whose
            thought.add_done_callback(lambda done, game=game: self._thoughts.put((game, done)))  # type: ignore[misc]

    def _end_turn(self, position: int) -> None:
        """Play what a bot has thought out; where none thinks, wait for news."""
        try:
            game, thought = self._thoughts.get(timeout=SHORT_REST if self._thinking else 0)
        except Empty:
            if not self._thinking:
                rest = min(self._due.values(), default=math.inf) - time.monotonic()
                self._store.wait(position, max(SHORT_REST, min(PATIENCE, rest)))
            return
        self._thinking.pop(game, None)
        self._due[game] = 0.0
        try:
            self._games.act(game, pickle.loads(thought.result()))
        except StoreError:
            raise
        except Exception as error:
            self._fail(game, error)
        else:
            self._failed_turns.pop(game, None)
            self.set_aside.discard(game)

    def _think(self, game: str, creator: str) -> Future[bytes] | None:
        """Let a bot think about its turn, if one is due. The table is not locked meanwhile. A game
        without one was brought along as a file: nobody plays on there."""
        if self._lobby.find(game) is None:
            return None
        live = self._games.live(game)
        with live.lock:
            state = live.state
            owing = [seat for seat in sorted(state.awaiting) if state.players[seat].bot]
            if not owing:
                return None
            seat = owing[0]
            alone = all(player.bot or player.resigned for player in state.players.values())
            level, table = state.players[seat].bot, snapshot(state)
            # The same table in the same place gives the same move, whichever server plays it.
            seed = bot_seed(state, live.version, seat)
        # Nobody waits for bots alone. Guests can be as many as they like, and count as one there.
        owner = Owner(GUESTS if alone and not creator.startswith("person-") else creator)
        class_: Class = "patient" if alone else "urgent"
        return self._jobs.submit(owner, choose_action, table, seat, level, seed, class_=class_)

    def _fail(self, game: str, error: Exception) -> None:
        """Try again later; a game that fails each time is set aside."""
        self._failed_turns[game] += 1
        failures = self._failed_turns[game]
        if isinstance(error, Problem) and error.status == 409:
            log.info("a bot's move in game %s came too late: %s", game, error.code)
        else:
            self.errors += 1
            log.error("a bot failed in game %s, %s in a row", game, failures, exc_info=error)
        if failures >= MOST_TRIES:
            self._due.pop(game, None)
            self._failed_turns.pop(game, None)
            self.set_aside.add(game)
            log.error("the game %s is set aside until somebody acts there", game)
        else:
            self._due[game] = time.monotonic() + FIRST_RETRY * 2.0 ** (failures - 1)

    def _creator(self, game: str) -> str:
        table = self._lobby.find(game)
        return table.creator if table else ""

    def _duties(self) -> tuple[int, set[str]]:
        """Where the log is, and the games in which a bot may owe something there.

        The read model of who is waited for names them up to where it stands; past that, whatever
        moved is looked at. Games that are over are not.
        """
        models = self._store.read_models
        position = models.position("waiting")
        games = {
            game
            for game, body in models.items("waiting")
            if any(entry.bot for entry in _waiting.decode(body))
        }
        while records := self._store.read_all(after=position):
            games.update(record.game for record in records)
            position = records[-1].position
        return position, games


def decided_by_bots(events: Iterable[AnyEvent]) -> frozenset[int]:
    """The numbers of the events that bots decided."""
    bots: dict[int, str] = {}
    found = []
    for number, event in enumerate(events, start=1):
        if isinstance(event, GameOpened):
            bots = {seat: held.bot for seat, held in enumerate(event.seats, start=1)}
        elif isinstance(event, HandOver):
            bots[event.seat] = event.bot
        elif isinstance(event, Turn) and bots[event.seat]:
            found.append(number)
    return frozenset(found)
