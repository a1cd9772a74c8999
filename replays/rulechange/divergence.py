"""One recorded game under two rulesets, in step: the first event at which the tables differ.

The tables are compared after every event. What came of it is a `Finding`, small enough to be sent
between processes by the thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from engine.errors import CannotFold
from engine.material.choices import rules_of
from engine.rules.scoring import places_now, scores
from engine.snapshot import Position, copy_position, position
from engine.state import State
from engine.walk import RefusedEvent
from events.material import Ruleset
from events.messages.sentence import Sentence, message_of
from events.types import AnyEvent
from projections.words.effects import ENGLISH, Translator, retold
from projections.words.events import tell_event, tell_refusal
from projections.words.names import marked
from projections.words.positions import difference
from replays.amendments import Amendment
from replays.rulechange.blame import causes
from replays.rulechange.refold import Recording, Refold, WhenIllegal
from replays.rulechange.same_table import same_table

Kind = Literal["same", "outcome", "illegal"]
"""Nothing differs; every action is still legal but the table differs; an action is not legal."""


OTHER_POINTS = marked("The points are counted otherwise.")


class SeatResult(msgspec.Struct, frozen=True):
    """Where a seat stands at the end of a line."""

    seat: int
    name: str
    points: int
    gold: int
    place: int


class LineResult(msgspec.Struct, frozen=True):
    """How a line ended."""

    places: list[SeatResult]
    winners: list[int]
    over: bool
    year: int


class Illegal(msgspec.Struct, frozen=True):
    """The first recorded action that is no longer legal, in words."""

    number: int
    event: str
    code: str
    sentence: str
    rule: str
    times: int
    """How many recorded actions did not fit in all."""
    answers: int
    """How many decisions a bot took instead."""
    side: Literal["before", "after"] = "after"
    """Which of the two rulesets refuses it."""


class Divergence(msgspec.Struct, frozen=True):
    """The first event after which the tables differ, and how."""

    number: int
    year: int
    round: int
    event: str
    difference: list[str]
    choices: list[str]
    rules: list[str]


class Finding(msgspec.Struct, frozen=True):
    """What another ruleset, or other code, makes of one recorded game."""

    game: str
    file: str
    players: int
    events: int
    kind: Kind
    before: LineResult | None
    """None where only the recorded digests are known of how it was."""
    after: LineResult
    divergence: Divergence | None = None
    illegal: Illegal | None = None
    redealt: list[int] = []
    other_digests: list[int] = []

    @property
    def both_over(self) -> bool:
        """Whether both lines came to their end, so that their points can be compared."""
        return self.before is not None and self.before.over and self.after.over


class Fork(msgspec.Struct, frozen=True):
    """Where two lines part: after which event, and both tables there."""

    number: int
    before: Position
    after: Position


def outcome(s: State) -> LineResult:
    """The places as they stand, which at the end of a game are final."""
    place, over = places_now(s), s.phase == "over"
    return LineResult(
        places=[
            SeatResult(line.seat, s.name(line.seat), line.total, line.gold, place[line.seat])
            for line in scores(s)
        ],
        winners=list(s.winners) if over else [seat for seat in place if place[seat] == 1],
        over=over,
        year=s.year,
    )


class RefoldComparison:
    """Two lines of one recording on their way, and where they parted."""

    def __init__(
        self,
        recording: Recording,
        before: Ruleset | None,
        after: Ruleset | None,
        when_illegal: WhenIllegal = "stop",
        line: Refold | None = None,
    ) -> None:
        """With `line`, somebody else takes care of how it was: then `follow` is called, not
        `take`."""
        self.recording = recording
        self.before = line or Refold(recording, before, when_illegal)
        self.after = Refold(recording, after, when_illegal)
        self.own = before is None
        self.fork: Fork | None = None
        self.notes_clocks = self.own and when_illegal == "bot" and line is None
        if self.notes_clocks:
            recording.note_clock(self.before.state)

    def run(self, last: int | None = None) -> None:
        """Both lines to the end, or to an event (from 1 on); the lines stay in step."""
        for event in self.recording.events[1:last]:
            self.take(event)
        if last is None:
            self.finish()

    def take(self, event: AnyEvent) -> None:
        """The next recorded event on both lines."""
        one = self.before
        one.take(event, digests=self.own)
        if self.own and not one.as_recorded:
            raise does_not_hold(one)
        if self.notes_clocks:
            self.recording.note_clock(one.state)
        self.follow(event)

    def follow(self, event: AnyEvent) -> None:
        """The next recorded event on the other line, after the first one has taken it."""
        one, other = self.before, self.after
        other.take(event, digests=not self.own or self.fork is not None)
        if self.fork is None and are_apart(one, other):
            self.fork = Fork(one.number, copy_position(one.state), copy_position(other.state))

    def finish(self) -> None:
        """After the last recorded event."""
        self.before.finish()
        self.after.finish()


def are_apart(one: Refold, other: Refold) -> bool:
    """Whether two lines show other tables."""
    if one.stopped is not other.stopped or not same_table(one.state, other.state):
        return True
    # Points are no part of a table; the rulesets may count the same one differently.
    return one.state.phase == "over" and scores(one.state) != scores(other.state)


def does_not_hold(line: Refold) -> CannotFold:
    """Why a log does not hold under its own ruleset."""
    if line.refused:
        refused = line.refused[0]
        return CannotFold(refused.number, refused.refusal.cited)
    if line.redealt:
        return CannotFold(
            line.redealt[0], Sentence("the cards are not those that have to be shuffled")
        )
    year = line.other_digests[0]
    return CannotFold(
        line.number, Sentence("the digest of year {year} is not that of the state", year=year)
    )


def compare(
    game: str,
    events: list[AnyEvent],
    after: Ruleset | None,
    before: Ruleset | None = None,
    when_illegal: WhenIllegal = "stop",
    file: str = "",
    translator: Translator = ENGLISH,
    amendment: Amendment | None = None,
) -> Finding:
    """A recorded game under two rulesets, None for its own; CannotFold when it does not hold.

    >>> from engine.bots import RandomBot
    >>> from engine.material.library import ruleset
    >>> from engine.selfplay import new_game, play_out
    >>> events = play_out(new_game(players=3, seed=5), RandomBot(5)).events
    >>> found = compare("g1", events, ruleset("no-limits"))
    >>> found.kind, found.divergence.year, found.divergence.rules
    ('illegal', 5, ['R15'])
    """
    how = (when_illegal, file, translator, amendment)
    return compare_all(game, events, [after], before, *how)[0]


def compare_all(
    game: str,
    events: list[AnyEvent],
    rulesets: Sequence[Ruleset | None],
    before: Ruleset | None = None,
    when_illegal: WhenIllegal = "stop",
    file: str = "",
    translator: Translator = ENGLISH,
    amendment: Amendment | None = None,
) -> list[Finding]:
    """`compare` for several rulesets at once: how it was is folded once."""
    recording = Recording(game, events, amendment)
    first = RefoldComparison(recording, before, rulesets[0], when_illegal)
    others = [
        RefoldComparison(recording, before, rules, when_illegal, first.before)
        for rules in rulesets[1:]
    ]
    for event in recording.events[1:]:
        first.take(event)
        for both in others:
            both.follow(event)
    first.finish()
    for both in others:
        both.after.finish()
    return [found(both, file, translator) for both in (first, *others)]


def found(both: RefoldComparison, file: str, translator: Translator) -> Finding:
    """What came of two lines that are at their end."""
    one, other, recording = both.before, both.after, both.recording
    names = recording.names
    return Finding(
        game=recording.game,
        file=file,
        players=len(names),
        events=len(recording.events),
        kind=_kind(both),
        before=outcome(one.state),
        after=outcome(other.state),
        divergence=_divergence(both, translator),
        illegal=illegal(other, names, "after", translator)
        or illegal(one, names, "before", translator),
        redealt=other.redealt,
        other_digests=other.other_digests,
    )


def _kind(both: RefoldComparison) -> Kind:
    if both.fork is None:
        return "same"
    return "illegal" if both.after.refused or both.before.refused else "outcome"


def illegal(
    line: Refold,
    names: list[str],
    side: Literal["before", "after"] = "after",
    translator: Translator = ENGLISH,
) -> Illegal | None:
    """The first action that a line refused, in words."""
    if not line.refused:
        return None
    first: RefusedEvent = line.refused[0]
    return Illegal(
        number=first.number,
        event=tell_event(first.event, names, translator),
        code=first.refusal.code,
        sentence=tell_refusal(first.refusal, translator),
        rule=first.refusal.rule,
        times=len(line.refused),
        answers=line.answers,
        side=side,
    )


def _divergence(both: RefoldComparison, translator: Translator) -> Divergence | None:
    fork = both.fork
    if fork is None:
        return None
    recording, names = both.recording, both.recording.names
    chosen = blamed(both, fork.number)
    sentences = difference(fork.before, fork.after, names, translator)
    return Divergence(
        number=fork.number,
        year=fork.before.year,
        round=round_of(fork.before, len(names)),
        event=tell_event(recording.events[fork.number - 1], names, translator),
        difference=sentences or [translator.gettext(OTHER_POINTS)],
        choices=chosen,
        rules=rules_behind(both, fork.number, chosen),
    )


def blamed(both: RefoldComparison, number: int) -> list[str]:
    """The choices by which the lines have parted at an event."""
    before, after = both.before.state.rules, both.after.state.rules
    return causes(before, after, lambda rules: _parts_by(both.recording, before, rules, number))


def rules_behind(both: RefoldComparison, number: int, chosen: list[str]) -> list[str]:
    """The rules behind the choices; the very one where an action is refused by it."""
    rules = rules_of(chosen)
    refused = [*both.after.refused[:1], *both.before.refused[:1]]
    named = [each.refusal.rule for each in refused if each.number == number]
    return [rule for rule in named[:1] if rule in rules] or rules


def round_of(p: Position, seats: int) -> int:
    """The political round of a position, 0 outside."""
    return (p.turn - 1) // seats + 1 if p.phase == "politics" else 0


def _parts_by(recording: Recording, before: Ruleset, rules: Ruleset, number: int) -> bool:
    """Whether lines under two rulesets have parted by some event."""
    one, other = Refold(recording, before), Refold(recording, rules)
    for event in recording.events[1:number]:
        one.take(event, digests=False)
        other.take(event, digests=False)
        if are_apart(one, other):
            return True
    return False


def recheck(
    game: str,
    events: list[AnyEvent],
    when_illegal: WhenIllegal = "stop",
    file: str = "",
    translator: Translator = ENGLISH,
    amendment: Amendment | None = None,
) -> Finding:
    """A recorded game under its own ruleset against its recorded digests: does the code agree?"""
    recording = Recording(game, events, amendment)
    line = Refold(recording, None, when_illegal)
    where: Divergence | None = None
    for event in recording.as_far_as_signed(line.state):
        line.take(event, digests=True)
        if where is None and not line.as_recorded:
            where = _departure(line, event, translator)
    line.finish()
    kind: Kind = "same" if where is None else "illegal" if line.refused else "outcome"
    return Finding(
        game=game,
        file=file,
        players=len(recording.names),
        events=line.number,
        kind=kind,
        before=None,
        after=outcome(line.state),
        divergence=where,
        illegal=illegal(line, recording.names, translator=translator),
        redealt=line.redealt,
        other_digests=line.other_digests,
    )


def _departure(line: Refold, event: AnyEvent, translator: Translator) -> Divergence:
    """The first event that a line could not take as recorded."""
    seats = line.recording.names
    state = position(line.state)
    return Divergence(
        number=line.number,
        year=state.year,
        round=round_of(state, len(seats)),
        event=tell_event(event, seats, translator),
        difference=[retold(message_of(does_not_hold(line)), translator)],
        choices=[],
        rules=[each.refusal.rule for each in line.refused[:1] if each.refusal.rule],
    )
