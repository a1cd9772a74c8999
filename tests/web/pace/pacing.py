"""A town whose people play by the clock, which can be turned."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from events.types import AnyEvent
from projections.clocks.rest import HOUR
from tests.web.notices.mailing import MailTown
from tests.web.world import Someone
from web.settings import Settings

BOT = {"bank": 48 * 60, "increment": 6 * 60, "at_zero": "bot"}
VOTE = {**BOT, "at_zero": "vote"}
REMIND = {**BOT, "at_zero": "remind"}
BANK = 48 * HOUR


class PacedTown(MailTown):
    """People at tables with a pace."""

    def __init__(self, place: Path | str, settings: Settings | None = None) -> None:
        super().__init__(place, settings or Settings())

    def paced(self, pace: dict[str, Any] | None, *people: Someone) -> str:
        first, *others = people
        made = first.post("/api/tables", {"players": len(people), "pace": pace})
        assert made.json is not None
        for other in others:
            other.post(f"/api/tables/{made.json['id']}/seats", {})
        return str(made.json["id"])

    def pass_time(self, by: int) -> None:
        self.time += by
        self.catch_up()
        self.services.referee.tick(self.time)

    def events(self, game: str) -> list[AnyEvent]:
        return [record.decode() for record in self.store.read(game)]

    def clocks(self, game: str) -> Any:
        return self.nobody().get(f"/api/games/{game}/clocks").json

    def left(self, game: str, seat: int) -> int:
        return int(self.clocks(game)["clocks"][seat - 1]["left"])


def absent_and_others(
    town: PacedTown, game: str, friends: list[Someone]
) -> tuple[int, Someone, list[Someone]]:
    """The seat that is waited for, whose it is, and the others."""
    seat = town.owing(game)
    table = town.services.lobby.get(game)
    owner = next(f for f in friends if f.id == table.seats[seat - 1].person)
    others = [f for f in friends if f is not owner and table.seats_of(f.id)]
    return seat, owner, others


def days(town: PacedTown, first: int, last: int) -> tuple[date, date]:
    """Days from today on, in UTC."""
    today = datetime.fromtimestamp(town.time / 1000, UTC).date()
    return today + timedelta(days=first), today + timedelta(days=last)
