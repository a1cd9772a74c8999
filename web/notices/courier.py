"""Carries what is due out of the outbox: a thread, in as many workers as there are.

1. A letter is written down in the box with its id, and taken up until some time: one worker only.
2. It is sent, and each way that it has gone is crossed off.
3. A server that says no leaves everything as it was, to be tried later, from what is true then.
4. Killed in between, or with a broken line, nobody knows whether it went: the same bytes go again
   under the same Message-ID, by which mail servers and readers drop a double. So nothing is lost,
   and nothing is told twice under two names.

Mail goes by this thread, to the one server that the host named. Webhooks lead to servers of anyone,
so they go by threads of their own (see `senders`).
"""

from __future__ import annotations

import functools
import logging
import secrets
from collections.abc import Callable

import msgspec

from events.store.news import Update
from web.accounts.account import Account, Subscription, Webhook
from web.accounts.service import People
from web.accounts.sessions import Sessions
from web.games.live import Games
from web.notices import egress, post, webhooks
from web.notices.boxes import (
    Box,
    Letter,
    Notice,
    Turn,
    WebhookTest,
    with_test,
)
from web.notices.checks import Checks
from web.notices.letters import Writer
from web.notices.outbox import NAME, Outbox
from web.notices.post import Never, NotNow, Unsure
from web.notices.push.pusher import Pusher
from web.notices.push.sealing import PushKeys
from web.notices.reach import MAIL, Reach, is_urgent, letter_items, minutes
from web.notices.senders import Job, Senders
from web.notices.unsubscribing import Unsubscribing
from web.seating.service import Lobby
from web.settings import Settings
from web.site.problems import Problem
from web.site.worker import PATIENCE, Worker

log = logging.getLogger(__name__)
LOOK = 5.0
"""Seconds between two looks for letters that have become due by and by."""
STEPS = 15
"""A letter is taken up for so many steps of the conversation with the server: more than it has."""
MOST_FAILURES = 12
LONGEST_REST = 4 * 3600
STALE = 3 * 24 * 3600 * 1000
"""Milliseconds after which nobody wants a letter that may have gone already."""
AFTER_NOTHING = 60_000
"""Milliseconds until a box is looked at again in which nothing was due after all, as a turn that
is over already, or that an order answers."""


class Courier(Worker):
    """Sends letters and messages to people who want them, from one process for all."""

    is_duty, gap = True, PATIENCE

    def __init__(
        self,
        outbox: Outbox,
        people: People,
        sessions: Sessions,
        reach: Reach,
        lobby: Lobby,
        games: Games,
        unsubscribing: Unsubscribing,
        settings: Settings,
        clock: Callable[[], int],
    ) -> None:
        super().__init__("letters", outbox.store)
        self._outbox, self._people, self._reach = outbox, people, reach
        self._lobby = lobby
        self._unsubscribing, self._settings, self._clock = unsubscribing, settings, clock
        self.longest += post.STEPS * settings.mail.timeout
        self._writer = Writer(games, settings.server.url)
        self.senders = Senders()
        self.connect: post.Connect = post.connect
        self.post: webhooks.Post = egress.post
        self.checks = Checks(lobby, games, reach, clock)
        self.pusher = Pusher(
            outbox,
            people,
            sessions,
            lobby,
            self._writer,
            self.checks,
            self.senders,
            PushKeys(outbox.store, settings.contact),
            minutes(settings.notices.push_wait),
            clock,
        )

    def start(self) -> None:
        notices = self._settings.notices
        if self._settings.mail.host or notices.webhooks or notices.push:
            super().start()
        if notices.webhooks or notices.push:
            self.senders.start()

    def round(self) -> int:
        """Send everything that is due. Gives the number of letters taken up."""
        taken = 0
        for person in self._outbox.due(self._clock()):
            if self._stop.is_set():
                break
            write = functools.partial(self._write_to, person)
            taken += self.isolate(f"the box of {person}", write, False)
        return taken

    def push_round(self) -> int:
        """Tell all devices what they have to be told. Gives the number of their owners."""
        owners = 0
        for person in self.pusher.due() if self._settings.notices.push else ():
            if self._stop.is_set():
                break
            tell = functools.partial(self.pusher.tell, person)
            owners += self.isolate(f"the devices of {person}", tell, False)
        return owners

    def _write_to(self, person: str) -> bool:
        """Send somebody's letter, if one is due."""
        account = self._people.get(person)
        ways = self._reach.ways(account) if account else []
        if account is None or not ways:
            return False
        if ways[0] != MAIL and not self.senders.has_room(person):
            return False
        if back := self.checks.away_until(person):
            self._outbox.put_off(person, back)
            return False
        letter = self._take_up(account)
        if letter is None:
            self._outbox.put_off(person, self._clock() + AFTER_NOTHING)
            return False
        self._deliver(person, letter)
        return True

    def step(self) -> float:
        self.push_round()
        self.round()
        return LOOK

    def concerns(self, update: Update) -> bool:
        return NAME in update.documents

    def _take_up(self, account: Account) -> Letter | None:
        """Somebody's letter, if one is due, for this worker alone."""
        taken: list[Letter] = []

        def edit(box: Box) -> Box:
            taken.clear()
            box = self._retry(box) if box.letter else self._anew(box, account)
            if box.letter is not None and box.letter.until == 0:
                # Its own word makes this claim unlike any other worker's of the same moment.
                until = self._clock() + self._lease(box.letter) + secrets.randbelow(1000)
                taken.append(msgspec.structs.replace(box.letter, until=until))
                return msgspec.structs.replace(box, letter=taken[0])
            return box

        self._outbox.change(account.id, edit)
        return taken[0] if taken else None

    def _retry(self, box: Box) -> Box:
        """A letter of which nobody knows whether it went: once more, unless it is out of date."""
        letter = box.letter
        assert letter is not None
        if letter.until > self._clock():
            return box
        if self._clock() - letter.time > STALE:
            return msgspec.structs.replace(box, letter=None)
        if all(map(self.checks.waits, letter.turns)) and all(
            map(self.checks.holds, letter.notices)
        ):
            return msgspec.structs.replace(
                box, letter=msgspec.structs.replace(letter, until=0, unsure=True)
            )
        return dissolved(box)

    def _anew(self, box: Box, account: Account) -> Box:
        """A letter about what is due, if anything is."""
        now = self._clock()
        if now < box.not_before:
            return box
        wanted = [item for item in letter_items(account, box) if isinstance(item, Notice)]
        news = [notice for notice in wanted if self.checks.is_news(account.id, notice)]
        box = msgspec.structs.replace(box, notices=news)
        items = [item for item in letter_items(account, box) if self._is_time(account.id, item)]
        due = [item for item in items if self._reach.moment(account, item, box) <= now]
        if not due:
            return box
        if account.wishes.digest is not None and all(map(is_urgent, due)):
            items = due  # the others wait for the hour
        turns = [item for item in items if isinstance(item, Turn)]
        notices = [item for item in items if isinstance(item, Notice)]
        games = {item.game for item in items}
        tables = [table for table in map(self._lobby.find, sorted(games)) if table]
        seats = {table.id: table.seats_of(account.id) for table in tables}
        letter = self._writer.write(account, seats, turns, notices, self.link(account.id), now)
        turn_keys, ways = {turn.key for turn in turns}, self._reach.ways(account)
        return msgspec.structs.replace(
            box,
            turns=[
                msgspec.structs.replace(turn, told=turn.told or turn.key in turn_keys)
                for turn in box.turns
            ],
            notices=[notice for notice in news if notice not in notices],
            letter=msgspec.structs.replace(letter, ways=ways, left=ways),
            mailed=now,
        )

    def _is_time(self, person: str, item: Turn | Notice) -> bool:
        """Whether a letter may speak of something now: who has the game open needs none."""
        if isinstance(item, Turn) and not self.checks.waits(item):
            return False
        return not self.checks.is_present(person, item.game)

    def link(self, person: str) -> str:
        word = self._unsubscribing.word(person)
        return f"{self._settings.server.url}/unsubscribe/{word}"

    def _deliver(self, person: str, letter: Letter) -> None:
        """Send a letter its ways: by mail here, by webhooks in a thread of theirs. What finds no
        room there is taken up again later."""
        account = self._people.get(person)
        if account is None or (MAIL in letter.left and not self._carry(account, letter, MAIL)):
            return
        hooks = [way for way in letter.left if way != MAIL]
        if hooks:
            hook = account.webhooks.get(hooks[0])
            host = egress.host_of(hook.url) if hook else ""
            self.senders.submit(Job(person, host, lambda: self._call(account, letter, hooks)))

    def _call(self, account: Account, letter: Letter, hooks: list[str]) -> None:
        all(self._carry(account, letter, way) for way in hooks)

    def _carry(self, account: Account, letter: Letter, way: str) -> bool:
        """Send a letter one of its ways. Whether the others are to be tried, too."""
        if self._clock() >= letter.until:
            return False  # it belongs to whoever takes it up next
        person = account.id
        try:
            self._send(account, letter, way)
        except (NotNow, Unsure) as error:
            log.warning("a letter to %s by %s waits: %s", person, way, error)
            # A chat that cannot be reached does not get what mail has brought already.
            if way == letter.ways[0]:
                unsure = letter.unsure or isinstance(error, Unsure)
                self._outbox.change(person, functools.partial(self._put_back, letter, unsure))
                return False
        except Never as error:
            log.warning("a letter to %s by %s cannot go: %s", person, way, error)
        self._outbox.change(person, functools.partial(crossed_off, letter, way))
        return True

    def _send(self, account: Account, letter: Letter, way: str) -> None:
        if way == MAIL:
            mail, url = self._settings.mail, self._settings.server.url
            written = post.message(account, mail.sender, letter, self.link(account.id))
            post.send(mail, url, written, self.connect)
        elif way in account.webhooks:
            text = letter.text.partition("\n-- \n")[0]
            webhooks.send(account.webhooks[way], text, self.post)

    def test(self, account: Account, key: str, hook: Webhook, text: str) -> None:
        """Send a word to a chat, by and by, and note in its owner's box how that went."""
        send = functools.partial(webhooks.send_test, hook, text, self.post)
        self._try(account.id, key, hook.url, send)

    def test_device(
        self, account: Account, key: str, subscription: Subscription, text: str
    ) -> None:
        """The same for a device."""
        send = functools.partial(self.pusher.test, account.id, key, subscription, text)
        self._try(account.id, key, subscription.endpoint, send)

    def _try(self, person: str, key: str, url: str, send: Callable[[], tuple[str, int]]) -> None:
        note = functools.partial(self._note_test, person, key)
        if not self.senders.has_room(person):
            raise Problem(503, "busy", "Others are sending, too. Please try again in a minute.")
        note(("", 0))
        if not self.senders.submit(Job(person, egress.host_of(url), lambda: note(send()))):
            note((webhooks.SILENT, 0))

    def _note_test(self, person: str, key: str, result: tuple[str, int]) -> None:
        found = WebhookTest(self._clock(), *result)
        self._outbox.change(person, lambda box: with_test(box, key, found))

    def _put_back(self, letter: Letter, unsure: bool, box: Box) -> Box:
        """A letter did not go: everything is as before, and rests for a while. One that may have
        gone stays as it is, and goes again as it is."""
        if box.letter != letter:
            return box
        failures = box.failures + 1
        if failures > MOST_FAILURES:
            return msgspec.structs.replace(box, letter=None, failures=0)
        rest = min(3 * self._settings.mail.timeout * 2 ** (failures - 1), LONGEST_REST)
        until = self._clock() + int(rest * 1000)
        if unsure:
            resting = msgspec.structs.replace(letter, until=until, unsure=True)
            return msgspec.structs.replace(box, letter=resting, failures=failures)
        return msgspec.structs.replace(dissolved(box), not_before=until, failures=failures)

    def _lease(self, letter: Letter) -> int:
        """Milliseconds that sending a letter all its ways takes at most."""
        hooks = sum(way != MAIL for way in letter.left)
        seconds = STEPS * self._settings.mail.timeout + hooks * egress.SECONDS_IN_ALL
        return int(seconds * 1000)


def crossed_off(letter: Letter, way: str, box: Box) -> Box:
    """One way is done; a letter that has gone all its ways is done itself."""
    now = box.letter
    if now is None or (now.id, now.until) != (letter.id, letter.until):
        return box
    left = [other for other in now.left if other != way]
    rest = msgspec.structs.replace(now, left=left) if left else None
    return msgspec.structs.replace(box, letter=rest, not_before=0, failures=0)


def dissolved(box: Box) -> Box:
    """Back to before the letter was written."""
    letter = box.letter
    assert letter is not None
    turn_keys = {turn.key for turn in letter.turns}
    return msgspec.structs.replace(
        box,
        turns=[
            msgspec.structs.replace(turn, told=turn.told and turn.key not in turn_keys)
            for turn in box.turns
        ],
        notices=[*letter.notices, *box.notices],
        letter=None,
        mailed=0,
    )
