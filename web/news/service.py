"""Streams of news to open pages: each is told anew when what it shows is older than the store.

A stream carries no events but a state: the version of a game, of the talk at its table, the number
of games that wait. So nothing can be missed: who connects again is told how things stand.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable

import msgspec

from events.store.news import Update
from events.store.protocol import Store
from web.chat.service import Chats, stream_of
from web.notices.outbox import Outbox
from web.notices.presence import LASTS, Presence
from web.seating.service import Lobby
from web.settings import Limits
from web.site.problems import Problem
from web.site.worker import PATIENCE, Worker

MOST_PER_PERSON = 12
"""Streams of one person; further pages ask as they did before there were streams."""
CHECKED_EVERY = 300.0
"""Seconds after which it is looked whether a session still lasts, of a stream without news. Before
news that is looked at anyway, unless it was a moment ago."""
JUST_CHECKED = 2.0
SOON = 0.2
"""Seconds between two looks whether people's lists have followed a turn."""
RETRY = 3000
"""Milliseconds until a browser connects again whose stream has ended."""
RENEWED_EVERY = LASTS / 3
"""Seconds between two signs that an open page is in sight."""
HEARTBEAT = b"event: beat\ndata:\n\n"


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """How things stand: the versions of a game and of the talk at its table, where the stream is
    about a game, and how many games wait for whoever listens."""

    version: int = 0
    chat: int = 0
    waiting: int = 0

    @property
    def id(self) -> str:
        return f"{self.version}-{self.chat}-{self.waiting}"

    @property
    def event(self) -> bytes:
        data = msgspec.json.encode(self)
        return b"event: news\nid: %s\ndata: %s\n\n" % (self.id.encode(), data)


class PageStream:
    """An open page. `lasts` tells whether whoever opened it may still listen."""

    heartbeat = HEARTBEAT

    def __init__(
        self,
        streams: NewsStreams,
        game: str,
        person: str,
        network: str,
        lasts: Callable[[], bool],
    ) -> None:
        self._streams = streams
        self.game, self.person, self.network, self.lasts = game, person, network, lasts
        self.standing: Standing | None = None
        """What the page was told last."""
        self.in_sight = False
        self.checked = time.monotonic()
        self._push: Callable[[bytes], None] | None = None
        self._end: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def be_in_sight(self) -> None:
        """A page that somebody looks at, and no program that listens."""
        self.in_sight = True
        self._streams.presence.see(self.person, self.game)

    def begin(self, known: str) -> bytes:
        """The first words, to somebody who knows a standing by its id."""
        with self._lock:
            self.standing = self._streams.standing(self.game, self.person)
            return first_words(self.standing, known)

    def open(self, push: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self._push, self._end = push, end
        self._streams.open(self)

    def close(self) -> None:
        self._streams.remove(self)

    def tell(self, version: int = 0, chat: int = 0, waiting: int | None = None) -> None:
        """Push how things stand by now, if the page does not know. Versions only grow."""
        with self._lock:
            before = self.standing
            if self._push is None or before is None:
                return
            self.standing = Standing(
                max(version, before.version),
                max(chat, before.chat),
                before.waiting if waiting is None else waiting,
            )
            if self.standing != before:
                self._push(self.standing.event)

    def end(self) -> None:
        if self._end is not None:
            self._end()


def first_words(standing: Standing, known: str) -> bytes:
    """How a stream begins, to somebody who knows a standing by its id."""
    return b"retry: %d\n\n" % RETRY + (b"" if standing.id == known else standing.event)


class NewsStreams(Worker):
    """All open pages of this process, and the thread that tells them."""

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        chats: Chats,
        outbox: Outbox,
        limits: Limits,
        presence: Presence,
    ) -> None:
        super().__init__("open pages")
        self.presence, self._renewed = presence, 0.0
        self._store, self._lobby, self._chats, self._outbox = store, lobby, chats, outbox
        self._most = limits.connections * 3 // 4
        self._most_per_address = max(1, limits.connections_per_address // 2)
        self._lock = threading.Lock()
        self._streams: set[PageStream] = set()
        self._by_game: dict[str, set[PageStream]] = {}
        self._by_person: dict[str, set[PageStream]] = {}
        self._networks: Counter[str] = Counter()
        self._updates: queue.SimpleQueue[Update | PageStream] = queue.SimpleQueue()
        self._unsettled: dict[str, int] = {}
        """People whose list may change yet: when it has followed the log to a position."""
        self._forget: Callable[[], None] | None = None

    @property
    def count(self) -> int:
        """How many pages are open."""
        return len(self._streams)

    def start(self) -> None:
        self._forget = self._store.news.subscribe(self._updates.put)
        super().start()

    def stop(self) -> None:
        if self._forget is not None:
            self._forget()
        for stream in self._all():
            stream.end()
        super().stop()

    def wake(self) -> None:
        super().wake()
        self._updates.put(Update(0))

    def add(self, game: str, person: str, network: str, lasts: Callable[[], bool]) -> PageStream:
        """A new stream, or a problem where there are too many."""
        stream = PageStream(self, game, person, network, lasts)
        with self._lock:
            full = len(self._streams) >= self._most or self._forget is None
            if full or self._networks[network] >= self._most_per_address:
                raise Problem(503, "too-many-pages", "Too many pages are open. Please ask again.")
            if person and len(self._by_person.get(person, ())) >= MOST_PER_PERSON:
                raise Problem(503, "too-many-pages", "Too many pages are open. Please ask again.")
            self._streams.add(stream)
            self._networks[network] += 1
            for index, key in ((self._by_game, game), (self._by_person, person)):
                if key:
                    index.setdefault(key, set()).add(stream)
        return stream

    def remove(self, stream: PageStream) -> None:
        with self._lock:
            if stream not in self._streams:
                return
            self._streams.discard(stream)
            self._networks -= Counter([stream.network])
            for index, key in ((self._by_game, stream.game), (self._by_person, stream.person)):
                if key:
                    index[key].discard(stream)
                    if not index[key]:
                        del index[key]
            others = self._by_person.get(stream.person, ())
            left = not any(each.in_sight and each.game == stream.game for each in others)
        if stream.in_sight and left:
            self.presence.leave(stream.person, stream.game)

    def open(self, stream: PageStream) -> None:
        """What has come since its first words was told to nobody."""
        self._updates.put(stream)

    def standing(self, game: str, person: str) -> Standing:
        """How things stand for somebody who has a game's page open, or another one."""
        info = self._store.game(game) if game else None
        sits = game and person and self._sits(game, person)
        return Standing(
            version=info.version if info else 0,
            chat=self._chats.version(game) if sits else 0,
            waiting=len(self._outbox.waiting(person)),
        )

    def _sits(self, game: str, person: str) -> bool:
        table = self._lobby.find(game)
        return table is not None and bool(table.seats_of(person))

    def step(self) -> float:
        try:
            update = self._updates.get(timeout=SOON if self._unsettled else PATIENCE)
            if not isinstance(update, PageStream):
                self._take_in(update)
            elif self._lasts(update, time.monotonic()):
                standing = self.standing(update.game, update.person)
                update.tell(standing.version, standing.chat, standing.waiting)
        except queue.Empty:
            pass
        if self._unsettled:
            self._settle()
        self._check_sessions()
        self._renew_presence()
        return 0

    def reset(self) -> None:
        """Some may have missed something."""
        for stream in self._all():
            self._updates.put(stream)

    def _take_in(self, update: Update) -> None:
        with self._lock:
            watched = set(self._by_game) if update.streams else set()
        talked = {game for game in watched if stream_of(game) in update.streams}
        for game in update.games | talked:
            table = self._lobby.find(game) if self._by_person else None
            for holder in table.seats if table is not None else ():
                if holder.person in self._by_person:
                    self._unsettled[holder.person] = update.position
            if watching := self._lasting(self._by_game, game):
                info, chat = self._store.game(game), self._chats.version(game)
                for stream in watching:
                    sits = table is not None and stream.person and table.seats_of(stream.person)
                    stream.tell(info.version if info else 0, chat if sits else 0)

    def _settle(self) -> None:
        """Tell people of their list when it has followed the turn that they were at."""
        followed = self._outbox.followed()
        for person in [who for who, at in self._unsettled.items() if at <= followed]:
            del self._unsettled[person]
            if streams := self._lasting(self._by_person, person):
                waiting = len(self._outbox.waiting(person))
                for stream in streams:
                    stream.tell(waiting=waiting)

    def _lasting(self, index: dict[str, set[PageStream]], key: str) -> list[PageStream]:
        """The streams about something whose owners may still listen."""
        with self._lock:
            found = list(index.get(key, ()))
        now = time.monotonic()
        return [each for each in found if self._lasts(each, now)]

    def _lasts(self, stream: PageStream, now: float) -> bool:
        return now - stream.checked <= JUST_CHECKED or self._check(stream, now)

    def _check(self, stream: PageStream, now: float) -> bool:
        """Whether a stream may go on; it ends otherwise."""
        stream.checked = now
        if stream.lasts():
            return True
        stream.end()
        return False

    def _check_sessions(self) -> None:
        now = time.monotonic()
        for stream in self._all():
            if now - stream.checked > CHECKED_EVERY:
                self._check(stream, now)

    def _renew_presence(self) -> None:
        now = time.monotonic()
        if now - self._renewed > RENEWED_EVERY:
            self._renewed = now
            for person, game in {(each.person, each.game) for each in self._all() if each.in_sight}:
                self.presence.see(person, game)

    def _all(self) -> list[PageStream]:
        with self._lock:
            return list(self._streams)
