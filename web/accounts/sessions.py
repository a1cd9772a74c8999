"""Sessions: who is logged in where, kept by the server. A cookie holds a random word alone."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable

import msgspec

from events.store.collection import Collection, ListRule
from events.store.protocol import Store
from web.site.problems import Problem

LIFETIME = 180 * 24 * 3600 * 1000
"""Milliseconds without use after which a session is over."""
TOUCHED_EVERY = 5 * 60 * 1000
"""Milliseconds between two notes of when a session was last used."""
MOST = 20
"""Sessions of one person; the one that was used least lately makes room."""
LONGEST_WORD = 100
USED = "used"
"""The list of all sessions by when they were last used."""
PURGED_AT_ONCE = 500
BROWSERS = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
"""The first whose sign is found: most browsers also claim to be the ones further down."""
SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux"),
)


class Session(msgspec.Struct, frozen=True):
    """Somebody logged in at one browser; guests are, too, by the name that they gave."""

    person: str
    name: str
    begun: int
    used: int
    browser: str = ""
    system: str = ""


def device_of(agent: str) -> tuple[str, str]:
    """Browser and system by what a browser says of itself; empty for what is not known.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0")
    ('Firefox', 'Linux')
    """
    agent = agent[:500]
    browser, system = (
        next((name for name, sign in known if re.search(sign, agent)), "")
        for known in (BROWSERS, SYSTEMS)
    )
    return browser, system


def session_key(word: str) -> str:
    """A session's name in the store and on pages, from which its word cannot be told."""
    return hashlib.sha256(word.encode()).hexdigest()


class Sessions:
    """The sessions of a server; every process that shares the store sees the same ones."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        # Each session lies there twice, to be found by its word and by its person.
        rule = ListRule[Session]("by-use", lambda _, session: {USED: session.used})
        self._sessions = Collection(store, "sessions", Session, rule)
        self._clock = clock

    def begin(self, person: str, name: str, agent: str = "") -> str:
        """A new session. Gives its word, which is kept nowhere here."""
        word, now = secrets.token_urlsafe(32), self._clock()
        session = Session(person, name, now, now, *device_of(agent))

        def edit() -> dict[str, Session | None]:
            before = sorted(self._of(person), key=lambda item: item[1].used, reverse=True)
            surplus = [key for key, _ in before[MOST - 1 :]]
            return {**_both(session_key(word), session), **_gone(person, surplus)}

        self._sessions.change(edit)
        return word

    def get(self, word: str) -> Session | None:
        """The session of a word, while it lasts."""
        if not word or len(word) > LONGEST_WORD:
            return None
        found = self._sessions.get(f"id/{session_key(word)}")
        return found if found is not None and self._lasts(found) else None

    def lasts(self, key: str) -> bool:
        """Whether the session of this key is not over."""
        found = self._sessions.get(f"id/{key}")
        return found is not None and self._lasts(found)

    def touch(self, word: str, session: Session) -> bool:
        """Note that a session is used. True when that was written down, which is not always."""
        now, key = self._clock(), session_key(word)
        if now - session.used < TOUCHED_EVERY:
            return False

        def edit() -> dict[str, Session | None]:
            current = self._sessions.get(f"id/{key}")
            if current is None or current.used >= now:
                return {}
            return {**_both(key, msgspec.structs.replace(current, used=now))}

        self._sessions.change(edit)
        return True

    def of(self, person: str) -> dict[str, Session]:
        """A person's sessions by key, the one used last first."""
        lasting = [item for item in self._of(person) if self._lasts(item[1])]
        return dict(sorted(lasting, key=lambda item: -item[1].used))

    def end(self, word: str) -> None:
        """A session is over, for every cookie that holds its word."""
        if (session := self.get(word)) is not None:
            self._remove(session.person, lambda key: key == session_key(word))

    def end_one(self, person: str, key: str) -> None:
        """End a session of this person by its key."""
        if self._sessions.get(f"of/{person}/{key}") is None:
            raise Problem(404, "no-such-session", "There is no such session.")
        self._remove(person, lambda other: other == key)

    def end_all(self, person: str, but: str = "") -> None:
        """End all sessions of a person, or all but the one with this word."""
        spared = session_key(but) if but else ""
        self._remove(person, lambda key: key != spared)

    def rename(self, person: str, name: str) -> None:
        """Call a person otherwise wherever they are logged in."""

        def edit() -> dict[str, Session | None]:
            changes: dict[str, Session | None] = {}
            for key, session in self._of(person):
                changes |= _both(key, msgspec.structs.replace(session, name=name))
            return changes

        self._sessions.change(edit)

    def retire(self, guest: str) -> None:
        """A guest is one no more: a cookie of old, which names the guest itself, ends with that."""
        now = self._clock()
        self._sessions.change(lambda: {f"ended/{guest}": Session(guest, "", now, now)})

    def is_retired(self, guest: str) -> bool:
        return self._sessions.get(f"ended/{guest}") is not None

    def purge(self) -> int:
        """Take away what is over by its age. Gives how much that was."""
        last, gone = self._clock() - LIFETIME, 0
        while old := self._sessions.listed(USED, PURGED_AT_ONCE, until=last):
            self._sessions.change(lambda keys=[place.key for place in old]: self._outdated(keys))  # type: ignore[misc]
            gone += len(old)
        return gone

    def _outdated(self, keys: list[str]) -> dict[str, Session | None]:
        found = {key: self._sessions.get(key) for key in keys}
        return {key: None for key, each in found.items() if each is None or not self._lasts(each)}

    def _remove(self, person: str, wanted: Callable[[str], bool]) -> None:
        self._sessions.change(
            lambda: _gone(person, [key for key, _ in self._of(person) if wanted(key)])
        )

    def _of(self, person: str) -> list[tuple[str, Session]]:
        prefix = f"of/{person}/"
        return [(key.removeprefix(prefix), each) for key, each in self._sessions.all(prefix)]

    def _lasts(self, session: Session) -> bool:
        return self._clock() - session.used < LIFETIME


def _both(key: str, session: Session) -> dict[str, Session | None]:
    return {f"id/{key}": session, f"of/{session.person}/{key}": session}


def _gone(person: str, keys: list[str]) -> dict[str, Session | None]:
    return dict.fromkeys([*(f"id/{key}" for key in keys), *(f"of/{person}/{key}" for key in keys)])
