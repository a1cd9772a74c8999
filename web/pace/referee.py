"""The referee: a thread that looks at the clocks and does what is due when one has run out.

It keeps nothing but when to look at which game again (see `due`). What it
does stands in the log, whose versions make sure that it is done once, however many workers look;
what it tells goes through the outbox, which knows what was told of which turn.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

import msgspec

from engine.bots import DEFAULT_BOT
from events.store.news import Update
from events.store.protocol import Store
from events.types import HandOver
from projections.clocks.clock import Banks, Pace, waiting_since
from projections.clocks.rest import HOUR, MINUTE
from projections.readmodels.lists import listed_games
from web.games.live import Games, Live
from web.notices.boxes import Kind, Notice
from web.notices.outbox import Outbox
from web.pace.clocks import Clocks
from web.pace.due import NAME as CLOCKS
from web.pace.due import DueClocks, Followed
from web.pace.votes import NAME as VOTES
from web.pace.votes import Votes
from web.seating.service import Lobby, Table
from web.site.problems import Problem
from web.site.worker import LONG_REST, PATIENCE, Worker

log = logging.getLogger(__name__)
WARNED = 12 * HOUR
AFTER_FAILURE = 1000
"""Milliseconds until a game is asked for again that could not be looked at."""


class Referee(Worker):
    """Watches the time at all tables, in one process for all."""

    is_duty, gap = True, PATIENCE

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        games: Games,
        clocks: Clocks,
        votes: Votes,
        outbox: Outbox,
        due: DueClocks,
        clock: Callable[[], int],
    ) -> None:
        super().__init__("referee", store)
        self._store, self._lobby, self._games = store, lobby, games
        self._clocks, self._votes, self._outbox, self._clock = clocks, votes, outbox, clock
        self._due = due
        self._position: int | None = None
        self._voted = 0

    def tick(self, now: int | None = None) -> int:
        """Do all that is due at a moment. Gives how many games were looked at."""
        now = self._clock() if now is None else now
        rests = self._clocks.rests.position()
        games = self._moved(rests)
        games.update(self._due.games(until=now))
        due: dict[str, int | None] = {}
        for game in sorted(games):
            later: int | None = now + AFTER_FAILURE
            due[game] = self.isolate(f"game {game}", partial(self._look, game, now), later)
        assert self._position is not None
        self._due.save(due, Followed(self._position, rests))
        return len(games)

    def step(self) -> float:
        self.tick()
        following = self._due.next()
        if following is None:
            return LONG_REST
        return max(PATIENCE, min(LONG_REST, (following - self._clock()) / 1000))

    def concerns(self, update: Update) -> bool:
        return bool(update.games or update.documents & {CLOCKS, VOTES})

    def reset(self) -> None:
        self._position = None

    def _moved(self, rests: int) -> set[str]:
        """The games that moved since they were looked at last, or in which somebody voted."""
        found: set[str] = set()
        if self._position is None:
            self._position, found = self._begin(rests)
        while records := self._store.read_all(after=self._position):
            found.update(record.game for record in records)
            self._position = records[-1].position
        voted = self._votes.position()
        if voted != self._voted:
            found.update(self._votes.games())
            self._voted = voted
        return found

    def _begin(self, rests: int) -> tuple[int, set[str]]:
        """Where the log was followed to; and the games to look at, should somebody's rest have
        changed unnoticed. A store from before this was kept is looked through once."""
        followed = self._due.followed()
        if followed is None:
            models = self._store.read_models
            return models.position("waiting"), set(listed_games(models, "people"))
        return followed.position, set() if followed.rests == rests else set(self._due.games())

    def _look(self, game: str, now: int) -> int | None:
        """Do what is due in a game. Gives when to look again, should nothing happen before."""
        table = self._lobby.find(game)
        if table is None:
            return None
        self._votes.carry_out(game, now)
        if table.pace is None:
            return None
        live = self._games.live(game)
        with live.lock:
            banks, version = self._clocks.banks(table, live), live.version
            assert banks is not None
            waits = [Wait.of(banks, live, seat) for seat in live.moments[-1].owing]
        calls = [self._at(table, wait, version, now) for wait in waits]
        return min((moment for moment in calls if moment is not None), default=None)

    def _at(self, table: Table, wait: Wait, version: int, now: int) -> int | None:
        """What a seat's clock calls for now, and when it will call again."""
        assert table.pace is not None
        if now < wait.warning:
            return wait.warning
        if now < wait.end:
            return wait.end if self._tell(table, wait, "runs-out", now) else now
        if table.pace.at_zero != "bot":
            return None if self._tell(table, wait, "ran-out", now) else now
        try:
            handed = HandOver(seat=wait.seat, bot=DEFAULT_BOT, by="clock")
            self._games.act(table.id, handed, version)
        except Problem as problem:
            log.info("seat %s of game %s was quicker: %s", wait.seat, table.id, problem.code)
        return None

    def _tell(self, table: Table, wait: Wait, kind: Kind, now: int) -> bool:
        """Whether somebody is told, or has nobody waiting for them; else it is tried again."""
        assert table.pace is not None
        if len(table.people()) == 1:
            return True
        notice = Notice(
            kind, table.id, now, table.pace.at_zero, wait.seat, wait.since, due=max(now, wait.end)
        )
        return self._outbox.warn(table.holder(wait.seat).person, notice)


class Wait(msgspec.Struct, frozen=True):
    """A seat that is waited for: since which version, when it is warned, and when its time ends."""

    seat: int
    since: int
    warning: int
    end: int

    @classmethod
    def of(cls, banks: Banks, live: Live, seat: int) -> Wait:
        return cls(
            seat=seat,
            since=waiting_since(live.moments, seat)[0],
            warning=banks.when(seat, warned_at(banks.pace)),
            end=banks.when(seat, 0),
        )


def warned_at(pace: Pace) -> int:
    """With how much left somebody is warned: a quarter of the bank, or twelve hours if less."""
    return min(pace.bank * MINUTE // 4, WARNED)
