"""What chance decided in a game: what came to light, when, and what could have come instead.

Whatever nobody had seen could have come, each card as often as it lay unseen. Voice cards that a
seat alone has polled came to light for it then. What is dealt blind comes to light later or never.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from engine.effects import AnyEffect, CardShown, VoicePolled, VoiceShown
from engine.material.numbers import SERVICE_INDEX, Numbers, numbers_of
from engine.rules.counting import Counting
from engine.rules.relocation import loudest
from engine.state import State
from engine.walk import Walk
from events.material import Service
from events.types import AnyEvent, GameOpened, GameStarted, PoliticsShuffled

T = TypeVar("T", bound=str)

INDEX: dict[str, int] = dict(SERVICE_INDEX)  # type: ignore[arg-type]

Chance = Literal["lot", "deal", "voice", "tally", "poll", "card"]
"""Who begins; the first display; a year's open voice card, and its others; voice cards that a seat
alone has looked at; cards that came into the display."""


class Reveal(msgspec.Struct, frozen=True):
    """Something that came to light, and all that nobody knew before it did."""

    number: int
    year: int
    chance: Chance
    cards: list[int]
    """Which cards: of voice cards where they lie in the deck, of politics cards how many lie
    beneath them in the pile."""
    pile_seen: int
    voice_seen: int


class Outcome(msgspec.Struct, frozen=True):
    """What came or could have come, how often of all it would have, and whether it did."""

    came: tuple[str, ...]
    share: float
    true: bool = False


class Recorder(list[AnyEffect]):
    """Takes the effects of an event, and notes what each of them brought to light."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state, self.reveals = state, list[Reveal]()
        self.voice_seen, self.pile_seen, self.pile = _voice_seen(state), state.pile_seen, 0
        self.shuffles = state.shuffles

    def append(self, effect: AnyEffect) -> None:
        super().append(effect)
        if isinstance(effect, CardShown):
            self._card()
        elif isinstance(effect, VoiceShown):
            self._voice("voice" if effect.place == 1 else "tally")
        elif isinstance(effect, VoicePolled):
            self._voice("poll")

    def _card(self) -> None:
        s = self.state
        if s.shuffles != self.shuffles:
            self.shuffles, self.pile_seen = s.shuffles, 0
        at = len(s.pile)
        if not self.pile_seen >> at & 1:
            self._note("card", [at])
        self.pile_seen |= 1 << at

    def _voice(self, chance: Chance) -> None:
        now = _voice_seen(self.state)
        new = now & ~self.voice_seen
        if new:
            self._note(chance, [at for at in range(new.bit_length()) if new >> at & 1])
        self.voice_seen = now

    def _note(self, chance: Chance, cards: list[int]) -> None:
        year = self.state.year
        self.reveals.append(Reveal(0, year, chance, cards, self.pile_seen, self.voice_seen))


def _voice_seen(s: State) -> int:
    """The voice cards that anybody has seen."""
    known = s.shown_voice
    for player in s.players.values():
        known |= player.polled_voice
    return known


def reveals(events: Sequence[AnyEvent]) -> dict[int, list[Reveal]]:
    """By event what came to light with it, in order. What was taken back never happened.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> found = reveals(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> [reveal.chance for reveal in found[2]]
    ['lot', 'deal', 'voice']
    """
    found: dict[int, list[Reveal]] = {}
    counting = Counting()
    for number, event, _, effects in Walk(events, make_sink=Recorder):
        counting.take(number, event, effects)
        noted = effects.reveals if isinstance(effects, Recorder) else []
        if isinstance(event, GameStarted):
            noted = [Reveal(0, 1, "lot", [], 0, 0), Reveal(0, 1, "deal", [], 0, 0), *noted]
        if noted:
            found[number] = [msgspec.structs.replace(each, number=number) for each in noted]
    return {number: found[number] for number in counting.numbers if number in found}


def outcomes(events: Sequence[AnyEvent], reveal: Reveal) -> list[Outcome]:
    """What could have come, by what nobody had seen; the voice cards of a tally only as far as they
    speak differently. Beside a first display stands any: there are too many."""
    if reveal.chance == "lot":
        start = _started(events).start
        seats = seats_of(events)
        return [Outcome((str(seat),), 1 / len(seats), seat == start) for seat in seats]
    if reveal.chance == "deal":
        places = _numbers(events).display_places
        shown = Deck(events, reveal).cards[:places]
        return [Outcome(tuple(shown), 0.0, True), Outcome((), 1.0)]
    if reveal.chance == "card":
        deck = Deck(events, reveal)
        unseen = Counter(itertools.compress(deck.cards, deck.hidden))
        whole = sum(unseen.values())
        true = deck.cards[deck.place(reveal)]
        return [Outcome((card,), unseen[card] / whole, card == true) for card in sorted(unseen)]
    voice = _started(events).voice
    pool = Counter(card for at, card in enumerate(voice) if not reveal.voice_seen >> at & 1)
    came = tuple(sorted(voice[at] for at in reveal.cards))
    hands = [
        msgspec.structs.replace(hand, true=hand.came == came)
        for hand in _hands(pool, len(reveal.cards))
    ]
    return _by_voice(hands, events, reveal) if reveal.chance == "tally" else hands


def _hands(pool: Counter[Service], size: int) -> Iterator[Outcome]:
    whole = math.comb(sum(pool.values()), size)
    for hand in itertools.combinations_with_replacement(sorted(pool), size):
        ways = math.prod(math.comb(pool[card], count) for card, count in Counter(hand).items())
        if ways:
            yield Outcome(hand, ways / whole)


def _by_voice(
    hands: Sequence[Outcome], events: Sequence[AnyEvent], reveal: Reveal
) -> list[Outcome]:
    """One hand for all that make the same voice; the one that came where it is among them."""
    size = _numbers(events).voice_cards
    first = size * (reveal.year - 1)
    voice = _started(events).voice
    known = [voice[at] for at in range(first, first + size) if at not in reveal.cards]
    alike: dict[tuple[int, ...], list[Outcome]] = {}
    for hand in hands:
        cards = tuple(INDEX[card] for card in (*known, *hand.came))
        alike.setdefault(tuple(loudest(cards)), []).append(hand)
    found = []
    for each in alike.values():
        shown = next((hand for hand in each if hand.true), each[0])
        share = sum(hand.share for hand in each)
        found.append(msgspec.structs.replace(shown, share=share))
    return found


class Deck:
    """The cards that were shuffled last before something came to light, the first to be drawn
    first, and which of them nobody had seen."""

    def __init__(self, events: Sequence[AnyEvent], reveal: Reveal) -> None:
        self.dealt_by = max(
            index
            for index in range(reveal.number)
            if isinstance(events[index], GameStarted | PoliticsShuffled)
        )
        event = events[self.dealt_by]
        if isinstance(event, PoliticsShuffled):
            self.cards, open_cards = list(event.cards), 0
        else:
            assert isinstance(event, GameStarted)
            numbers = _numbers(events)
            self.cards, open_cards = numbers.in_play(event.politics), numbers.display_places
        if reveal.chance in ("lot", "deal"):
            open_cards = 0
        last = len(self.cards) - 1
        self.hidden = [
            at >= open_cards and not reveal.pile_seen >> (last - at) & 1
            for at in range(len(self.cards))
        ]

    def place(self, reveal: Reveal) -> int:
        """Where a card lay that had so many beneath it."""
        return len(self.cards) - 1 - reveal.cards[0]


def deal_otherwise(
    events: Sequence[AnyEvent], reveal: Reveal, outcome: Outcome, seed: str
) -> list[AnyEvent]:
    """The log up to a reveal with something else coming to light, and whatever else nobody had seen
    exchanged: the same way for the same seed, as far as the cards go round."""
    dice = random.Random(seed)
    log = list(events[: reveal.number])
    number, started = next(
        (number, event) for number, event in enumerate(log) if isinstance(event, GameStarted)
    )
    asked = dict(zip(reveal.cards, outcome.came, strict=False))
    voice = asked if reveal.chance in ("voice", "tally", "poll") else {}
    hidden = [not reveal.voice_seen >> at & 1 for at in range(len(started.voice))]
    log[number] = msgspec.structs.replace(
        started,
        start=int(outcome.came[0]) if reveal.chance == "lot" else started.start,
        voice=_exchanged(started.voice, hidden, voice, dice),
        secret=f"{dice.getrandbits(256):064x}",
    )
    deck = Deck(log, reveal)
    if reveal.chance == "card":
        asked = {deck.place(reveal): outcome.came[0]}
    elif reveal.chance == "deal":
        asked = dict(enumerate(outcome.came))
    else:
        asked = {}
    cards = _exchanged(deck.cards, deck.hidden, asked, dice)
    event = log[deck.dealt_by]
    if isinstance(event, GameStarted):
        out, rest = _numbers(log).cards_out, iter(cards)
        politics = [card if card in out else next(rest) for card in event.politics]
        log[deck.dealt_by] = msgspec.structs.replace(event, politics=politics)
    elif isinstance(event, PoliticsShuffled):
        log[deck.dealt_by] = msgspec.structs.replace(event, cards=cards)
    return log


def _exchanged(
    cards: Sequence[T], hidden: Sequence[bool], asked: Mapping[int, str], dice: random.Random
) -> list[T]:
    """The cards with the hidden ones shuffled, and then those that are asked for put in place."""
    moving = sorted(card for card, is_hidden in zip(cards, hidden, strict=True) if is_hidden)
    dice.shuffle(moving)
    found = [
        moving.pop() if is_hidden else card for card, is_hidden in zip(cards, hidden, strict=True)
    ]
    fixed = [not is_hidden for is_hidden in hidden]
    for place, card in asked.items():
        if found[place] != card:
            # Of several like it the one that would come last, so that what comes next stays.
            other = max(at for at, each in enumerate(found) if each == card and not fixed[at])
            found[place], found[other] = found[other], found[place]
        fixed[place] = True
    return found


def _started(events: Sequence[AnyEvent]) -> GameStarted:
    return next(event for event in events if isinstance(event, GameStarted))


def _numbers(events: Sequence[AnyEvent]) -> Numbers:
    opening = events[0]
    assert isinstance(opening, GameOpened)
    return numbers_of(opening.ruleset)


def seats_of(events: Sequence[AnyEvent]) -> range:
    opening = events[0]
    assert isinstance(opening, GameOpened)
    return range(1, len(opening.seats) + 1)
