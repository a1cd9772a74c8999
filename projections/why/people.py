"""The ledgers about people: a city's citizens, a player's, the supply, and points (R43)."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter

from engine import effects
from engine.material.numbers import KIND
from engine.rules.scoring import bonus_services
from engine.state import State
from projections.why.ledger import Ledger
from projections.why.steps import LedgerStep
from projections.words.effects import Translator


def rule_of_founding(s: State, founded: effects.CityFounded) -> str:
    if founded.source:
        return "R19"
    return "R8" if s.setup == "beginner" else "R9"


def from_supply(citizens: int, translator: Translator) -> str:
    """R23: who comes with a market."""
    if citizens == 1:
        return translator.gettext("Its citizen comes from the supply.")
    text = translator.gettext("{citizens} citizens come with it from the supply.")
    return text.format(citizens=citizens)


class Citizens(Ledger):
    """The citizens of some cities: which, the classes below say."""

    @abstractmethod
    def counts(self, seat: int, city: str) -> bool:
        """Whether a city is one of them."""

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded() as e:
                if self.counts(e.seat, e.city):
                    self.enter(step, e.citizens, rule_of_founding(self.s, e))
                if e.source and self.counts(e.seat, e.source):
                    text = self.translator.gettext("A citizen goes from {source} to found {city}.")
                    self.write(
                        step,
                        -1,
                        "R19",
                        text.format(
                            source=self.translator.city(e.source), city=self.translator.city(e.city)
                        ),
                    )
            case effects.CitizensCame() as e if self.counts(e.seat, e.city):
                self.enter(step, e.citizens, "R15" if e.why == "growth" else "R29")
            case effects.GrowthStopped() as e if self.counts(e.seat, e.city):
                self.enter(step, 0, "R15")
            case effects.BuildingRaised(building="market") as e if self.counts(e.seat, e.city):
                if citizens := self.s.numbers.market_citizens:
                    self.enter(step, citizens, "R23", from_supply(citizens, self.translator))
            case effects.CitizenMoved() as e:
                if self.counts(e.from_seat, e.from_city):
                    self.enter(step, -1, "R35")
                if self.counts(e.seat, e.city):
                    self.enter(step, int(e.found_room), "R35" if e.found_room else "R37")
            case effects.CitizensStarved() as e if self.counts(e.seat, e.city):
                self.enter(step, -e.citizens, "R39")


class CitizensOfCity(Citizens):
    """The citizens of the city that stands on a castle's hex now, not of those that stood there."""

    def __init__(self, s: State, translator: Translator, city: str) -> None:
        super().__init__(s, translator)
        self.city = city

    def counts(self, seat: int, city: str) -> bool:
        return city == self.city

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded(city=self.city, seat=seat):
                self.begin_anew()
                text = self.translator.gettext("Citizens of {who}'s city {city}")
                self.title = text.format(
                    who=self.s.name(seat), city=self.translator.city(self.city)
                )
            case effects.CityLost(city=self.city):
                self.title = ""
        super().note(step)


class CitizensOfSeat(Citizens):
    """All citizens of a player."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s citizens").format(who=s.name(seat))

    def counts(self, seat: int, city: str) -> bool:
        return seat == self.seat


class CitizenPoints(CitizensOfSeat):
    """The points of a player's citizens (R43)."""

    def write(
        self, step: LedgerStep, amount: int, rule: str, sentence: str, this_year: bool = False
    ) -> None:
        super().write(step, amount * self.s.numbers.citizen_points, rule, sentence, this_year)


class Supply(Ledger):
    """The common supply of citizens."""

    def __init__(self, s: State, translator: Translator) -> None:
        super().__init__(s, translator)
        self.title = translator.gettext("Citizens in the supply")
        self.begin(s.box.citizens, "R7", translator.gettext("The box holds so many citizens."))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded() as e:
                self.enter(step, bool(e.source) - e.citizens, rule_of_founding(self.s, e))
            case effects.CitizensCame() as e:
                self.enter(step, -e.citizens, "R15" if e.why == "growth" else "R29")
            case effects.BuildingRaised(building="market"):
                if citizens := self.s.numbers.market_citizens:
                    self.enter(step, -citizens, "R23", from_supply(citizens, self.translator))
            case effects.CitizenMoved(found_room=False):
                self.enter(step, 1, "R37")
            case effects.CitizensStarved() as e:
                self.enter(step, e.citizens, "R39")


class CompleteCities(Ledger):
    """The points of a player's cities with arches of all three services (R43)."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s points for cities with all services").format(
            who=s.name(seat)
        )
        self._arches: dict[str, list[int]] = {}
        self._hospitals: Counter[str] = Counter()

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.BuildingRaised(seat=self.seat) as e:
                if self._count(e.city, e.building, 1):
                    text = self.translator.gettext("The city {city} now has all services.")
                    more = text.format(city=self.translator.city(e.city))
                    self.enter(step, self.s.numbers.service_bonus, "R43", more)
            case effects.BuildingFell(seat=self.seat) as e if e.building in KIND:
                if self._count(e.city, e.building, -1):
                    text = self.translator.gettext("The city {city} no longer has all services.")
                    more = text.format(city=self.translator.city(e.city))
                    self.enter(step, -self.s.numbers.service_bonus, "R43", more)

    def _count(self, city: str, building: str, by: int) -> bool:
        """Whether a city has become complete, or ceased to be."""
        arches = self._arches.setdefault(city, [0, 0, 0])
        before = self._is_complete(city)
        for service, gain in enumerate(self.s.numbers.kind[building].arches):
            arches[service] += by * gain
        self._hospitals[city] += by * (building == "hospital")
        return self._is_complete(city) != before

    def _is_complete(self, city: str) -> bool:
        arches, hospitals = self._arches[city], self._hospitals[city]
        return all(bonus_services(self.s.rules, self.s.numbers, arches, hospitals))


class Hunger(Ledger):
    """The points that a player loses for starving people in the last year (R43)."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s points lost by hunger").format(who=s.name(seat))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CitizensStarved(seat=self.seat) if step.year == self.s.numbers.years:
                if not self.entries:
                    text = self.translator.gettext(
                        "Whoever starves in the last year loses points at the end."
                    )
                    self.enter(step, -self.s.numbers.hunger_points, "R43", text)


class PointLedger(Ledger):
    """A player's points as if the game ended now: citizens, complete cities, hunger (R43)."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.title = translator.gettext("{who}'s points").format(who=s.name(seat))
        self.parts = [part(s, translator, seat) for part in (CitizenPoints, CompleteCities, Hunger)]

    def note(self, step: LedgerStep) -> None:
        for part in self.parts:
            known = len(part.entries)
            part.note(step)
            self.entries += part.entries[known:]
