"""The rules look at a draft: every event is made legal against its position, or named as wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.actions.check import check
from engine.copying import copy_state
from engine.errors import CannotFold
from engine.fold import apply
from engine.refusals import Refusal
from engine.rules.take_back import TAKE_BACK_EVENTS, TURNS
from engine.snapshot import digest
from engine.state import State
from engine.walk import Look, Walk
from events.messages.sentence import Sentence, message_of
from events.types import AnyEvent, YearClosed
from replays.amendments import AmendedLook, Amendment
from replays.notation.chance import NO_DIGEST
from replays.notation.draft import Draft, DraftStep, Report, Sequence
from replays.notation.tokens import Token, Wrong
from replays.notation.writing import mark_words
from replays.whatif.lines import check_dealt_otherwise

EFFORT = 300_000
"""How many events may be folded for one text, lines and take-backs included: some seconds."""


class TooLong(Exception):
    """The text asks for more folding than any game needs."""


class Checker:
    """Folds the game and all its lines. A sequence is looked at up to its first problem."""

    def __init__(
        self,
        past: list[AnyEvent],
        draft: Draft,
        report: Report,
        warn: Report,
        amendment: Amendment | None = None,
    ) -> None:
        self.past, self.draft = past, draft
        self.allowed = AmendedLook(amendment)
        self.report, self.warn = report, warn
        self.effort = EFFORT
        self.last: State | None = None

    def check(self) -> State | None:
        """The state after the last event of the game; None when it does not hold."""
        start = self.draft.tags.get("Position")
        try:
            state = self._fold(self.past, self.allowed)
        except CannotFold as error:
            token = start.token if start else self.draft.main.token
            self.report(Wrong(token, message_of(error)))
            return None
        waiting = [(self.draft.main, state)]
        while waiting:
            sequence, state = waiting.pop()
            waiting += self._walk(sequence, state)
        return self.last

    def _walk(self, sequence: Sequence, state: State) -> list[tuple[Sequence, State]]:
        """One sequence; gives the lines that leave it, each with the state it begins with."""
        leaving: list[tuple[Sequence, State]] = []
        lines = iter([*sequence.lines, None])
        line = next(lines)
        for behind in range(len(sequence.steps) + 1):
            while line is not None and line.leaves_at == behind:
                if (begun := self._begun(line, state)) is not None:
                    leaving.append((line, begun))
                line = next(lines)
            if behind == len(sequence.steps):
                break
            look = self.allowed if sequence.parent is None else check
            if not self._step(sequence.steps[behind], state, look):
                return leaving
        if sequence.parent is None:
            self.last = state
        return leaving

    def _step(self, step: DraftStep, state: State, allowed: Look) -> bool:
        if step.event is None:
            return False
        self._look_at_marks(step, state)
        event = _completed(step.event, state)
        refusal = allowed(state, event)
        if refusal is not None and (other := _in_small_letters(event)) != event:
            event, refusal = (other, None) if check(state, other) is None else (event, refusal)
        if refusal is not None:
            self.report(
                Wrong(
                    step.token,
                    refusal.cited,
                )
            )
            return False
        self._spend(event, state)
        apply(state, event)
        step.event = event
        return True

    def _begun(self, line: Sequence, state: State) -> State | None:
        """The state in which a line begins: the one where it leaves, or as it was re-dealt."""
        self.effort -= 5
        if not line.deals:
            return copy_state(state)
        token: Token = line.deals[0].token
        try:
            return self._fold(_path(line, 0, self.past), check_dealt_otherwise)
        except CannotFold as error:
            self.report(
                Wrong(token, Sentence("with these cards {reason}", reason=message_of(error)))
            )
        except _NothingDealt as error:
            self.report(
                Wrong(
                    error.token,
                    Sentence("nothing was dealt at moment {number}", number=error.number),
                )
            )
        return None

    def _fold(self, events: list[AnyEvent], allowed: Look) -> State:
        """The state after events that nobody vouches for."""

        def look(state: State, event: AnyEvent) -> Refusal | None:
            self._spend(event, state)
            return allowed(state, event)

        return Walk(events, look=look).to_end()

    def _spend(self, event: AnyEvent, state: State) -> None:
        self.effort -= len(state.trail) + 1 if type(event) in TAKE_BACK_EVENTS else 1
        if self.effort < 0:
            raise TooLong

    def _look_at_marks(self, step: DraftStep, state: State) -> None:
        known = mark_words(state)
        for words, token in step.marks:
            if type(step.event) in TURNS and words not in known:
                self.warn(
                    Wrong(
                        token,
                        Sentence(
                            "this turn is in {known}, not in {words}",
                            known=", ".join(known),
                            words=words,
                        ),
                    )
                )


class _NothingDealt(Exception):
    def __init__(self, token: Token, number: int) -> None:
        self.token, self.number = token, number
        super().__init__(number)


def _path(sequence: Sequence, behind: int, past: list[AnyEvent]) -> list[AnyEvent]:
    """All events from the opening to behind so many steps of a sequence, as it was dealt."""
    upward = [(sequence, behind)]
    while (parent := upward[-1][0].parent) is not None:
        upward.append((parent, upward[-1][0].leaves_at))
    events = list(past)
    for each, steps in reversed(upward):
        for dealt in each.deals:
            number = dealt.deal.number
            if number > len(events) or type(events[number - 1]) is not type(dealt.deal.event):
                raise _NothingDealt(dealt.token, number)
            events[number - 1] = dealt.deal.event
        events += [step.event for step in each.steps[:steps] if step.event is not None]
    return events


def _completed(event: AnyEvent, state: State) -> AnyEvent:
    """The digest of a year where it was left out."""
    if isinstance(event, YearClosed) and event.digest == NO_DIGEST:
        return msgspec.structs.replace(event, digest=digest(state))
    return event


def _in_small_letters(event: AnyEvent) -> AnyEvent:
    """A turn whose hexes were written with capital letters."""
    if type(event) not in TURNS:
        return event
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return msgspec.convert(_small(fields), type(event))


def _small(thing: Any) -> Any:
    if isinstance(thing, dict):
        return {key: _small(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_small(each) for each in thing]
    return thing.lower() if isinstance(thing, str) else thing
