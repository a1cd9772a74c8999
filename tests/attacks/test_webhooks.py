"""A chat that answers one byte at a time holds up neither pages nor the letters of others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events.store.protocol import Store
from tests.attacks.chat_server import HOST
from tests.attacks.host import Host
from tests.attacks.siege import Asking, withstand
from tests.web.world import CHEAP, PASSWORD
from web.accounts.account import Webhook
from web.accounts.service import People

pytestmark = pytest.mark.long

DRIPPERS = 8
EVERY = 0.2
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 16000\r\n\r\n"


class Dripping:
    """Takes every message and drips its answer, until it is told to stop."""

    def __init__(self) -> None:
        self.messages = 0
        self._stop = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                link, _ = self._listening.accept()
            except OSError:
                return
            self.messages += 1
            threading.Thread(target=self._drip, args=(link,), daemon=True).start()

    def _drip(self, link: socket.socket) -> None:
        with link:
            try:
                link.recv(65536)
                link.sendall(HEAD)
                while not self._stop.wait(EVERY):
                    link.sendall(b"x")
            except OSError:
                return

    def stop(self) -> None:
        self._stop.set()
        self._listening.close()


@contextmanager
def dripping() -> Iterator[Dripping]:
    chat = Dripping()
    try:
        yield chat
    finally:
        chat.stop()


class WithHooks(Host):
    """Some people have a webhook at the chat that drips."""

    def fill(self, store: Store) -> None:
        people = People(store, CHEAP)
        for number in range(DRIPPERS):
            account = people.register(f"Dripper {number}", PASSWORD)
            people.add_webhook(account.id, Webhook("slack", f"https://{HOST}/{number}"))
            (key,) = people.get(account.id).webhooks  # type: ignore[union-attr]
            self.hooks.append((account.name, key))

    def __init__(self, folder: Path, chat: Dripping) -> None:
        self.hooks: list[tuple[str, str]] = []
        command = ["-m", "tests.attacks.chat_server", str(chat.port), "serve", "--port", "0"]
        super().__init__(folder, command=[*command, "--db", str(folder / "games.db")])


def message(host: WithHooks, number: int) -> Asking:
    """A test message to one's webhook, and another one as soon as that one is answered."""
    name, key = host.hooks[number]
    who = host.visitor()
    assert who.log_in(name, PASSWORD).status == 200
    return lambda: who.send_form(f"/account/webhooks/{key}/test").status


def test_chats_that_drip(tmp_path: Path) -> None:
    with dripping() as chat, WithHooks(tmp_path, chat) as host:
        answers = withstand(host, [message(host, number) for number in range(DRIPPERS)])
        assert chat.messages
    assert answers.keys() <= {202, 303, 429}
