"""The drawings of what the rulebooks print differently."""

from __future__ import annotations

from engine.rules.demolition import free_but_enclosed, removable
from engine.rules.scoring import score
from engine.view import view
from events.types import Build, PlaceCastle
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.rules.drawings import edition_positions as positions
from web.rules.drawings.illustration import (
    Illustration,
    Picture,
    draws,
    excerpt,
    site_marks,
    voice_pictures,
)
from web.rules.drawings.positions import ANNA, NAMES
from web.words.language import gettext as _
from web.words.sentences import sentences


@draws("across")
def across() -> Illustration:
    state = positions.castle_across()
    wishes = [PlaceCastle(seat=ANNA, at=at) for at in state.board.labels(state.open)]
    marks = site_marks(state, [wish for wish in wishes if wish.at != positions.ACROSS[0]])
    alt = _("A castle on a3; d2, on the other side of a field, is lit, and so is all beyond it.")
    svg = excerpt("across", state, (*positions.ACROSS, "a2", "b5", "e4"), alt, marks)
    caption = _(
        "Straight across the field d2 is two hexes from the castle. Along the lanes it is three:"
        " here a castle may stand."
    )
    return Illustration([Picture(svg)], caption)


@draws("castle-falls")
def castle_falls() -> Illustration:
    before, after = positions.castle_falls()
    food = {"before": before.state.food_of(ANNA), "after": after.state.food_of(ANNA)}
    around = ("p4", "p6", "o4")
    first = _("A castle whose citizens find no food.")
    then = _("The hex where the castle stood is empty.")
    pictures = [
        Picture(excerpt("castle-falls-a", before.state, around, first), _("Before")),
        Picture(
            excerpt("castle-falls-b", after.state, around, then, marks_of(after.effects)),
            _("After"),
        ),
    ]
    caption = _("With the castle its food is gone: Anna had {before} and has {after} now.")
    return Illustration(pictures, caption.format(**food), sentences(after.effects, NAMES))


@draws("split-figures")
def split_figures() -> Illustration:
    moment, at = positions.split_figures()
    alt = _("A hospital with a figure on each of its two arches.")
    shown = (
        at,
        *moment.state.board.labels(moment.state.board.neighbours[moment.state.board.hex_at[at]]),
    )
    svg = excerpt("split-figures", moment.state, shown, alt)
    return Illustration([Picture(svg)], _("One card, one building, two arches."))


@draws("middle")
def middle() -> Illustration:
    state, here = positions.middle_of_a_city()
    label = state.board.labels
    marks = Marks(
        barred=frozenset(label(free_but_enclosed(state, here))),
        legal=frozenset(label(removable(state, here, here.mask))),
    )
    alt = _("A city around a building that has only its own city beside it and is crossed out.")
    svg = excerpt("middle", state, label(here.mask), alt, marks)
    return Illustration(
        [Picture(svg)],
        _(
            "Dashed green: one of these falls. Crossed: this one stays until something beside it"
            " has fallen."
        ),
    )


@draws("polled")
def polled() -> Illustration:
    cards = view(positions.polled(), ANNA).voice[-1]
    caption = _("As Anna sees the voice cards after polling: one is still hidden from her.")
    return Illustration(voice_pictures(cards), caption, cards=True)


@draws("may-pass")
def may_pass() -> Illustration:
    state = positions.without_action_cards()
    wishes = [
        Build(seat=ANNA, building="university", at=at, card="university")
        for at in state.board.labels(state.open & ~state.occupied)
    ]
    alt = _("Hexes beside the city Rufina are lit: a university can be built there.")
    svg = excerpt("may-pass", state, ("f6", "f10", "e9", "g8"), alt, site_marks(state, wishes))
    caption = _(
        "Anna has used her action cards, but can pay for a university. By the English book she may"
        " pass, by the others she builds or takes another card."
    )
    return Illustration([Picture(svg)], caption)


@draws("counter-clockwise")
def counter_clockwise() -> Illustration:
    _order, before, after = positions.three_choose()
    shown = ("f3", "f10", "e9", "i5", "h4")
    alt = _("Three cities in a row, each of another player, near enough to take citizens.")
    pictures = [
        Picture(excerpt("order-a", before.state, shown, alt), _("Before")),
        Picture(excerpt("order-b", after.state, shown, alt, marks_of(after.effects)), _("After")),
    ]
    caption = _("Anna begins; then it is Carla, who sits to her right, and Bruno comes last.")
    return Illustration(pictures, caption, sentences(after.effects, positions.THREE))


@draws("penalty")
def penalty() -> Illustration:
    after = positions.penalty()
    alt = _("What is left of Anna’s cities, a year after citizens starved.")
    svg = excerpt("penalty", after.state, ("f8", "f10", "e9"), alt)
    caption = _("Citizens of Anna’s starved last year. She has {cards} action cards left.")
    return Illustration(
        [Picture(svg)],
        caption.format(cards=after.state.players[ANNA].action_cards),
        sentences(after.effects, NAMES),
    )


@draws("hospital-bonus")
def hospital_bonus() -> Illustration:
    state = positions.hospital_and_statue()
    alt = _("A castle between a statue and a hospital, the one with a white arch.")
    svg = excerpt("hospital-bonus", state, ("f8", "f10", "g9", "e9"), alt)
    caption = _(
        "Culture by the statue, education and health by the hospital: {bonus} points more at the"
        " end."
    )
    return Illustration([Picture(svg)], caption.format(bonus=score(state, ANNA).cities))
