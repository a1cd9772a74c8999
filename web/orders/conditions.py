"""What an order looks at before it decides: a table made from its seat's view alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.actions.check import check
from engine.bots.worlds import world
from engine.fold import apply_own
from engine.material.board import Board, bits
from engine.rules.take_back import asked_now
from engine.state import State
from engine.view import View
from web.orders.shapes import PoliticalTurn


def table_as_seen(seat_view: View, board: Board) -> State:
    """A table to reckon on. Hidden cards lie anyhow: no order depends on them."""
    return world(seat_view, board, random.Random(0))


def rests(s: State, seat: int) -> bool:
    """Whether a seat's orders rest: while a bot plays it, and while somebody asks for a take-back,
    which an action would cut off."""
    return bool(s.players[seat].bot or asked_now(s))


def strangers(s: State, seat: int) -> list[str]:
    """The hexes on which the buildings of other seats stand, in board order."""
    return s.board.labels(_others(s, seat))


def strangers_near(s: State, seat: int, hexes: int) -> list[str]:
    """Those of them as near to a set of hexes, along the lanes, as neighbours are."""
    board = s.board
    around = board.within(hexes, s.open, s.numbers.neighbour_distance)
    return board.labels(board.spread(around | hexes) & _others(s, seat))


def _others(s: State, seat: int) -> int:
    return sum(1 << hex_ for hex_ in bits(s.occupied) if _owner(s, hex_) != seat)


def _owner(s: State, hex_: int) -> int:
    return s.cities[s.city_on[hex_]].seat


def city_at(s: State, seat: int, castle: str) -> int:
    """The hexes of a seat's city, 0 where it has none with that castle."""
    for city in s.cities_of(seat):
        if s.board.label[city.castle] == castle:
            return city.mask
    return 0


def turns_left(s: State, seat: int) -> int:
    """R16: how many political turns a seat still has this year, the one it owes included."""
    if s.phase in ("castles", "bury"):
        return s.numbers.rounds
    if s.phase != "politics":
        return 0
    turns = range(s.turn, s.numbers.rounds * len(s.seats))
    ahead = sum(s.seat_after(s.start, turn) == seat for turn in turns)
    return ahead + (s.awaiting.get(seat) == "politics")


def political_year(s: State, seat: int) -> int:
    """The year of a seat's next political turn."""
    return max(1, s.year + (turns_left(s, seat) == 0))


def as_if_in_turn(
    seat_view: View, board: Board, before: Sequence[PoliticalTurn] = (), full: bool = False
) -> State:
    """The table as the viewer sees it, were it their political turn now, after some steps of
    theirs. With `full` a new year has given the action cards and figures back."""
    s, seat = table_as_seen(seat_view, board), seat_view.viewer
    s.phase, s.chance = "politics", ""
    player = s.players[seat]
    if full:
        player.action_cards, player.founded = s.numbers.action_cards, False
        player.figures = s.numbers.figures
        s.figures_on = {}
    for action in before:
        s.awaiting = {seat: "politics"}
        if check(s, action) is None:
            apply_own(s, action)
    s.awaiting = {seat: "politics"}
    return s
