"""One recorded game, folded on under some ruleset: what fits is played, and what no longer does?

A line takes the recorded events one by one. An action that the rules refuse ends the line, is left
out, or is answered by a bot. Chance is kept as recorded wherever it fits and dealt again where not,
always the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from engine.actions.check import OWED, check, years_done
from engine.bots.quick_steward import hasty
from engine.errors import BrokenFold, CannotFold
from engine.fold import APPLY, begin
from engine.material.numbers import POLITICS
from engine.refusals import Refusal
from engine.snapshot import digest, has_digest
from engine.state import State
from engine.walk import RefusedEvent, Walk
from events.material import Politics, Ruleset
from events.messages.sentence import Sentence
from events.types import AnyEvent, GameOpened, GameStarted, PoliticsShuffled, Turn, YearClosed
from events.upcast import type_of
from replays.amendments import Amendment

WhenIllegal = Literal["stop", "skip", "bot"]
Clock = tuple[int, int, int]

PHASES = {
    phase: place
    for place, phase in enumerate(
        ("opened", "castles", "bury", "politics", "relocation", "people", "over")
    )
}


class Recording:
    """A recorded game, with what several lines of it need to know."""

    def __init__(
        self, game: str, events: Sequence[AnyEvent], amendment: Amendment | None = None
    ) -> None:
        if not events or not isinstance(events[0], GameOpened):
            raise CannotFold(1, Sentence("a game begins with its opening"))
        self.game, self.opening = game, events[0]
        self._clocks: list[Clock] = []
        self.amendment = amendment
        """What was signed for it, where a correction of the rules has changed it."""
        end = amendment.ends - 1 if amendment is not None and amendment.ends else len(events)
        self.events, self.beyond = events[:end], events[end:]
        """What is followed, and what comes after an end that was signed for."""

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.opening.seats]

    def as_far_as_signed(self, s: State) -> Iterator[AnyEvent]:
        """The events after the opening, for a line with this state that takes them; all of them
        where the rules do not refuse to go on as it was signed."""
        yield from self.events[1:]
        if self.amendment is None or not self.beyond:
            return
        refusal = check(s, self.beyond[0])
        if refusal is None or not self.amendment.ends_at(len(self.events) + 1, refusal):
            yield from self.beyond

    @property
    def shuffles(self) -> list[PoliticsShuffled]:
        """What chance dealt on the way, in order."""
        return [event for event in self.events if type(event) is PoliticsShuffled]

    @property
    def clocks(self) -> list[Clock]:
        """When in the game each event was recorded: before it, and once more at the end."""
        if not self._clocks:
            self._clocks = [(0, 0, 0), *(clock(step.state) for step in Walk(self.events))]
        return self._clocks

    def clocks_are(self, clocks: list[Clock]) -> None:
        """From somebody who knows, where this code does not follow the log as it was recorded."""
        self._clocks = clocks

    def note_clock(self, s: State) -> None:
        """The state after the next event, from a line that takes all of them as recorded: then
        nobody has to fold the game once more only to know when each came."""
        if not self._clocks:
            self._clocks.append((0, 0, 0))
        self._clocks.append(clock(s))

    @property
    def finished(self) -> bool:
        """Whether the recorded game came to its end."""
        return self.clocks[-1][1] == PHASES["over"]


def clock(s: State) -> Clock:
    """How far a game has come."""
    return (s.year, PHASES[s.phase], s.turn if s.phase == "politics" else 0)


class Refold:
    """A recorded game under one ruleset, taken event by event."""

    def __init__(
        self, recording: Recording, rules: Ruleset | None, when_illegal: WhenIllegal = "stop"
    ) -> None:
        self.recording, self.when_illegal = recording, when_illegal
        opening = recording.opening
        if rules is not None:
            opening = msgspec.structs.replace(opening, ruleset=rules)
        self.state, _ = begin([opening])
        self.played: list[AnyEvent] = [opening]
        """What really came about here: a log of its own, which folds to the same state."""
        self.number = 1
        self.stopped = False
        self.refused: list[RefusedEvent] = []
        self.redealt: list[int] = []
        """After which events cards were dealt otherwise than recorded."""
        self.answers = 0
        """How many decisions a bot took."""
        self.other_digests: list[int] = []
        """The years whose recorded digest is not that of this line's state."""

    @property
    def as_recorded(self) -> bool:
        return not (self.refused or self.redealt or self.answers or self.other_digests)

    def take(self, event: AnyEvent, *, digests: bool) -> None:
        """The next recorded event. `digests` says whether recorded ones are compared."""
        self.number += 1
        if self.stopped:
            return
        kind = type(event)
        if kind is PoliticsShuffled:
            self._shuffle(event)  # type: ignore[arg-type]
        elif kind is YearClosed:
            self._close(event, digests)  # type: ignore[arg-type]
        else:
            state = self.state
            # As `years_done` says; without the call, for this is asked at every event.
            if state.chance == "shuffle" or state.closed < state.year - (state.phase != "over"):
                self._deal_what_is_due()
            refusal = check(state, event)
            if refusal is None:
                self._play(event)
            else:
                self._refuse(event, refusal)

    def finish(self) -> None:
        """After the last recorded event: a bot ends what the recorded game had ended."""
        state = self.state
        if self.when_illegal == "stop" or not self.refused or not self.recording.finished:
            return
        self._deal_what_is_due()
        while state.awaiting:
            self._answer(min(state.awaiting))

    def _shuffle(self, event: PoliticsShuffled) -> None:
        if self.state.chance != "shuffle":
            self.redealt.append(self.number)  # not due here; its order is kept for when one is
        elif check(self.state, event) is None:
            self._play(event)
        else:
            self._deal_again()

    def _deal_again(self) -> None:
        """R32: the recorded order for the cards that are there, then the canonical one."""
        state = self.state
        there = Counter(POLITICS[card] for card in state.all_discards())
        recorded = self.recording.shuffles[state.shuffles :]
        cards: list[Politics] = []
        for card in recorded[0].cards if recorded else ():
            if there[card]:
                there[card] -= 1
                cards.append(card)
        cards += [card for card in POLITICS for _ in range(there[card])]
        self.redealt.append(self.number)
        self._play(PoliticsShuffled(cards=cards))

    def _close(self, event: YearClosed, digests: bool) -> None:
        state = self.state
        if state.chance == "shuffle":
            self._deal_again()
        if not state.closed < event.year <= years_done(state):
            return
        if digests and not self._has_digest(event):
            self.other_digests.append(event.year)
        self._play(event)

    def _has_digest(self, event: YearClosed) -> bool:
        """Whether a year ends with the table that was recorded, or signed for since."""
        signed = self.recording.amendment
        known = [event.digest] if signed is None else [event.digest, signed.digests.get(event.year)]
        return any(has_digest(self.state, each) for each in known if each)

    def _deal_what_is_due(self) -> None:
        state = self.state
        while state.chance == "shuffle":
            self._deal_again()
        if years_done(state) > state.closed:
            self._play(YearClosed(year=years_done(state), digest=digest(state)))

    def _refuse(self, event: AnyEvent, refusal: Refusal) -> None:
        if isinstance(event, GameOpened | GameStarted):
            raise CannotFold(
                self.number,
                refusal.cited,
            )
        self.refused.append(RefusedEvent(self.number, event, refusal))
        if self.when_illegal == "stop":
            self.stopped = True
        elif self.when_illegal == "bot" and isinstance(event, Turn):
            self._answer_until(event)

    def _answer_until(self, event: Turn) -> None:
        """A bot decides in its place, or what nobody recorded, until the event's moment is over."""
        state, moment = self.state, self.recording.clocks[self.number - 1]
        seat = event.seat
        while state.awaiting and clock(state) <= moment:
            instead = state.awaiting.get(seat) == OWED[type(event)]
            self._answer(seat if seat in state.awaiting else min(state.awaiting))
            if instead:
                return
            if clock(state) <= moment and check(state, event) is None:
                self._play(event)
                return

    def _answer(self, seat: int) -> None:
        self._play(hasty(self.state, seat))
        self.answers += 1
        self._deal_what_is_due()

    def _play(self, event: AnyEvent) -> None:
        # As `apply` does, without a sink: this is done at every event of every game.
        state = self.state
        state.trail.append(event)
        own, then = APPLY[type(event)]
        try:
            own(state, event, None)
            if then is not None:
                then(state, None)
        except CannotFold:
            raise
        except Exception as error:
            raise BrokenFold(self.number, type_of(event), error) from error
        self.played.append(event)
