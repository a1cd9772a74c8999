"""Whom anything can be told, which ways, and when it is time for that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec

from projections.clocks.rest import Rest, day_at, moment_of, zone_of
from web.accounts.account import Account
from web.accounts.service import People
from web.notices.boxes import ABOUT_TIME, Box, Notice, Turn
from web.notices.push import plan
from web.settings import Settings

MAIL = "mail"


class Reach:
    """By what people have chosen, and what the host has set up."""

    def __init__(self, people: People, settings: Settings) -> None:
        self._people, self._settings = people, settings
        self._wait = minutes(settings.notices.wait)
        self._pace = minutes(settings.notices.pace)
        self._push_wait = minutes(settings.notices.push_wait)
        self.rest_of: Callable[[str], Rest] = lambda person: Rest()

    @property
    def rule(self) -> str:
        """Changes when the same boxes are due at other times."""
        notices = self._settings.notices
        sent = bool(self._settings.mail.host), notices.webhooks, notices.push
        return f"2/{self._wait}/{self._pace}/{self._push_wait}/{sent}"

    def ways(self, account: Account) -> list[str]:
        """How somebody gets letters."""
        found = []
        if self._settings.mail.host and account.email and account.wishes.mail:
            found.append(MAIL)
        return found + (list(account.webhooks) if self._settings.notices.webhooks else [])

    def due(self, person: str, box: Box) -> int | None:
        """When to look at somebody's box; never where nothing is to be told, or no way leads."""
        account = self._reachable(person, box)
        if account is None or not self.ways(account):
            return None
        if box.letter is not None:
            return box.letter.until
        times = [self.moment(account, item, box) for item in letter_items(account, box)]
        if not times:
            return None
        return after_holidays(self.rest_of(person), max(box.not_before, min(times)))

    def push_due(self, person: str, box: Box) -> int | None:
        """When to look at somebody's devices."""
        account = self._reachable(person, box) if self._settings.notices.push else None
        due = plan.due(account, box, self._push_wait) if account else None
        return None if due is None else after_holidays(self.rest_of(person), due)

    def moment(self, account: Account, item: Turn | Notice, box: Box) -> int:
        """When something is told by a letter; what is about somebody's time waits neither for the
        pause between two letters nor for the hour of a daily one."""
        ready = item.ready(self._wait)
        if is_urgent(item):
            return ready
        if account.wishes.digest is not None:
            return next_hour(self.rest_of(account.id), account.wishes.digest, ready)
        return max(ready, box.mailed + self._pace) if box.mailed else ready

    def tidied(self, person: str, box: Box) -> Box:
        """Without what nobody can be told, and no device needs any more."""
        if not (box.notices or box.pushes or box.devices):
            return box
        account = self._people.get(person)
        if account is None or not self._settings.notices.push:
            return msgspec.structs.replace(box, pushes=[], devices={})
        if account.subscriptions and not self.ways(account):
            # Whom pushes alone reach gets no letter about all that one day.
            box = msgspec.structs.replace(box, notices=[])
        return plan.tidied(account, box)

    def _reachable(self, person: str, box: Box) -> Account | None:
        if not (box.turns or box.notices or box.letter or box.pushes or box.devices):
            return None
        account = self._people.get(person)
        return None if account is None or account.closed is not None else account


def letter_items(account: Account, box: Box) -> list[Turn | Notice]:
    """What a letter would be about."""
    items: list[Turn | Notice] = [t for t in box.turns if account.wishes.turn and not t.told]
    items += [notice for notice in box.notices if getattr(account.wishes, notice.wish)]
    return [item for item in items if item.game not in account.muted]


def is_urgent(item: Turn | Notice) -> bool:
    return isinstance(item, Notice) and item.kind in ABOUT_TIME


def after_holidays(rest: Rest, moment: int) -> int:
    """A moment, or the end of the holiday that it falls into."""
    for holiday in sorted(rest.holidays, key=lambda each: each.begins):
        if holiday.begins <= moment < holiday.ends:
            moment = holiday.ends
    return moment


def next_hour(rest: Rest, hour: int, moment: int) -> int:
    """When it is next so late, by the clocks of where somebody lives.

    >>> next_hour(Rest(), 8, 9 * 3_600_000) == (24 + 8) * 3_600_000
    True
    """
    zone = zone_of(rest.zone)
    today = day_at(moment, zone)
    times = (moment_of(today + timedelta(days=n), hour * 60, zone) for n in range(3))
    return next(time for time in times if time >= moment)


def minutes(number: float) -> int:
    """In milliseconds."""
    return int(number * 60_000)
