"""What the rules refuse: attempts at all kinds of things all through the recorded games.

The probes need not be clever, only many and always the same; of each reason some are kept for every
type of event that meets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from engine.actions.check import check
from engine.chance.dealer import deal_start
from engine.material.board import bits
from engine.material.numbers import KINDS, SERVICES
from engine.selfplay import secret_from
from engine.state import State
from engine.walk import Walk
from events.types import (
    AnyEvent,
    AskTakeBack,
    Build,
    Bury,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    GameStarted,
    GrantTakeBack,
    HandOver,
    HoldGames,
    Loss,
    Mover,
    Pass,
    PlaceCastle,
    PoliticsShuffled,
    Poll,
    ReapHarvest,
    RefuseTakeBack,
    Relocate,
    Resign,
    Starve,
    TakeGold,
    YearClosed,
)
from replays.corpus.games import Attempt

PROBES_A_STATE = 60
KEPT_OF_A_KIND = 3
"""Per reason, type of event and way to count distances."""

NOWHERE = "z99"

Probe = Callable[[State, int, Random], AnyEvent]


def find_attempts(games: Mapping[str, Sequence[AnyEvent]]) -> list[Attempt]:
    """Refused attempts from all games, sorted by game and place."""
    found: dict[tuple[str, str, str], dict[tuple[str, str], Attempt]] = {}
    for name, events in games.items():
        for after, s, event in probes_of(name, events):
            if (refusal := check(s, event)) is None:
                continue
            kind = (refusal.code, type(event).__name__, s.rules.distance)
            attempt = Attempt(name, after, event, refusal.code, refusal.params)
            alike = found.setdefault(kind, {})
            alike.setdefault((name, "first"), attempt)
            alike[name, "last"] = attempt  # late in a game, other things stand in the way
    attempts = [attempt for kind, each in found.items() for attempt in some_of(kind, each)]
    return sorted(attempts, key=lambda a: (a.game, a.after, a.reason, repr(a.event)))


def some_of(kind: tuple[str, str, str], each: dict[tuple[str, str], Attempt]) -> list[Attempt]:
    """A few from anywhere in the corpus, so that no game has them all."""
    dice = Random("/".join(kind))
    different = list({id(attempt): attempt for attempt in each.values()}.values())
    return dice.sample(different, min(KEPT_OF_A_KIND, len(different)))


def probes_of(name: str, events: Sequence[AnyEvent]) -> Iterator[tuple[int, State, AnyEvent]]:
    """Things to try after each event of a game."""
    walk = Walk(events)
    s = walk.state
    for start in tampered_starts(s, name):
        yield 1, s, start
    for (after, *_), event in zip(walk, [*events[1:], None], strict=True):
        dice = Random(f"{name}/{after}")
        yield after, s, events[0]
        for _ in range(PROBES_A_STATE):
            yield after, s, probe(s, dice)
        for tampered in tampered_chance(event):
            yield after, s, tampered


def tampered_starts(s: State, name: str) -> Iterator[AnyEvent]:
    """Deals that break R2, R7, R8 and R9, each in one thing."""
    deal = deal_start(s, secret_from(name))
    change = msgspec.structs.replace
    yield change(deal, start=5)
    yield change(deal, politics=[*deal.politics[:-1], deal.politics[0], deal.politics[0]])
    yield change(deal, voice=deal.voice[:-1])
    yield change(deal, commitment="0" * 64)
    yield change(deal, tiles={} if deal.tiles else {"A1": "lake"})
    yield change(deal, tiles=dict.fromkeys(s.board.data.fields, "lake"))


def tampered_chance(event: AnyEvent | None) -> Iterator[AnyEvent]:
    """What chance owes next, but wrong; and what it does not owe."""
    if isinstance(event, PoliticsShuffled):
        yield msgspec.structs.replace(event, cards=[*event.cards, "polling"])
    elif isinstance(event, YearClosed):
        yield msgspec.structs.replace(event, digest="0" * 64)
    elif isinstance(event, GameStarted):
        return
    else:
        yield PoliticsShuffled(cards=["polling"])
        yield YearClosed(year=6, digest="0" * 64)


def probe(s: State, dice: Random) -> AnyEvent:
    """One thing to try: mostly of what is owed, by whoever owes it."""
    owed = sorted(s.awaiting.items())
    if owed and dice.random() < 0.9:
        seat, what = dice.choice(owed)
        kinds = OWED_PROBES[what] if dice.random() < 0.9 else ANY_PROBES
        return dice.choice(kinds)(s, seat, dice)
    return dice.choice(ANY_PROBES)(s, dice.randrange(1, 6), dice)


def hex_near(s: State, seat: int, dice: Random) -> str:
    """Somewhere on the board, most often around the seat's own cities; now and then nowhere."""
    chance = dice.random()
    if chance < 0.03:
        return NOWHERE
    cities = s.players[seat].cities if seat in s.players else []
    if chance < 0.2 or not cities:
        return dice.choice(s.board.labels(s.board.lanes))
    mask = dice.choice(cities).mask
    around = s.board.spread(mask) & s.board.lanes
    return s.board.label[dice.choice(list(bits(around | mask)))]


def own_hex(s: State, seat: int, dice: Random) -> str:
    """Something that the seat has built, now and then something else."""
    cities = s.players[seat].cities if seat in s.players else []
    if not cities or dice.random() < 0.1:
        return hex_near(s, seat, dice)
    return s.board.label[dice.choice(dice.choice(cities).hexes)]


def own_castle(s: State, seat: int, dice: Random) -> str:
    cities = s.players[seat].cities if seat in s.players else []
    if not cities or dice.random() < 0.15:
        return own_hex(s, seat, dice)
    return s.board.label[dice.choice(cities).castle]


def place(dice: Random) -> int:
    return dice.choice([0, 0, 0, 0, dice.randrange(1, 8)])


def try_build(s: State, seat: int, dice: Random) -> AnyEvent:
    kind = dice.choice(KINDS)
    fitting = "action" if kind.size == "small" else kind.name
    card: Any = dice.choice([fitting, fitting, "action", "master-builder", "palace"])
    at = hex_near(s, seat, dice)
    return Build(seat=seat, building=kind.name, at=at, card=card, place=place(dice))


def try_found(s: State, seat: int, dice: Random) -> AnyEvent:
    return FoundCity(seat=seat, at=hex_near(s, 9, dice), source=own_castle(s, seat, dice))


def try_games(s: State, seat: int, dice: Random) -> AnyEvent:
    return HoldGames(
        seat=seat,
        figures=dice.randrange(1, 4),
        at=own_hex(s, seat, dice),
        service=dice.choice(SERVICES),
        place=place(dice),
        others=tuple(dice.choices(SERVICES, k=dice.choice([0, 0, 0, 1, 2]))),
    )


def try_golden_times(s: State, seat: int, dice: Random) -> AnyEvent:
    city = own_castle(s, seat, dice)
    return CallGoldenTimes(seat=seat, citizens=dice.randrange(1, 4), city=city, place=place(dice))


def try_harvest(s: State, seat: int, dice: Random) -> AnyEvent:
    reaped = [hex_ for hex_, figures in s.figures_on.items() if figures[3]]
    twice = reaped and dice.random() < 0.5
    at = s.board.label[dice.choice(reaped)] if twice else own_hex(s, seat, dice)
    return ReapHarvest(seat=seat, at=at, place=place(dice))


def try_poll(s: State, seat: int, dice: Random) -> AnyEvent:
    look = [dice.randrange(2, 5) for _ in range(dice.randrange(2, 4))]
    return Poll(seat=seat, look=look, place=place(dice))


def try_castle(s: State, seat: int, dice: Random) -> AnyEvent:
    return PlaceCastle(seat=seat, at=hex_near(s, 9, dice))


def try_relocate(s: State, seat: int, dice: Random) -> AnyEvent:
    cities = s.players[seat].cities if seat in s.players else []
    some = dice.sample(cities, dice.randrange(len(cities) + 1))
    labels = [s.board.label[city.castle] for city in some] or [own_castle(s, seat, dice)]
    movers = [Mover(city=label, service=dice.choice(SERVICES)) for label in labels]
    return Relocate(seat=seat, cities=movers)


def try_demolish(s: State, seat: int, dice: Random) -> AnyEvent:
    count = dice.randrange(1, 4)
    return Demolish(seat=seat, buildings=[own_hex(s, seat, dice) for _ in range(count)])


def try_starve(s: State, seat: int, dice: Random) -> AnyEvent:
    losses = [
        Loss(city=own_castle(s, seat, dice), citizens=dice.randrange(1, 7))
        for _ in range(dice.randrange(1, 3))
    ]
    return Starve(seat=seat, losses=losses)


def plain(kind: Any, **fields: Any) -> Probe:
    return lambda s, seat, dice: kind(seat=seat, **fields)


TABLE_PROBES: list[Probe] = [
    plain(Resign),
    plain(HandOver, bot=""),
    plain(HandOver, bot="steward"),
    plain(AskTakeBack),
    plain(GrantTakeBack),
    plain(RefuseTakeBack),
]
POLITICS_PROBES: list[Probe] = [
    plain(TakeGold),
    plain(Pass),
    try_found,
    try_build,
    try_build,
    try_build,
    try_games,
    try_golden_times,
    try_harvest,
    try_poll,
]
OWED_PROBES: dict[str, list[Probe]] = {
    "castle": [try_castle],
    "bury": [plain(Bury, bury=True), *POLITICS_PROBES],
    "politics": POLITICS_PROBES,
    "relocate": [try_relocate],
    "demolish": [try_demolish],
    "starve": [try_starve],
}
ANY_PROBES: list[Probe] = [
    *TABLE_PROBES,
    *POLITICS_PROBES,
    try_castle,
    plain(Bury, bury=False),
    try_relocate,
    try_demolish,
    try_starve,
]
