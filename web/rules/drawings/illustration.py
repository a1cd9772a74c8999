"""What illustrates the rules: pictures of positions, a caption, words for a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from engine.material.numbers import SERVICES
from engine.state import City, State
from engine.view import SPECTATOR, view
from web.drawing.box.cards import card_back, voice_card
from web.drawing.excerpt import draw_excerpt
from web.drawing.marks import Marks
from web.rules.drawings.positions import NAMES, Site, allowed
from web.words.language import gettext as _

PLAYERS = (*NAMES, "Carla", "Dario", "Elena")
"""What the seats of recorded games are called, which have none but numbers."""


class Picture(msgspec.Struct, frozen=True):
    """One drawing, and what stands beneath it where there are several."""

    svg: str
    label: str = ""


class Illustration(msgspec.Struct, frozen=True):
    """What a rule shows: one or more pictures, a caption, and what happened between them."""

    pictures: list[Picture]
    caption: str
    story: list[str] = []
    cards: bool = False


DRAW: dict[str, Callable[[], Illustration]] = {}
"""Who draws what, by name."""


def draws(name: str) -> Callable[[Callable[[], Illustration]], Callable[[], Illustration]]:
    def enter(draw: Callable[[], Illustration]) -> Callable[[], Illustration]:
        DRAW[name] = draw
        return draw

    return enter


def excerpt(
    name: str, state: State, shown: Sequence[str], label: str, marks: Marks | None = None
) -> str:
    """A piece of the board as every onlooker sees it, under people's names."""
    public = view(state, SPECTATOR)
    players = [
        msgspec.structs.replace(player, name=called)
        for player, called in zip(public.players, PLAYERS, strict=False)
    ]
    return draw_excerpt(
        state.board,
        msgspec.structs.replace(public, players=players),
        shown,
        label=label,
        words=_,
        marks=marks,
        id_prefix=f"{name}-",
    )


def city(state: State, castle: str) -> City:
    return state.cities[state.city_on[state.board.hex_at[castle]]]


def site_marks(state: State, wishes: Sequence[Site]) -> Marks:
    """Where the rules allow some of these actions, and where not."""
    yes, no = allowed(state, wishes)
    return Marks(legal=_hexes(yes), barred=_hexes(no))


def _hexes(actions: Sequence[Site]) -> frozenset[str]:
    return frozenset(action.at for action in actions)


def voice_pictures(cards: Sequence[str]) -> list[Picture]:
    """Voice cards, those that are not known face down."""
    return [
        Picture(voice_card(card, words=_) if card in SERVICES else card_back("voice", words=_))
        for card in cards
    ]
