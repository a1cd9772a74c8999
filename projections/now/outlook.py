"""What a year's end would bring: the voices that are still possible, and the rules run for each.

Tried out on a copy of the table with the engine's own phases; whoever has a choice takes the one
that is suggested.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb

import msgspec

from engine.copying import copy_state
from engine.effects import AnyEffect, BuildingFell, CitizenMoved
from engine.fold import apply_own
from engine.material.numbers import SERVICE_INDEX, SERVICES
from engine.rules.demolition import settle_everyone
from engine.rules.relocation import begin_relocation, loudest, next_relocation
from engine.rules.scoring import score
from engine.state import State
from engine.view import HIDDEN, SPECTATOR
from events.material import Service
from projections.now.suggestion import suggest

VOICES: tuple[tuple[int, ...], ...] = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
"""R33: every voice there can be of four cards, of one service or of two."""
ALL_THREE = (0, 1, 2)
"""Three services are as loud only where a house rule deals as many cards as they can share."""


class VoiceChance(msgspec.Struct, frozen=True):
    """One possible voice: in how many deals of the unseen cards it comes, and in percent."""

    services: list[Service]
    deals: int
    percent: int


class VoiceOdds(msgspec.Struct, frozen=True):
    """What a seat knows about this year's voice.

    A deal is a choice of those cards, out of all that the seat has not seen, that lie face down
    before it now; all are equally likely.
    """

    year: int
    known: list[str]
    unseen: dict[Service, int]
    deals: int
    chances: list[VoiceChance]


class PlayerOutcome(msgspec.Struct, frozen=True):
    """What the year's end would bring one seat."""

    seat: int
    gained: int
    lost: int
    starved: int
    fallen: int
    citizens: int
    points: int


class YearOutcome(msgspec.Struct, frozen=True):
    """What the year's end would bring under one voice."""

    services: list[Service]
    deals: int
    percent: int
    moves: list[CitizenMoved]
    players: list[PlayerOutcome]


def known_voice(s: State, seat: int) -> int:
    """The voice cards that a seat has seen, one bit per card of the deck; after the end all."""
    if s.phase == "over":
        return (1 << len(s.voice)) - 1
    return s.shown_voice | (s.players[seat].polled_voice if seat != SPECTATOR else 0)


def voice_odds(s: State, seat: int) -> VoiceOdds:
    """How likely each voice is by the cards that a seat (0: a spectator) has seen.

    >>> from engine.selfplay import new_game
    >>> odds = voice_odds(new_game(players=2, seed=1).state, seat=1)
    >>> odds.known
    ['culture', '?', '?', '?']
    >>> [(chance.services, chance.deals) for chance in odds.chances if chance.deals > 500]
    [(['culture'], 1208)]
    >>> odds.deals == sum(chance.deals for chance in odds.chances) == 2600
    True
    """
    known = known_voice(s, seat)
    unseen = [s.box.voice[service] for service in SERVICES]
    for index, service in enumerate(s.voice):
        unseen[service] -= known >> index & 1
    first = s.numbers.voice_cards * (s.year - 1)
    cards = [
        SERVICES[service] if known >> (first + place) & 1 else HIDDEN
        for place, service in enumerate(s.voice_cards)
    ]
    possible = VOICES if s.numbers.voice_cards % 3 else (*VOICES, ALL_THREE)
    deals = dict.fromkeys(possible, 0)
    if s.year:
        counts = [cards.count(service) for service in SERVICES]
        for voice, ways in _deals(counts, unseen, cards.count(HIDDEN)):
            deals[voice] += ways
    total = sum(deals.values())
    return VoiceOdds(
        year=s.year,
        known=cards if s.year else [],
        unseen=dict(zip(SERVICES, unseen, strict=True)),
        deals=total,
        chances=[
            VoiceChance(
                services=[SERVICES[service] for service in voice],
                deals=ways,
                percent=(200 * ways + total) // (2 * total) if total else 0,
            )
            for voice, ways in deals.items()
        ],
    )


def _deals(counts: list[int], unseen: list[int], hidden: int) -> list[tuple[tuple[int, ...], int]]:
    """Every make-up of the hidden cards: the voice it gives, and from how many deals it comes."""
    found = []
    for culture in range(hidden + 1):
        for education in range(hidden + 1 - culture):
            drawn = (culture, education, hidden - culture - education)
            ways = 1
            for left, taken in zip(unseen, drawn, strict=True):
                ways *= comb(left, taken)
            sums = [count + taken for count, taken in zip(counts, drawn, strict=True)]
            most = max(sums)
            found.append((tuple(i for i, count in enumerate(sums) if count == most), ways))
    return found


def outcomes(s: State, seat: int) -> list[YearOutcome]:
    """The year's end under each voice that a seat must reckon with; none before the first year.

    >>> from engine.selfplay import new_game
    >>> [outcome.services for outcome in outcomes(new_game(players=2, seed=1).state, seat=1)]
    [['culture'], ['education'], ['health'], ['culture', 'education'], ['culture', 'health']]
    """
    if s.phase in ("opened", "castles", "over"):
        return []
    return [_outcome(s, chance) for chance in voice_odds(s, seat).chances if chance.deals]


def _outcome(s: State, chance: VoiceChance) -> YearOutcome:
    after = copy_state(s)
    effects: list[AnyEffect] = []
    before = {seat: player.starved for seat, player in after.players.items()}
    run_year_end(after, [SERVICE_INDEX[service] for service in chance.services], effects)
    moves = [effect for effect in effects if isinstance(effect, CitizenMoved)]
    fallen = [effect.seat for effect in effects if isinstance(effect, BuildingFell)]
    return YearOutcome(
        services=chance.services,
        deals=chance.deals,
        percent=chance.percent,
        moves=moves,
        players=[
            PlayerOutcome(
                seat=seat,
                gained=sum(move.seat == seat and move.found_room for move in moves),
                lost=sum(move.from_seat == seat for move in moves),
                starved=player.starved - before[seat],
                fallen=fallen.count(seat),
                citizens=after.citizens_of(seat),
                points=score(after, seat).total,
            )
            for seat, player in after.players.items()
        ],
    )


def run_year_end(s: State, voice: list[int], sink: list[AnyEffect]) -> None:
    """R33–R41 from where the year stands, up to its end (R42), which is left out."""
    cards = s.numbers.voice_cards
    first = cards * (s.year - 1)
    s.voice[first : first + cards] = cards_that_say(tuple(voice), cards)
    s.chance = ""
    if s.phase in ("bury", "politics"):
        s.awaiting = {}
        begin_relocation(s, sink)
    while s.phase == "relocation":
        if s.awaiting:
            _answer(s, sink)
            next_relocation(s, sink)
        else:
            s.phase = "people"
            settle_everyone(s, sink)
    while s.awaiting:
        _answer(s, sink)


@cache
def cards_that_say(voice: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """R33: cards by which the people say just that; what they say is all that counts.

    >>> cards_that_say((0, 2), 4), cards_that_say((0, 2), 5)
    ((0, 0, 2, 2), (0, 0, 1, 2, 2))
    """
    every = combinations_with_replacement(range(len(SERVICES)), cards)
    return next(deal for deal in every if loudest(deal) == list(voice))


def _answer(s: State, sink: list[AnyEffect]) -> None:
    action = suggest(s, min(s.awaiting))
    assert action is not None
    apply_own(s, action, sink)
