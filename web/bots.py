"""Bots at the tables: a thread that follows the log and answers where a bot's seat owes something.

It keeps nothing: after a restart it finds its duties in the log again, and the log's versions make
sure that a turn is played once, also when several servers run bots on one store.
"""

from __future__ import annotations

import logging
import threading

from engine.bots import BOTS, DEFAULT_BOT, ask, make_bot
from events.store import Store
from events.store_errors import StoreError
from web.games import Games
from web.problems import Problem

log = logging.getLogger(__name__)
PATIENCE = 1.0


class BotRunner:
    """Plays for the seats that are handed to bots."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store, self._games = store, games
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=2 * PATIENCE)

    def play(self, game: str) -> None:
        """Play on until no bot owes anything."""
        while not self._stop.is_set():
            live = self._games.live(game)
            with live.lock:
                state = live.state
                owing = [seat for seat in sorted(state.awaiting) if state.players[seat].bot]
                if not owing:
                    return
                seat = owing[0] + 1
                # The same table in the same place gives the same move, whichever server plays it.
                level = state.players[owing[0]].bot
                bot = make_bot(
                    level if level in BOTS else DEFAULT_BOT, f"{game}/{live.version}/{seat}"
                )
                action = ask(bot, state, seat)
            try:
                self._games.act(game, action)
            except Problem:
                continue

    def _run(self) -> None:
        # Whatever is stored from here on is noticed below, so no game is looked at twice.
        position = self._store.position()
        waiting: list[str] | None = None
        while not self._stop.is_set():
            try:
                for game in self._all_games() if waiting is None else waiting:
                    self._try(game)
                waiting = []
                self._store.wait(position, PATIENCE)
                records = self._store.read_all(after=position)
                waiting = sorted({record.game for record in records})
                position = records[-1].position if records else position
            except StoreError:
                log.exception("bots wait for the store")
                self._stop.wait(1)

    def _all_games(self) -> list[str]:
        return [info.game for info in self._store.games()]

    def _try(self, game: str) -> None:
        """Play on; a game that cannot be folded must not keep the bots from all others."""
        try:
            self.play(game)
        except StoreError:
            raise
        except Exception:
            log.exception("bots leave the game %s alone", game)
