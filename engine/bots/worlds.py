"""From a view to a world: a whole table that the viewer could not tell from the real one.

Everything the seat sees lies as it sees it. What it has not seen is the box less what it has:
those cards are dealt at random to the places where hidden cards lie.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from engine.material import library
from engine.material.board import Board
from engine.material.numbers import numbers_of
from engine.rules.relocation import find_rivals, voices
from engine.snapshot import CityRecord, PlayerPosition, Position, restore_position
from engine.state import State
from engine.view import HIDDEN, SeenPlayer, View
from events.material import Box, Service
from events.types import Seat

T = TypeVar("T")


def world(view: View, board: Board, dice: random.Random) -> State:
    """A table that looks like this to its viewer. Chance must owe nothing.

    >>> from engine.selfplay import new_game
    >>> from engine.view import view
    >>> table = new_game(players=2, seed=1).state
    >>> seen = view(table, seat=1)
    >>> view(world(seen, table.board, random.Random(1)), seat=1) == seen
    True
    """
    box = library.resolve_box(view.box)
    seats = [Seat(name=player.name, bot=player.bot) for player in view.players]
    s = State(view.rules, board, box, view.setup, seats)
    restore_position(s, _position(view, box, dice))
    s.take_back = {
        player.seat: player.take_back for player in view.players if player.take_back is not None
    }
    if s.phase == "relocation":
        s.neighbours = find_rivals(s, voices(s))
    return s


def _position(view: View, box: Box, dice: random.Random) -> Position:
    deck = iter(_shuffled(unseen_politics(view, box), dice))
    pile = [next(deck) if card == HIDDEN else card for card in view.pile]
    voice = _voice(view, box, dice)
    return Position(
        phase=view.phase,
        year=view.year,
        turn=view.turn,
        start=view.start,
        queue=view.queue,
        awaiting=view.awaiting,
        chance="",
        winners=view.winners,
        players=[_player(view, player, deck) for player in view.players],
        tiles=view.tiles,
        cities=[_city(city) for city in view.cities],
        founded_cities=max((city.number for city in view.cities), default=0),
        pools=view.pools,
        supply=view.supply,
        neighbours={},
        display=view.display,
        pile=pile,
        pile_seen=[index for index, card in enumerate(reversed(view.pile)) if card != HIDDEN],
        discards=view.discards,
        draws=[],
        shuffles=0,
        voice=voice,
        shown_voice=_shown_voice(view),
        unseen_discards=[next(deck) for _ in range(view.unseen_discards)],
        secret=view.secret or f"{dice.getrandbits(256):064x}",
        commitment=view.commitment,
        closed=0,
    )


def _player(view: View, player: SeenPlayer, deck: Iterator[str]) -> PlayerPosition:
    first = numbers_of(view.rules).voice_cards * (view.year - 1)
    return PlayerPosition(
        seat=player.seat,
        gold=player.gold,
        castles=player.castles,
        figures=player.figures,
        action_cards=player.action_cards,
        played=player.played,
        unseen=[next(deck) for _ in range(player.passed)],
        founded=player.founded,
        penalty=player.penalty,
        starved=player.starved,
        lost_by_moving=player.lost_by_moving,
        care=player.care,
        polled_voice=[first + place - 1 for place in player.polled],
        resigned=player.resigned,
        bot=player.bot,
    )


def _city(city: CityRecord) -> CityRecord:
    """A city with figures of its own to move."""
    figures = {at: list(counts) for at, counts in city.figures.items()}
    return CityRecord(city.number, city.seat, city.castle, city.citizens, city.buildings, figures)


def unseen_politics(view: View, box: Box) -> list[str]:
    """R32: all politics cards that lie face down somewhere, in canonical order."""
    visible = Counter(view.discards)
    visible.update(view.display)
    visible.update(view.pile)
    for player in view.players:
        visible.update(player.played)
    return _without(numbers_of(view.rules).in_play(library.politics_cards(box)), visible)


def _voice(view: View, box: Box, dice: random.Random) -> list[Service]:
    """R13: the voice cards in the order they will come, as far as the viewer knows it."""
    known = [card for year in view.voice for card in year]
    hidden = iter(_shuffled(_without(library.voice_cards(box), Counter(known)), dice))
    shown = [next(hidden) if card == HIDDEN else card for card in known]
    return [*shown, *hidden]  # type: ignore[list-item]


def _shown_voice(view: View) -> list[int]:
    """The voice cards that everyone knows: all that the viewer does but what it has polled."""
    polled: Iterable[int] = ()
    if view.viewer and view.phase in ("bury", "politics"):
        polled = view.player(view.viewer).polled
    first = numbers_of(view.rules).voice_cards * (view.year - 1)
    alone = {first + place - 1 for place in polled}
    known = [card for year in view.voice for card in year]
    return [index for index, card in enumerate(known) if card != HIDDEN and index not in alone]


def _without(cards: Iterable[T], taken: Counter[T]) -> list[T]:
    """The cards that are left of a deck, in its order."""
    left, rest = Counter(taken), []
    for card in cards:
        if left[card] > 0:
            left[card] -= 1
        else:
            rest.append(card)
    return rest


def _shuffled(cards: list[T], dice: random.Random) -> list[T]:
    dice.shuffle(cards)
    return cards
