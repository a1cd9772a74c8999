"""The drawings beside the books' advice: moments of recorded games, which are over and lie open."""

from __future__ import annotations

from engine.effects import AnyEffect, CitizenMoved
from engine.material import library
from engine.material.numbers import numbers_of
from engine.state import State
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.rules.drawings.illustration import Illustration, Picture, city, draws, excerpt
from web.rules.drawings.positions import recorded
from web.words.language import gettext as _


class Moment:
    """A recorded game after an event, which is named so that anybody can look there."""

    def __init__(self, game: str, number: int) -> None:
        self.game, self.number = game, number

    @property
    def state(self) -> State:
        return recorded(self.game, self.number).state

    @property
    def effects(self) -> list[AnyEffect]:
        return recorded(self.game, self.number).effects

    def before(self) -> Moment:
        return Moment(self.game, self.number - 1)

    def source(self) -> str:
        return _("(Recorded game {game}, event {number})").format(
            game=self.game, number=self.number
        )


WELL_FED, ILL_FED = Moment("two-experts", 4), Moment("feasts-without-figures", 4)
FARM = Moment("two-experts", 13)
QUARRY = Moment("three-beginners", 6)
WATER = Moment("four-experts", 70)
SERVICES = Moment("four-experts", 163)
FULL = Moment("a-shared-win", 67)
SMALL = Moment("the-worked-example", 11)
GOOD_SITE, BAD_SITE = Moment("three-experts", 14), Moment("all-harvested", 5)
NEARER = Moment("a-shared-win", 28)


def ringed(*hexes: str) -> Marks:
    return Marks(coloured=dict.fromkeys(hexes, "yellow"))


def around(state: State, *castles: str) -> list[str]:
    """The hexes of some cities."""
    return [label for castle in castles for label in state.board.labels(city(state, castle).mask)]


def two(name: str, one: tuple[Moment, str], other: tuple[Moment, str]) -> list[Picture]:
    """What a castle or a farm yields at two places."""
    pictures = []
    for part, (moment, at) in zip("ab", (one, other), strict=True):
        state = moment.state
        caption = _("{at}: {food} food").format(at=at, food=yields(state, at))
        beside = state.board.labels(state.board.neighbours[state.board.hex_at[at]])
        alt = _("The hex {at} and the land on both sides of it: {food} food.").format(
            at=at, food=yields(state, at)
        )
        svg = excerpt(f"{name}-{part}", state, (*around(state, at), *beside), alt, ringed(at))
        pictures.append(Picture(svg, caption))
    return pictures


def yields(state: State, at: str) -> int:
    """R11: the wheat that a castle or a farm reaps."""
    return state.land.wheat[state.board.hex_at[at]]


@draws("tip-castle")
def castle() -> Illustration:
    caption = _(
        "Two castles on the day they were placed. The second one’s city went hungry in year {year}."
    )
    return Illustration(
        two("tip-castle", (WELL_FED, "f4"), (ILL_FED, "f5")),
        f"{caption.format(year=2)} {WELL_FED.source()} {ILL_FED.source()}",
    )


@draws("tip-farm")
def farm() -> Illustration:
    state = FARM.state
    amounts = {"castle": yields(state, "c7"), "farm": yields(state, "b6")}
    alt = _("A castle and, beside it, a farm between the same two farmlands.")
    caption = _(
        "The castle yields {castle} food, and the farm beside it, which lies between the same two"
        " farmlands, {farm} more."
    ).format(**amounts)
    svg = excerpt("tip-farm", state, around(state, "c7"), alt, marks_of(FARM.effects))
    return Illustration([Picture(svg)], f"{caption} {FARM.source()}")


@draws("tip-quarry")
def quarry() -> Illustration:
    state = QUARRY.state
    gold = state.land.mountains[state.board.hex_at["e9"]]
    alt = _("A quarry between two mountains.")
    caption = _(
        "This quarry lies between two mountains. Built in year {year}, it brings {gold} gold in"
        " each of the {left} years that follow: {sum} gold."
    ).format(
        year=state.year,
        gold=gold,
        left=state.numbers.years - state.year,
        sum=gold * (state.numbers.years - state.year),
    )
    svg = excerpt("tip-quarry", state, around(state, "f9"), alt, marks_of(QUARRY.effects))
    return Illustration([Picture(svg)], f"{caption} {QUARRY.source()}")


@draws("tip-water")
def water() -> Illustration:
    state = WATER.state
    here = city(state, "l16")
    alt = _("A city with a market, and a fountain by a lake.")
    caption = _(
        "Market and fountain stand: {citizens} citizens live here in year {year}. With a market"
        " alone it would be {most} at most."
    ).format(citizens=here.citizens, year=state.year, most=state.numbers.limit_with_market)
    svg = excerpt("tip-water", state, around(state, "l16"), alt)
    return Illustration([Picture(svg)], f"{caption} {WATER.source()}")


@draws("tip-services")
def services() -> Illustration:
    state = SERVICES.state
    here = city(state, "p17")
    bonus = numbers_of(library.ruleset()).service_bonus
    alt = _("A castle, a hospital and a statue: arches in three colours.")
    caption = _(
        "A hospital and a statue are enough: {citizens} citizens and {bonus} points more for all"
        " three services make {sum}."
    ).format(citizens=here.citizens, bonus=bonus, sum=here.citizens + bonus)
    svg = excerpt("tip-services", state, around(state, "p17"), alt)
    return Illustration([Picture(svg)], f"{caption} {SERVICES.source()}")


@draws("tip-room")
def room() -> Illustration:
    before, after = FULL.before().state, FULL.state
    moves = [
        effect
        for effect in FULL.effects
        if isinstance(effect, CitizenMoved) and "l11" in (effect.city, effect.from_city)
    ]
    counts = {"before": city(before, "l11").citizens, "after": city(after, "l11").citizens}
    alt = _("Three cities. An arrow leads into the full one, another leads out of it.")
    caption = _(
        "The city l11 has no market and is full with {before} citizens. One comes and finds no"
        " room, another leaves for health: {after} are left."
    ).format(**counts)
    shown = around(before, "l11", "k8", "f9")
    svg = excerpt("tip-room", before, shown, alt, marks_of(moves))
    return Illustration([Picture(svg)], f"{caption} {FULL.source()}")


@draws("tip-cost")
def cost() -> Illustration:
    state = SMALL.state
    alt = _("A castle with three small buildings.")
    caption = _(
        "Year {year}: three action cards have built a farm, a quarry and a market, and the"
        " {gold} gold of the beginning is still there."
    ).format(year=state.year, gold=state.players[1].gold)
    svg = excerpt("tip-cost", state, around(state, "f9"), alt)
    return Illustration([Picture(svg)], f"{caption} {SMALL.source()}")


@draws("tip-land")
def land() -> Illustration:
    return Illustration(
        two("tip-land", (GOOD_SITE, "c12"), (BAD_SITE, "k10")),
        _("Two farms, each in the first year of its game.")
        + f" {GOOD_SITE.source()} {BAD_SITE.source()}",
    )


@draws("tip-distance")
def distance() -> Illustration:
    before, after = NEARER.before().state, NEARER.state
    alts = (
        _("Two cities with three empty hexes between them."),
        _("The same cities: a palace stands on one of the three hexes."),
    )
    shown = around(after, "k8", "k3")
    pictures = [
        Picture(excerpt("tip-distance-a", before, shown, alts[0]), _("Before")),
        Picture(
            excerpt("tip-distance-b", after, shown, alts[1], marks_of(NEARER.effects)), _("After")
        ),
    ]
    caption = _(
        "The palace on k6 makes neighbours of the two cities. At the end of the year the people"
        " ask for culture, and a citizen of the castle k3 moves over."
    )
    return Illustration(pictures, f"{caption} {NEARER.source()}")
