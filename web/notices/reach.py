"""Whom anything can be told, which ways, and when it is time for that."""

from __future__ import annotations

from web.accounts.account import Account
from web.accounts.service import People
from web.notices.boxes import ABOUT_TIME, Box, Notice, Turn
from web.settings import Settings

MAIL = "mail"


class Reach:
    """By what people have chosen, and what the host has set up."""

    def __init__(self, people: People, settings: Settings) -> None:
        self._people, self._settings = people, settings
        self._wait = minutes(settings.notices.wait)
        self._pace = minutes(settings.notices.pace)

    @property
    def rule(self) -> str:
        """Changes when the same boxes are due at other times."""
        sent = bool(self._settings.mail.host), self._settings.notices.webhooks
        return f"1/{self._wait}/{self._pace}/{sent}"

    def ways(self, account: Account) -> list[str]:
        """How somebody can be told."""
        found = []
        if self._settings.mail.host and account.email and account.wishes.mail:
            found.append(MAIL)
        return found + (list(account.webhooks) if self._settings.notices.webhooks else [])

    def due(self, person: str, box: Box) -> int | None:
        """When to look at somebody's box; never where nothing is to be told, or no way leads."""
        untold = [turn for turn in box.turns if not turn.told]
        if not (untold or box.notices or box.letter):
            return None
        account = self._people.get(person)
        if account is None or account.closed is not None or not self.ways(account):
            return None
        if box.letter is not None:
            return box.letter.until
        items: list[Turn | Notice] = [*(untold if account.wishes.turn else []), *box.notices]
        times = [self._ready(item, box) for item in items]
        return max(box.not_before, min(times)) if times else None

    def _ready(self, item: Turn | Notice, box: Box) -> int:
        # What is about somebody's time cannot wait until the pause between two letters is over.
        urgent = isinstance(item, Notice) and item.kind in ABOUT_TIME
        ready = item.ready(self._wait)
        return max(ready, box.mailed + self._pace) if box.mailed and not urgent else ready


def minutes(number: float) -> int:
    """In milliseconds."""
    return int(number * 60_000)
