"""Webhooks: what a chat is sent, and that no address leads into the server's own network."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.web.notices.mailing import MINUTE, MailTown, dripping, post_office, settings_for
from tests.web.world import Someone
from web.accounts.account import Webhook
from web.notices import egress, senders
from web.notices.egress import Deadline, Target, aim, is_outside, post
from web.settings import Notices, Server, Settings
from web.site.problems import Problem

INSIDE = [
    "127.0.0.1",
    "127.1.2.3",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "fec0::1",
    "feff::1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "100::1",
    "5f00::1",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "3fff::1",
    "192.0.0.8",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "no address",
]


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111"])
def test_the_wide_world_is_outside(address: str) -> None:
    assert is_outside(address)


@pytest.mark.parametrize("address", INSIDE)
def test_no_name_leads_inside(address: str) -> None:
    """Whatever a name resolves to: also when only one of its addresses is inside."""
    assert not is_outside(address)
    for found in ([address], ["93.184.215.14", address]):
        with pytest.raises(Problem, match="own network"):
            aim("https://chat.example.org/x", lambda host, port, found=found: found)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://chat.example.org/x", "has to begin with https"),
        ("ftp://chat.example.org/x", "has to begin with https"),
        ("file:///etc/passwd", "has to begin with https"),
        ("https://127.0.0.1/", "own network"),
        ("https://2130706433/", "own network"),
        ("https://0x7f000001/", "own network"),
        ("https://0x7f.1/", "own network"),
        ("https://0177.0.0.1/", "own network"),
        ("https://127.1/", "own network"),
        ("https://[::1]/", "own network"),
        ("https://[::ffff:7f00:1]/", "own network"),
        ("https://localhost/", "own network"),
        ("https://169.254.169.254/latest/meta-data/", "own network"),
        ("https://chat.example.org@127.0.0.1/", "with a name in it"),
        ("https://127.0.0.1#@chat.example.org/", "own network"),
        ("https://chat.example.org\\@127.0.0.1/", "not an address"),
        ("https://chat.example.org:22/", "usual port"),
        ("https://chat.example.org:99999/", "not an address"),
        ("https://[::1/", "not an address"),
        ("https://chat.example.org/a b", "not an address"),
        ("https://chat.example.org/\r\nHost: x", "not an address"),
        ("https:///x", "not an address"),
        ("https://" + "a" * 600, "not an address"),
    ],
)
def test_addresses_are_refused_in_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        aim(url)  # with the real look-up: no address above needs a name server


class Chat(BaseHTTPRequestHandler):
    """A chat on loopback; the tests' own way leads there, the real one refuses to."""

    status = 204
    location = ""
    got: list[tuple[str, object]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        Chat.got.append((self.headers["Host"], json.loads(sent)))
        self.send_response(Chat.status)
        if Chat.location:
            self.send_header("Location", Chat.location)
        self.end_headers()

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def chat() -> Iterator[int]:
    Chat.status, Chat.location = 204, ""
    Chat.got.clear()
    server = HTTPServer(("127.0.0.1", 0), Chat)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


def way_to(port: int, aimed: list[Target]) -> egress.Connect:
    """Past TLS to the test's server, remembering where a request was aimed at."""

    def connect(target: Target, deadline: Deadline) -> socket.socket:
        aimed.append(target)
        return socket.create_connection(("127.0.0.1", port), deadline.step())

    return connect


def test_the_address_that_was_judged_is_the_one_that_is_asked(chat: int) -> None:
    """A name that changes its mind between two look-ups is looked up once."""
    answers = [["93.184.215.14"], ["127.0.0.1"]]
    aimed: list[Target] = []
    status = post(
        "https://chat.example.org/hook?x=1",
        b"{}",
        lambda host, port: answers.pop(0),
        way_to(chat, aimed),
    )
    assert status == 204
    assert aimed == [Target("chat.example.org", 443, "/hook?x=1", "93.184.215.14")]
    assert len(answers) == 1
    assert Chat.got[0][0] == "chat.example.org:443"


def test_a_real_connection_goes_to_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def connect(address: object, timeout: float) -> socket.socket:
        asked.append(address)
        raise OSError("nobody there")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError, match="nobody there"):
        post("https://chat.example.org/", b"{}", lambda host, port: ["93.184.215.14"])
    assert asked == [("93.184.215.14", 443)]


@pytest.mark.parametrize("location", ["http://127.0.0.1/", "https://elsewhere.example.org/"])
def test_no_redirect_is_followed(chat: int, location: str) -> None:
    Chat.status, Chat.location = 307, location
    aimed: list[Target] = []
    with pytest.raises(Problem, match="leads on"):
        post("https://a.example.org/", b"{}", lambda h, p: ["93.184.215.14"], way_to(chat, aimed))
    assert len(aimed) == len(Chat.got) == 1


HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    "parts",
    [(b"H",), (b"HTTP/1.1 100 Continue\r\n\r\n",), (HEAD, b"x"), (HEAD, b"X-Y: z\r\n")],
    ids=["status", "continue", "name", "headers"],
)
def test_a_slow_answer_is_cut_off(
    parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A little at a time keeps every single step in time, and yet it ends."""
    monkeypatch.setattr(egress, "SECONDS_IN_ALL", 0.4)
    with dripping(*parts) as port, pytest.raises(OSError, match=r"timed out|took too long"):
        post("https://a.example.org/", b"{}", lambda h, p: ["1.1.1.1"], way_to(port, []))


def test_a_body_that_drips_is_not_waited_for() -> None:
    """Also when the answer takes the connection with it, which http.client then lets go of."""
    with dripping(HEAD + b"\r\n", b"x") as port:
        status = post("https://a.example.org/", b"{}", lambda h, p: ["1.1.1.1"], way_to(port, []))
        assert status == 200


def test_a_head_without_an_end_is_not_read_to_it() -> None:
    with (
        dripping(HEAD, b"X: " + b"y" * 8000 + b"\r\n", every=0.001) as port,
        pytest.raises(OSError, match="too long"),
    ):
        post("https://a.example.org/", b"{}", lambda h, p: ["1.1.1.1"], way_to(port, []))


def test_name_servers_have_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "SECONDS_IN_ALL", 0.1)
    answer, answers = threading.Event(), list[bool]()

    def look_up(host: str, port: int) -> list[str]:
        answers.append(answer.wait(60))
        return []

    with pytest.raises(Problem, match="no server of this name"):
        post("https://a.example.org/", b"{}", look_up)
    assert not answers, "it was waited for"
    answer.set()


def test_a_handshake_has_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "SECONDS_IN_ALL", 0.4)
    with dripping(b"\x16\x03\x03\x40\x00", b"\x02") as port:
        target = Target("a.example.org", port, "/", "127.0.0.1")
        with pytest.raises(OSError):  # noqa: PT011
            egress.connect(target, Deadline(0.4))


@pytest.fixture
def town(tmp_path: Path) -> Iterator[MailTown]:
    settings = Settings(server=Server(url="https://play.example.org"), notices=Notices(wait=10))
    town = MailTown(tmp_path, settings)
    yield town
    town.close()


def test_chats_are_told_in_their_own_form_and_once(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("B<!here>")
    people = town.services.people
    people.add_webhook(anna.id, Webhook("slack", "https://slack.example.org/1"))
    people.add_webhook(anna.id, Webhook("discord", "https://discord.example.org/1"))
    sent: list[tuple[str, dict[str, object]]] = []
    town.services.courier.post = lambda url, body: (sent.append((url, json.loads(body))), 204)[1]
    game = town.table(anna, bert)
    for _ in range(3):
        town.round(11 * MINUTE)
    assert [url for url, _ in sent] == [
        "https://slack.example.org/1",
        "https://discord.example.org/1",
    ]
    slack, discord = sent[0][1], sent[1][1]
    assert "B&lt;!here&gt;" in str(slack["text"])
    assert f"https://play.example.org/table/{game}" in str(slack["text"])
    assert discord["allowed_mentions"] == {"parse": []}
    # The way out of letters is not for a chat that others read.
    assert "unsubscribe" not in str(slack["text"]) + str(discord["content"])


def test_a_chat_that_fails_is_told_later(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    town.services.people.add_webhook(anna.id, Webhook("slack", "https://slack.example.org/1"))
    answers = [503, 429, 204]
    town.services.courier.post = lambda url, body: answers.pop(0)
    town.table(anna, bert)
    for _ in range(8):
        town.round(11 * MINUTE)
    assert answers == []


def test_the_test_button_says_how_it_went(town: MailTown) -> None:
    anna = town.resident("Anna")
    form = {"kind": "slack", "url": "https://127.0.0.1/x"}
    assert anna.ask("POST", "/account/webhooks", form=form).status_code == 303
    (key,) = town.services.people.get(anna.id).webhooks  # type: ignore[union-attr]
    path = f"/account/webhooks/{key}/test"

    def says() -> str:
        assert anna.ask("POST", path, form={}).status_code == 303
        return anna.get("/account").text

    assert "leads into the server&#39;s own network" in says()
    town.services.courier.post = lambda url, body: 204
    assert "The test message has been sent." in says()
    town.time += 11 * MINUTE
    assert "has been sent" not in anna.get("/account").text
    town.services.courier.post = lambda url, body: 404
    assert "answers with 404" in says()
    anna.ask("POST", f"/account/webhooks/{key}/remove", form={})
    assert "answers with 404" not in anna.get("/account").text
    bad = anna.ask("POST", "/account/webhooks", form={"kind": "slack", "url": "http://x.org"})
    assert bad.status_code == 422
    assert "has to begin with https" in bad.text


def test_a_host_may_do_without(tmp_path: Path) -> None:
    town = MailTown(tmp_path, Settings(notices=Notices(webhooks=False)))
    anna = town.resident("Anna")
    assert "webhooks" not in anna.get("/account").text
    form = {"kind": "slack", "url": "https://slack.example.org/x"}
    assert anna.ask("POST", "/account/webhooks", form=form).status_code == 403
    town.close()


class Chats:
    """Servers of webhooks by their addresses: those named slow answer when they are let go."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = threading.Event()
        self.busy = self.most = 0

    def post(self, url: str, body: bytes) -> int:
        self.asked.append(url)
        if "slow" in url:
            self.busy += 1
            self.most = max(self.most, self.busy)
            self.go.wait(20)
            self.busy -= 1
        return 204


@pytest.fixture
def chats(town: MailTown) -> Iterator[Chats]:
    """The town's webhooks, whose threads run."""
    chats = Chats()
    town.services.courier.post = chats.post
    town.services.courier.senders.start()
    yield chats
    chats.go.set()
    for worker in town.services.courier.senders.workers:
        worker.stop()


def webhook(town: MailTown, name: str, url: str) -> tuple[Someone, str]:
    """Somebody with a webhook, and where it is tested."""
    someone = town.resident(name)
    town.services.people.add_webhook(someone.id, Webhook("slack", url))
    (key,) = town.services.people.get(someone.id).webhooks  # type: ignore[union-attr]
    return someone, f"/account/webhooks/{key}/test"


def test_a_test_message_keeps_no_request_waiting(town: MailTown, chats: Chats) -> None:
    anna, path = webhook(town, "Anna", "https://slow.example.org/1")
    assert anna.ask("POST", path, form={}).status_code == 303
    wait_until(lambda: len(chats.asked) == 1)
    assert "is on its way" in anna.get("/account").text
    chats.go.set()
    wait_until(lambda: "has been sent" in anna.get("/account").text)


def test_a_test_message_that_never_came_back_is_given_up(town: MailTown, chats: Chats) -> None:
    """As when the server was stopped meanwhile."""
    anna, path = webhook(town, "Anna", "https://slow.example.org/1")
    anna.ask("POST", path, form={})
    town.time += 3 * MINUTE
    assert "does not answer" in anna.get("/account").text


def test_one_person_has_one_message_under_way(town: MailTown, chats: Chats) -> None:
    anna, path = webhook(town, "Anna", "https://slow.example.org/1")
    bert, his = webhook(town, "Bert", "https://quick.example.org/1")
    for _ in range(8):
        anna.ask("POST", path, form={})
    assert "Others are sending, too." in anna.get("/account").text
    bert.ask("POST", his, form={})
    wait_until(lambda: "has been sent" in bert.get("/account").text)
    assert chats.most == 1


def test_slow_servers_leave_room_for_the_others(
    town: MailTown, chats: Chats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known to be slow, they get one of the threads, however many people name them."""
    monkeypatch.setattr(senders, "SLOW", 0.0)
    first, path = webhook(town, "First", "https://slow.example.org/1")
    chats.go.set()
    first.ask("POST", path, form={})
    wait_until(lambda: "has been sent" in first.get("/account").text)
    monkeypatch.setattr(senders, "SLOW", 5.0)
    chats.go.clear()
    chats.most = 0
    for number in range(6):
        each, path = webhook(town, f"Slow {number}", f"https://slow.example.org/{number}")
        each.ask("POST", path, form={})
    bert, his = webhook(town, "Bert", "https://quick.example.org/1")
    bert.ask("POST", his, form={})
    wait_until(lambda: "has been sent" in bert.get("/account").text)
    assert chats.most == 1


def test_letters_do_not_wait_for_webhooks(tmp_path: Path) -> None:
    """Five people's webhooks hang, and everybody's mail goes."""
    chats = Chats()
    with post_office() as (office, port):
        town = MailTown(tmp_path, settings_for(port))
        courier = town.services.courier
        courier.post = chats.post
        courier.senders.start()
        people = [webhook(town, f"P{n}", f"https://slow.example.org/{n}")[0] for n in range(5)]
        town.table(*people)
        town.round(11 * MINUTE)
        assert len(office.letters) == 5
        wait_until(lambda: chats.busy == senders.THREADS)
        chats.go.set()
        wait_until(lambda: len(chats.asked) == 5)
        wait_until(lambda: all(town.services.outbox.box(p.id).letter is None for p in people))
        for worker in courier.senders.workers:
            worker.stop()
        town.close()


def test_an_error_nobody_expected_ends_no_thread(town: MailTown, chats: Chats) -> None:
    anna, path = webhook(town, "Anna", "https://quick.example.org/1")

    def fail(url: str, body: bytes) -> int:
        raise ZeroDivisionError

    town.services.courier.post = fail
    anna.ask("POST", path, form={})
    workers = town.services.courier.senders.workers
    wait_until(lambda: sum(worker.errors for worker in workers) == 1)
    town.services.courier.post = chats.post
    anna.ask("POST", path, form={})
    wait_until(lambda: "has been sent" in anna.get("/account").text)
    assert not any(worker.failing for worker in workers)
