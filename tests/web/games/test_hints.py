"""Hints and explanations over HTTP: legal, the same every time, and without hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import BOTS, Bot, PrinceBot, RandomBot, StewardBot, ask, make_bot
from engine.chance.resample import resample
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from engine.state import State
from engine.view import SPECTATOR, view
from events.types import AnyEvent, HandOver, Poll, Turn
from projections.words.advice import explain
from tests.web.access.test_leaks import Twins, twins_in
from tests.web.world import Someone, World, holder
from web.games import thinking
from web.seating.service import Holder

MOVES = 40


class Advised(World):
    """A running game of Anna and Bert against two bots, and the same game played to its end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert = self.person("Anna"), self.person("Bert")
        self.game = with_bots(new_game(4, "hints"), {3: "steward", 4: "random"})
        self.bots = [make_bot(name, 1) for name in ("steward", "steward", "steward", "random")]
        while len(self.game.events) < MOVES or 1 not in self.game.state.awaiting:
            seat = min(self.game.state.awaiting)
            self.game.add(ask(self.bots[seat - 1], self.game.state, seat))
        holders = [
            holder(self.anna, "Anna"),
            holder(self.bert, "Bert"),
            Holder(name="Carla", bot="steward"),
            Holder(name="Dora", bot="random"),
        ]
        self.seat("game", self.game, holders)
        self.last = len(self.game.events)
        ended = Game.__new__(Game)
        ended.events, ended.state = list(self.game.events), fold(self.game.events)
        self.ended = play_out(ended, self.bots)
        self.seat("ended", self.ended, holders)

    def hint(self, who: Someone, query: str = "seat=1") -> Any:
        return who.get(f"/api/games/game/hint?{query}")

    def why(self, who: Someone, number: int, game: str = "game", more: str = "") -> Any:
        return who.get(f"/api/games/{game}/explanations/{number}{more}")

    def numbers(self, seat: int) -> list[int]:
        """The events that a seat decided."""
        return [
            number
            for number, event in enumerate(self.game.events, start=1)
            if isinstance(event, Turn) and event.seat == seat
        ]


def with_bots(game: Game, bots: dict[int, str]) -> Game:
    for seat, bot in bots.items():
        game.add(HandOver(seat=seat, bot=bot))
    return game


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Advised]:
    advised = Advised(tmp_path_factory.mktemp("hints"))
    yield advised
    advised.close()


@pytest.mark.parametrize("bot", BOTS)
def test_a_hint_can_be_followed_and_is_the_same_every_time(bot: str, advised: Advised) -> None:
    first, second = (advised.hint(advised.anna, f"seat=1&bot={bot}").json for _ in range(2))
    assert first == second
    assert (first["version"], first["seat"], first["bot"]) == (advised.last, 1, bot)
    action = msgspec.convert(first["action"], Turn)
    assert action in legal_actions(advised.game.state, 1)
    assert first["sentence"].endswith(".")
    assert advised.anna.post("/api/games/game/preview", first["action"]).status_code == 200


def test_the_steward_is_asked_unless_another_is(advised: Advised) -> None:
    assert advised.hint(advised.anna).json == advised.hint(advised.anna, "bot=steward").json
    german = advised.hint(advised.anna, "seat=1&lang=de").json
    assert german["action"] == advised.hint(advised.anna).json["action"]
    assert german["sentence"] != advised.hint(advised.anna).json["sentence"]


def test_who_gets_no_hint(advised: Advised) -> None:
    def refused(who: Someone, query: str = "seat=1") -> tuple[int, str]:
        answer = advised.hint(who, query)
        assert answer.json["sentence"].endswith(".")
        return answer.status_code, answer.json["code"]

    assert refused(advised.bert) == (403, "not-your-seat")
    assert refused(advised.nobody(), "") == (403, "no-seat")
    assert refused(advised.bert, "seat=2") == (409, "nothing-to-decide")
    assert refused(advised.anna, "bot=prophet") == (422, "bad-query")
    ended = advised.anna.get("/api/games/ended/hint")
    assert (ended.status_code, ended.json and ended.json["code"]) == (409, "nothing-to-decide")


def test_nobody_waits_while_a_bot_thinks(advised: Advised, monkeypatch: pytest.MonkeyPatch) -> None:
    live = advised.services.games.live("game")
    held = []

    def listening(*asked: Any) -> tuple[Any, str]:
        held.append(live.lock._is_owned())  # type: ignore[attr-defined]
        return asked[2][0], "Because."

    monkeypatch.setattr(thinking, "advise", listening)
    assert advised.hint(advised.anna, "seat=1&lang=fi").json["sentence"] == "Because."
    assert held == [False]


def test_a_bot_explains_every_move_of_its_own(advised: Advised) -> None:
    for number in advised.numbers(3):
        answer = advised.why(advised.nobody(), number).json
        assert (answer["number"], answer["seat"], answer["bot"]) == (number, 3, "steward")
        assert answer["known"] == "all"
        assert answer["sentence"].endswith(".")
    dice = advised.why(advised.anna, advised.numbers(4)[0])
    assert dice.json["sentence"] == "The dice chose it."
    assert (
        advised.why(advised.anna, dice.json["number"], more="?lang=de").json["sentence"]
        != (dice.json["sentence"])
    )


def test_what_no_bot_decided_is_not_explained(advised: Advised) -> None:
    handed_over = next(
        n for n, event in enumerate(advised.game.events, 1) if isinstance(event, HandOver)
    )
    for number in (1, 2, handed_over, advised.numbers(1)[-1]):
        answer = advised.why(advised.nobody(), number)
        assert (answer.status_code, answer.json["code"]) == (409, "no-bots-move")
        assert answer.json["sentence"] == "No bot decided this."
    for nowhere in (0, advised.last + 1):
        assert advised.why(advised.nobody(), nowhere).status_code == 404


def test_after_the_end_the_bot_tells_by_what_it_knew(advised: Advised) -> None:
    number = advised.numbers(3)[-1]
    answer = advised.why(advised.nobody(), number, "ended").json
    assert answer["known"] == "seat"
    before = fold(advised.ended.events[: number - 1])
    assert answer["sentence"] == own_words(before, advised.ended.events[number - 1], StewardBot(1))


def test_the_pages_mark_what_bots_decided(advised: Advised) -> None:
    mine, bots = advised.numbers(1)[-1], advised.numbers(3)[-1]
    page = advised.anna.get("/table/game/parts").text
    assert f'data-explain="{bots}"' in page
    assert f'data-explain="{mine}"' not in page
    for path in ("/table/game/at/{}", "/replay/game/{}/parts"):
        assert f'data-explain="{bots}"' in advised.nobody().get(path.format(bots)).text
        assert "data-explain" not in advised.nobody().get(path.format(mine)).text


def test_a_hint_beside_the_game(advised: Advised) -> None:
    """Where something is tried out, for whoever decides there."""
    path = "/api/notebooks/game/{}/choices/-/-"
    number = advised.numbers(1)[-1] - 1
    for game in ("game", "ended"):
        offered = advised.nobody().get(f"{path.format(game)}?number={number}").json
        answer = advised.nobody().get(f"{path.format(game)}/hint?number={number}").json
        assert offered is not None
        assert answer is not None
        assert answer["seat"] == offered["seat"] == 1
        assert answer["action"] in offered["actions"]
    over = advised.nobody().get(f"{path.format('ended')}/hint?number={len(advised.ended.events)}")
    assert over.status_code == 409


def own_words(before: State, event: AnyEvent, bot: Bot) -> str:
    """Why a bot in its seat does something, by all it knows."""
    assert isinstance(event, Turn)
    action = msgspec.structs.replace(event, time=0)
    actions = legal_actions(before, event.seat)
    return explain(view(before, event.seat), before.board, actions, action, bot)


def quick(level: str, seed: str) -> Bot:
    """A prince that is soon done."""
    return PrinceBot(seed, nodes=150)


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Twins]:
    with twins_in(tmp_path / "twins") as twins:
        yield twins


def after_polls(seed: int) -> Iterator[tuple[list[AnyEvent], State, int, list[int]]]:
    """Moments some turns after a bot has polled, with its seat and its decisions since then."""
    events = play_out(new_game(3, f"told/{seed}", bot="prince"), RandomBot(seed)).events
    for start, event in enumerate(events, 1):
        if not isinstance(event, Poll):
            continue
        s, end = fold(events[:start]), start
        year = s.year
        # As long as nobody else knows the cards.
        while (now := fold(events[: end + 1])).phase == "politics" and now.year == year:
            s, end = now, end + 1
        decided = [
            number
            for number, later in enumerate(events[:end], 1)
            if number > start and isinstance(later, Turn) and later.seat == event.seat
        ]
        if decided:
            yield events[:end], s, event.seat, decided


@pytest.mark.long
def test_no_explanation_tells_what_a_bot_has_polled(
    twins: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "the_bot", quick)
    rng = random.Random(1)
    asked = would_tell = 0
    for seed in range(40):
        for real, s, seat, since in after_polls(seed):
            for looker in (SPECTATOR, seat % 3 + 1):
                logs = real, resample(real, s, rng, looker)
                id_ = twins.seat(*logs)
                who = twins.people[looker - 1] if looker else twins.spectator
                for number in since:
                    twins.ask(who, "GET", f"/api/games/{id_}/explanations/{number}")
                    words = {
                        own_words(fold(log[: number - 1]), log[number - 1], quick("", "1"))
                        for log in logs
                    }
                    asked += 1
                    would_tell += len(words) > 1
    # The guard: by what the bot itself knew, some of them would have told.
    assert would_tell
    print(f"{asked} explanations, {would_tell} of which would have told")
