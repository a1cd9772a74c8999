"""Reviews: the same by the same seed, blind to what a seat had not seen, sharp where it hurts."""

from __future__ import annotations

import random
import time

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import PrinceBot, StewardBot, make_bot
from engine.chance.resample import resample
from engine.fold import fold
from engine.selfplay import Game, ask, new_game, play_out
from engine.snapshot import digest
from events.types import AnyEvent, AskTakeBack, GrantTakeBack, TakeGold, Turn
from replays.cursor import Cursor
from replays.review import run
from replays.review.game import (
    GameReview,
    Part,
    assemble,
    choices,
    graph_point,
    review_decision,
    review_game,
    tasks,
    work_out,
)
from replays.review.marks import least_loss

SMALL = 20
SHARP = 400


@pytest.fixture(scope="module")
def game() -> list[AnyEvent]:
    return play_out(new_game(2, 1, "short-evening"), StewardBot(1)).events


@pytest.fixture(scope="module")
def whole(game: list[AnyEvent]) -> GameReview:
    return review_game(game, "a", SMALL)


def test_every_choice_is_judged_and_nothing_else(game: list[AnyEvent], whole: GameReview) -> None:
    found, cursor = whole, Cursor(game)
    assert [decision.number for decision in found.decisions] == choices(cursor)
    for decision in found.decisions:
        before = cursor.at(decision.number - 1)
        actions = legal_actions(before, decision.seat)
        assert len(actions) > 1
        assert game[decision.number - 1] in actions
        if decision.judgement is not None:
            assert decision.judgement.other in actions
            assert decision.judgement.other != decision.judgement.played
    assert [point.number for point in found.graph[:-1]] == [n - 1 for n in choices(cursor)]
    for point in found.graph:
        assert sum(point.win) == pytest.approx(1)
        assert sum(point.hindsight) == pytest.approx(1)
    assert len(found.deciding) == 3


def test_processes_change_nothing(game: list[AnyEvent], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "COARSE", SMALL)

    def last(jobs: int) -> GameReview:
        *_, found = run.review(game, "a", 0, jobs, time.monotonic, lambda done, whole: None)
        return found

    assert msgspec.json.encode(last(1)) == msgspec.json.encode(last(2))


def test_parts_can_be_stored_and_put_together_later(
    game: list[AnyEvent], whole: GameReview
) -> None:
    cursor = Cursor(game)
    stored = [msgspec.json.encode(work_out(cursor, task, "a", SMALL)) for task in tasks(cursor)]
    parts = [msgspec.json.decode(data, type=Part) for data in reversed(stored)]
    assert assemble(cursor, parts, "a", SMALL) == whole
    assert len(assemble(cursor, parts[:9], "a", SMALL).decisions) < len(whole.decisions)
    assert msgspec.json.decode(msgspec.json.encode(whole), type=GameReview) == whole


def test_a_review_of_before_is_read_with_what_was_added_since(whole: GameReview) -> None:
    fields = msgspec.to_builtins(whole, str_keys=True)
    for added in ("luck", "chance", "version"):
        del fields[added]
    found = msgspec.convert(fields, GameReview, strict=False)
    assert found.luck == found.chance == []


def test_looking_leaves_the_game_as_it_is(game: list[AnyEvent]) -> None:
    cursor = Cursor(game)
    number = choices(cursor)[7]
    before = digest(cursor.at(number - 1))
    one, two = graph_point(cursor, number), graph_point(cursor, number)
    assert one == two
    assert digest(cursor.at(number - 1)) == before


def test_another_seed_deals_other_worlds(game: list[AnyEvent]) -> None:
    cursor = Cursor(game)
    some = choices(cursor)[:10]
    one, same, other = (
        [review_decision(cursor, number, seed, SMALL).judgement for number in some]
        for seed in ("a", "a", "b")
    )
    assert one == same
    assert one != other


def test_what_was_taken_back_is_not_judged() -> None:
    events = new_game(2, 1).events
    gold: list[AnyEvent] = [TakeGold(seat=1), AskTakeBack(seat=1), GrantTakeBack(seat=2)]
    assert choices(Cursor([*events, *gold, TakeGold(seat=1)])) == [6]


def test_a_judgement_knows_only_what_the_seat_knew() -> None:
    """The same decision in worlds that differ in what its seat has not seen."""
    game = new_game(3, 5)
    bot = StewardBot(5)
    for _ in range(12):
        game.add(ask(bot, game.state, min(game.state.awaiting)))
    before = list(game.events)
    seat = min(game.state.awaiting)
    other = resample(before, fold(before), random.Random(3), seat)
    assert other != before
    action = ask(bot, game.state, seat)
    number = len(before) + 1
    one = review_decision(Cursor([*before, action]), number, "a", SHARP)
    two = review_decision(Cursor([*other, action]), number, "a", SHARP)
    assert msgspec.json.encode(one) == msgspec.json.encode(two)


@pytest.mark.long
def test_the_better_play_the_more_accurate() -> None:
    bots = [PrinceBot(1, nodes=300), StewardBot(1), make_bot("random", 1)]
    found = review_game(play_out(new_game(3, 11), bots).events, budget=100)
    prince, steward, rascal = (each.whole for each in found.accuracy)
    assert prince > steward > rascal
    assert found.accuracy[0].marks.get("blunder", 0) <= 1


@pytest.mark.long
def test_planted_blunders_are_marked() -> None:
    """A steward's games, in which it once does the worst that it can think of."""
    marks = []
    for seed in range(1, 9):
        game = new_game(3, seed)
        bot = StewardBot(seed)
        for _ in range(6 + 5 * seed):
            game.add(ask(bot, game.state, min(game.state.awaiting)))
        worst = worst_of(game)
        if worst is None:
            continue
        cursor = Cursor([*game.events, worst])
        marks.append(review_decision(cursor, len(game.events) + 1, "a", SHARP).mark)
    assert len(marks) >= 5
    assert marks.count("blunder") + marks.count("mistake") >= 0.9 * len(marks)


def worst_of(game: Game) -> Turn | None:
    """What costs most of some actions, if it costs much, by a judge with other worlds."""
    s = game.state
    seat = min(s.awaiting)
    actions = legal_actions(s, seat)
    some = random.Random(len(game.events)).sample(actions, min(10, len(actions)))
    judged = [
        (review_decision(Cursor([*game.events, each]), len(game.events) + 1, "b", SHARP), each)
        for each in some
    ]
    losses = [(d.judgement.win.low, n) for n, (d, _) in enumerate(judged) if d.judgement]
    loss, index = max(losses)
    return judged[index][1] if loss >= least_loss("mistake", len(s.players)) else None
