"""The drawings between the rules: real positions, with a caption and words for a screen reader.

They are drawn once per language.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

from engine.material.numbers import CULTURE, KIND, SERVICES
from engine.state import State
from engine.view import SPECTATOR, view
from events.types import Build, FoundCity
from projections.words.names import marked
from web.drawing.box.cards import card_back, politics_card
from web.drawing.changes import marks_of
from web.drawing.excerpt import draw_excerpt
from web.rules.drawings import editions as editions  # They join the others.
from web.rules.drawings import positions
from web.rules.drawings import tips as tips  # So do these.
from web.rules.drawings.illustration import (
    DRAW,
    Illustration,
    Picture,
    city,
    draws,
    excerpt,
    site_marks,
    voice_pictures,
)
from web.rules.drawings.positions import ANNA, NAMES, ExamplePosition
from web.words.language import gettext as _
from web.words.sentences import sentences

BOTH_CITIES = ("e3", "f3", "f10", "e9", "g8")
AROUND_F8 = ("e8", "e9", "f6", "f10", "g8", "g9")
WIDE = ("c7", "f4", "f11", "i7")


def drawings(language: str) -> Mapping[str, Illustration]:
    """Every drawing by name, in the language of the request, which is given as well."""
    return _drawn(language)


@functools.lru_cache(maxsize=16)
def _drawn(language: str) -> Mapping[str, Illustration]:
    return {name: draw() for name, draw in DRAW.items()}


@draws("full")
def full() -> Illustration:
    state = positions.full_board()
    alt = _("Cities of four players on the lanes between farmlands, lakes and mountains.")
    svg = excerpt("full", state, ("h7", "k5", "k12", "n9"), alt)
    return Illustration(
        [Picture(svg)],
        _("A piece of the board in a late year. Colour and pattern say whose it is."),
    )


@draws("land")
def land() -> Illustration:
    alt = _(
        "Lanes of empty hexes meet at a crossing. Between them lie farmlands with ears of wheat, a"
        " lake and a mountain."
    )
    state = positions.opening_position().state
    bare = msgspec.structs.replace(view(state, SPECTATOR), cities=[])
    svg = draw_excerpt(state.board, bare, WIDE, label=alt, words=_, id_prefix="land-")
    caption = _("Pale hexes are lanes. The ears of wheat say how much a farmland bears.")
    return Illustration([Picture(svg)], caption)


@draws("food")
def food() -> Illustration:
    state = positions.grown_city()[0].state
    here = {"castle": "f9", "food": city(state, "f9").food}
    alt = _("The castle {castle} stands between two farmlands and yields {food} food.")
    caption = _("This castle touches two farmlands: together {food} food.")
    svg = excerpt("food", state, ("f8", "f10", "e9", "g9"), alt.format(**here))
    return Illustration([Picture(svg)], caption.format(**here))


@draws("founding")
def founding() -> Illustration:
    state = positions.opening_position().state
    sites = [label for label in open_hexes(state) if not state.city_on[state.board.hex_at[label]]]
    wishes = [FoundCity(seat=ANNA, at=at, source="f9") for at in sites]
    alt = _(
        "Around the castles Pelago and Rufina every near hex is crossed out; those farther off are"
        " lit."
    )
    caption = _("Dashed green: here a new city may be founded. Crossed: too near to a castle.")
    svg = excerpt("founding", state, ("b5", "e3", "f9", "i5"), alt, site_marks(state, wishes))
    return Illustration([Picture(svg)], caption)


@draws("sites")
def sites() -> Illustration:
    state = positions.neighbours().state
    edge = state.board.spread(city(state, "f9").mask) & state.open
    wishes = [
        Build(seat=ANNA, building="school", at=at, card="master-builder")
        for at in state.board.labels(edge & ~state.occupied)
    ]
    alt = _(
        "All hexes beside the city Rufina are lit, except f7, which lies beside another city too."
    )
    caption = _(
        "Here Anna’s city Rufina may grow. The crossed hex would touch Bruno’s city Pelago."
    )
    svg = excerpt("sites", state, BOTH_CITIES, alt, site_marks(state, wishes))
    return Illustration([Picture(svg)], caption)


def open_hexes(state: State) -> list[str]:
    return state.board.labels(state.open)


@draws("grown")
def grown() -> Illustration:
    before, after = positions.grown_city()
    castle = city(before.state, "f9"), city(after.state, "f9")
    counts = {"before": castle[0].citizens, "after": castle[1].citizens}
    first = _("A castle with {before} citizens on lane f9.").format(**counts)
    then = _(
        "The same city with a farm, a quarry beside the mountain, a market on the crossing and a"
        " bath by the lake; {after} citizens."
    ).format(**counts)
    return Illustration(
        [
            Picture(excerpt("grown-a", before.state, AROUND_F8, first), _("Before")),
            Picture(
                excerpt("grown-b", after.state, AROUND_F8, then, marks_of(after.effects)),
                _("After"),
            ),
        ],
        _(
            "A city in its first year: three action cards and a bath for {cost} gold. The large"
            " number is who is left on the castle, the plate below it counts the whole city."
        ).format(cost=KIND["bath"].card_cost),
        sentences(after.effects, NAMES),
    )


@draws("figures")
def figures() -> Illustration:
    state = positions.neighbours().state
    had = city(state, "f9").points(CULTURE)
    alt = _("A statue with one white arch; a figure with the number one stands on it.")
    caption = _("A statue and a figure: {points} points of culture this year.")
    svg = excerpt("figures", state, ("f8", "f9"), alt)
    return Illustration([Picture(svg)], caption.format(points=had))


@draws("display")
def display() -> Illustration:
    public = view(positions.opening_position().state, SPECTATOR)
    pictures = [Picture(politics_card(card, words=_)) for card in public.display]
    pile = Picture(
        card_back("politics", words=_), _("pile %(count)s") % {"count": len(public.pile)}
    )
    return Illustration(
        [*pictures, pile], _("The politics cards on display, and their pile."), cards=True
    )


@draws("voice")
def voice() -> Illustration:
    state = positions.opening_position().state
    return voice_cards(state, _("The voice cards of a year: culture is known, the others are not."))


@draws("tally")
def tally() -> Illustration:
    state = positions.relocation()[1].state
    return voice_cards(
        state, _("Most of these cards say culture: that is what the people ask for.")
    )


def voice_cards(state: State, caption: str) -> Illustration:
    """The voice cards of the running year, as everyone sees them."""
    return Illustration(voice_pictures(view(state, SPECTATOR).voice[-1]), caption, cards=True)


@draws("relocation")
def relocation() -> Illustration:
    return moving(
        "relocation",
        *positions.relocation(),
        caption=marked(
            "The people ask for culture. Anna’s city has {anna_culture} points, Bruno’s has"
            " {bruno_culture}: one citizen moves."
        ),
    )


@draws("two-voices")
def two_voices() -> Illustration:
    return moving(
        "two-voices",
        *positions.two_voices(),
        caption=marked(
            "The people ask for culture and for health. Anna chooses culture, Bruno chooses"
            " health, {bruno_health} to {anna_health}: one citizen goes and one comes back."
        ),
    )


def moving(
    name: str, before: ExamplePosition, after: ExamplePosition, caption: str
) -> Illustration:
    """Two cities before and after citizens moved between them."""
    counts = {
        f"{who}_{service}": city(after.state, castle).points(index)
        for who, castle in (("anna", "f9"), ("bruno", "f5"))
        for index, service in enumerate(SERVICES)
    }
    alt = _(
        "Two cities with one empty hex between them. Bruno’s city Pelago has {bruno} citizens,"
        " Anna’s city Rufina has {anna}."
    )
    pictures = [
        Picture(
            excerpt(
                f"{name}-{part}",
                moment.state,
                BOTH_CITIES,
                alt.format(
                    bruno=city(moment.state, "f5").citizens, anna=city(moment.state, "f9").citizens
                ),
                marks,
            ),
            label,
        )
        for part, moment, marks, label in (
            ("a", before, None, _("Before")),
            ("b", after, marks_of(after.effects), _("After")),
        )
    ]
    return Illustration(pictures, _(caption).format(**counts), sentences_since_voice(after))


def sentences_since_voice(moment: ExamplePosition) -> list[str]:
    """What happened, from the people's voice on."""
    kinds = [type(effect).__name__ for effect in moment.effects]
    start = kinds.index("VoiceSpoke") if "VoiceSpoke" in kinds else 0
    return sentences(moment.effects[start:], NAMES)


@draws("demolition")
def demolition() -> Illustration:
    before, after = positions.demolition()
    alt = _("Bruno’s city Pelago has {citizens} citizens and {buildings} buildings.")
    pictures = []
    for part, moment, label in (("a", before, _("Before")), ("b", after, _("After"))):
        here = city(moment.state, "f5")
        words = alt.format(citizens=here.citizens, buildings=len(here.hexes))
        marks = marks_of(moment.effects) if moment is after else None
        svg = excerpt(f"demolition-{part}", moment.state, ("e3", "f3", "f6"), words, marks)
        pictures.append(Picture(svg, label))
    here = city(before.state, "f5")
    caption = _(
        "{citizens} citizens for {buildings} buildings: one must fall. The farm or the quarry may,"
        " for they lie outside; the hospital may not, for the farm hangs on it."
    ).format(citizens=here.citizens, buildings=len(here.hexes))
    return Illustration(pictures, caption, sentences(after.effects, NAMES))
