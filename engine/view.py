"""What a seat may know: the one function through which everything leaves the server (§7).

Hidden from everyone until the end: the order of both piles, cards taken by passing, the secret and
what follows from it. Hidden from the others: the voice cards that a seat has polled.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.material.numbers import EMPTY, POLITICS, SERVICES, STANDARD, Numbers
from engine.rules.relocation import voices
from engine.rules.take_back import asked_now
from engine.snapshot import CityRecord, box_ref_of, position
from engine.state import Owed, PeoplePhase, Phase, State, of_seat
from events.material import BoxRef, Ruleset
from events.types import AnyEvent, GameStarted, PoliticsShuffled, YearClosed

SPECTATOR = 0
HIDDEN = "?"


class SeenPlayer(msgspec.Struct, frozen=True):
    """What everyone sees before a seat."""

    seat: int
    name: str
    bot: str
    gold: int
    food: int
    citizens: int
    castles: int
    figures: int
    action_cards: int
    played: list[str]
    passed: int
    polled: list[int]
    founded: bool
    penalty: bool
    starved: int
    lost_by_moving: int
    care: PeoplePhase
    resigned: bool
    take_back: bool | None


class View(msgspec.Struct, frozen=True):
    """A table as one seat sees it, or a spectator (seat 0)."""

    viewer: int
    ruleset: str
    rules: Ruleset
    box: BoxRef
    setup: str
    phase: Phase
    year: int
    turn: int
    round: int
    start: int
    queue: list[int]
    awaiting: dict[int, Owed]
    dealing: bool
    winners: list[int]
    players: list[SeenPlayer]
    tiles: dict[str, str]
    cities: list[CityRecord]
    pools: dict[str, int]
    supply: int
    display: list[str]
    pile: list[str]
    discards: dict[str, int]
    unseen_discards: int
    voice: list[list[str]]
    spoken: list[str]
    commitment: str
    secret: str

    def player(self, seat: int) -> SeenPlayer:
        """What lies before a seat."""
        return of_seat(self.players, seat)


def view(s: State, seat: int = SPECTATOR, *, revealed: bool = False) -> View:
    """The state as a seat may know it; after the end, as everyone may.

    `revealed` shows an earlier moment of a finished game as it is known since; whoever asks for it
    answers for the game being over.

    >>> from engine.selfplay import new_game
    >>> view(new_game(players=2, seed=1).state, seat=1).voice[0].count("?")
    3
    """
    over = revealed or s.phase == "over"
    p, asked = position(s), asked_now(s)
    return View(
        viewer=seat,
        ruleset=s.rules.name,
        rules=s.rules,
        box=box_ref_of(s),
        setup=s.setup,
        phase=s.phase,
        year=s.year,
        turn=s.turn,
        round=s.round,
        start=s.start,
        queue=p.queue,
        awaiting=p.awaiting,
        dealing=bool(s.chance),
        winners=p.winners,
        players=[_view_player(s, seat, asked) for seat in s.players],
        tiles=s.tiles,
        cities=p.cities,
        pools=p.pools,
        supply=s.supply,
        display=p.display,
        pile=p.pile if over else _view_pile(s),
        discards=p.discards,
        unseen_discards=len(s.unseen_discards),
        voice=view_voice(s, seat, over),
        spoken=[SERVICES[voice] for voice in voices(s)] if _has_spoken(s) else [],
        commitment=s.commitment,
        secret=s.secret if over else EMPTY,
    )


def in_place_of(s: State, seat: int, looker: int) -> View:
    """The table before a seat, with no more on it than the looker knows."""
    known = view(s, looker)
    return known if looker == seat else msgspec.structs.replace(known, viewer=seat)


def _view_player(s: State, seat: int, asked: dict[int, bool]) -> SeenPlayer:
    player = s.players[seat]
    cards = s.numbers.voice_cards
    first = cards * (s.year - 1)
    return SeenPlayer(
        seat=seat,
        name=s.name(seat),
        bot=player.bot,
        gold=player.gold,
        food=s.food_of(seat),
        citizens=s.citizens_of(seat),
        castles=player.castles,
        figures=player.figures,
        action_cards=player.action_cards,
        played=[POLITICS[card] for card in player.played],
        passed=len(player.unseen),
        polled=[
            place + 1
            for place in range(cards)
            if s.year and player.polled_voice >> (first + place) & 1
        ],
        founded=player.founded,
        penalty=player.penalty,
        starved=player.starved,
        lost_by_moving=player.lost_by_moving,
        care=player.care,
        resigned=player.resigned,
        take_back=asked.get(seat),
    )


def _view_pile(s: State) -> list[str]:
    """The pile from the top, with only those cards named that a take-back has shown to all."""
    return [
        POLITICS[card] if s.pile_seen >> index & 1 else HIDDEN
        for index, card in reversed(list(enumerate(s.pile)))
    ]


def view_voice(s: State, seat: int, over: bool = False) -> list[list[str]]:
    """Per year its voice cards, as far as this viewer has seen them."""
    known, cards = s.shown_voice, s.numbers.voice_cards
    if seat:
        known |= s.players[seat].polled_voice
    if over:
        known = -1
    return [
        [
            SERVICES[s.voice[index]] if known >> index & 1 else HIDDEN
            for index in range(year * cards, (year + 1) * cards)
        ]
        for year in range(s.year)
    ]


def _has_spoken(s: State) -> bool:
    """R33: whether this year's voice is out."""
    return s.phase in ("relocation", "people", "over") and s.year > 0


def view_event(event: AnyEvent, numbers: Numbers = STANDARD, *, over: bool) -> dict[str, Any]:
    """An event as everyone may know it while the game runs, or in full once it is over.

    >>> from events.types import PoliticsShuffled
    >>> view_event(PoliticsShuffled(cards=["palace"], salt="00"), over=False)
    {'type': 'shuffled', 'cards': ['?']}
    """
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if over:
        return fields
    if isinstance(event, GameStarted):
        places = numbers.display_places
        shown = numbers.in_play(event.politics)[:places]
        fields["politics"] = [*shown, *[HIDDEN] * (len(event.politics) - places)]
        fields["voice"] = [HIDDEN] * len(event.voice)
        fields.pop("secret", None)
    elif isinstance(event, PoliticsShuffled):
        fields["cards"] = [HIDDEN] * len(event.cards)
        fields.pop("salt", None)
    elif isinstance(event, YearClosed):
        del fields["digest"]
    return fields
