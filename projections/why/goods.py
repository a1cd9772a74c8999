"""The ledgers about things: gold, food, services, and what is left of cards and pieces."""

from __future__ import annotations

from engine import effects
from engine.material.numbers import CASTLE, KIND, POOLS, SERVICE_INDEX
from engine.state import State
from events.material import Service
from projections.why.ledger import Ledger
from projections.why.people import rule_of_founding
from projections.why.steps import LedgerStep
from projections.words.effects import Translator, listed, tell_effect
from projections.words.names import BUILDINGS, SERVICES


class Gold(Ledger):
    """A player's gold."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s gold").format(who=s.name(seat))
        gold = s.numbers.start_gold
        self.begin(gold, "R7", translator.gettext("Every player starts with so much gold."))
        self._quarries: dict[str, int] = {}

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.GoldGained(seat=self.seat, gold=gold, why="action-card"):
                self.enter(step, gold, "R18")
            case effects.GoldGained(seat=self.seat, gold=gold):
                self.enter(step, gold, "R14", self._where())
            case effects.GoldPaid(seat=self.seat, gold=gold):
                assert step.following is not None
                bought = tell_effect(step.following, self.names, self.translator)
                self.enter(step, -gold, rule_of_price(step.following), bought)
            case effects.BuildingRaised(seat=self.seat, building="quarry", at=at):
                self._quarries[at] = self.s.land.mountains[self.s.board.hex_at[at]]
            case effects.BuildingFell(seat=self.seat, building="quarry", at=at):
                del self._quarries[at]

    def _where(self) -> str:
        earning = [f"{at} +{gold}" for at, gold in self._quarries.items() if gold]
        text = self.translator.gettext("By the mountains beside {quarries}.")
        return text.format(quarries=listed(earning, self.translator))


def rule_of_price(bought: effects.Effect) -> str:
    match bought:
        case effects.BuildingRaised(card="master-builder"):
            return "R27"
        case effects.FiguresPlaced():
            return "R28"
        case effects.CitizensCame():
            return "R29"
        case effects.VoicePolled():
            return "R31"
        case effects.BuildingRaised(card="action"):
            return "R20"
    return "R26"


class Food(Ledger):
    """What a player can feed: the wheat beside castles and farms, doubled by rich harvests."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s food").format(who=s.name(seat))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded(seat=self.seat, city=at):
                self.enter(step, self._wheat(at), "R11", self._fields(at))
            case effects.BuildingRaised(seat=self.seat, building="farm", at=at):
                self.enter(step, self._wheat(at), "R11", self._fields(at))
            case effects.BuildingFell(seat=self.seat, building="farm" | "castle", at=at) if (
                self._wheat(at)
            ):
                self.enter(step, -self._wheat(at), "R38")
                if step.figures:
                    more = self.translator.gettext("Its rich harvest goes with it.")
                    self.enter(step, -self._wheat(at), "R38", more, this_year=True)
            case effects.FiguresPlaced(seat=self.seat, on="harvest", at=at):
                self.enter(step, self._wheat(at), "R30", self._fields(at), this_year=True)
            case effects.YearEnded():
                self.end_year()

    def _wheat(self, at: str) -> int:
        return self.s.land.wheat[self.s.board.hex_at[at]]

    def _fields(self, at: str) -> str:
        """The farmlands beside a hex."""
        s, hex_ = self.s, self.s.board.hex_at[at]
        edges = {label: edge.terrain for label, edge in s.board.data.edges.items()}
        wheat = [
            terrain[-1]
            for label, terrain in {**edges, **s.tiles}.items()
            if terrain.startswith("farmland") and hex_ in s.board.area_hexes[label]
        ]
        if not wheat:
            return self.translator.gettext("No farmland lies beside it.")
        return self.translator.gettext("Wheat beside it: {wheat}.").format(wheat=" + ".join(wheat))


class ServicePoints(Ledger):
    """A city's points in a service (R36): arches, and figures for the year."""

    def __init__(self, s: State, translator: Translator, city: str, service: Service) -> None:
        super().__init__(s, translator)
        self.city, self.service = city, service

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded(city=self.city, seat=seat):
                self.begin_anew()
                self.title = self.translator.gettext(
                    "Points for {service} in {who}'s city {city}"
                ).format(
                    service=self.translator.gettext(SERVICES[self.service]),
                    who=self.s.name(seat),
                    city=self.translator.city(self.city),
                )
            case effects.CityLost(city=self.city):
                self.title = ""
            case effects.BuildingRaised(city=self.city) as e if arches := self._arches(e.building):
                self.enter(step, arches, "R36")
            case effects.BuildingFell(city=self.city) as e if arches := self._arches(e.building):
                self.enter(step, -arches, "R38")
                if figures := step.figures.get(self.service):
                    more = self.translator.gettext("The figures on it leave.")
                    self.enter(step, -figures, "R38", more, this_year=True)
            case effects.FiguresPlaced(on=self.service) as e if step.city == self.city:
                self.enter(step, e.figures, "R28", this_year=True)
            case effects.YearEnded():
                self.end_year()

    def _arches(self, building: str) -> int:
        kind = self.s.numbers.kind
        return 0 if building == CASTLE else kind[building].arches[SERVICE_INDEX[self.service]]


class ActionCards(Ledger):
    """A player's action cards that are ready."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s action cards").format(who=s.name(seat))
        cards = s.numbers.action_cards
        self.begin(cards, "R7", translator.gettext("Every player has so many action cards."))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.GoldGained(seat=self.seat, why="action-card"):
                self.enter(step, -1, "R18")
            case effects.CityFounded(seat=self.seat, source=source) if source:
                self.enter(step, -1, "R19")
            case effects.BuildingRaised(seat=self.seat, card="action"):
                self.enter(step, -1, "R20")
            case effects.PenaltyTaken(seat=self.seat):
                self.enter(step, -1, "R40")
            case effects.YearEnded():
                self.begin_anew()
                more = self.translator.gettext("All action cards are ready again.")
                self.enter(step, self.s.numbers.action_cards, "R42", more)


class FigureLedger(Ledger):
    """A player's figures that are not out."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s figures").format(who=s.name(seat))
        figures = s.numbers.figures
        self.begin(figures, "R7", translator.gettext("Every player has so many figures."))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.FiguresPlaced(seat=self.seat, figures=figures, on=on):
                self.enter(step, -figures, "R30" if on == "harvest" else "R28")
            case effects.BuildingFell(seat=self.seat) if step.figures:
                self.enter(step, sum(step.figures.values()), "R38")
            case effects.YearEnded():
                self.begin_anew()
                more = self.translator.gettext("All figures return to their owners.")
                self.enter(step, self.s.numbers.figures, "R42", more)


class Castles(Ledger):
    """A player's castles that do not stand on the board."""

    def __init__(self, s: State, translator: Translator, seat: int) -> None:
        super().__init__(s, translator)
        self.seat = seat
        self.title = translator.gettext("{who}'s castles in hand").format(who=s.name(seat))
        castles = s.numbers.castles
        self.begin(castles, "R7", translator.gettext("Every player has so many castles."))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.CityFounded(seat=self.seat) as e:
                self.enter(step, -1, rule_of_founding(self.s, e))
            case effects.CityLost(seat=self.seat):
                self.enter(step, 1, "R38")


class TokenLedger(Ledger):
    """The tokens of a building that are left, shared with the building on their other side."""

    def __init__(self, s: State, translator: Translator, building: str) -> None:
        super().__init__(s, translator)
        self.pool = KIND[building].pool
        sides = [translator.gettext(BUILDINGS[side]) for side in POOLS[self.pool].split("/")]
        self.title = translator.gettext("Tokens left: {sides}").format(sides="/".join(sides))
        tokens = s.box.tokens[POOLS[self.pool]]
        self.begin(tokens, "R1", translator.gettext("The box holds so many tokens."))

    def note(self, step: LedgerStep) -> None:
        match step.effect:
            case effects.BuildingRaised(building=building) if self._is_own(building):
                self.enter(step, -1, "R1")
            case effects.BuildingFell(building=building) if self._is_own(building):
                self.enter(step, 1, "R1")

    def _is_own(self, building: str) -> bool:
        return building != CASTLE and KIND[building].pool == self.pool
