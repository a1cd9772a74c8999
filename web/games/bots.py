"""Bots at the tables: a thread that follows the log and answers where a bot's seat owes something.

It keeps nothing: after a restart it finds its duties in the log again, and the log's versions make
sure that a turn is played once, also when several servers run bots on one store.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import BOTS, DEFAULT_BOT, make_bot
from engine.view import view
from events.store.protocol import Store
from events.types import AnyEvent, GameOpened, HandOver, Turn
from projections.years.game_fold import Waiting
from web.games.live import Games
from web.site.problems import Problem
from web.site.worker import PATIENCE, Worker

log = logging.getLogger(__name__)
LONGEST_REST = 0.05
_waiting = msgspec.json.Decoder(list[Waiting])


class BotRunner(Worker):
    """Plays for the seats that are handed to bots."""

    def __init__(self, store: Store, games: Games) -> None:
        super().__init__("bots")
        self._store, self._games = store, games
        self._position: int | None = None
        self._going: set[str] = set()

    def step(self) -> float:
        if self._position is None:
            self._position, self._going = self._duties()
        # One turn at each table in turn, so that nobody waits for another table's bots.
        self._going = {game for game in sorted(self._going) if self._rested_turn(game)}
        if not self._going:
            self._store.wait(self._position, PATIENCE)
        for record in self._store.read_all(after=self._position):
            self._going.add(record.game)
            self._position = record.position
        return 0

    def reset(self) -> None:
        self._position = None

    def _rested_turn(self, game: str) -> bool:
        """A turn, and a rest as long: half of the time belongs to the pages."""
        if self._stop.is_set():
            return False
        start = time.perf_counter()
        played = self.isolate(f"game {game}", lambda: self._turn(game), False)
        if played:
            self._stop.wait(min(time.perf_counter() - start, LONGEST_REST))
        return played

    def _turn(self, game: str) -> bool:
        """One turn of a bot, if one is due."""
        live = self._games.live(game)
        with live.lock:
            state = live.state
            owing = [seat for seat in sorted(state.awaiting) if state.players[seat].bot]
            if not owing:
                return False
            seat = owing[0]
            # The same table in the same place gives the same move, whichever server plays it.
            level = state.players[seat].bot
            bot = make_bot(
                level if level in BOTS else DEFAULT_BOT,
                f"{game}/{live.version}/{seat}",
                clock=time.perf_counter,
            )
            seen, board, actions = view(state, seat), state.board, legal_actions(state, seat)
        # Thinking takes its time; the table is not locked meanwhile.
        action = bot.choose(seen, board, actions) if len(actions) > 1 else actions[0]
        try:
            self._games.act(game, action)
        except Problem as problem:
            log.info("a bot's move in game %s came too late: %s", game, problem.code)
        return True

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
