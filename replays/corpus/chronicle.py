"""A whole game as one readable text: event by event, with the board at each year's end.

Two chronicles of one log under two rules differ just where the rules do, in words that anyone who
knows the game can read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.material.numbers import POLITICS, POOLS
from engine.state import State
from engine.walk import RefusedEvent, Walk, check_anew
from engine.year_end import YearEffects, ends_in
from events.codec import encode_event
from events.material import Ruleset
from events.types import AnyEvent, Bury, GameOpened, PoliticsShuffled
from projections.words.board import describe_player, draw_board, headline
from projections.words.effects import name_of, tell_effect
from projections.words.names import CARDS

MARGIN = 5
"""Wide enough for the number of an event, which stands where its first line is."""


def chronicle(events: Iterable[AnyEvent], ruleset: Ruleset | None = None) -> str:
    """The text of a game, by the rules it was recorded with or by others.

    Where other rules do not allow what was done, the text ends and says so. The digests in a log
    are no part of it: whoever wants them checked asks `replays.files.proof`.

    >>> from engine.selfplay import new_game
    >>> print(chronicle(new_game(players=2, seed=1).events).splitlines()[0])
    Recorded with the ruleset standard, beginner set-up, 2 players.
    """
    return "\n".join(line.rstrip() for line in tell_game(events, ruleset)) + "\n"


def tell_game(events: Iterable[AnyEvent], ruleset: Ruleset | None) -> Iterator[str]:
    log = list(events)
    walk = Walk(log, ruleset=ruleset, look=check_anew, stop=True, make_sink=YearEffects)
    state = walk.state
    yield opening_line(log[0])
    for step in walk:
        lines = [*tell_event(step.event, state), *tell_effects(step.effects, state)]
        yield from in_margin(step.number, lines)
    if walk.refused is not None:
        yield from last_lines(walk.refused)
    elif state.phase != "over":
        yield from ["", f"The log ends here. {headline(state)}", "", *draw_table(state)]


def opening_line(opening: AnyEvent) -> str:
    """What the log says of itself, whatever rules it is followed with."""
    assert isinstance(opening, GameOpened)
    rules, players = opening.ruleset.name, len(opening.seats)
    return f"Recorded with the ruleset {rules}, {opening.setup} set-up, {players} players."


def in_margin(number: int, lines: list[str]) -> Iterator[str]:
    """The lines of an event, its number before the first of them."""
    for index, line in enumerate(lines):
        mark = str(number) if index == 0 else ""
        yield f"{mark:>{MARGIN - 1}} {line}" if line else ""


def last_lines(refused: RefusedEvent) -> list[str]:
    """Why a log cannot be followed any further."""
    number, event, refusal = msgspec.structs.astuple(refused)
    return [
        "",
        f"The chronicle ends at event {number}: {encode_event(event).decode()}",
        f"It is not allowed here: {refusal.sentence} ({refusal.reference})",
    ]


def tell_effects(new_effects: Sequence[AnyEffect], s: State) -> Iterator[str]:
    """What followed from an event, with the table wherever a year ends."""
    ends = iter(ends_in(new_effects))
    for effect in new_effects:
        yield tell(effect, s)
        if isinstance(effect, effects.YearEnded):
            yield from ["", *draw_table(next(ends)), ""]


def tell(effect: AnyEffect, s: State) -> str:
    """An effect in words; a few say more here than on the page, where one sees the rest."""
    names = [seat.name for seat in s.seats]
    if isinstance(effect, effects.Scored):
        return tell_score(effect, names)
    text = tell_effect(effect, names)
    if isinstance(effect, effects.BuildingRaised) and effect.card != "action":
        return f"{text[:-1]} by the card {CARDS[effect.card]}."
    if isinstance(effect, effects.CardShown):
        return f"{text[:-1]} on place {effect.place}."
    if isinstance(effect, effects.DisplayFlushed):
        return f"{text[:-1]}: {', '.join(CARDS[card] for card in effect.cards)}."
    return text


def tell_score(e: effects.Scored, names: list[str]) -> str:
    """R43, item by item."""
    return (
        f"{name_of(e.seat, names)}: {e.citizens} for citizens, {e.cities} for complete cities,"
        f" {e.hunger} for hunger: {e.total} points; {e.gold} gold."
    )


def tell_event(event: AnyEvent, s: State) -> list[str]:
    """Words for those events that have no effect to tell them by."""
    match event:
        case Bury(bury=False):
            return [f"{s.name(event.seat)} buries no card."]
        case PoliticsShuffled():
            return [f"The discards are shuffled: {len(event.cards)} cards are the new pile."]
        case _:
            return []


def draw_table(s: State) -> list[str]:
    """The board, each seat with its cities, and the cards and pieces that are left."""
    lines = draw_board(s)
    for seat in s.players:
        lines += describe_player(s, seat)
    display = ", ".join(POLITICS[card] if card >= 0 else "–" for card in s.display)
    tokens = ", ".join(f"{name} {left}" for name, left in zip(POOLS, s.pools, strict=True))
    discards = sum(s.discards) + len(s.unseen_discards)
    return [
        *lines,
        f"Politics: {display}; pile {len(s.pile)}, discards {discards}.",
        f"Tokens left: {tokens}. Supply: {s.supply} citizens.",
    ]
