"""Players' records over all finished games: games, wins, averages, and a rating."""

from __future__ import annotations

import msgspec
from openskill.models import PlackettLuce

from projections.now.scoreboard import Scoreboard

_model = PlackettLuce()


class CareerRecord(msgspec.Struct, frozen=True):
    """One player, by name; a bot by its name with `bot ` before it."""

    name: str
    games: int = 0
    wins: int = 0
    points: int = 0
    best: int = 0
    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def rating(self) -> float:
        """What the player is at least worth, almost surely: the mean less three deviations."""
        return self.mu - 3 * self.sigma


def player_name(name: str, bot: str) -> str:
    """Under which name a seat is recorded."""
    return f"bot {bot}" if bot else name


def rate_game(board: Scoreboard, records: dict[str, CareerRecord]) -> dict[str, CareerRecord]:
    """The records after one more finished game, for those who took part.

    A name that sits at a table twice (a bot, say) is rated for each of its seats in turn.
    """
    names = [player_name(line.name, line.bot) for line in board.lines]
    known = {name: records.get(name) or CareerRecord(name=name) for name in names}
    teams = [[_model.rating(mu=known[name].mu, sigma=known[name].sigma)] for name in names]
    rated = _model.rate(teams, ranks=[float(line.place) for line in board.lines])
    changed: dict[str, CareerRecord] = {}
    for name, line, team in zip(names, board.lines, rated, strict=True):
        before = changed.get(name, known[name])
        changed[name] = CareerRecord(
            name=name,
            games=before.games + 1,
            wins=before.wins + (line.seat in board.winners),
            points=before.points + line.total,
            best=max(before.best, line.total),
            mu=before.mu + team[0].mu - known[name].mu,
            sigma=min(before.sigma, team[0].sigma),
        )
    return changed
