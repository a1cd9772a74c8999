"""Little positions to explain the rules by: real games, folded by the real engine."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from engine.actions.check import check
from engine.effects import AnyEffect, BuildingRaised, CitizenMoved, VoiceSpoke
from engine.fold import apply, apply_own, fold
from engine.material import library
from engine.material.numbers import YEARS
from engine.rules.setup import open_game
from engine.selfplay import open_event
from engine.state import State
from engine.turn import play
from engine.year_end import at_end_of_year
from events.codec import load_game
from events.material import Politics, Service
from events.types import (
    AnyEvent,
    Build,
    Demolish,
    FoundCity,
    GameOpened,
    GameStarted,
    HoldGames,
    Mover,
    Pass,
    PlaceCastle,
    Relocate,
    Seat,
    TakeGold,
)
from replays.corpus.choosing.example import LAND, stacked, worked_example
from replays.corpus.games import CORPUS

NAMES = ("Anna", "Bruno")
ANNA, BRUNO = 1, 2
SHOWN: list[Politics] = [
    *("bread-and-games", "hospital", "university", "golden-times"),
    *("cathedral", "master-builder", "polling"),
]
"""The politics cards that lie face up in the examples."""
ONE_VOICE: list[Service] = ["culture", "health", "culture", "culture"]
TWO_VOICES: list[Service] = ["culture", "health", "health", "culture"]


Site = FoundCity | Build | PlaceCastle
"""What is done on a hex that has to be found."""


class ExamplePosition(msgspec.Struct, frozen=True):
    """A state, and what the event before it did."""

    state: State
    effects: list[AnyEffect]


FACING = ((BRUNO, "f5"), (ANNA, "f9"), (ANNA, "p5"), (BRUNO, "l10"))
"""A castle of each player face to face, the others far away."""


class Example:
    """A game on the land of the rulebooks' example, its castles placed."""

    def __init__(
        self,
        voice: Sequence[Service],
        rules: str = library.DEFAULT_RULESET,
        castles: Sequence[tuple[int, str]] = FACING,
        shown: Sequence[Politics] = SHOWN,
        names: Sequence[str] = NAMES,
    ) -> None:
        opening = _named(open_event(len(names), library.ruleset(rules), "expert"), names)
        self.log: list[AnyEvent] = [opening]
        self.state = open_game(opening)
        self.effects: list[AnyEffect] = []
        box = library.box()
        self.play(
            GameStarted(
                start=castles[0][0],
                politics=stacked(shown, library.politics_cards(box)),
                voice=stacked(voice, library.voice_cards(box)),
                tiles=LAND,
            ),
            *(PlaceCastle(seat=seat, at=at) for seat, at in castles),
        )

    def play(self, *events: AnyEvent) -> ExamplePosition:
        """Go on by events that the rules must allow."""
        for event in events:
            self.effects = []
            self.log += play(self.state, event, self.effects)
        return self.moment()

    def look_after(self, event: AnyEvent) -> ExamplePosition:
        """The table after an event, before anything else follows from it."""
        if (refusal := check(self.state, event)) is not None:
            raise AssertionError(f"{event}: {refusal.sentence}")
        state, effects = fold(self.log), []  # type: State, list[AnyEffect]
        apply_own(state, event, effects)
        return ExamplePosition(state, effects)

    def moment(self) -> ExamplePosition:
        """The table as it is now, whatever is played after."""
        return ExamplePosition(fold(self.log), self.effects)


def _named(opening: GameOpened, names: Sequence[str] = NAMES) -> GameOpened:
    """The opening of a game of Anna's and Bruno's, or of some more people's."""
    return msgspec.structs.replace(opening, seats=[Seat(name=name) for name in names])


@functools.cache
def full_board() -> State:
    """A recorded game of four, at the end of its last year but one."""
    return at_end_of_year(load_game(CORPUS / "four-beginners.jsonl").events, YEARS - 1).state


@functools.cache
def recorded(game: str, number: int) -> ExamplePosition:
    """A recorded game after so many of its events."""
    log = load_game(CORPUS / f"{game}.jsonl").events
    effects: list[AnyEffect] = []
    state = fold(log[: number - 1])
    apply(state, log[number - 1], effects)
    return ExamplePosition(state, effects)


@functools.cache
def opening_position() -> ExamplePosition:
    """Two castles each, nothing built: year 1 begins."""
    return Example(ONE_VOICE).moment()


@functools.cache
def grown_city() -> tuple[ExamplePosition, ExamplePosition]:
    """The rulebooks' example: the city before its first turn, and after four of them."""
    opening, *following = worked_example()
    assert isinstance(opening, GameOpened)
    log: list[AnyEvent] = [_named(opening), *following]
    built = [number for number, event in enumerate(log) if isinstance(event, Build)]
    before, after = log[: built[0]], log[: built[-1] + 1]
    effects: list[AnyEffect] = []
    state = fold(after, effects)
    raised = [effect for effect in effects if isinstance(effect, BuildingRaised)]
    return ExamplePosition(fold(before), []), ExamplePosition(state, [*raised])


def neighbours_by(voice: Sequence[Service], rules: str = library.DEFAULT_RULESET) -> Example:
    """Anna has a statue with a figure on it, Bruno a city in which everyone is needed."""
    game = Example(voice, rules)
    game.play(
        Build(seat=ANNA, building="statue", at="f8", card="action"),
        Build(seat=BRUNO, building="quarry", at="f6", card="action"),
        HoldGames(seat=ANNA, figures=1, at="f8", service="culture"),
        Build(seat=BRUNO, building="hospital", at="f4", card="hospital"),
        Build(seat=ANNA, building="farm", at="f10", card="action"),
        Build(seat=BRUNO, building="farm", at="e4", card="action"),
        TakeGold(seat=ANNA),
        TakeGold(seat=BRUNO),
    )
    return game


@functools.cache
def neighbours() -> ExamplePosition:
    """Two cities side by side, before the last round of the year."""
    return neighbours_by(ONE_VOICE).moment()


def _people_speak(game: Example) -> ExamplePosition:
    """Both pass in the last round, and the voice of the people is heard."""
    return game.play(Pass(seat=ANNA), Pass(seat=BRUNO))


@functools.cache
def relocation() -> tuple[ExamplePosition, ExamplePosition]:
    """The people ask for culture: the last round, and what they have done."""
    game = neighbours_by(ONE_VOICE)
    before = game.moment()
    return before, _people_speak(game)


@functools.cache
def two_voices() -> tuple[ExamplePosition, ExamplePosition]:
    """The people ask for culture and health: each city takes a citizen by its own strength."""
    game = neighbours_by(TWO_VOICES)
    effects = _people_speak(game).effects
    anna = Relocate(seat=ANNA, cities=[Mover(city="f9", service="culture")])
    bruno = Relocate(seat=BRUNO, cities=[Mover(city="f5", service="health")])
    effects = [*effects, *game.play(anna).effects]
    after = game.look_after(bruno)
    spoken = [e for e in [*effects, *after.effects] if isinstance(e, VoiceSpoke | CitizenMoved)]
    return neighbours(), ExamplePosition(after.state, [*spoken])


@functools.cache
def demolition() -> tuple[ExamplePosition, ExamplePosition]:
    """One citizen too few: a building at the edge falls."""
    game = neighbours_by(ONE_VOICE)
    before = _people_speak(game)
    return before, game.look_after(Demolish(seat=BRUNO, buildings=["f6"]))


def allowed(state: State, actions: Sequence[Site]) -> tuple[list[Site], list[Site]]:
    """Which of some actions the rules allow, and which not."""
    yes = [action for action in actions if check(state, action) is None]
    return yes, [action for action in actions if action not in yes]
