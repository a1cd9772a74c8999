"""Set-up: opening the game, laying what chance dealt, and placing castles (R7–R10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine import effects
from engine.effects import EffectSink
from engine.errors import BadMaterial, CannotFold
from engine.material import library
from engine.material.board import Board
from engine.material.land import land_of
from engine.material.numbers import POLITICS_INDEX, SERVICE_INDEX
from engine.rules.sites import castle_sites
from engine.rules.year import begin_year
from engine.state import City, State
from events.material import Box
from events.messages.sentence import Sentence
from events.types import GameOpened, GameStarted, PlaceCastle


def open_game(event: GameOpened) -> State:
    """The state of a game whose seats are taken and whose cards are not yet dealt."""
    board = library.resolve_board(event.board)
    box = library.resolve_box(event.box)
    rules = library.check_ruleset(event.ruleset)
    if rules.cards_out or rules.display_places:
        library.check_cards(rules, box)
    if len(board.data.fields) > sum(box.tiles.values()):
        raise BadMaterial(
            Sentence("board {board} has more fields than the box has tiles", board=board.name)
        )
    if event.setup == "beginner":
        check_setup_for(board, event.box.digest, box, len(event.seats))
    return State(rules, board, box, event.setup, event.seats)


_fitting: set[tuple[Board, str, int]] = set()


def check_setup_for(board: Board, box_digest: str, box: Box, players: int) -> None:
    """R8: there is a set-up for so many players, and the box has its tiles. Checked once each."""
    key = (board, box_digest, players)
    if key in _fitting:
        return
    setup = board.setup_for(players)
    if setup is None:
        raise BadMaterial(
            Sentence(
                "board {board} has no beginner set-up for {players}",
                board=board.name,
                players=players,
            )
        )
    if Counter(setup.tiles.values()) - Counter(box.tiles):
        raise BadMaterial(
            Sentence("board {board} lays more tiles of a kind than the box has", board=board.name)
        )
    _fitting.add(key)


def refuse_second_opening(s: State, e: GameOpened, sink: EffectSink) -> None:
    raise CannotFold(0, Sentence("a game is opened once, by its first event"))


def start_game(s: State, e: GameStarted, sink: EffectSink) -> None:
    """R7: what chance dealt is laid out; the beginner set-up also brings its castles (R8)."""
    s.secret, s.commitment = e.secret, e.commitment
    s.start = e.start
    places = s.numbers.display_places
    # Chance deals the whole box, whatever the rules: kinds that are out are laid aside then.
    deck = [POLITICS_INDEX[card] for card in s.numbers.in_play(e.politics)]
    s.display = deck[:places]
    s.pile = deck[: places - 1 : -1]
    s.voice = [SERVICE_INDEX[service] for service in e.voice]
    s.chance = ""
    if s.setup == "expert":
        lay_tiles(s, e.tiles, sink)
        s.phase = "castles"
        s.queue = s.counter_clockwise(s.start)
        s.queue += reversed(s.queue)
        next_castle(s, sink)
        return
    setup = s.board.setup_for(len(s.seats))
    assert setup is not None
    lay_tiles(s, setup.tiles, sink)
    for seat, castles in enumerate(setup.castles, start=1):
        for label in castles:
            put_castle(s, seat, s.board.hex_at[label], sink)
    begin_year(s, sink)


def lay_tiles(s: State, tiles: Mapping[str, str], sink: EffectSink) -> None:
    s.tiles = dict(tiles)
    s.land = land_of(s.board, tuple(tiles.items()))
    if sink is not None:
        sink.append(effects.TilesLaid(tiles=s.tiles))


def put_castle(s: State, seat: int, hex_: int, sink: EffectSink) -> None:
    """A first castle with its citizens (R8, R9)."""
    citizens = s.numbers.start_citizens
    add_city(s, seat, hex_, citizens)
    s.supply -= citizens
    if sink is not None:
        sink.append(effects.CityFounded(seat=seat, city=s.board.label[hex_], citizens=citizens))


def add_city(s: State, seat: int, hex_: int, citizens: int) -> None:
    """A castle of the seat's own becomes a city."""
    s.founded_cities = number = s.founded_cities + 1
    s.cities[number] = city = City(number, seat, hex_, citizens, s.land.wheat[hex_])
    s.city_on[hex_] = number
    s.stands_on[hex_] = "castle"
    s.occupied |= 1 << hex_
    player = s.players[seat]
    player.cities.append(city)
    player.castles -= 1


def next_castle(s: State, sink: EffectSink) -> None:
    """R9: whoever is next places a castle; who finds no room for one goes without."""
    s.awaiting.clear()
    while s.queue:
        seat = s.queue.pop(0)
        if castle_sites(s) and not s.players[seat].resigned:
            s.awaiting[seat] = "castle"
            return
        if sink is not None:
            sink.append(effects.CastleSkipped(seat=seat))
    last = s.cities[s.founded_cities].seat if s.founded_cities else s.start
    s.start = s.seat_after(last)
    begin_year(s, sink)


def place_castle(s: State, e: PlaceCastle, sink: EffectSink) -> None:
    """R9: a castle on any open lane hex that keeps the distance."""
    put_castle(s, e.seat, s.board.hex_at[e.at], sink)
