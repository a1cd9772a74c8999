"""`lacitta ruleset --table`: house rules from the command line to a table on a server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from engine.material.choices import differing
from replays.files.rulesets import load_ruleset
from tests.web.world import World
from web.cli.main import main

MIX = "flush+growth=2+arches.farm=0/0/1+cards_out=polling+name=Our club"


def lacitta(*words: str, token: str = "") -> Result:
    return CliRunner().invoke(main, ["ruleset", *words], env={"LACITTA_TOKEN": token})


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


@pytest.fixture
def address(world: World) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, world.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("rules", [MIX, "flush", "standard"])
def test_a_table_is_created_by_the_rules(world: World, address: str, rules: str) -> None:
    token = world.token(world.person("Anna"))
    said = lacitta(rules, "--table", f"{address}/", "--players", "3", token=token)
    assert said.exit_code == 0, said.output
    where = said.output.splitlines()[-1]
    assert where.startswith(f"{address}/table/")
    table = world.services.lobby.get(where.rpartition("/")[2])
    asked = load_ruleset(rules)
    assert differing(table.played_by, asked) == []
    assert (table.played_by.name, len(table.seats), table.open) == (asked.name, 3, True)
    assert [holder.name for holder in table.seats if not holder.free] == ["Anna"]


def test_what_the_server_refuses_is_told_in_its_words(address: str) -> None:
    said = lacitta("growth=2", "--table", address, token="nonsense")
    assert said.exit_code == 2
    assert said.stderr == f"lacitta: {address}: This token is not known here.\n"


@pytest.mark.parametrize(
    ("where", "token", "reason"),
    [
        ("http://127.0.0.1:1", "x", "http://127.0.0.1:1: "),
        ("http://", "x", "http:"),
        ("file:///etc/passwd", "x", "is no address of a server"),
        ("play.example.org", "x", "is no address of a server"),
        ("http://127.0.0.1:1", "", "a table needs a token from the account page there"),
    ],
)
def test_what_is_wrong_is_one_line(where: str, token: str, reason: str) -> None:
    said = lacitta("growth=2", "--table", where, token=token)
    assert said.exit_code == 2
    assert reason in said.stderr
    assert len(said.stderr.splitlines()) == 1


class Elsewhere(BaseHTTPRequestHandler):
    """A server that sends everybody on, and one that is none of ours."""

    asked: list[str] = []  # noqa: RUF012

    def do_POST(self) -> None:
        self.asked.append(self.path)
        self.send_response(307 if self.path.startswith("/on/") else 200)
        self.send_header("Location", "/there")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        pass


def test_a_token_goes_nowhere_else_and_another_answer_is_no_table() -> None:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever).start()
        place = f"http://127.0.0.1:{server.server_port}"
        for path in ("/on", "/other"):
            said = lacitta("growth=2", "--table", f"{place}{path}", token="secret")
            assert said.exit_code == 2
            assert said.stderr.startswith(f"lacitta: {place}{path}: ")
        server.shutdown()
    assert Elsewhere.asked == ["/on/api/tables", "/other/api/tables"]
