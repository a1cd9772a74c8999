"""Bots at the tables: a thread that follows the log and answers where a bot's seat owes something.

It keeps nothing: after a restart it finds its duties in the log again. Of several servers on one
store each claims a game while its bot thinks, and no more than it can think about; the log's
versions make sure that a turn is played once in any case.
"""

from __future__ import annotations

import logging
import math
import pickle
import time
from collections import Counter, deque
from collections.abc import Iterable
from concurrent.futures import Future
from queue import Empty, SimpleQueue

import msgspec

from engine.actions.check import check
from engine.chance.dealer import bot_seed
from engine.rules.take_back import last_turn, revealed_something
from engine.snapshot import snapshot
from events.store.errors import StoreError
from events.store.news import Update
from events.store.protocol import Store
from events.types import Action, AnyEvent, AskTakeBack, GameOpened, HandOver, Turn
from projections.readmodels.lists import listed_games
from web.games.live import Games
from web.games.thinking import choose_action
from web.jobs.job import Class, Owner
from web.jobs.queue import Jobs
from web.seating.service import Lobby
from web.site.cache import Cache
from web.site.clock import now
from web.site.problems import Problem
from web.site.worker import LONG_REST, Worker

log = logging.getLogger(__name__)
KEPT = 10_000
SHORT_REST = 0.05
"""Seconds that it waits for a thought at least."""
MOST_EACH = 2
"""Bots that may think at one person's tables, or wait to, at a time."""
AHEAD = 1
"""Bots that wait beyond those that can think at once, of each class: the rest is left to other
servers."""
CLAIMED_REST = 1.0
"""Seconds until a game is looked at again that another server had; its news comes earlier."""
FIRST_RETRY = 0.25
"""Seconds until a turn that failed is tried again; each further failure doubles them."""
MOST_TRIES = 8
GUESTS = "guests"
CLASSES: tuple[Class, ...] = ("urgent", "patient")


class Sponsor(msgspec.Struct, frozen=True):
    """For whom a bot thinks: who made the table, in whose turn, and how urgently."""

    creator: str
    owner: str
    class_: Class

    @classmethod
    def of(cls, creator: str, alone: bool) -> Sponsor:
        """Nobody waits for bots alone; guests, as many as they like, count as one there."""
        if not alone:
            return cls(creator, creator, "urgent")
        return cls(creator, creator if creator.startswith("person-") else GUESTS, "patient")


class BotRunner(Worker):
    """Plays for the seats that are handed to bots. They think in worker processes, where people
    take turns: many bots at one person's tables delay nobody else's."""

    def __init__(
        self, store: Store, games: Games, lobby: Lobby, jobs: Jobs, wait: float = 0.0
    ) -> None:
        super().__init__("bots", store)
        self._store, self._games, self._lobby, self._jobs = store, games, lobby, jobs
        self._wait = wait
        """Seconds that people have to take an action back before a bot answers it."""
        self._position: int | None = None
        self._due: dict[str, float] = {}
        """The games to look at, and not before when."""
        self._thinking: dict[str, Sponsor] = {}
        """The games whose bot thinks, and for whom."""
        self._thoughts: SimpleQueue[tuple[str, Future[bytes]] | None] = SimpleQueue()
        """What bots have thought out; None: there is news."""
        self._sponsors: Cache[str, Sponsor] = Cache(KEPT)
        self._failed_turns: Counter[str] = Counter()
        self.set_aside: set[str] = set()
        """Games whose bots failed again and again. They are left alone until somebody acts."""

    def step(self) -> float:
        if self._position is None:
            self._position, games = self._duties()
            self._due = dict.fromkeys(games, 0.0)
        self._begin_turns()
        self._end_turn()
        while self.has_news(self._position):
            records = self._store.read_all(after=self._position)
            for record in records:
                self._due.setdefault(record.game, time.monotonic())
                self._position = record.position
            if not records:
                break
        return 0

    def concerns(self, update: Update) -> bool:
        return bool(update.games)

    def wake(self) -> None:
        super().wake()
        self._thoughts.put(None)

    def reset(self) -> None:
        self._position = None

    def _begin_turns(self) -> None:
        """Let bots think wherever one is due: a few at a time for each person, and those first
        for whom the fewest think."""
        room = Counter[Class](dict.fromkeys(CLASSES, self._jobs.pool.size + AHEAD))
        room.subtract(each.class_ for each in self._thinking.values())
        if max(room.values()) <= 0:
            return
        busy = Counter(each.owner for each in self._thinking.values())
        tables = Counter(each.creator for each in self._thinking.values())

        def has_room(sponsor: Sponsor) -> bool:
            return room[sponsor.class_] > 0 and tables[sponsor.creator] < MOST_EACH

        lines: dict[str, deque[tuple[float, str, Sponsor]]] = {}
        for when, game, sponsor in sorted(self._games_due(), key=lambda each: each[:2]):
            if has_room(sponsor):
                lines.setdefault(sponsor.owner, deque()).append((when, game, sponsor))
        while lines and not self._stop.is_set():
            owner = min(lines, key=lambda owner: (busy[owner], lines[owner][0][:2]))
            _, game, sponsor = lines[owner].popleft()
            if not lines[owner]:
                del lines[owner]
            if has_room(sponsor) and self._begin_turn(game, sponsor):
                room[sponsor.class_] -= 1
                busy[owner] += 1
                tables[sponsor.creator] += 1

    def _games_due(self) -> list[tuple[float, str, Sponsor]]:
        """The games that can be looked at: since when, and for whom."""
        moment, found = time.monotonic(), []
        for game, when in list(self._due.items()):
            if when > moment or game in self._thinking:
                continue
            try:
                sponsor = self._sponsors.get_or_make(game, lambda game=game: self._sponsor(game))  # type: ignore[misc]
                found.append((when, game, sponsor))
            except StoreError:
                raise
            except Exception as error:
                self._fail(game, error)
        return found

    def _begin_turn(self, game: str, sponsor: Sponsor) -> bool:
        """Whether a bot thinks about this game now."""
        if not self._store.claims.take(claim_on(game)):
            self._due[game] = time.monotonic() + CLAIMED_REST
            return False
        thought = None
        try:
            rest = self._time_to_take_back(game)
            thought = None if rest > 0 else self._think(game, sponsor.creator)
        except StoreError:
            raise
        except Exception as error:
            self._fail(game, error)
            return False
        else:
            del self._due[game]
            if rest > 0:
                self._due[game] = time.monotonic() + rest
        finally:
            if thought is None:
                self._store.claims.release(claim_on(game))
        if thought is None:
            self._failed_turns.pop(game, None)
            return False
        self._thinking[game] = sponsor
        thought.add_done_callback(lambda done: self._thoughts.put((game, done)))
        return True

    def _end_turn(self) -> None:
        """Play what a bot has thought out, if one has before something else is to be done."""
        moment = time.monotonic()
        later = (when for when in self._due.values() if when > moment)
        rest = min(later, default=math.inf) - moment
        try:
            ended = self._thoughts.get(timeout=max(SHORT_REST, min(LONG_REST, rest)))
        except Empty:
            return
        if ended is None:
            return
        game, thought = ended
        self._thinking.pop(game, None)
        self._due[game] = time.monotonic()
        try:
            self._games.act(game, pickle.loads(thought.result()))
        except StoreError:
            raise
        except Exception as error:
            self._fail(game, error)
        else:
            self._failed_turns.pop(game, None)
            self.set_aside.discard(game)
        finally:
            self._store.claims.release(claim_on(game))

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
        sponsor = Sponsor.of(creator, alone)
        return self._jobs.submit(
            Owner(sponsor.owner), choose_action, table, seat, level, seed, class_=sponsor.class_
        )

    def _time_to_take_back(self, game: str) -> float:
        """Seconds that somebody still has to take an action back at once; none where bots
        need not wait."""
        if not self._wait:
            return 0.0
        live = self._games.live(game)
        with live.lock:
            s = live.state
            last = last_turn(s)
            turn = s.trail[last] if last >= 0 else None
            if not isinstance(turn, Action) or turn.by or s.players[turn.seat].bot:
                return 0.0
            if revealed_something(s) or check(s, AskTakeBack(seat=turn.seat)) is not None:
                return 0.0
            # A clock that was turned back makes nobody wait longer.
            return min(self._wait, self._wait - (now() - turn.time) / 1000)

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

    def _sponsor(self, game: str) -> Sponsor:
        table = self._lobby.find(game)
        return Sponsor.of(table.creator, not table.people()) if table else Sponsor.of("", False)

    def _duties(self) -> tuple[int, set[str]]:
        """Where the log is, and the games in which a bot may owe something there.

        The read model of who is waited for names them up to where it stands; past that, whatever
        moved is looked at. Games that are over are not.
        """
        models = self._store.read_models
        position = models.position("waiting")
        games = set(listed_games(models, "bots"))
        while records := self._store.read_all(after=position):
            games.update(record.game for record in records)
            position = records[-1].position
        return position, games


def claim_on(game: str) -> str:
    """The name of the claim of whoever plays a game's bots."""
    return f"bots/{game}"


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
