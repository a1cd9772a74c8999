"""Whether what a box notes is still so, by the log itself: nobody is told of what is over."""

from __future__ import annotations

from collections.abc import Callable

from engine.rules.take_back import asked_now
from web.games.live import Games
from web.notices.boxes import ABOUT_TIME, WARNINGS, Notice, Turn
from web.notices.reach import Reach, after_holidays
from web.seating.service import Lobby
from web.site.problems import Problem


class Checks:
    """Asked right before something is sent."""

    def __init__(self, lobby: Lobby, games: Games, reach: Reach, clock: Callable[[], int]) -> None:
        self._lobby, self._games, self._reach, self._clock = lobby, games, reach, clock
        self.answered: Callable[[str, int], bool] = lambda game, seat: False
        """Whether what a seat owes is answered without its player."""
        self.is_present: Callable[[str, str], bool] = lambda person, game: False
        """Whether somebody has a game before their eyes."""

    def away_until(self, person: str) -> int:
        """When somebody is back from a holiday; 0 for who is on none."""
        now = self._clock()
        back = after_holidays(self._reach.rest_of(person), now)
        return back if back > now else 0

    def waits(self, turn: Turn) -> bool:
        """Whether a turn is still owed, by the log itself and not by what was noted of it."""
        try:
            live = self._games.live(turn.game)
        except Problem:
            return False
        with live.lock:
            owed = turn.seat in live.state.awaiting
            by_bot = live.state.players[turn.seat].bot
            if not owed or by_bot or live.acted_after(turn.since, turn.seat):
                return False
        return not self.answered(turn.game, turn.seat)

    def holds(self, notice: Notice) -> bool:
        """Whether what is said of somebody's time, or asked of them, is still so."""
        if notice.kind == "asked":
            live = self._games.live(notice.game)
            with live.lock:
                return asked_now(live.state).get(notice.seat) is False
        if notice.kind not in ABOUT_TIME:
            return True
        if notice.kind in WARNINGS:
            about = Turn(notice.game, notice.seat, notice.since, notice.time)
            passed = notice.kind == "runs-out" and notice.due <= self._clock()
            return not passed and self.waits(about)
        live = self._games.live(notice.game)
        with live.lock:
            by_bot = bool(live.state.players[notice.seat].bot)
            here = live.acted_after(notice.since, notice.seat)
            return by_bot if notice.kind == "handed-over" else not here

    def is_news(self, person: str, notice: Notice) -> bool:
        """Whether somebody has still to be told: who has a game open sees what happens there, and
        who has acted in one knows that it began."""
        if notice.kind not in ABOUT_TIME and self.is_present(person, notice.game):
            return False
        if notice.kind != "begins":
            return self.holds(notice)
        table = self._lobby.find(notice.game)
        live = self._games.live(notice.game)
        with live.lock:
            seats = table.seats_of(person) if table else []
            return not any(live.acted_after(0, seat) for seat in seats)
