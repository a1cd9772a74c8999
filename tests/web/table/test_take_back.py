"""Taking back and resigning as the table's page offers them: to whom, at what price, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import apply, fold
from engine.refusals import refuse
from engine.rules.take_back import revealed_something
from engine.selfplay import Game, new_game
from engine.state import State
from events.types import AskTakeBack, GrantTakeBack, HandOver, PlayerAction, Resign
from projections.words.effects import retold
from tests.web.world import Someone, World, holder
from web.rules.links import OF_THE_TABLE
from web.table.take_back import TakeBack, can_resign, resigning_ends, take_back_for

NAMES = ("Anna", "Bert", "Carla")


def after(game: Game, action: PlayerAction) -> State:
    state = fold(game.events)
    apply(state, action, [])
    return state


def acted(*, light: bool, players: int = 3) -> tuple[Game, int]:
    """A game whose last action, by the seat that is given, brought something to light or not."""
    for seed in range(50):
        game, bot = new_game(players, f"take-back/{seed}"), RandomBot(seed)
        for _ in range(40):
            seat = min(game.state.awaiting)
            for action in legal_actions(game.state, seat):
                then = after(game, action)
                if (
                    then.phase == "politics"
                    and revealed_something(then) == light
                    and not then.chance
                ):
                    game.add(action)
                    return game, seat
            game.add(bot.pick(legal_actions(game.state, seat)))
    raise AssertionError("no such game")


def told(game: Game, *mine: int) -> TakeBack:
    return take_back_for(game.state, mine)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Callable[[Game], list[Someone]]]:
    world = World(tmp_path)

    def seated(game: Game) -> list[Someone]:
        people = [world.person(name) for name in NAMES[: len(game.state.seats)]]
        world.seat("game", game, [holder(*each) for each in zip(people, NAMES, strict=False)])
        return [*people, world.person("Zoe")]

    yield seated
    world.close()


def test_it_takes_effect_at_once_when_nothing_came_to_light(
    page: Callable[[Game], list[Someone]],
) -> None:
    game, seat = acted(light=False)
    assert (told(game, seat).seat, told(game, seat).at_once) == (seat, True)
    people = page(game)
    for number, who in enumerate(people, 1):
        text = who.get("/table/game/parts").text
        assert ('data-take-back="take-back"' in text) == (number == seat)
    me = people[seat - 1]
    assert "it takes effect at once" in me.get("/table/game/parts").text
    asked = {"type": "take-back", "seat": seat}
    assert me.post("/api/games/game/actions", asked).status_code == 201
    text = me.get("/table/game/parts").text
    assert 'data-owes="' in text
    assert 'id="take-back"' not in text
    assert "takes the last action back." in text
    # There is nothing more to take back: the reason is in words.
    answer = people[seat % 3].post("/api/games/game/actions", {**asked, "seat": seat % 3 + 1})
    assert answer.status_code == 409
    assert (answer.json or {})["sentence"] == "There is no action to take back."


def test_the_others_are_asked_when_something_came_to_light(
    page: Callable[[Game], list[Someone]],
) -> None:
    game, seat = acted(light=True)
    others = [number for number in (1, 2, 3) if number != seat]
    before = told(game, seat)
    assert (before.seat, before.at_once) == (seat, False)
    assert before.what.startswith(game.state.name(seat))
    assert told(game, *others) == TakeBack() == told(game)
    game.add(AskTakeBack(seat=seat))
    first, second = others
    assert told(game, first) == TakeBack(
        what=before.what, asker=seat, waited=[first, second], own_seats=[first]
    )
    game.add(GrantTakeBack(seat=first))
    assert told(game, first) == TakeBack(
        what=before.what, asker=seat, agreed=[first], waited=[second]
    )
    # Who has several seats answers for all of them that are still waited for.
    assert told(game, first, second).own_seats == [second]
    people = page(game)
    for number, who in enumerate(people, 1):
        text = who.get("/table/game/parts").text
        assert 'id="take-back-head"' in text
        assert ('data-take-back="take-back-granted"' in text) == (number == second)
    assert "You ask to take back" in people[seat - 1].get("/table/game/parts").text
    answer = people[first - 1].post(
        "/api/games/game/actions", {"type": "take-back-refused", "seat": first}
    )
    assert (answer.json or {})["sentence"] == "Nobody waits for an answer of yours."


def test_a_question_lapses_when_somebody_acts() -> None:
    game, seat = acted(light=True)
    game.add(AskTakeBack(seat=seat))
    owing = min(game.state.awaiting)
    action = next(each for each in legal_actions(game.state, owing) if not after(game, each).chance)
    game.add(action)
    assert told(game, owing).asker == 0
    assert told(game, *(n for n in (1, 2, 3) if n != owing)) == TakeBack()


def test_an_old_page_does_not_answer_a_new_question(
    page: Callable[[Game], list[Someone]],
) -> None:
    game, seat = acted(light=True)
    people = page(game)
    asker, other = people[seat - 1], seat % 3 + 1
    act = lambda who, type_, number, known: who.post(  # noqa: E731
        f"/api/games/game/actions?version={known}", {"type": type_, "seat": number}
    )
    known = len(game.events)
    assert act(asker, "take-back", seat, known).status_code == 201
    late = act(people[other - 1], "take-back-granted", other, known)
    assert (late.status_code, (late.json or {})["code"]) == (409, "asked-anew")
    assert act(people[other - 1], "take-back-granted", other, known + 1).status_code == 201


def test_bots_and_those_who_resigned_have_no_say() -> None:
    game, seat = acted(light=True)
    first, second = (number for number in (1, 2, 3) if number != seat)
    game.add(HandOver(seat=first, bot="random"))
    assert not told(game, seat).at_once
    state = fold([*game.events, HandOver(seat=second, bot="random")])
    assert take_back_for(state, [seat]).at_once
    apply(state, AskTakeBack(seat=seat), [])
    assert seat in state.awaiting


def test_why_it_cannot_be_taken_back_is_said() -> None:
    """Across a shuffle nothing is taken back."""
    for seed in range(40):
        game, bot = new_game(5, f"shuffled/{seed}"), RandomBot(seed)
        while game.state.awaiting:
            seat = min(game.state.awaiting)
            game.add(bot.pick(legal_actions(game.state, seat)))
            refusal = check(game.state, AskTakeBack(seat=seat))
            if refusal is not None and refusal.code == "shuffled-since":
                assert told(game, seat).why_not == "The cards have been shuffled since."
                assert told(game, seat).seat == 0
                assert told(game, seat % 5 + 1) == TakeBack()
                return
    pytest.fail("nobody shuffled")


def test_who_can_resign_and_when_that_ends_the_game(
    page: Callable[[Game], list[Someone]],
) -> None:
    game, _ = acted(light=False)
    assert (can_resign(game.state, [1, 3]), resigning_ends(game.state)) == ([1, 3], False)
    game.add(Resign(seat=1))
    assert (can_resign(game.state, [1, 3]), resigning_ends(game.state)) == ([3], True)
    people = page(game)
    anna, bert, _, zoe = people
    assert 'data-can-resign=""' in anna.get("/table/game").text
    assert 'data-can-resign="2" data-resigning-ends="yes"' in bert.get("/table/game/parts").text
    assert "panel-resign" not in zoe.get("/table/game").text
    action = msgspec.to_builtins(Resign(seat=2))
    assert bert.post("/api/games/game/actions", action).status_code == 201
    text = bert.get("/table/game/parts").text
    assert 'data-over="yes"' in text
    assert 'data-can-resign=""' in text
    answer = bert.post("/api/games/game/actions", action)
    assert (answer.json or {})["sentence"] == "The game is over."


def test_no_rule_of_the_game_is_cited_for_what_concerns_the_table(
    page: Callable[[Game], list[Someone]],
) -> None:
    game, _ = acted(light=False)
    anna, *_ = page(game)
    answer = anna.post("/api/games/game/actions", {"type": "take-back-granted", "seat": 1})
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["code"] == "nothing-asked"
    assert "rule" not in answer.json
    assert answer.json["link"] == "/rules#take-back"
    for code in OF_THE_TABLE:
        cited = retold(refuse(code, seat=1).cited)
        assert cited.endswith(f" ({code})")
