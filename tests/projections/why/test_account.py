"""The entries of an account add up to the number, for every number at every moment of many games.

The numbers are read off the states; the accounts are made from the effects alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

import pytest

from engine import effects
from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.fold import apply, begin
from engine.material.numbers import KIND, SERVICES
from engine.rules.scoring import score
from engine.rules.take_back import TAKE_BACK_EVENTS
from engine.selfplay import Game, new_game, play_out
from engine.state import State
from events.types import AnyEvent, AskTakeBack, GrantTakeBack, HandOver, Resign
from projections.why.account import NoSuchNumber, ledger_of, why
from projections.why.ledger import Ledger
from projections.why.steps import Story, counting, steps
from projections.words.effects import ENGLISH
from tests.amounts import one_in
from tests.engine.soundness import EVERY_KIND_OF_GAME


def numbers(s: State) -> dict[str, int]:
    """Every number that lies open on the table, by its name."""
    found = {"supply": s.supply}
    found |= {f"pool/{kind}": s.pools[KIND[kind].pool] for kind in KIND}
    for seat, player in s.players.items():
        line = score(s, seat)
        found |= {
            f"gold/{seat}": player.gold,
            f"food/{seat}": s.food_of(seat),
            f"points/{seat}": line.total,
            f"score/{seat}/citizens": line.citizens,
            f"score/{seat}/cities": line.cities,
            f"score/{seat}/hunger": line.hunger,
            f"action-cards/{seat}": player.action_cards,
            f"figures/{seat}": player.figures,
            f"castles/{seat}": player.castles,
        }
    for city in s.cities.values():
        label = s.board.label[city.castle]
        found[f"citizens/{label}"] = city.citizens
        for index, service in enumerate(SERVICES):
            found[f"service/{label}/{service}"] = city.points(index)
    return found


def told(events: list[AnyEvent]) -> tuple[list[tuple[AnyEvent, list[AnyEffect]]], list[State]]:
    """A log with its effects, and the state at every moment."""
    state, following = begin(events)
    story: list[tuple[AnyEvent, list[AnyEffect]]] = [(events[0], [])]
    states = [copy_state(state)]
    for event in following:
        heard: list[AnyEffect] = []
        apply(state, event, heard)
        story.append((event, heard))
        states.append(copy_state(state))
    return story, states


def totals(ledgers: Mapping[str, Ledger]) -> dict[str, int]:
    return {
        what: sum(entry.amount for entry in ledger.entries)
        for what, ledger in ledgers.items()
        if ledger.title
    }


def all_ledgers(s: State, story: Story) -> dict[str, Ledger]:
    """A ledger for every number that there is at some time."""
    names = set(numbers(s))
    for _, heard in story:
        for effect in heard:
            if isinstance(effect, effects.CityFounded):
                names |= {f"citizens/{effect.city}"}
                names |= {f"service/{effect.city}/{service}" for service in SERVICES}
    return {what: ledger_of(s, what, ENGLISH) for what in sorted(names)}


def walked(story: Story, states: list[State]) -> Iterator[tuple[int, dict[str, int]]]:
    """The totals at every moment of a game in which nothing is taken back, in one walk."""
    ledgers = all_ledgers(states[-1], story)
    coming = list(steps(story, len(story)))
    for number in range(1, len(story) + 1):
        while coming and coming[0].moment == number:
            step = coming.pop(0)
            for ledger in ledgers.values():
                ledger.note(step)
        yield number, totals(ledgers)


@pytest.mark.parametrize("part", one_in(4, range(4)))
def test_every_number_at_every_moment_of_every_kind_of_game(part: int) -> None:
    checked = 0
    for kind, (ruleset, players, setup) in enumerate(EVERY_KIND_OF_GAME[part::4]):
        game = play_out(new_game(players, f"why/{kind}", ruleset, setup), RandomBot(kind))
        story, states = told(game.events)
        for number, found in walked(story, states):
            assert found == numbers(states[number - 1]), (ruleset, players, setup, number)
            checked += len(found)
    print(f"{checked} numbers")
    assert checked > 50_000


def eventful_game(ruleset: str, players: int, setup: str, seed: int) -> Game:
    """Resignations, bots that take over, and actions taken back."""
    game = new_game(players, f"why/{seed}", ruleset, setup)  # type: ignore[arg-type]
    bot, dice = RandomBot(seed), random.Random(seed)

    def maybe(event: AnyEvent, chance: float) -> None:
        if dice.random() < chance and check(game.state, event) is None:  # type: ignore[arg-type]
            game.add(event)

    while game.state.awaiting and len(game.events) < 150:
        seat = min(game.state.awaiting)
        game.add(bot.pick(legal_actions(game.state, seat)))
        anyone = dice.randrange(players) + 1
        maybe(Resign(seat=anyone), 0.01)
        maybe(HandOver(seat=anyone, bot=dice.choice(["", "random"])), 0.05)
        maybe(AskTakeBack(seat=seat), 0.2)
        for asked in sorted(game.state.take_back):
            maybe(GrantTakeBack(seat=asked), 0.8)
    return game


@pytest.mark.parametrize(("ruleset", "players", "setup"), one_in(4, EVERY_KIND_OF_GAME[3::9]))
def test_take_backs_and_resignations(ruleset: str, players: int, setup: str) -> None:
    story, states = told(eventful_game(ruleset, players, setup, players).events)
    ledgers = all_ledgers(states[-1], story)
    taken_back = 0
    for number, (_, heard) in enumerate(story, 1):
        undone = any(isinstance(effect, effects.TakenBack) for effect in heard)
        if undone:  # all that was entered may be void
            taken_back += 1
            ledgers = all_ledgers(states[-1], story)
        for step in steps(story, number):
            if undone or step.moment == number:
                for ledger in ledgers.values():
                    ledger.note(step)
        assert totals(ledgers) == numbers(states[number - 1]), number
        trail = [event for event in states[number - 1].trail if is_play(event)]
        assert trail == [
            event for moment, _ in counting(story, number) if is_play(event := story[moment - 1][0])
        ]
    assert taken_back > 1


def is_play(event: AnyEvent) -> bool:
    return type(event) not in TAKE_BACK_EVENTS


def test_what_is_kept_may_have_other_effects_once_an_action_is_taken_back() -> None:
    """Somebody resigns in relocation, then the action that led there is taken back: by the log the
    resignation moved citizens, but they have not moved."""
    found = 0
    for seed in range(60):
        game, bot = new_game(3, seed), RandomBot(seed)
        while game.state.awaiting and game.state.phase != "relocation":
            seat = min(game.state.awaiting)
            game.add(bot.pick(legal_actions(game.state, seat)))
        if not game.state.awaiting:
            continue
        for event in (Resign(seat=min(game.state.awaiting)), AskTakeBack(seat=seat)):
            if check(game.state, event) is None:
                game.add(event)
        for asked in sorted(game.state.take_back):
            game.add(GrantTakeBack(seat=asked))
        story, states = told(game.events)
        last = len(story)
        resigned = [n for n, (event, _) in enumerate(story, 1) if isinstance(event, Resign)]
        kept = dict(counting(story, last))
        if kept.get(resigned[-1]) not in (None, story[resigned[-1] - 1][1]):
            found += 1
            for what, total in numbers(states[-1]).items():
                assert why(states[-1], story, last, what).total == total
    assert found > 2


@pytest.fixture(scope="module")
def played() -> tuple[Story, list[State]]:
    return told(play_out(new_game(4, "why", setup="expert"), RandomBot(7)).events)


def test_an_account_is_what_the_walk_gives(played: tuple[Story, list[State]]) -> None:
    story, states = played
    for number in (1, 2, 30, len(story) // 2, len(story)):
        for what, total in numbers(states[number - 1]).items():
            account = why(states[number - 1], story, number, what)
            assert (account.total, account.number, account.what) == (total, number, what)
            assert account.title
            moments = [entry.moment for entry in account.entries]
            assert moments == sorted(moments)
            assert account.total == sum(entry.amount for entry in account.entries)


def test_every_entry_names_a_rule_and_says_a_sentence(played: tuple[Story, list[State]]) -> None:
    story, states = played
    ledgers = all_ledgers(states[-1], story)
    for step in steps(story, len(story)):
        for ledger in ledgers.values():
            ledger.note(step)
    entries = [entry for ledger in ledgers.values() for entry in ledger.entries]
    assert len(entries) > 500
    assert {entry.rule for entry in entries} > {"R1", "R7", "R9", "R11", "R15", "R18", "R35", "R39"}
    for entry in entries:
        assert re.fullmatch(r"R[1-9]\d?", entry.rule)
        assert re.fullmatch(r"[A-Z0-9].*\.", entry.sentence), entry


@pytest.mark.parametrize(
    "what",
    [
        "",
        "gold",
        "gold/0",
        "gold/5",
        "gold/1/2",
        "gold/x",
        "gold/01",
        "gold/²",
        "silver/1",
        "score/1",
        "score/1/gold",
        "citizens/",
        "citizens/nowhere",
        "service/a13/music",
        "pool/castle",
        "supply/1",
        "/".join("gold" * 1000),
    ],
)
def test_there_is_no_such_number(what: str, played: tuple[Story, list[State]]) -> None:
    story, states = played
    with pytest.raises(NoSuchNumber):
        why(states[-1], story, len(story), what)


def test_a_city_has_numbers_while_it_stands(played: tuple[Story, list[State]]) -> None:
    story, states = played
    before = set()
    lost = 0
    for number, s in enumerate(states, 1):
        now = {what for what in numbers(s) if what.startswith(("citizens/", "service/"))}
        for gone in sorted(before - now):
            lost += 1
            with pytest.raises(NoSuchNumber):
                why(s, story, number, gone)
        before = now
    assert lost
