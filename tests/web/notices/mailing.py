"""A mail server on loopback that keeps what it is given, and a town whose clock can be turned."""

from __future__ import annotations

import contextlib
import email
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from engine.actions.legal import legal_actions
from tests.web.world import Someone, World
from web.games.seats import start_if_full
from web.seating.new_table import NewTable
from web.settings import Mail, Notices, Server, Settings

URL = "https://play.example.org"
MINUTE = 60_000
START = 1_700_000_000_000


class PostOffice:
    """Keeps every letter that it accepted; `on` may do something at each step of a delivery, and
    says whether the letter is lost with it."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.answer = "250 OK"
        self.on: Callable[[str], bool] = lambda step: False
        self.lock = threading.Lock()

    async def handle_EHLO(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.on("hello")
        return responses

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.on("before"):
            return "451 lost"
        if not self.answer.startswith("250"):
            return self.answer
        letter = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(letter, EmailMessage)
        with self.lock:
            self.letters.append(letter)
        self.on("kept")
        return self.answer

    def ids(self) -> list[str]:
        with self.lock:
            return [str(letter["Message-ID"]) for letter in self.letters]


Office = tuple[PostOffice, int]
"""A mail server, and its port."""


@contextmanager
def post_office() -> Iterator[Office]:
    office = PostOffice()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(office, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield office, port
    finally:
        controller.stop()


DRIPS = 3000
"""So often at most: a minute, where everything else ends in a second."""


@contextmanager
def dripping(*parts: bytes, every: float = 0.02) -> Iterator[int]:
    """A server that takes a request, and answers with these parts, the last one again and again,
    until it is hung up on, which has to be before it has had enough itself. Gives its port."""
    stop, ended = threading.Event(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def answer(line: socket.socket) -> None:
            with line, contextlib.suppress(OSError):
                for part in parts[:-1]:
                    line.sendall(part)
                for _ in range(DRIPS):
                    if stop.wait(every):
                        return
                    line.sendall(parts[-1])
                ended.set()

        def listen() -> None:
            while not stop.is_set():
                with contextlib.suppress(TimeoutError):
                    line, _ = listening.accept()
                    threads.append(threading.Thread(target=answer, args=(line,)))
                    threads[-1].start()

        threads = [threading.Thread(target=listen)]
        threads[0].start()
        try:
            yield listening.getsockname()[1]
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert not ended.is_set(), "nobody hung up"


def settings_for(port: int, **notices: Any) -> Settings:
    mail = Mail(
        host="127.0.0.1", port=port, security="none", sender="games@example.org", timeout=2.0
    )
    return Settings(server=Server(url=URL), mail=mail, notices=Notices(**notices))


class MailTown(World):
    """People with addresses, whose clock stands still until it is turned."""

    def __init__(self, place: Path | str, settings: Settings) -> None:
        self.time = START
        super().__init__(place, settings=settings, clock=lambda: self.time)

    def resident(self, name: str, language: str = "en") -> Someone:
        people = self.services.people
        account = people.register(name, "correct horse", f"{name.lower()}@example.org", language)
        people.confirm_email(account.id, account.wanted_email)
        return self.browser_of(account.id, name)

    def table(self, *people: Someone) -> str:
        """A game of these people, begun."""
        first, *others = people
        made = first.post("/api/tables", {"players": len(people)})
        assert made.json is not None
        for other in others:
            other.post(f"/api/tables/{made.json['id']}/seats", {})
        return str(made.json["id"])

    def play_alone(self, who: Someone) -> str:
        table = self.services.lobby.create(NewTable(players=2, bots=1), who.id, "Solo")
        with self.app.app_context():
            return start_if_full(table).id

    def owing(self, game: str) -> int:
        return min(self.services.games.live(game).state.awaiting)

    def act(self, game: str) -> int:
        """The seat that has to act does so. Gives the seat."""
        live = self.services.games.live(game)
        seat = self.owing(game)
        self.services.games.act(game, legal_actions(live.state, seat)[0])
        return seat

    def catch_up(self) -> None:
        self.services.projector.catch_up()
        while self.services.outbox.follow():
            pass

    def round(self, later: int = 0) -> int:
        """Turn the clock, take in the log, send what is due."""
        self.time += later
        self.catch_up()
        return self.services.courier.round()


def body(letter: EmailMessage, kind: str = "plain") -> str:
    part = letter.get_body((kind,))
    assert part is not None
    return str(part.get_content())
