"""Standing orders on a server: carried out once, ended with a reason, nobody else's to see."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.actions.legal import legal_actions
from events.types import AskTakeBack, Build, HandOver, Pass, Poll, Resign, Starve, TakeGold
from tests.waiting import PATIENCE
from tests.web.orders.ordering import Town, farm_at, politics, put_at
from web.games.live import Games
from web.orders.service import OrderBook
from web.orders.shapes import Ending, SeatOrders
from web.orders.worker import OrderRunner
from web.site.problems import Problem

GOLD = TakeGold(seat=1)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path)
    yield town
    town.close()


def worker(town: Town) -> OrderRunner:
    """Another process that serves the same store."""
    games = Games(town.store, lambda: 5)
    return OrderRunner(town.store, games, OrderBook(town.store, games, lambda: 5))


def test_an_order_plays_as_soon_as_its_seat_is_awaited(town: Town) -> None:
    town.gold(1)
    farm = farm_at(town.state, 2)
    town.order(town.bert, politics([farm]))
    town.order(town.anna, politics([Pass(seat=1), GOLD]))
    assert town.run() == 2
    events = [event for event, _ in town.services.games.live("game").story[-2:]]
    assert [(type(e), e.seat, e.by) for e in events] == [  # type: ignore[union-attr]
        (Build, 2, "order"),
        (TakeGold, 1, "order"),
    ]
    assert town.run() == 0
    for seat, version in ((2, town.version - 1), (1, town.version)):
        (ended,) = town.stored(seat).ended
        assert ended.ending == Ending("done")
        assert ended.played == [version]
        assert not town.stored(seat).standing
    told = town.carla.get("/api/games/game/story").json
    assert told is not None
    assert "A standing order decides for Seat 1." in str(told["lines"][-1]["sentences"])


def test_the_walk_since_ones_last_turn_shows_what_the_order_did(town: Town) -> None:
    town.gold(1)
    own = town.version
    town.order(town.anna, politics([GOLD]))
    town.gold(2)
    town.run()
    assert f'data-since="{own}"' in town.anna.get("/table/game").text
    # Bert, who only took gold after that, sees what came since.
    assert f'data-since="{own + 1}"' in town.bert.get("/table/game").text


def test_several_turns_each_with_steps_of_its_own(town: Town) -> None:
    farm = farm_at(town.state, 1)
    steps = [farm], [farm, GOLD], [farm, Pass(seat=1)], [GOLD]
    town.order(town.anna, politics(*steps))
    for turns_left in (3, 2):
        assert town.run() == 1
        answer = town.anna.get("/api/games/game/orders").json
        assert answer is not None
        assert len(answer["standing"][0]["turns"]) == turns_left
        town.gold(2)
    # The third turn: the farm stands, and there is an action card left, so no passing.
    assert town.run() == 0
    (ended,) = town.stored().ended
    assert [tried.code for tried in ended.ending.tried] == ["hex-taken", "may-not-pass"]
    assert len(ended.played) == 2
    answer = town.anna.get("/api/games/game/orders").json
    assert answer is not None
    assert answer["standing"] == []
    told = answer["ended"][0]
    assert told["sentence"] == "None of the steps was possible."
    assert told["tried"] == [
        f"Seat 1 builds a farm on {farm.at}. Not possible: {farm.at} is built on already.",
        "Seat 1 passes. Not possible: Passing is not allowed while an action card is left.",
    ]
    assert 1 in town.state.awaiting


def test_an_order_for_the_year_ends_with_it_and_others_stand(town: Town) -> None:
    town.order(town.anna, politics(*[[Poll(seat=1, look=[2, 3]), GOLD]] * 5))
    town.order(town.anna, {"kind": "hunger", "until": "year"})
    town.order(town.anna, {"kind": "demolition"})
    town.anna.ask("DELETE", "/api/games/game/orders?kind=politics")
    town.order(town.bert, politics([TakeGold(seat=2)], [TakeGold(seat=2)]))
    bot_moves(town)
    assert town.state.year == 2
    ends = {(e.order.__struct_config__.tag, e.ending.code) for e in town.stored().ended}
    assert ("hunger", "year-over") in ends
    assert ("politics", "withdrawn") in ends
    assert list(town.stored().standing) == ["demolition"]


def bot_moves(town: Town) -> None:
    """Play by hand to the second year, Bert's order for two of his turns."""
    while town.state.year == 1:
        if not town.run():
            seat = min(town.state.awaiting)
            town.services.games.act("game", legal_actions(town.state, seat)[0])
    town.run()


def test_what_is_left_when_the_rounds_are_over_ends(town: Town) -> None:
    town.order(town.anna, politics([GOLD]))
    # The seat is handed to a bot, which plays the year on; the order rests and then is too late.
    town.services.games.act("game", HandOver(seat=1, bot="random"))
    while town.state.year == 1:
        assert town.run() == 0
        seat = min(town.state.awaiting)
        town.services.games.act("game", legal_actions(town.state, seat)[0])
    town.run()
    assert town.why() == "rounds-over"


def test_orders_rest_while_a_bot_plays(town: Town) -> None:
    town.order(town.anna, politics([GOLD]))
    town.services.games.act("game", HandOver(seat=1, bot="random"))
    assert town.run() == 0
    answer = town.anna.get("/api/games/game/orders").json
    assert answer is not None
    assert answer["resting"]
    town.services.games.act("game", GOLD)  # the bot's
    town.gold(2)
    town.services.games.act("game", HandOver(seat=1, bot=""))
    assert town.run() == 1
    assert town.why() == "done"


def test_who_decides_alone_ends_the_order(town: Town) -> None:
    town.order(town.anna, politics([GOLD]))
    town.gold(1)
    assert town.run() == 0
    assert town.why() == "own"


def test_an_order_does_not_play_again_what_its_owner_takes_back(town: Town) -> None:
    town.order(town.anna, politics([GOLD], [GOLD]))
    assert town.run() == 1
    town.services.games.act("game", AskTakeBack(seat=1))
    assert 1 in town.state.awaiting
    assert town.run() == 0
    assert town.why() == "own"


def test_orders_wait_while_a_take_back_is_asked_for(town: Town) -> None:
    """Bert has shown a card and wants it back: Anna's order does not cut him off."""
    town.gold(1)
    can = legal_actions(town.state, 2)
    taken = next(action for action in can if getattr(action, "card", "action") != "action")
    town.services.games.act("game", taken)
    town.services.games.act("game", AskTakeBack(seat=2))
    town.order(town.anna, politics([GOLD]))
    assert town.run() == 0
    refuse = {"type": "take-back-refused", "seat": 1}
    assert town.anna.post("/api/games/game/actions", refuse).status_code == 201
    assert town.run() == 1


def test_one_order_of_a_kind_stands(town: Town) -> None:
    town.gold(1)
    town.order(town.anna, politics([GOLD]))
    town.order(town.anna, politics([Pass(seat=1)]))
    assert town.why() == "replaced"
    assert len(town.stored().standing) == 1
    assert town.anna.ask("DELETE", "/api/games/game/orders?kind=hunger").status_code == 404


def test_a_stop_ends_the_order_and_asks(town: Town) -> None:
    when = "shown" if "palace" in display(town) else "gone"
    town.order(town.anna, politics([GOLD], stops=[{"when": when, "card": "palace"}]))
    assert town.run() == 0
    assert town.why() == when
    assert 1 in town.state.awaiting


def display(town: Town) -> list[str]:
    answer = town.anna.get("/api/games/game").json
    assert answer is not None
    return list(answer["view"]["display"])


def test_a_resigned_seat_orders_nothing(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.order(town.anna, politics([GOLD]))
    town.services.games.act("game", Resign(seat=1))
    assert town.run() == 0
    assert town.why() == "game-over"
    answer = town.anna.ask("PUT", "/api/games/game/orders", json=politics([GOLD]))
    assert answer.status_code == 409
    town.close()


def test_an_order_that_stumbles_gives_the_turn_back(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ValueError("a mistake of ours")

    town.order(town.anna, politics([GOLD]))
    monkeypatch.setattr("web.orders.worker.decide", stumble)
    assert town.run() == 0
    assert town.why() == "failed"


def test_a_peoples_order_decides_for_the_rest_of_the_game(town: Town) -> None:
    game, seat = put_at(town, "starve", [town.anna, town.bert])
    who = (town.anna, town.bert)[seat - 1]
    put = who.ask("PUT", f"/api/games/{game}/orders", json={"kind": "hunger", "first": "largest"})
    assert put.status_code == 200
    assert town.run() == 1
    story = town.services.games.live(game).story
    starved = [e for e, _ in story if isinstance(e, Starve) and e.by == "order"]
    assert [e.seat for e in starved] == [seat]
    assert list(town.services.orders.stored(game, seat).standing) == ["hunger"]


# Workers, crashes and races.


def test_two_workers_answer_once(town: Town) -> None:
    """Both decide on the same version; the log takes one of them."""
    town.order(town.anna, politics([GOLD], [GOLD], [GOLD]))
    town.order(town.bert, politics(*[[TakeGold(seat=2)]] * 3))
    start = town.version
    workers = [worker(town) for _ in range(3)]
    threads = [threading.Thread(target=each.run_once) for each in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    story = town.services.games.live("game").story[start:]
    played = [event for event, _ in story if isinstance(event, TakeGold)]
    assert [e.seat for e in played] == [1, 2, 1, 2, 1, 2]
    assert all(e.by == "order" for e in played)
    assert town.why(1) == town.why(2) == "done"
    assert len(town.stored(1).ended) == len(town.stored(2).ended) == 1


def test_an_action_for_a_version_is_for_no_other(town: Town) -> None:
    before = town.version
    town.gold(1)
    with pytest.raises(Problem) as raised:
        town.services.games.act("game", TakeGold(seat=2), by="order", at=before)
    assert raised.value.code == "moved-on"
    assert town.version == before + 1


def test_killed_after_the_log_was_written_nothing_is_played_twice(town: Town) -> None:
    """The book does not know yet that the first turn is played; the log does."""
    farm = farm_at(town.state, 1)
    town.order(town.anna, politics([GOLD], [farm]))
    town.services.games.act("game", GOLD, by="order", at=town.version)
    assert worker(town).run_once() == 0
    town.gold(2)
    assert worker(town).run_once() == 1
    assert town.last() == msgspec.structs.replace(farm, by="order", time=5)


def test_the_runner_finds_its_duties_again(town: Town) -> None:
    """A thread that starts later, on what is stored, and then follows log and book."""
    town.order(town.anna, politics([GOLD]))
    runner = worker(town)
    runner.start()
    try:
        wait_for(lambda: town.why() == "done" if town.stored().ended else False)
        town.order(town.bert, politics([TakeGold(seat=2)]))
        runner.take_up("game")
        wait_for(lambda: bool(town.stored(2).ended))
        town.order(town.bert, politics([TakeGold(seat=2)]))
        town.gold(1)  # the news in the log
        wait_for(lambda: len(town.stored(2).ended) == 2)
    finally:
        runner.stop()


def wait_for(reached: object) -> None:
    for _ in range(200):
        if reached():  # type: ignore[operator]
            return
        time.sleep(0.05)
    raise AssertionError("this never came about")


# What may be ordered, and by whom.


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (politics([Build(seat=1, building="farm", at="d4", card="palace")]), 409, "wrong-card"),
        (politics([Build(seat=1, building="farm", at="zz", card="action")]), 409, "no-such-hex"),
        (politics([TakeGold(seat=2)]), 403, "not-your-seat"),
        (politics([GOLD], stops=[{"when": "near", "card": "palace"}]), 422, "bad-stop"),
        (politics([GOLD], stops=[{"when": "gone"}]), 422, "bad-stop"),
        (politics([GOLD], stops=[{"when": "near", "city": "zz"}]), 422, "no-such-hex"),
        (politics(*[[GOLD]] * 6), 422, "bad-body"),
        (politics([]), 422, "bad-body"),
        ({"kind": "demolition", "falls": [{}]}, 422, "bad-fall"),
        ({"kind": "hunger", "keep": [{"city": "zz", "citizens": 2}]}, 422, "no-such-hex"),
        ({"kind": "relocation", "cities": [{"city": "d4", "services": ["gold"]}]}, 422, "bad-body"),
        ({"kind": "war"}, 422, "bad-body"),
    ],
)
def test_what_can_never_be_is_refused(town: Town, body: object, status: int, code: str) -> None:
    answer = town.anna.ask("PUT", "/api/games/game/orders", json=body)
    assert answer.json is not None
    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert town.stored() == SeatOrders()


def test_choices_are_offered_out_of_turn_and_after_steps(town: Town) -> None:
    answer = town.bert.post("/api/games/game/orders/choices", {}).json
    assert answer is not None
    assert (answer["seat"], answer["year"], answer["turns"]) == (2, 1, 5)
    assert len(answer["actions"]) == len(answer["sentences"])
    town.gold(1)
    farm = farm_at(town.state, 2)
    assert msgspec.to_builtins(farm) in answer["actions"]
    assert answer["actions"] == msgspec.to_builtins(legal_actions(town.state, 2))
    after = town.bert.post(
        "/api/games/game/orders/choices", {"before": [msgspec.to_builtins(farm)]}
    ).json
    assert after is not None
    assert msgspec.to_builtins(farm) not in after["actions"]
    assert after["actions"]


def test_orders_are_nobody_elses(town: Town) -> None:
    town.order(town.anna, politics([GOLD]))
    for who in (town.bert, town.carla, town.nobody()):
        assert who.get("/api/games/game/orders?seat=1").status_code == 403
        put = who.ask("PUT", "/api/games/game/orders?seat=1", json=politics([GOLD]))
        assert put.status_code == 403
    answer = town.bert.get("/api/games/game/orders").json
    assert answer is not None
    assert answer["seat"] == 2
    assert answer["standing"] == []


def test_a_client_cannot_say_that_an_order_decided(town: Town) -> None:
    sent = msgspec.to_builtins(GOLD) | {"by": "order"}
    assert town.anna.post("/api/games/game/actions", sent).status_code == 201
    assert town.last().by == ""  # type: ignore[union-attr]


def test_orders_go_along_with_their_owner(town: Town) -> None:
    town.gold(1)
    town.order(town.anna, politics([GOLD]))
    town.order(town.anna, {"kind": "hunger", "first": "largest"})
    exported = town.anna.get("/account/export").json
    assert exported is not None
    orders = exported["games"][0]["orders"]["1"]
    assert orders["standing"]["hunger"]["order"]["first"] == "largest"
    assert orders["standing"]["politics"]["order"]["turns"]
    town.anna.ask("POST", "/account/delete", form={"password": "correct horse"})
    assert town.stored() == SeatOrders()


def test_a_guest_who_registers_keeps_the_orders(town: Town) -> None:
    guest = town.guest()
    game, seat = put_at(town, "politics", [guest, guest], name="guests")
    body = {"kind": "hunger"}
    put = guest.ask("PUT", f"/api/games/{game}/orders?seat={seat}", json=body)
    assert put.status_code == 200
    form = {"name": "Gustav", "password": "a long password"}
    assert guest.ask("POST", "/register", form=form).status_code == 303
    answer = guest.get(f"/api/games/{game}/orders?seat={seat}").json
    assert answer is not None
    assert [each["kind"] for each in answer["standing"]] == ["hunger"]
