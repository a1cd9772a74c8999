"""The API answers as its description says, whatever it is asked: schemathesis asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from events.types import TakeGold
from replays.chat import ChatMoment, Said
from replays.notes.annotations import (
    Author,
    ChapterPut,
    Content,
    LineBegun,
    Noted,
    Place,
    StudyOpened,
)
from replays.whatif.plans import Plan, PlanStep
from tests.amounts import Amount
from tests.first_board import new_game
from tests.web.world import PASSWORD, World, holder
from web.accounts.visitor import COOKIE
from web.api.endpoint import ENDPOINTS
from web.plans.service import Folder
from web.seating.new_table import NewTable

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
EXAMPLES = 3, 12
"""In an ordinary run, and with `--long`."""
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


class Asked(World):
    """A running game in which both seats are the asker's, a table that waits, a token to lose."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        anna = self.person("Anna")
        game, bot = new_game(2, "schema"), RandomBot(5)
        for _ in range(30):
            game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
        self.seat("game", game, [holder(anna, "Anna"), holder(anna, "Anna 2")])
        waiting = self.services.lobby.create(NewTable(), self.person("Bert").id, "Bert").id
        self.anna, self.headers = anna, {"Authorization": f"Bearer {self.token(anna)}"}
        self.parts = {
            "game": "game",
            "table": waiting,
            "token": "0" * 64,
            "passkey": "x",
            "device": "x",
            "number": "9",
        }
        self.parts |= {"passkey": "x"}
        self.parts |= {"kind": "game", "id_": "game", "note": "n1", "line": "x1"}
        self.parts |= {"study": "s1", "chapter": "c1", "plan": "1", "said": "l1"}
        plans = Folder([Plan(1, "Mine", 2, [PlanStep(1, TakeGold(seat=1))], 1)], last_id=1)
        for seat in (1, 2):
            self.services.plans.change(anna.id, "game", seat, lambda _: plans)
        self.write_down(Author(name="Anna", person=anna.id))
        self.seen: set[int] = set()

    def headers_for(self, name: str) -> dict[str, str]:
        """A token where one is enough, and otherwise a browser's session."""
        if next(each for each in ENDPOINTS if each.name == name).scope != "account":
            return self.headers
        browser = self.browser_of(self.anna.id, "Anna")
        csrf = browser.csrf()
        cookies = browser.client._cookies.values()  # type: ignore[attr-defined]
        sent = "; ".join(f"{cookie.key}={cookie.value}" for cookie in cookies)
        return {"Cookie": sent, "X-CSRFToken": csrf}

    def write_down(self, anna: Author) -> None:
        """A note and a line beside the game, and a study of it."""
        book = self.services.notebooks
        at, content = Place(number=9), Content(text="Here.")
        note = Noted(by=anna, note="n1", at=at, content=content, seen_by="all")
        book.write("game/game", lambda _: note)
        line = LineBegun(by=anna, line="x1", at=at, events=[], seen_by="all")
        book.write("game/game", lambda _: line)
        book.write("study/s1", lambda _: StudyOpened(by=anna, title="Quarries"))
        put = ChapterPut(by=anna, chapter="c1", title="Early", game="game")
        book.write("study/s1", lambda _: put)
        said = Said(
            by=anna, said="l1", seat=1, words=["Hello, ", 2], at=ChatMoment(number=9, year=1)
        )
        self.services.chats.write("game", said)


PLAIN = {"Accept-Encoding": "identity"}
"""Who asks here takes packed answers, and does not unpack them."""


def cookies_in(headers: dict[str, str]) -> dict[str, str]:
    """As schemathesis wants to be given them."""
    return {key: each.value for key, each in SimpleCookie(headers.get("Cookie", "")).items()}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    asked = Asked(tmp_path_factory.mktemp("schema"))
    yield asked
    asked.close()


@pytest.mark.parametrize("name", [each.name for each in ENDPOINTS])
def test_answers_are_as_described(name: str, asked: Asked, amount: Amount) -> None:
    """No error of the server's, no undocumented answer; wrong data is refused."""
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", asked.app)
    schema.config.generation.update(with_security_parameters=False)  # who asks is given below
    operation = schema.find_operation_by_id(name)
    known = {part: value for part, value in asked.parts.items() if f"{{{part}}}" in operation.path}
    statuses: set[int] = set()
    headers = asked.headers_for(name)

    def ask(case: Case) -> None:
        response = case.call(headers=headers | PLAIN, cookies=cookies_in(headers))
        statuses.add(response.status_code)
        # Refused for its size before anybody looks at what is in it.
        checks = [c for c in CHECKS if response.status_code != 413 or c != negative_data_rejection]
        case.validate_response(response, checks=checks, headers=headers)

    for mode in MODES:
        for parts in (known, None) if known else (None,):
            if mode is GenerationMode.NEGATIVE and not operation.query and not operation.body:
                continue  # nothing can be wrong about it but its path
            strategy = operation.as_strategy(generation_mode=mode, path_parameters=parts)
            run = settings(
                max_examples=amount(*EXAMPLES),
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )(seed(1)(given(strategy)(ask)))
            run()
    print(name, sorted(statuses))
    assert statuses


def test_what_is_right_is_answered_as_described(asked: Asked) -> None:
    """What chance hardly finds: a legal action's preview, a token that is there."""
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", asked.app)
    anna = asked.program(asked.headers["Authorization"].partition(" ")[2])
    offered = next(
        answer.json
        for answer in (anna.get(f"/api/games/game/actions?seat={seat}") for seat in (1, 2))
        if answer.json is not None and answer.json["owes"]
    )
    last = asked.anna.post("/api/tokens", {"label": "to lose", "scopes": ["play"]}).json
    assert last is not None
    pad = (anna.get("/api/games/game/notepad").json or {})["version"]
    for name, parts, body, status in (
        ("preview_action", {"game": "game"}, offered["actions"][0], 200),
        ("take_action", {"game": "game"}, offered["actions"][0], 201),
        ("take_action", {"game": "game"}, offered["actions"][0], 409),
        ("say_line", {"game": "game"}, {"text": "Your turn, @Anna 2.", "seat": 1}, 201),
        ("unsay_line", {"game": "game", "said": "l1"}, None, 200),
        ("save_notepad", {"game": "game"}, {"text": "Gold.", "version": pad}, 200),
        ("save_notepad", {"game": "game"}, {"text": "Food.", "version": pad}, 409),
        ("remove_token", {"token": last["id"]}, None, 200),
        ("take_seat", {"table": asked.parts["table"]}, {}, 200),
        ("get_game", {"game": asked.parts["table"]}, None, 200),
    ):
        operation = schema.find_operation_by_id(name)
        given_body = {} if body is None else {"body": body, "media_type": "application/json"}
        case = operation.Case(path_parameters=parts, **given_body)
        headers = asked.headers_for(name)
        response = case.call(headers=headers | PLAIN, cookies=cookies_in(headers))
        assert response.status_code == status
        case.validate_response(response, checks=CHECKS[:5])


def test_nobody_is_answered_as_described(asked: Asked) -> None:
    """Without a token and with a wrong one, every endpoint."""
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", asked.app)
    for each in ENDPOINTS:
        operation = schema.find_operation_by_id(each.name)
        for headers in ({}, {"Authorization": "Bearer nonsense"}):
            case = operation.Case(path_parameters=dict(asked.parts))
            response = case.call(headers=headers | PLAIN)
            assert response.status_code < 500
            case.validate_response(response, checks=CHECKS[:5])


def test_the_description_is_whole(asked: Asked) -> None:
    """OpenAPI 3.1; every endpoint is in it, with its query and what may go wrong."""
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", asked.app)
    schema.validate()
    raw = asked.nobody().get("/api/openapi.json").json
    assert raw is not None
    assert raw["openapi"].startswith("3.1")
    described = {
        (method.upper(), path) for path, methods in raw["paths"].items() for method in methods
    }
    assert described == {
        (each.method, each.path.replace("<", "{").replace(">", "}")) for each in ENDPOINTS
    }
    act = raw["paths"]["/api/games/{game}/actions"]["post"]
    assert [each["name"] for each in act["parameters"]] == ["game", "version"]
    assert {"201", "401", "403", "404", "409", "413", "415", "422", "429"} <= set(act["responses"])


def test_the_description_says_how_to_prove_who_asks(asked: Asked) -> None:
    """Taken at its word: a browser's way, and a program's."""
    asked.services.people.register("Carla", PASSWORD)
    raw = asked.nobody().get("/api/openapi.json").json or {}
    schemes = raw["components"]["securitySchemes"]
    assert schemes["session"]["name"] == COOKIE
    assert "`X-CSRFToken`" in raw["info"]["description"]
    log_in = raw["paths"]["/api/session"]["post"]
    assert log_in["security"] == [{"csrf": []}, {"session": [], "csrf": []}]
    client = asked.app.test_client()
    who = {"name": "Carla", "password": PASSWORD}
    refused = client.post("/api/session", json=who)
    assert (refused.status_code, (refused.json or {})["code"]) == (403, "cross-site")

    def proof() -> dict[str, str]:
        found = re.search(r'<meta name="csrf-token" content="([^"]+)"', client.get("/login").text)
        assert found is not None
        return {schemes["csrf"]["name"]: found[1]}

    assert client.post("/api/session", json=who, headers=proof()).status_code == 200
    assert client.get_cookie(COOKIE) is not None
    table = raw["paths"]["/api/tables"]["post"]
    assert {"token": ["play"]} in table["security"]
    for each in (proof(), asked.headers):
        assert client.post("/api/tables", json={}, headers=each).status_code == 201


@pytest.mark.parametrize("each", ENDPOINTS, ids=lambda each: each.name)
def test_what_is_not_an_endpoint_says_so(each: Any, asked: Asked) -> None:
    """Another method, another type, a body that is too large: a code and a sentence each."""
    path = each.path.replace("<", "{").replace(">", "}").format(**asked.parts)
    client, headers = asked.app.test_client(use_cookies=False), asked.headers_for(each.name)
    answers = {405: client.patch(path, headers=headers)}
    if each.body is not None:
        answers[415] = client.open(
            path, method=each.method, data="{}", content_type="text/plain", headers=headers
        )
        answers[413] = client.open(
            path, method=each.method, json={"x": "y" * 100_000}, headers=headers
        )
    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer.json is not None
        assert answer.json["code"] == f"http-{status}"
        assert answer.json["sentence"]
