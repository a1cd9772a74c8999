"""Tells devices what their owners wait for, by push, and takes it back when the turn is over.

What a device shows is noted once its push service has taken the message. Killed in between, the
same message goes again, under the same id: it takes its own place, and nothing rings twice.
"""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from projections.words.names import marked
from web.accounts.account import Account, Subscription
from web.accounts.service import People
from web.accounts.sessions import Sessions
from web.notices import egress, webhooks
from web.notices.boxes import ABOUT_TIME, Box, Device, Notice, Turn
from web.notices.checks import Checks
from web.notices.letters import Writer
from web.notices.outbox import PUSH, Outbox
from web.notices.post import Never, NotNow, one_line
from web.notices.push.plan import Item, is_new, over, wanted
from web.notices.push.sealing import PushKeys, seal
from web.notices.senders import Job, Senders
from web.seating.service import Lobby
from web.words.catalogues import tag

log = logging.getLogger(__name__)
LONGEST_ENDPOINT = 1000
LONGEST_TITLE, LONGEST_BODY = 120, 500
"""Signs of a message: with keys and padding it has to fit into 4096 bytes."""
KEPT_FOR = 3 * 24 * 3600
"""Seconds that a push service keeps a message for a device that is off."""
HOLD = 15_000
"""Milliseconds until devices are looked at again whose owner is there, or is told nothing yet."""
FIRST_REST, LONGEST_REST = 60, 4 * 3600
"""Seconds until a push service that fails is asked again."""
MOST_FAILURES = 12
TEST = "test"
GONE = marked("Nothing can be sent to this device any more. It was removed.")

Post = Callable[[str, bytes, Mapping[str, str]], int]


class Gone(Exception):
    """Nobody takes messages there any more, and nobody will."""


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a device is sent. Its service worker reads it (`tell` in service-worker.js)."""

    tag: str
    """The game: one message of each is shown."""
    id: str = ""
    title: str = ""
    body: str = ""
    url: str = ""
    lang: str = ""
    waiting: int | None = None
    """How many games wait, for the app's badge."""
    over: bool = False
    """Nothing is shown of this game any more."""


class Plan(msgspec.Struct, frozen=True):
    """What a device is sent next, and what it shows then, by game."""

    messages: list[Message]
    shown: dict[str, list[str]]
    urgent: frozenset[str] = frozenset()
    """Games of which it is told something about time."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    return egress.post(url, body, headers=headers, longest=LONGEST_ENDPOINT)


class Pusher:
    """Asked by the courier, which does it for all processes."""

    def __init__(
        self,
        outbox: Outbox,
        people: People,
        sessions: Sessions,
        lobby: Lobby,
        writer: Writer,
        checks: Checks,
        senders: Senders,
        keys: PushKeys,
        wait: int,
        clock: Callable[[], int],
    ) -> None:
        self._outbox, self._people, self._sessions, self._lobby = outbox, people, sessions, lobby
        self._writer, self._checks, self._senders = writer, checks, senders
        self.keys, self._wait, self._clock = keys, wait, clock
        self.post: Post = post
        self._held: dict[str, int] = {}
        self._under_way: set[tuple[str, str]] = set()

    def due(self) -> list[str]:
        """Whose devices are to be looked at."""
        now = self._clock()
        self._held = {person: until for person, until in self._held.items() if until > now}
        return [person for person in self._outbox.due(now, PUSH) if person not in self._held]

    def tell(self, person: str) -> bool:
        """Tell somebody's devices what they have to be told. Whether any is."""
        account, any_told = self._people.get(person), False
        here = account is not None and not self._checks.away_until(person)
        for key, subscription in account.subscriptions.items() if account and here else ():
            if (person, key) in self._under_way or not self._senders.has_room(person):
                continue
            if not self._sessions.lasts(subscription.session):
                self._people.remove_subscription(person, key)
                continue
            assert account is not None
            plan = self._plan(account, key, subscription)
            if plan.messages:
                any_told = self._submit(account, key, subscription, plan) or any_told
            elif plan.shown:
                self._outbox.change(person, functools.partial(noted, key, plan))
        if not any_told:
            self._held[person] = self._clock() + HOLD
        return any_told

    def _plan(self, account: Account, key: str, subscription: Subscription) -> Plan:
        box, now = self._outbox.box(account.id), self._clock()
        device = box.devices.get(key, Device())
        messages: list[Message] = []
        shown: dict[str, list[str]] = {}
        urgent = set()
        if device.not_before > now:
            return Plan([], {})
        waiting = len({turn.game for turn in box.turns if turn.game not in account.muted})
        for game, items in wanted(account, box, subscription).items():
            new = [item for item in items if is_new(item, device)]
            if not any(item.ready(self._wait) <= now for item in new):
                continue
            turns, notices = self._true(account.id, game, items)
            if turns or any(is_new(notice, device) for notice in notices):
                messages.append(self._write(account, game, turns, notices, waiting))
                shown[game] = [*(turn.key for turn in turns), *(notice.key for notice in notices)]
                urgent |= {game for notice in notices if notice.kind in ABOUT_TIME}
            # What is not so any more is not asked about again; a turn goes by itself.
            void = [n.key for n in items if isinstance(n, Notice) and n not in notices]
            if void:
                shown[game] = [*shown.get(game, device.shown.get(game, [])), *void]
        for game in over(box, device):
            if game not in shown:
                messages.append(Message(tag=game, waiting=waiting, over=True))
                shown[game] = []
        return Plan(messages, shown, frozenset(urgent))

    def _true(
        self, person: str, game: str, items: Sequence[Item]
    ) -> tuple[list[Turn], list[Notice]]:
        """What of it is still so, and not before somebody's eyes."""
        here = self._checks.is_present(person, game)
        turns = [item for item in items if isinstance(item, Turn) and not here]
        notices = [item for item in items if isinstance(item, Notice)]
        return (
            [turn for turn in turns if self._checks.waits(turn)],
            [notice for notice in notices if self._checks.is_news(person, notice)],
        )

    def _write(
        self,
        account: Account,
        game: str,
        turns: list[Turn],
        notices: list[Notice],
        waiting: int,
    ) -> Message:
        table = self._lobby.find(game)
        seats = table.seats_of(account.id) if table else []
        title, body = self._writer.summary(account, game, seats, turns, notices, self._clock())
        keys = [account.id, *(turn.key for turn in turns), *(notice.key for notice in notices)]
        return Message(
            tag=game,
            id=hashlib.sha256("\n".join(keys).encode()).hexdigest()[:16],
            title=one_line(title, LONGEST_TITLE),
            body=one_line(body, LONGEST_BODY),
            url=f"/table/{game}",
            lang=tag(account.language or "en"),
            waiting=waiting,
        )

    def _submit(self, account: Account, key: str, subscription: Subscription, plan: Plan) -> bool:
        self._under_way.add((account.id, key))

        def send() -> None:
            try:
                self._deliver(account.id, key, subscription, plan)
            finally:
                self._under_way.discard((account.id, key))

        job = Job(account.id, egress.host_of(subscription.endpoint), send)
        if self._senders.submit(job):
            return True
        self._under_way.discard((account.id, key))
        return False

    def _deliver(self, person: str, key: str, subscription: Subscription, plan: Plan) -> None:
        try:
            for message in plan.messages:
                urgency: Urgency = "low" if message.over else "normal"
                self._send(subscription, message, "high" if message.tag in plan.urgent else urgency)
        except Gone:
            self._people.remove_subscription(person, key)
            return
        except NotNow as error:
            log.warning("a push to %s waits: %s", person, error)
            self._outbox.change(person, functools.partial(self._put_back, key, plan))
            return
        except Never as error:
            log.warning("a push to %s cannot go: %s", person, error)
        self._outbox.change(person, functools.partial(noted, key, plan))

    def _send(self, subscription: Subscription, message: Message, urgency: Urgency) -> None:
        """Hand a message to a push service. NotNow, Never or Gone when it did not take it."""
        webhooks.hand_over(lambda: self._post(subscription, message, urgency))

    def _post(self, subscription: Subscription, message: Message, urgency: Urgency) -> int:
        endpoint, body = subscription.endpoint, seal(subscription, msgspec.json.encode(message))
        headers = self.keys.headers(endpoint, self._clock(), message.tag, KEPT_FOR, urgency)
        status = self.post(endpoint, body, headers)
        if status in (404, 410):
            raise Gone
        return status

    def test(self, person: str, key: str, subscription: Subscription, text: str) -> tuple[str, int]:
        """Try a device. Gives a sentence about how it went, and the status that it speaks of."""
        message = Message(tag=TEST, id=TEST, title="La Città", body=text, url="/account")
        try:
            return webhooks.attempt(lambda: self._post(subscription, message, "high"))
        except Gone:
            self._people.remove_subscription(person, key)
            return GONE, 0

    def _put_back(self, key: str, plan: Plan, box: Box) -> Box:
        """A device could not be told: later again, from what is true then, or never."""
        device = box.devices.get(key, Device())
        failures = device.failures + 1
        if failures > MOST_FAILURES:
            return noted(key, plan, box)
        rest = min(FIRST_REST * 2 ** (failures - 1), LONGEST_REST)
        later = msgspec.structs.replace(
            device, not_before=self._clock() + rest * 1000, failures=failures
        )
        return msgspec.structs.replace(box, devices={**box.devices, key: later})


Urgency = Literal["low", "normal", "high"]


def noted(key: str, plan: Plan, box: Box) -> Box:
    """A device shows what it was sent."""
    before = box.devices.get(key, Device())
    shown = {**before.shown, **plan.shown}
    device = Device(shown={game: keys for game, keys in shown.items() if keys})
    return msgspec.structs.replace(box, devices={**box.devices, key: device})
