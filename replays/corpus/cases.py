"""A moment made a test case: the log up to there, what is done, and what must follow, in one file.

The file is TOML that a player can read. It names nobody, and of a running game it holds no more
than the asker may know: what is hidden is dealt anew, always the same way.
"""

from __future__ import annotations

import difflib
import random
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.chance.resample import resample
from engine.effects import AnyEffect
from engine.errors import CannotFold
from engine.fold import apply, fold
from engine.refusals import Refusal
from engine.rules.scoring import scores
from engine.snapshot import digest
from engine.state import State
from engine.walk import Walk, check_anew
from events.codec import MAX_BYTES, decode_event, encode_event
from events.errors import BadLog, EventError
from events.material import Ruleset
from events.messages.sentence import Sentence, message_of
from events.types import AnyEvent, GameOpened, GameStarted, PoliticsShuffled, YearClosed
from events.upcast import type_of
from projections.words.board import describe_player, headline
from projections.words.events import tell_event as tell_deed
from projections.words.events import tell_refusal
from replays.corpus.chronicle import draw_table, tell, tell_event
from replays.files.proof import is_fair

FORMAT: Literal["lacitta-case"] = "lacitta-case"
VERSION = 1
MAX_EVENTS = 10_000

Text = Annotated[str, Meta(max_length=MAX_BYTES)]
Lines = Annotated[list[Text], Meta(max_length=1000)]


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table before, in words for whoever reads the file."""

    words: Lines = []


class When(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is done then: in words, and as an event."""

    words: Text
    action: Text


class Then(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What must follow: a refusal and its reason, or the effects and the table after them. Where
    no table is given, that it is legal is all that is claimed."""

    legal: bool
    refused: Text = ""
    """The code of the reason; `broken` where the engine itself broke."""
    because: Text = ""
    effects: Lines = []
    points: Lines = []
    choices: Lines = []
    """Per seat that owes a decision how many ways it has, by kind."""
    table: Text = ""

    def lines(self) -> list[str]:
        """All of it as text, to be compared line by line."""
        if not self.legal:
            return [f"It is refused: {self.because} ({self.refused})"]
        parts = [self.effects, self.points, self.choices, self.table.splitlines()]
        return ["It is legal.", *(line for part in parts for line in part)]


class Log(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The events before, one a line."""

    events: Text


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document."""

    format: Literal["lacitta-case"]
    version: Annotated[int, Meta(ge=1)]
    title: Annotated[str, Meta(max_length=1000)]
    given: Given
    when: When
    then: Then
    log: Log

    @property
    def action(self) -> AnyEvent:
        return decode_event(self.when.action.encode())

    def events(self) -> list[AnyEvent]:
        """The log before the action, or BadLog."""
        lines = [line for line in self.log.events.splitlines() if line.strip()]
        if len(lines) > MAX_EVENTS:
            raise BadLog(Sentence("it has more than {most} events", most=MAX_EVENTS))
        return [decode_event(line.encode()) for line in lines]


def make_case(
    events: Sequence[AnyEvent], action: AnyEvent, title: str = "", knower: int | None = None
) -> Case:
    """The case of an action after some events. `knower` is for a running game: the seat (0: a
    spectator) beyond whose knowledge nothing goes into it.

    An action that follows in the log belongs to what is known: `events` then ends with it, too.

    >>> from engine.selfplay import new_game
    >>> from events.types import TakeGold
    >>> made = make_case(new_game(players=2, seed=1).events, TakeGold(seat=1), knower=1)
    >>> made.title, made.then.legal, made.then.points
    ('Seat 1 takes 2 gold.', True, ['Seat 1: 8 points, 3 gold', 'Seat 2: 8 points, 1 gold'])
    """
    before = list(events)
    done = bool(before) and before[-1] is action
    if knower is not None:
        before = dealt_anew(before, knower)
    before = [nameless(event) for event in before]
    action = before.pop() if done else nameless(action)
    state = Walk(before, look=check_anew).to_end()
    names = [seat.name for seat in state.seats]
    deed = tell_deed(action, names)
    given = [headline(state)]
    for seat in state.players:
        given += [line.rstrip() for line in describe_player(state, seat)]
    return Case(
        format=FORMAT,
        version=VERSION,
        title=title or deed,
        given=Given(given),
        when=When(deed, encode_event(action).decode()),
        then=follow(state, action),
        log=Log(written(before)),
    )


def case_at(
    events: Sequence[AnyEvent], number: int, title: str = "", knower: int | None = None
) -> Case:
    """The case of a game's event by its number, from 2 on."""
    if not 2 <= number <= len(events):
        raise CannotFold(
            number, Sentence("a test is made of an event from 2 to {last}", last=len(events))
        )
    return make_case(events[:number], events[number - 1], title, knower)


def report_case(events: Sequence[AnyEvent], knower: int) -> Case:
    """A report of a game that may be broken: the event that this code cannot follow, else the last
    one. Of a game that is not known to be over it holds what the knower (0: anyone) may know."""
    held = foldable(events)
    over = fold(events[:held]).phase == "over"
    if held == len(events):
        return case_at(events, held, knower=None if over else knower)
    before = [nameless(event) for event in dealt_anew(events[:held], knower)]
    state = fold(before)
    action = nameless(without_chance(state, events[held]))
    deed = tell_deed(action, [seat.name for seat in state.seats])
    return Case(
        format=FORMAT,
        version=VERSION,
        title=deed,
        given=Given([headline(state)]),
        when=When(deed, encode_event(action).decode()),
        then=Then(legal=True),
        log=Log(written(before)),
    )


def foldable(events: Sequence[AnyEvent]) -> int:
    """How many events of a log this code can follow: fold, and find them allowed."""
    walk = Walk(events, look=check_open)
    try:
        walk.to_end()
    except Exception:
        return walk.number
    return len(events)


def check_open(s: State, event: AnyEvent) -> Refusal | None:
    """Why an event cannot follow, as far as anyone may know: not by what was dealt in secret."""
    return None if isinstance(event, (GameStarted, PoliticsShuffled)) else check_anew(s, event)


def without_chance(s: State, event: AnyEvent) -> AnyEvent:
    """An event that could not be folded, with nothing in it that nobody has seen."""
    if isinstance(event, GameStarted):
        ordered = {"politics": sorted(event.politics), "voice": sorted(event.voice), "secret": ""}
        return msgspec.structs.replace(event, **ordered)
    if isinstance(event, PoliticsShuffled):
        return msgspec.structs.replace(event, cards=sorted(event.cards), salt="")
    if isinstance(event, YearClosed):
        return msgspec.structs.replace(event, digest=digest(s))
    return event


def written(events: Sequence[AnyEvent]) -> str:
    return "".join(f"{encode_event(event).decode()}\n" for event in events)


def nameless(event: AnyEvent) -> AnyEvent:
    """An event as numbered seats would have played it at no time."""
    event = msgspec.structs.replace(event, time=0)
    if isinstance(event, GameOpened):
        seats = [
            msgspec.structs.replace(seat, name=f"Seat {number}")
            for number, seat in enumerate(event.seats, start=1)
        ]
        return msgspec.structs.replace(event, seats=seats)
    return event


def dealt_anew(events: Sequence[AnyEvent], seat: int) -> list[AnyEvent]:
    """The log of a running game with nothing in it that a seat does not know: unseen cards change
    places, the secret goes, and the digests are those of the new deal."""
    # The seed may be known: what is hidden is sorted before it is shuffled.
    other = resample(events, fold(events), random.Random(f"case/{len(events)}/{seat}"), seat)
    held: list[AnyEvent] = []
    for event in other:
        if isinstance(event, GameStarted):
            event = msgspec.structs.replace(event, secret="")
        elif isinstance(event, PoliticsShuffled):
            event = msgspec.structs.replace(event, salt="")
        held.append(event)
    closed = [place for place, event in enumerate(held) if isinstance(event, YearClosed)]
    for place in closed:
        state = fold(held[:place])
        held[place] = msgspec.structs.replace(held[place], digest=digest(state))
    return held


def follow(s: State, action: AnyEvent) -> Then:
    """What follows from an action; the state is folded on by it."""
    try:
        refusal = check(s, action)
        if refusal is not None:
            return refused(refusal)
        fair = is_fair(s, action)
        sink: list[AnyEffect] = []
        apply(s, action, sink)
        return Then(
            legal=True,
            effects=[
                *tell_event(action, s),
                *(tell(effect, s) for effect in sink),
                *([] if fair else ["The cards do not follow from the game's secret."]),
            ],
            points=[
                f"{s.name(line.seat)}: {line.total} points, {line.gold} gold" for line in scores(s)
            ],
            choices=[choices(s, seat) for seat in sorted(s.awaiting)],
            table="\n".join(line.rstrip() for line in [headline(s), "", *draw_table(s)]),
        )
    except (CannotFold, EventError):
        raise
    except Exception as error:  # whatever an engine that is being changed does
        return Then(legal=False, refused="broken", because=f"{type(error).__name__}: {error}")


def refused(refusal: Refusal) -> Then:
    return Then(legal=False, refused=refusal.code, because=tell_refusal(refusal))


def choices(s: State, seat: int) -> str:
    """How many ways a seat has to go on, by kind."""
    kinds = Counter(type_of(action) for action in legal_actions(s, seat))
    ways = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    return f"{s.name(seat)} may choose: {ways or 'nothing'}"


def run_case(case: Case, ruleset: Ruleset | None = None) -> Then:
    """What follows now. CannotFold says where the log itself no longer holds."""
    state = Walk(case.events(), ruleset=ruleset, look=check_anew).to_end()
    return follow(state, case.action)


def renewed(case: Case) -> Case:
    """The same case with what follows now."""
    return msgspec.structs.replace(case, then=run_case(case))


def judge_case(case: Case, ruleset: Ruleset | None = None) -> list[str]:
    """Nothing when all follows as the case says; else what is otherwise, in words."""
    try:
        now = run_case(case, ruleset)
    except CannotFold as error:
        return [*situation(case), f"But the log before it no longer holds: {message_of(error)}"]
    only_legal = case.then.legal and not case.then.table
    if now == case.then or (only_legal and now.legal):
        return []
    return [*situation(case), *otherwise(case.then, now)]


def situation(case: Case) -> list[str]:
    return [case.title, f"Given: {' '.join(case.given.words[:1])}", f"When: {case.when.words}"]


def otherwise(then: Then, now: Then) -> list[str]:
    """What differs between what must follow and what does."""
    if not (then.legal and now.legal):
        return [
            f"Then, as the test says: {then.lines()[0]}",
            f"But now: {now.lines()[0]}",
            *now.effects,
        ]
    lines = difflib.unified_diff(
        then.lines(), now.lines(), "as the test says", "as it is now", n=1, lineterm=""
    )
    return ["Then, with - as the test says and + as it is now:", *list(lines)[2:]]
