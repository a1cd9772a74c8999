"""Positions in which the rulebooks differ: games that any edition can play, and recorded ones."""

from __future__ import annotations

import functools

from engine.actions.legal import legal_actions
from engine.effects import AnyEffect, CitizenMoved, PenaltyTaken
from engine.fold import fold
from engine.material import library
from engine.rules.demolition import free_but_enclosed, surplus
from engine.state import City, State
from events.codec import load_game
from events.material import Politics
from events.types import (
    Build,
    CallGoldenTimes,
    Demolish,
    HoldGames,
    Loss,
    Mover,
    Poll,
    Relocate,
    Starve,
    TakeGold,
)
from replays.corpus.games import CORPUS
from web.rules.drawings.positions import (
    ANNA,
    BRUNO,
    NAMES,
    ONE_VOICE,
    TWO_VOICES,
    Example,
    ExamplePosition,
    neighbours_by,
)

STANDARD = library.DEFAULT_RULESET
CARLA = 3
THREE = (*NAMES, "Carla")
ACROSS = ("a3", "d2")
"""Two hexes of lanes with a field between them."""
AROUND = ((CARLA, "i5"), (BRUNO, "f5"), (ANNA, "f9"), (ANNA, "p11"), (BRUNO, "p5"), (CARLA, "a12"))
"""Castles of three, one city between the two others."""
FEASTS: list[Politics] = [
    *("hospital", "bread-and-games", "bread-and-games", "polling"),
    *("polling", "golden-times", "cathedral"),
]
LEAN: list[Politics] = [
    *("golden-times", "golden-times", "polling", "polling"),
    *("cathedral", "cathedral", "university"),
]
"""Cards that take nobody to work."""


def castle_across(rules: str = STANDARD) -> State:
    """Bruno's first castle stands; Anna looks for a place."""
    return Example(ONE_VOICE, rules, [(BRUNO, ACROSS[0])]).state


def hospital_and_statue(rules: str = STANDARD) -> State:
    """A city with arches of culture, and a hospital's."""
    game = Example(ONE_VOICE, rules)
    game.play(
        Build(seat=ANNA, building="statue", at="f10", card="action"),
        TakeGold(seat=BRUNO),
        Build(seat=ANNA, building="hospital", at="g9", card="hospital"),
    )
    return game.state


def before_polling(rules: str = STANDARD) -> Example:
    """Anna has a polling before her, and gold for a look at all voice cards."""
    game = Example(ONE_VOICE, rules)
    game.play(TakeGold(seat=ANNA), TakeGold(seat=BRUNO))
    return game


def polled() -> State:
    """Two voice cards have been looked at."""
    game = before_polling()
    game.play(Poll(seat=ANNA, look=[2, 3]))
    return game.state


def without_action_cards(rules: str = STANDARD) -> State:
    """All action cards are used, and something can be built: may Anna pass?"""
    return neighbours_by(ONE_VOICE, rules).state


def before_three_choose(rules: str = STANDARD) -> Example:
    """Two voices, and every one of three players has a city that takes somebody."""
    game = Example(TWO_VOICES, rules, AROUND, FEASTS, THREE)
    game.play(
        Build(seat=ANNA, building="statue", at="f8", card="action"),
        Build(seat=BRUNO, building="hospital", at="f6", card="hospital"),
        Build(seat=CARLA, building="statue", at="h4", card="action"),
        *(TakeGold(seat=seat) for _ in range(2) for seat in (ANNA, BRUNO, CARLA)),
        HoldGames(seat=ANNA, figures=1, at="f8", service="culture"),
        TakeGold(seat=BRUNO),
        HoldGames(seat=CARLA, figures=1, at="h4", service="culture"),
        Poll(seat=ANNA, look=[2, 3]),
        CallGoldenTimes(seat=BRUNO, citizens=1, city="f5"),
        Poll(seat=CARLA, look=[2, 3]),
    )
    return game


def three_choose(rules: str = "fi") -> tuple[list[int], ExamplePosition, ExamplePosition]:
    """In which order they choose; the table before and after."""
    game = before_three_choose(rules)
    order, before, effects = list[int](), game.moment(), list[AnyEffect]()
    while game.state.phase == "relocation":
        seat = next(s for s in (ANNA, BRUNO, CARLA) if legal_actions(game.state, s))
        order.append(seat)
        best = {ANNA: ("f9", "culture"), BRUNO: ("f5", "health"), CARLA: ("i5", "culture")}[seat]
        city, service = best
        after = game.play(Relocate(seat=seat, cities=[Mover(city=city, service=service)]))  # type: ignore[arg-type]
        effects += [effect for effect in after.effects if isinstance(effect, CitizenMoved)]
    return order, before, ExamplePosition(game.moment().state, effects)


def hungry(rules: str = STANDARD) -> Example:
    """Anna has four citizens more than food, as many as live in one of her cities."""
    game = Example(["culture"] * 4, rules, shown=LEAN)
    game.play(
        *(TakeGold(seat=seat) for _ in range(3) for seat in (ANNA, BRUNO)),
        CallGoldenTimes(seat=ANNA, citizens=1, city="f9"),
        CallGoldenTimes(seat=BRUNO, citizens=1, city="f5"),
        Poll(seat=ANNA, look=[2, 3]),
        Poll(seat=BRUNO, look=[2, 3]),
    )
    return game


def castle_falls(rules: str = STANDARD) -> tuple[ExamplePosition, ExamplePosition]:
    """All of a city starve, and its castle falls."""
    game = hungry(rules)
    return game.moment(), game.play(Starve(seat=ANNA, losses=[Loss(city="p5", citizens=4)]))


def penalty(rules: str = STANDARD) -> ExamplePosition:
    """The year after, when everyone's first turn is over."""
    game = hungry(rules)
    game.play(Starve(seat=ANNA, losses=[Loss(city="p5", citizens=4)]))
    lost = [Loss(city="f5", citizens=1), Loss(city="l10", citizens=4)]
    after = game.play(Starve(seat=BRUNO, losses=lost))
    served = [effect for effect in after.effects if isinstance(effect, PenaltyTaken)]
    return ExamplePosition(after.state, [*served])


@functools.cache
def split_figures() -> tuple[ExamplePosition, str]:
    """A recorded game by the German book: figures on both arches of a hospital, and where it is."""
    log = load_game(CORPUS / "german-as-printed.jsonl").events
    number, games = next(
        (number, event)
        for number, event in enumerate(log)
        if isinstance(event, HoldGames) and event.others
    )
    return ExamplePosition(fold(log[: number + 1]), []), games.at


@functools.cache
def middle_of_a_city() -> tuple[State, City]:
    """The same game where a city with a building in its middle has to lose one."""
    log = load_game(CORPUS / "german-as-printed.jsonl").events
    for number, event in enumerate(log):
        if isinstance(event, Demolish):
            s = fold(log[:number])
            for city in s.cities_of(event.seat):
                if surplus(city) and free_but_enclosed(s, city):
                    return s, city
    raise LookupError("no city of that game has a middle")
