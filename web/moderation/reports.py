"""Reports: somebody tells the hosts of a text or a name. Who reports stays between them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.store.collection import Collection
from events.store.protocol import Store
from projections.words.names import marked
from web.site.problems import Problem

DAY = 24 * 3600 * 1000
Reason = Literal["insult", "spam", "cheating", "name", "other"]
REASONS: dict[Reason, str] = {
    "insult": marked("Insult or threat"),
    "spam": marked("Advertising or spam"),
    "cheating": marked("Unfair play"),
    "name": marked("Offensive name"),
    "other": marked("Something else"),
}
State = Literal["open", "done", "dismissed"]
MAX_TEXT = 500
MAX_EXCERPT = 500
Words = Annotated[str, Meta(max_length=MAX_TEXT)]
MOST_OF_ONE = 20
"""Open reports of one person."""
MOST = 2000
"""Open reports of all."""
KEPT = 90 * DAY
"""How long its author can see what became of a report."""


class Report(msgspec.Struct, frozen=True):
    """A report. `excerpt` is what stood there then; it goes when the report is settled."""

    subject: str
    by: str
    reason: Reason
    text: Words
    time: int
    excerpt: str = ""
    state: State = "open"
    settled: int = 0


class Reports:
    """The reports of a server, by key: one for each person and subject."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._reports = Collection(store, "reports", Report)
        self._clock = clock

    def add(self, subject: str, by: str, reason: Reason, text: str, excerpt: str) -> None:
        """Take in a report; nobody has two open ones about the same."""
        key = report_key(subject, by)
        report = Report(
            subject=subject,
            by=by,
            reason=reason,
            text=text,
            time=self._clock(),
            excerpt=excerpt[:MAX_EXCERPT],
        )

        def edit() -> dict[str, Report | None]:
            known = dict(self._reports.all())
            waiting = [each for each in known.values() if each.state == "open"]
            if key in known and known[key].state == "open":
                raise Problem(409, "reported-already", "You have reported this already.")
            if len(waiting) >= MOST or sum(each.by == by for each in waiting) >= MOST_OF_ONE:
                raise Problem(
                    409, "too-many-reports", "Please wait until the hosts have seen to the others."
                )
            ended = [old for old, each in known.items() if self._is_over(each)]
            return {**dict.fromkeys(ended), key: report}

        self._reports.change(edit)

    def waiting(self) -> list[tuple[str, Report]]:
        """The open ones by key, the oldest first."""
        found = [(key, each) for key, each in self._reports.all() if each.state == "open"]
        return sorted(found, key=lambda item: (item[1].time, item[0]))

    def of(self, person: str) -> list[Report]:
        """What somebody has reported, the newest first."""
        found = [each for _, each in self._reports.all() if each.by == person]
        return sorted(found, key=lambda each: -each.time)

    def settle(self, subject: str, state: State) -> None:
        """The hosts have seen to a subject: all open reports about it."""

        def edit() -> dict[str, Report | None]:
            now = self._clock()
            return {
                key: msgspec.structs.replace(each, state=state, settled=now, excerpt="")
                for key, each in self.waiting()
                if each.subject == subject
            }

        self._reports.change(edit)

    def move(self, guest: str, heir: str) -> None:
        """What a guest has reported is reported by the account that the guest is by now."""

        def edit() -> dict[str, Report | None]:
            changes: dict[str, Report | None] = {}
            known = dict(self._reports.all())
            for key, each in known.items():
                if each.by == guest:
                    own = report_key(each.subject, heir)
                    moved = msgspec.structs.replace(each, by=heir)
                    changes |= {key: None, own: known.get(own, moved)}
            return changes

        self._reports.change(edit)

    def forget(self, person: str) -> None:
        """Somebody has left, and with them what they reported."""
        self._reports.change(
            lambda: dict.fromkeys(key for key, each in self._reports.all() if each.by == person)
        )

    def _is_over(self, report: Report) -> bool:
        return report.state != "open" and self._clock() > report.settled + KEPT


def report_key(subject: str, by: str) -> str:
    return hashlib.sha256(f"{subject}\n{by}".encode()).hexdigest()[:32]
