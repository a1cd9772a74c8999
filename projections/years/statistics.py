"""What happened in one finished game, in numbers: the facts that a rule is judged by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.errors import CannotFold
from engine.fold import fold
from engine.material.numbers import POLITICS
from engine.rules.scoring import leaders
from engine.state import State
from engine.walk import Walk
from engine.year_end import YearEffects, ends_in
from events.types import AnyEvent, AskTakeBack, GameStarted
from projections.now.scoreboard import ScoreLine, scoreboard
from projections.years.history import History, Year


class SeatStats(msgspec.Struct, frozen=True):
    """One seat's game. A shared win counts by its share."""

    seat: int
    turn_order: int
    """1 for who started year 1, 2 for the seat to the left, and so on."""
    points: int
    citizens: int
    cities: int
    """Points for cities with all services (R43)."""
    hunger: int
    gold: int
    place: int
    win: float
    founded: int
    built: int
    fell: int
    hungry_years: int
    starved: int
    came: int
    """Citizens won by relocation, and those it took away."""
    went: int
    penalties: int
    passes: int
    taken: dict[str, int]
    """Politics cards taken, by kind."""


class GameStats(msgspec.Struct, frozen=True):
    """One game. Cards are counted by kind, everything else by seat or as a whole."""

    start: int
    events: int
    lead_changes: int
    """How often another seat led alone at a year's end than had done so before."""
    homeless: int
    """Citizens who left by relocation and found no room (R37)."""
    shown: dict[str, int]
    """Cards that turned up in the display."""
    rotted: dict[str, int]
    """Cards that lay in the display at a year's end, once for each such year."""
    seats: list[SeatStats]


class GameTally:
    """Counts while effects go by. Cards in the display are known from what was shown and went."""

    def __init__(self, seats: int) -> None:
        self.start = 0
        self.homeless = 0
        self.count = {seat: Counter[str]() for seat in range(1, seats + 1)}
        self.taken = {seat: Counter[str]() for seat in range(1, seats + 1)}
        self.shown: Counter[str] = Counter()
        self.rotted: Counter[str] = Counter()
        self._lying: Counter[str] = Counter()

    def deal(self, cards: Sequence[str]) -> None:
        """The first display, which lies there before anything has an effect (R7)."""
        self.shown.update(cards)
        self._lying.update(cards)

    def note(self, new_effects: list[AnyEffect]) -> None:
        """Take in what one event brought about."""
        for effect in new_effects:
            match effect:
                case effects.YearBegan(year=1, start=start):
                    self.start = start
                case effects.CardShown(card=card):
                    self.shown[card] += 1
                    self._lying[card] += 1
                case effects.CardBuried(card=card):
                    self._lying[card] -= 1
                case effects.DisplayFlushed(cards=cards):
                    self._lying.subtract(cards)
                case effects.YearEnded():
                    self.rotted.update(self._lying)
                case effects.BuildingRaised(seat=seat, card=card):
                    self._add(seat, "built")
                    if card != "action":
                        self._take(seat, card)
                case effects.FiguresPlaced(seat=seat, on=on):
                    self._take(seat, "rich-harvest" if on == "harvest" else "bread-and-games")
                case effects.CitizensCame(seat=seat, why="golden-times"):
                    self._take(seat, "golden-times")
                case effects.VoicePolled(seat=seat):
                    self._take(seat, "polling")
                case effects.CityFounded(seat=seat, source=source) if source:
                    self._add(seat, "founded")
                case effects.BuildingFell(seat=seat):
                    self._add(seat, "fell")
                case effects.PenaltyTaken(seat=seat):
                    self._add(seat, "penalties")
                case effects.TurnPassed(seat=seat):
                    self._add(seat, "passes")
                case effects.CitizenMoved(seat=seat, from_seat=giver, found_room=found_room):
                    self._add(giver, "went")
                    if found_room:
                        self._add(seat, "came")
                    else:
                        self.homeless += 1

    def _add(self, seat: int, what: str) -> None:
        self.count[seat][what] += 1

    def _take(self, seat: int, card: str) -> None:
        self.taken[seat][card] += 1
        self._lying[card] -= 1


def game_stats(events: Sequence[AnyEvent]) -> GameStats:
    """The facts of a game from its log. What was taken back does not count.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> sum(seat.win for seat in game_stats(play_out(new_game(2, 1), RandomBot(1)).events).seats)
    1.0
    """
    counted = events
    if any(isinstance(event, AskTakeBack) for event in events):
        counted = [events[0], *fold(events).trail]
    walk = Walk(counted, make_sink=YearEffects)
    state, led = walk.state, list[list[int]]()
    tally, history = GameTally(len(state.seats)), History(len(state.seats))
    for step in walk:
        if isinstance(step.event, GameStarted):
            numbers = step.state.numbers
            tally.deal(numbers.in_play(step.event.politics)[: numbers.display_places])
        tally.note(step.effects)
        history.note(step.effects)
        led += map(leaders, ends_in(step.effects))
    if state.phase != "over":
        raise CannotFold(len(events), "the game is not over")
    return _summed_up(state, tally, history.years, led, len(events))


def _summed_up(
    s: State, tally: GameTally, years: list[Year], led: list[list[int]], events: int
) -> GameStats:
    return GameStats(
        start=tally.start,
        events=events,
        lead_changes=lead_changes(led),
        homeless=tally.homeless,
        shown={card: tally.shown[card] for card in POLITICS},
        rotted={card: tally.rotted[card] for card in POLITICS},
        seats=[_seat_stats(s, tally, years, line) for line in scoreboard(s).lines],
    )


def _seat_stats(s: State, tally: GameTally, years: list[Year], line: ScoreLine) -> SeatStats:
    count, taken = tally.count[line.seat], tally.taken[line.seat]
    starved = [
        player.starved for year in years for player in year.players if player.seat == line.seat
    ]
    return SeatStats(
        seat=line.seat,
        turn_order=s.clockwise(tally.start).index(line.seat) + 1,
        points=line.total,
        citizens=line.citizens,
        cities=line.cities,
        hunger=line.hunger,
        gold=line.gold,
        place=line.place,
        win=(line.seat in s.winners) / len(s.winners),
        founded=count["founded"],
        built=count["built"],
        fell=count["fell"],
        hungry_years=sum(hungry > 0 for hungry in starved),
        starved=sum(starved),
        came=count["came"],
        went=count["went"],
        penalties=count["penalties"],
        passes=count["passes"],
        taken={card: taken[card] for card in POLITICS},
    )


def lead_changes(led: list[list[int]]) -> int:
    """How often the lead went to someone else, from those who led at each year's end (R44)."""
    alone = [seats for seats in led if len(seats) == 1]
    return sum(one != other for one, other in pairwise(alone))
