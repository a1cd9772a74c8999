"""A state as plain data in readable words: for keeping, restoring, showing as JSON and digesting.

`position` is what lies on the table; two ways to the same table give the same bytes. A snapshot
also remembers how the last action can be taken back.
"""

from __future__ import annotations

import msgspec

from engine.digest import digest_of, form_of, newest_form
from engine.material import library
from engine.material.land import land_of
from engine.material.numbers import (
    EMPTY,
    POLITICS,
    POLITICS_INDEX,
    POOLS,
    SERVICE_INDEX,
    SERVICES,
)
from engine.state import Chance, City, Owed, PeoplePhase, Phase, Player, State
from events.material import BoardRef, BoxRef, Ruleset, Service
from events.types import AnyEvent, Seat


class PlayerPosition(msgspec.Struct, frozen=True):
    seat: int
    gold: int
    castles: int
    figures: int
    action_cards: int
    played: list[str]
    unseen: list[str]
    founded: bool
    penalty: bool
    starved: int
    lost_by_moving: int
    care: PeoplePhase
    polled_voice: list[int]
    resigned: bool
    bot: str


class CityRecord(msgspec.Struct, frozen=True):
    number: int
    seat: int
    castle: str
    citizens: int
    buildings: dict[str, str]
    figures: dict[str, list[int]]


class Position(msgspec.Struct, frozen=True):
    """The whole table, hidden cards included."""

    phase: Phase
    year: int
    turn: int
    start: int
    queue: list[int]
    awaiting: dict[int, Owed]
    chance: Chance
    winners: list[int]
    players: list[PlayerPosition]
    tiles: dict[str, str]
    cities: list[CityRecord]
    founded_cities: int
    pools: dict[str, int]
    supply: int
    neighbours: dict[int, list[int]]
    display: list[str]
    pile: list[str]
    pile_seen: list[int]
    discards: dict[str, int]
    draws: list[int]
    shuffles: int
    voice: list[Service]
    shown_voice: list[int]
    unseen_discards: list[str]
    secret: str
    commitment: str
    closed: int


class Opening(msgspec.Struct, frozen=True):
    """What a state was opened with."""

    ruleset: Ruleset
    board: BoardRef
    box: BoxRef
    setup: str
    seats: list[Seat]


class Snapshot(msgspec.Struct, frozen=True):
    """Everything needed to go on from a state as if nothing had been interrupted."""

    opening: Opening
    position: Position
    trail: list[AnyEvent]
    last_reveal: int = msgspec.field(name="light")
    take_back: dict[int, bool]
    asked_at: int


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Snapshot] = msgspec.msgpack.Decoder(Snapshot)
_position_decoder: msgspec.msgpack.Decoder[Position] = msgspec.msgpack.Decoder(Position)


def position(s: State) -> Position:
    """A state in words: labels, names of cards, seats from 1 on."""
    label = s.board.label
    return Position(
        phase=s.phase,
        year=s.year,
        turn=s.turn,
        start=s.start,
        queue=list(s.queue),
        awaiting={seat: s.awaiting[seat] for seat in sorted(s.awaiting)},
        chance=s.chance,
        winners=list(s.winners),
        players=[_player_record(seat, player) for seat, player in s.players.items()],
        tiles=s.tiles,
        cities=[
            CityRecord(
                number=city.number,
                seat=city.seat,
                castle=label[city.castle],
                citizens=city.citizens,
                buildings={label[hex_]: s.stands_on[hex_] for hex_ in city.hexes},
                figures={
                    label[hex_]: list(s.figures_on[hex_])
                    for hex_ in sorted(city.hexes)
                    if hex_ in s.figures_on
                },
            )
            for city in s.cities.values()
        ],
        founded_cities=s.founded_cities,
        pools=dict(zip(POOLS, s.pools, strict=True)),
        supply=s.supply,
        neighbours=s.neighbours,
        display=[POLITICS[card] if card >= 0 else EMPTY for card in s.display],
        pile=[POLITICS[card] for card in reversed(s.pile)],
        pile_seen=_positions(s.pile_seen & (1 << len(s.pile)) - 1),
        discards={card: n for card, n in zip(POLITICS, s.discards, strict=True) if n},
        draws=s.draws,
        shuffles=s.shuffles,
        voice=[SERVICES[service] for service in s.voice],
        shown_voice=_positions(s.shown_voice),
        unseen_discards=[POLITICS[card] for card in s.unseen_discards],
        secret=s.secret,
        commitment=s.commitment,
        closed=s.closed,
    )


def _player_record(seat: int, player: Player) -> PlayerPosition:
    return PlayerPosition(
        seat=seat,
        gold=player.gold,
        castles=player.castles,
        figures=player.figures,
        action_cards=player.action_cards,
        played=[POLITICS[card] for card in player.played],
        unseen=[POLITICS[card] for card in player.unseen],
        founded=player.founded,
        penalty=player.penalty,
        starved=player.starved,
        lost_by_moving=player.lost_by_moving,
        care=player.care,
        polled_voice=_positions(player.polled_voice),
        resigned=player.resigned,
        bot=player.bot,
    )


def _positions(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


def _mask(positions: list[int]) -> int:
    return sum(1 << index for index in positions)


def digest(s: State, form: int = 0) -> str:
    """A fingerprint of the table, in the newest form unless another is asked for. It covers the
    game's secret, so it gives nothing away."""
    return digest_of(position(s), form or newest_form())


def has_digest(s: State, recorded: str) -> bool:
    """Whether a digest from a log, of whatever form, is that of the table."""
    form = form_of(recorded)
    return bool(form) and recorded == digest(s, form)


def opening(s: State) -> Opening:
    """What the state was opened with, its material named or carried as in an event."""
    return Opening(
        ruleset=s.rules, board=_board_ref(s), box=box_ref_of(s), setup=s.setup, seats=s.seats
    )


def _board_ref(s: State) -> BoardRef:
    built_in = s.board.name in library.BOARDS and s.board is library.board(s.board.name)
    return library.board_ref(s.board.name) if built_in else library.custom_board_ref(s.board.data)


def box_ref_of(s: State) -> BoxRef:
    """The box of a game, named or carried as in its opening."""
    built_in = s.box.name in library.BOXES and s.box is library.box(s.box.name)
    return library.box_ref(s.box.name) if built_in else library.custom_box_ref(s.box)


def snapshot(s: State) -> bytes:
    """A state as bytes, from which `restore` makes an equal one."""
    return _encoder.encode(
        Snapshot(
            opening=opening(s),
            position=position(s),
            trail=s.trail,
            last_reveal=s.last_reveal,
            take_back={seat: s.take_back[seat] for seat in sorted(s.take_back)},
            asked_at=s.asked_at,
        )
    )


def restore(data: bytes) -> State:
    """The state that a snapshot was taken of."""
    saved = _decoder.decode(data)
    o = saved.opening
    board, box = library.resolve_board(o.board), library.resolve_box(o.box)
    s = restore_position(State(o.ruleset, board, box, o.setup, o.seats), saved.position)
    s.trail, s.last_reveal = saved.trail, saved.last_reveal
    s.take_back, s.asked_at = saved.take_back, saved.asked_at
    return s


def copy_position(s: State) -> Position:
    """The position for whoever keeps it while the state goes on: nothing in it is shared."""
    return _position_decoder.decode(_encoder.encode(position(s)))


def restore_position(s: State, p: Position) -> State:
    """A freshly opened state with everything put where a position says."""
    s.phase, s.year, s.turn, s.start = p.phase, p.year, p.turn, p.start
    s.queue, s.awaiting = list(p.queue), dict(p.awaiting)
    s.chance, s.winners = p.chance, list(p.winners)
    s.tiles, s.land = p.tiles, land_of(s.board, tuple(p.tiles.items()))
    for player in p.players:
        _restore_player(s.players[player.seat], player)
    for city in p.cities:
        _restore_city(s, city)
    s.founded_cities = p.founded_cities
    s.pools = [p.pools[pool] for pool in POOLS]
    s.supply, s.neighbours = p.supply, p.neighbours
    s.display = [POLITICS_INDEX[card] if card else -1 for card in p.display]
    s.pile = [POLITICS_INDEX[card] for card in reversed(p.pile)]
    s.pile_seen = _mask(p.pile_seen)
    s.discards = [p.discards.get(card, 0) for card in POLITICS]
    s.draws, s.shuffles = list(p.draws), p.shuffles
    s.voice = [SERVICE_INDEX[service] for service in p.voice]
    s.shown_voice = _mask(p.shown_voice)
    s.unseen_discards = [POLITICS_INDEX[card] for card in p.unseen_discards]
    s.commitment = p.commitment
    s.secret, s.closed = p.secret, p.closed
    return s


def _restore_player(player: Player, record: PlayerPosition) -> None:
    player.gold, player.castles, player.figures = record.gold, record.castles, record.figures
    player.action_cards, player.care = record.action_cards, record.care
    player.played = [POLITICS_INDEX[card] for card in record.played]
    player.unseen = [POLITICS_INDEX[card] for card in record.unseen]
    player.founded, player.penalty = record.founded, record.penalty
    player.starved, player.lost_by_moving = record.starved, record.lost_by_moving
    player.polled_voice = _mask(record.polled_voice)
    player.resigned, player.bot = record.resigned, record.bot


def _restore_city(s: State, record: CityRecord) -> None:
    hex_at = s.board.hex_at
    castle = hex_at[record.castle]
    city = City(record.number, record.seat, castle, record.citizens, s.land.wheat[castle])
    s.cities[record.number] = city
    s.players[city.seat].cities.append(city)
    for label, building in record.buildings.items():
        hex_ = hex_at[label]
        s.stands_on[hex_] = building
        s.city_on[hex_] = record.number
        s.occupied |= 1 << hex_
        if hex_ != castle:
            city.raise_building(s.numbers.kind[building], hex_, s.land)
    for label, figures in record.figures.items():
        s.figures_on[hex_at[label]] = figures
        for service in range(3):
            city.figures[service] += figures[service]


def as_json(s: State) -> bytes:
    """The whole state as JSON for people and programs."""
    whole = {"opening": opening(s), "position": position(s)}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2)
