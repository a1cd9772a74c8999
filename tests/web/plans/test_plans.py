"""Private plans over HTTP: made, changed, kept, followed; for one's own eyes alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import StewardBot, ask
from engine.selfplay import Game, new_game
from engine.state import State
from events.types import Build, TakeGold
from replays.whatif.plans import MAX_STEPS, Plan, PlanStep
from tests.web.world import PASSWORD, Someone, World, holder
from web.plans.service import MAX_PLANS, Folder

PLANS = "/api/games/game/plans"


class Table(World):
    """Anna, Bert and Carla at a table, at Anna's turn in the second year."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert, self.carla = (self.person(n) for n in ("Anna", "Bert", "Carla"))
        self.game: Game = new_game(3, "planning")
        bot = StewardBot(1)
        s = self.game.state
        while not (s.year == 2 and s.phase == "politics" and 1 in s.awaiting and builds(s)):
            self.game.add(ask(bot, s, min(s.awaiting)))
        names = zip((self.anna, self.bert, self.carla), ("Anna", "Bert", "Carla"), strict=True)
        self.seat("game", self.game, [holder(who, name) for who, name in names])

    def act(self, action: Any) -> None:
        self.services.games.act("game", action)

    def state(self) -> State:
        return self.services.games.live("game").state


def builds(s: State, seat: int = 1) -> list[Any]:
    return [a for a in legal_actions(s, seat) if isinstance(a, Build) and a.card == "action"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json


def sent(action: Any) -> Any:
    return msgspec.to_builtins(action)


def a_plan(table: Table) -> Any:
    """A farm of Anna's, a guess at Bert, a bot's guess at Carla, and gold."""
    ok(table.anna.post(PLANS, {"name": "Mine"}), 201)
    ok(table.anna.post(f"{PLANS}/1/steps", {"action": sent(builds(table.state())[0])}), 201)
    ok(table.anna.post(f"{PLANS}/1/steps", {"action": sent(TakeGold(seat=2))}), 201)
    ok(table.anna.post(f"{PLANS}/1/steps", {}), 201)
    return ok(table.anna.post(f"{PLANS}/1/steps", {"action": sent(TakeGold(seat=1))}), 201)


def test_a_plan_is_made_step_by_step(table: Table) -> None:
    added = a_plan(table)
    assert added["moment"] == 4
    steps = added["plan"]["steps"]
    assert [(step["seat"], step["by"]) for step in steps] == [
        (1, "me"),
        (2, "guess"),
        (3, "bot"),
        (1, "me"),
    ]
    assert [step["standing"] for step in steps] == ["open"] * 4
    assert steps[1]["sentence"].startswith("Seat 2 ")
    assert added["plan"]["do_now"] == steps[0]["action"]
    found = ok(table.anna.get(f"{PLANS}/1"))
    assert found["end"][1]["gold"] - found["now"][1]["gold"] == 2
    assert found["end"][0]["action_cards"] < found["now"][0]["action_cards"]
    moment = ok(table.anna.get(f"{PLANS}/1/moments/2"))
    assert (moment["number"], moment["last"]) == (2, 4)
    assert "<svg" in moment["board"]
    assert moment["sentences"]
    assert moment["now"] == found["now"]
    # The game itself knows nothing of it.
    assert ok(table.anna.get("/api/games/game"))["version"] == len(table.game.events)


def test_choices_are_those_of_that_moment(table: Table) -> None:
    a_plan(table)
    now = ok(table.anna.get(f"{PLANS}/1/choices/0"))
    assert (now["seat"], now["awaiting"]) == (1, [1])
    assert len(now["actions"]) == len(legal_actions(table.state(), 1))
    berts = ok(table.anna.get(f"{PLANS}/1/choices/1"))
    assert berts["seat"] == 2
    assert {action["seat"] for action in berts["actions"]} == {2}
    assert ok(table.anna.get(f"{PLANS}/1/choices/1?of=1"), 409)["code"] == "nothing-to-decide"
    assert ok(table.anna.get(f"{PLANS}/1/choices/9"), 404)["code"] == "no-such-moment"
    tried = ok(table.anna.post(f"{PLANS}/1/choices/1", berts["actions"][0]))
    assert tried["sentences"]
    wrong = ok(table.anna.post(f"{PLANS}/1/choices/0", sent(TakeGold(seat=2))), 409)
    assert (wrong["code"], wrong["rule"]) == ("not-awaited", "R16")
    refused = ok(
        table.anna.post(f"{PLANS}/1/steps", {"action": sent(TakeGold(seat=1)), "after": 1}), 409
    )
    assert refused["code"] == "not-awaited"
    hint = ok(table.anna.get(f"{PLANS}/1/choices/1/hint?of=2"))
    assert hint["action"] in berts["actions"]
    assert ok(table.anna.post(f"{PLANS}/1/steps", {"after": 0}), 409)["code"] == "your-turn-there"


def test_plans_are_renamed_copied_rearranged_and_taken_back(table: Table) -> None:
    a_plan(table)
    copy = ok(table.anna.post(PLANS, {"copy_of": "1"}), 201)
    assert (copy["plan"], copy["name"], len(copy["steps"])) == (2, "Plan 2", 4)
    assert ok(table.anna.post(f"{PLANS}/2", {"name": "  Other "}))["name"] == "Other"
    cut = ok(table.anna.post(f"{PLANS}/2", {"steps": [2, 3]}))
    assert [step["standing"] for step in cut["steps"]] == ["refused", "refused"]
    assert cut["steps"][0]["reason"] == {
        "code": "not-awaited",
        "sentence": "Seat 2 has nothing to decide now.",
        "rule": "R16",
    }
    assert ok(table.anna.post(f"{PLANS}/2", {"steps": [7]}), 409)["code"] == "no-such-step"
    assert len(ok(table.anna.get(PLANS))["plans"][0]["steps"]) == 4
    left = ok(table.anna.ask("DELETE", f"{PLANS}/1"))
    assert [plan["name"] for plan in left["plans"]] == ["Other"]
    assert left["deleted"] == [{"plan": 1, "name": "Mine"}]
    ok(table.anna.ask("POST", f"{PLANS}/1/restore"))
    after = ok(table.anna.get(PLANS))
    assert [plan["name"] for plan in after["plans"]] == ["Mine", "Other"]
    assert after["deleted"] == []
    assert ok(table.anna.ask("POST", f"{PLANS}/1/restore"), 404)["code"] == "no-such-plan"


def test_plans_have_bounds(table: Table) -> None:
    for _ in range(MAX_PLANS):
        ok(table.anna.post(PLANS, {}), 201)
    assert ok(table.anna.post(PLANS, {}), 409)["code"] == "too-many-plans"
    ok(table.anna.ask("DELETE", f"{PLANS}/3"))
    ok(table.anna.post(PLANS, {}), 201)
    assert ok(table.anna.ask("POST", f"{PLANS}/3/restore"), 409)["code"] == "too-many-plans"
    assert ok(table.anna.post(f"{PLANS}/1", {"name": "x" * 61}), 422)["code"] == "bad-body"
    full = Plan(1, "Full", 1, [PlanStep(n, TakeGold(seat=1)) for n in range(MAX_STEPS)], MAX_STEPS)
    table.services.plans.change(table.anna.id, "game", 1, lambda _: Folder([full], last_id=1))
    answer = ok(
        table.anna.post(f"{PLANS}/1/steps", {"action": sent(TakeGold(seat=1)), "after": 0}), 409
    )
    assert answer["code"] == "plan-full"


def test_the_plan_follows_the_game_and_is_done_from(table: Table) -> None:
    plan = a_plan(table)["plan"]
    ok(table.anna.post("/api/games/game/actions", plan["do_now"]), 201)
    version = ok(table.anna.get("/api/games/game"))["version"]
    other = builds(table.state(), 2)[0]
    table.act(other)
    (now,) = ok(table.anna.get(PLANS))["plans"]
    assert [step["standing"] for step in now["steps"]] == ["came", "otherwise", "open", "open"]
    assert now["steps"][0]["version"] == version
    assert now["steps"][1]["instead"].startswith("Seat 2 builds ")
    assert now["do_now"] is None
    # A change is made to what stands now, and what is past stays told.
    changed = ok(table.anna.post(f"{PLANS}/1", {"name": "Still mine"}))
    assert changed["steps"] == now["steps"]
    page = table.anna.get("/table/game/plans").text
    assert "came true" in page
    assert "Instead: Seat 2 builds" in page
    assert "a bot’s guess" in page


def test_plans_outlive_the_server(table: Table, tmp_path: Path) -> None:
    a_plan(table)
    before = ok(table.anna.get(PLANS))
    again = World(tmp_path)
    anna = Someone(again.app.test_client(), again.token(table.anna))
    assert ok(anna.get(PLANS)) == before
    again.close()


def test_nobody_elses_answers_have_a_byte_of_it(table: Table) -> None:
    everyone = {
        "bert": table.bert,
        "carla": table.carla,
        "eve": table.person("Eve"),
        "nobody": table.nobody(),
    }
    paths = [
        "/table/game",
        "/table/game/parts",
        "/api/games/game",
        "/replay/game",
        PLANS,
        f"{PLANS}/1",
    ]
    paths += ["/table/game/plans", "/table/game/plans/panel", "/api/notebooks/game/game", "/"]
    read = lambda: {  # noqa: E731
        (name, path): _without_token(who.get(path))
        for name, who in everyone.items()
        for path in paths
    }
    before = read()
    a_plan(table)
    table.anna.post(f"{PLANS}/1", {"name": "Zanzibar"})
    assert read() == before
    assert before["bert", PLANS][0] == 200
    assert before["eve", PLANS][0] == before["nobody", PLANS][0] == 403
    assert before["eve", "/table/game/plans"][0] == 403
    assert "Zanzibar" in table.anna.get("/table/game/plans").text
    assert b"Zanzibar" not in b"".join(body for _, body in read().values())
    # Bert cannot reach it as Anna's seat either, nor by its number at his own.
    assert table.bert.get(f"{PLANS}?seat=1").status_code == 403
    assert table.bert.get(f"{PLANS}/1").status_code == 404
    assert table.bert.ask("DELETE", f"{PLANS}/1").status_code == 404


def _without_token(answer: Any) -> tuple[int, bytes]:
    lines = answer.data.split(b"\n")
    return answer.status_code, b"\n".join(line for line in lines if b"csrf" not in line)


def test_plans_are_in_the_data_and_go_with_the_account(table: Table) -> None:
    a_plan(table)
    mine = json.loads(table.anna.get("/account/export").data)["plans"]
    assert [(each["game"], each["seat"]) for each in mine] == [("game", 1)]
    assert mine[0]["plans"][0]["name"] == "Mine"
    assert json.loads(table.bert.get("/account/export").data)["plans"] == []
    answer = table.anna.ask("POST", "/account/delete", form={"password": PASSWORD})
    assert answer.status_code == 303
    assert table.store.documents.items("plans") == []


def test_a_guest_who_registers_keeps_the_plans(table: Table) -> None:
    guest = table.guest()
    table.seat("other", table.game, [holder(guest, "G"), holder(guest, "H"), holder(guest, "I")])
    ok(guest.post("/api/games/other/plans?seat=2", {"name": "Mine"}), 201)
    form = {"name": "Gina", "password": PASSWORD}
    assert guest.ask("POST", "/register", form=form).status_code == 303
    (plan,) = ok(guest.get("/api/games/other/plans?seat=2"))["plans"]
    assert plan["name"] == "Mine"
    # Each seat that shares the screen has plans of its own.
    assert ok(guest.get("/api/games/other/plans?seat=1"))["plans"] == []
    assert [key for key, _ in table.store.documents.items("plans") if "guest" in key] == []


def test_when_the_game_is_over_plans_are_read(table: Table) -> None:
    a_plan(table)
    bot = StewardBot(3)
    while (s := table.state()).awaiting:
        table.act(ask(bot, s, min(s.awaiting)))
    answer = ok(table.anna.get(PLANS))
    assert answer["over"]
    assert len(answer["plans"][0]["steps"]) == 4
    codes = {step["reason"]["code"] for step in answer["plans"][0]["steps"] if step.get("reason")}
    assert codes <= {"game-over"}
    assert ok(table.anna.post(PLANS, {}), 409)["code"] == "game-over"
    assert ok(table.anna.post(f"{PLANS}/1/steps", {}), 409)["code"] == "game-over"
    page = table.anna.get("/table/game/plans").text
    assert "The game is over. Your plans can still be read." in page
    assert "data-of" not in page
