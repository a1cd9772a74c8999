"""How games stand at a glance, for lists: from the read models where they are up to date, so that
no list folds all of its games."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events.store.protocol import Store
from projections.now.scoreboard import Scoreboard
from projections.now.waiting import Waiting
from web.games.live import Games

NEEDED = ("scoreboard", "waiting")
_scoreboard = msgspec.json.Decoder(Scoreboard)
_waiting = msgspec.json.Decoder(list[Waiting])


class Standing(msgspec.Struct, frozen=True):
    """A game at a glance: when its last event was, and the seats of people that it waits for."""

    time: int
    year: int
    over: bool
    owing: frozenset[int]


class Standings:
    """How the games of a server stand."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store, self._games = store, games

    def of(self, games: Sequence[str]) -> dict[str, Standing]:
        """How games stand that have started."""
        found = self._read(games) if games else {}
        return {game: found.get(game) or self._fold(game) for game in games}

    def is_over(self, game: str) -> bool:
        return self.of([game])[game].over

    def _read(self, games: Sequence[str]) -> dict[str, Standing]:
        """Of the games that the read models have followed to their ends."""
        models = self._store.read_models
        infos = self._store.find_games(games)
        positions = models.positions()
        followed = min(positions.get(name, 0) for name in NEEDED)
        followed_games = [game for game, info in infos.items() if info.position <= followed]
        if not followed_games:
            return {}
        aside = models.get_many("troubles", followed_games)
        waiting = models.get_many("waiting", followed_games)
        found = {}
        for game, body in models.get_many("scoreboard", followed_games).items():
            if game in aside:
                continue
            board = _scoreboard.decode(body)
            resigned = {line.seat for line in board.lines if line.resigned}
            owed = [] if board.over else _waiting.decode(waiting.get(game, b"[]"))
            owing = frozenset(each.seat for each in owed if not each.bot) - resigned
            found[game] = Standing(infos[game].time, board.year, board.over, owing)
        return found

    def _fold(self, game: str) -> Standing:
        live = self._games.live(game)
        with live.lock:
            last, state = live.moments[-1], live.state
            return Standing(last.time, state.year, state.phase == "over", frozenset(last.owing))
