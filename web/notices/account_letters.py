"""Letters about the account itself: an address is confirmed, the old one is told, a new password.

A request only notes that something is asked for. Who that is, and whether there is anybody, is
looked up by this worker, so that neither the answer nor its time tells which names and addresses
there are.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from markupsafe import Markup

from events.store.collection import Collection
from events.store.news import Update
from events.store.protocol import Store
from projections.words.names import marked
from web.accounts.account import Account
from web.accounts.links import HOUR, Links
from web.accounts.service import People
from web.notices import post
from web.notices.post import Never, NotNow, Unsure, one_line
from web.settings import Settings
from web.site.forms import is_address
from web.site.worker import PATIENCE, Worker
from web.words.catalogues import translator

log = logging.getLogger(__name__)
NAME = "account-letters"
LOOK = 10.0
"""Seconds between two looks for letters that failed and are due again."""
ErrandKind = Literal["confirm", "changing", "removed", "reset", "reported"]
MOST_WAITING = 1000
MOST_A_DAY = 5
"""Letters about accounts that one address gets in a day, and that one account causes."""
MOST_TRIES = 6
LEASE = 2 * 60 * 1000
MOST_ACCOUNTS = 5
"""With one address, for which a new password can be asked at once."""
SUBJECTS: dict[ErrandKind, str] = {
    "confirm": marked("Please confirm your e-mail address"),
    "changing": marked("Your e-mail address is being changed"),
    "removed": marked("Your e-mail address was removed"),
    "reset": marked("A new password"),
    "reported": marked("Something was reported"),
}
TEXTS: dict[ErrandKind, tuple[str, str]] = {
    "confirm": (
        marked(
            "Somebody, probably you, wants letters about the account {name} to come to this"
            " address. If so, please confirm it here:"
        ),
        marked(
            "The link works once, for a day. If it was not you, ignore this letter, and no other"
            " will come."
        ),
    ),
    "changing": (
        marked(
            "The account {name} is to get another e-mail address. This one stays in force until"
            " the new one is confirmed."
        ),
        marked("If it was not you, change your password on the account page now:"),
    ),
    "removed": (
        marked("The account {name} has no e-mail address any more; it was this one."),
        marked("If it was not you, change your password on the account page now:"),
    ),
    "reset": (
        marked(
            "Somebody, probably you, asks for a new password for the account {name}. Choose one"
            " here:"
        ),
        marked(
            "The link works once, for an hour. If it was not you, ignore this letter, and nothing"
            " changes."
        ),
    ),
    "reported": (
        marked("Somebody has reported a text or a name to the hosts, of whom {name} is one."),
        marked("Until it is seen to, no other letter tells of reports. They are here:"),
    ),
}


class Errand(msgspec.Struct, frozen=True):
    """A letter that was asked for: by somebody known, or for whoever has this name or address."""

    kind: ErrandKind
    person: str = ""
    about: str = ""
    """The address that is told; for a new password, the name or address that somebody gave."""
    until: int = 0
    """Not before then: somebody has taken it up, or it failed."""
    tries: int = 0


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document: an errand, or when letters went to an address or for an account."""

    errand: Errand | None = None
    sent: list[int] = []


class AccountLetters(Worker):
    """Sends letters about accounts, and cleans up, from one process for all."""

    is_duty, gap = True, PATIENCE

    def __init__(
        self,
        store: Store,
        people: People,
        links: Links,
        settings: Settings,
        clock: Callable[[], int],
    ) -> None:
        super().__init__("account letters", store)
        self.longest += post.STEPS * settings.mail.timeout
        self._entries = Collection(store, NAME, Entry)
        self._people, self._links, self._settings = people, links, settings
        self._clock, self._purged = clock, 0
        self.connect: post.Connect = post.connect
        self.purges: list[Callable[[], object]] = [links.purge, self._purge]
        """What takes away, now and then, what is out of date."""

    @property
    def can_send(self) -> bool:
        return bool(self._settings.mail.host)

    def ask(self, kind: ErrandKind, person: str = "", about: str = "") -> None:
        """Note that a letter is wanted. It always takes the same."""
        if not self.can_send:
            return
        entry = Entry(Errand(kind, person, about))

        def edit() -> dict[str, Entry | None]:
            waiting = len(self._entries.all("errand/"))
            if waiting >= MOST_WAITING:
                log.warning("too many letters about accounts are waiting")
                return {}
            # In the order in which they were asked for.
            return {f"errand/{self._clock():015}-{waiting:04}-{secrets.token_hex(4)}": entry}

        self._entries.change(edit)

    def step(self) -> float:
        if self.can_send:
            self.round()
        if self._clock() - self._purged > 6 * HOUR:
            self._purged = self._clock()
            for purge in self.purges:
                purge()
        return LOOK

    def concerns(self, update: Update) -> bool:
        return NAME in update.documents

    def round(self) -> int:
        """Do every errand that is due. Gives the number of letters that went."""
        went = 0
        for key, entry in self._entries.all("errand/"):
            if entry.errand and entry.errand.until <= self._clock() and not self._stop.is_set():
                run = functools.partial(self._run_errand, key)
                went += self.isolate(f"the errand {key}", run, 0)
        return went

    def _run_errand(self, key: str) -> int:
        errand = self._take_up(key)
        if errand is None:
            return 0
        went, later = 0, False
        for account, address in self._receivers(errand):
            self.beat()
            try:
                went += self._send(errand.kind, account, address)
            except (NotNow, Unsure) as error:
                log.warning("a letter about the account %s waits: %s", account.id, error)
                later = True
            except Never as error:
                log.warning("a letter about the account %s cannot go: %s", account.id, error)
        retry = later and errand.tries < MOST_TRIES
        self._entries.change(lambda: {} if retry else {key: None})
        return went

    def _take_up(self, key: str) -> Errand | None:
        """The errand, for this worker alone; should it fail, it is tried again after a while."""
        taken: list[Errand] = []

        def edit() -> dict[str, Entry | None]:
            taken.clear()
            entry = self._entries.get(key)
            errand = entry.errand if entry else None
            if errand is None or errand.until > self._clock():
                return {}
            until = self._clock() + LEASE * 2**errand.tries
            taken.append(msgspec.structs.replace(errand, until=until, tries=errand.tries + 1))
            return {key: Entry(taken[0])}

        self._entries.change(edit)
        return taken[0] if taken else None

    def _receivers(self, errand: Errand) -> list[tuple[Account, str]]:
        """Whose letter this is, and where it goes."""
        if errand.kind == "reset":
            found = self._people.with_address(errand.about)[:MOST_ACCOUNTS]
            if (named := self._people.by_name(errand.about)) and named not in found:
                found.append(named)
            return [(account, account.email) for account in found if account.confirmed]
        account = self._people.get(errand.person)
        if account is None:
            return []
        if errand.kind == "confirm":
            return [(account, account.wanted_email)] if account.wanted_email else []
        return [(account, errand.about)]

    def _send(self, kind: ErrandKind, account: Account, address: str) -> int:
        if not is_address(address):
            raise Never("not an address")
        if not self._may_send(account.id, address):
            log.warning("too many letters about the account %s", account.id)
            return 0
        url, mail = self._settings.server.url, self._settings.mail
        link = f"{url}/host" if kind == "reported" else f"{url}/account"
        if kind in ("confirm", "reset"):
            secret = self._links.make(account.id, kind, address)
            link = f"{url}/{kind}/{account.id}/{secret}"
        letter = compose(kind, account, address, link, mail.sender, self._clock())
        letter["Message-ID"] = f"<{secrets.token_hex(16)}@{urlsplit(url).hostname or 'localhost'}>"
        post.send(mail, url, letter, self.connect)
        return 1

    def _may_send(self, person: str, address: str) -> bool:
        """Whether this is not too much for an address or for an account; noted when it is not."""
        keys = [f"sent/{person}", f"sent/{hashlib.sha256(address.lower().encode()).hexdigest()}"]
        allowed = False

        def edit() -> dict[str, Entry | None]:
            nonlocal allowed
            times = {key: self._lately(key) for key in keys}
            allowed = all(len(each) < MOST_A_DAY for each in times.values())
            now = self._clock()
            return {key: Entry(sent=[*each, now]) for key, each in times.items()} if allowed else {}

        self._entries.change(edit)
        return allowed

    def _lately(self, key: str) -> list[int]:
        entry, since = self._entries.get(key), self._clock() - 24 * HOUR
        return [time for time in entry.sent if time > since] if entry else []

    def _purge(self) -> None:
        self._entries.change(
            lambda: {key: None for key, _ in self._entries.all("sent/") if not self._lately(key)}
        )


def compose(
    kind: ErrandKind, account: Account, address: str, link: str, sender: str, time: int
) -> EmailMessage:
    """A letter in the language of the account."""
    words = translator(account.language or "en")
    hello = words.gettext("Hello {name},").format(name=account.name)
    before, after = (words.gettext(text).format(name=account.name) for text in TEXTS[kind])
    # The link stands behind the words that ask to follow it.
    asks_first = kind in ("confirm", "reset")
    parts = [hello, before, link, after] if asks_first else [hello, before, after, link]
    letter = EmailMessage(policy=SMTP)
    letter["Date"] = datetime.fromtimestamp(time // 1000, UTC)
    letter["From"] = Address("La Città", addr_spec=sender)
    letter["To"] = Address(one_line(account.name, 30), addr_spec=address)
    letter["Subject"] = one_line(words.gettext(SUBJECTS[kind]))
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content("\n\n".join(parts) + "\n")
    shown = Markup("").join(
        Markup('<p><a href="{}">{}</a></p>').format(part, part)
        if part == link
        else Markup("<p>{}</p>").format(part)
        for part in parts
    )
    letter.add_alternative(f"<!doctype html><html><body>{shown}</body></html>\n", subtype="html")
    return letter
