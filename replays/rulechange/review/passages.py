"""Two chronicles of one game side by side: the first event that they tell otherwise, and how.

All of it is found in the texts alone, so a stored chronicle is as good as one that is told now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from replays.corpus.chronicle import MARGIN

ENDS = re.compile(r"The chronicle ends at event (\d+): (.*)")
WHY = re.compile(r"It is not allowed here: (.*) \(([a-z-]+)(?:, (R\d+))?\)$")
NUMBERED = re.compile(r"([ \d]{3}\d) ")
WON = re.compile(r" {5}(.+?) (?:wins|share the win)\.$")
COLUMNS = re.compile(r" +1 +2 +3 ")
TABLE_ENDS = "Tokens left: "
LOG_ENDS = "The log ends here."
PHASES = (
    (re.compile(r"Year \d+ begins; "), "the beginning of a year"),
    (re.compile(r"Year \d+ ends\."), "the end of a year"),
    (re.compile(r"The people ask for "), "relocation"),
)
"""What an event sets off has a place in the year; whatever the event was is then a mere chance."""


class Ending(msgspec.Struct, frozen=True):
    """Where the rules refuse to follow a recorded game any further."""

    number: int
    event: str
    sentence: str
    code: str
    rule: str


class Chronicle(msgspec.Struct, frozen=True):
    """A chronicle, event by event; an event of which nothing is told has no passage."""

    passages: dict[int, list[str]]
    ending: Ending | None
    winners: str
    """Nothing where the game did not come to its end."""


class TextChange(msgspec.Struct, frozen=True):
    """The first event that two chronicles tell otherwise: both lines, and both tables after it."""

    number: int
    before: str
    """The line as it was; nothing where there is one more now."""
    after: str
    effect: str
    rule: str
    phase: str
    """In which part of the year that follows from the event; nothing for the event itself."""
    table_before: list[str]
    table_after: list[str]
    winners_before: str
    winners_after: str
    lines: int
    """How many lines differ in all, up to where one of the two ends."""

    @property
    def other_winner(self) -> bool:
        """Whether both came to their end, and somebody else wins."""
        return bool(self.winners_before and self.winners_after) and (
            self.winners_before != self.winners_after
        )


SENTENCES: tuple[tuple[str, str, str], ...] = (
    ("tiles-laid", "R9", r"The land is laid out\."),
    ("city-founded", "R19", r" founds a city on "),
    ("castle-skipped", "R10", r" finds no room for a castle\."),
    ("year-began", "R12", r"Year \d+ begins; "),
    ("display-flushed", "R32", r"All politics cards on display are replaced"),
    ("card-buried", "R32", r" buries (the card|no card)"),
    ("card-shown", "R32", r"The card .+ comes up"),
    ("shuffled", "R32", r"The discards are shuffled: "),
    ("voice-shown", "R13", r"Voice card \d+ says "),
    ("gold-gained", "R18", r" takes \d+ gold\."),
    ("gold-gained", "R14", r" earns \d+ gold from quarries\."),
    ("gold-paid", "R32", r" pays \d+ gold\."),
    ("citizens-came", "R29", r"\d+ citizens? for .+ in golden times\."),
    ("citizens-came", "R15", r"\d+ citizens? for .+'s city "),
    ("growth-stopped", "R15", r" does not grow: "),
    ("building-raised", "R21", r" builds (a|an) "),
    ("figures-placed", "R30", r" reaps a rich harvest on "),
    ("figures-placed", "R28", r" holds games on "),
    ("voice-polled", "R31", r" looks at voice cards "),
    ("turn-passed", "R32", r"( passes\.| has to pass\.|'s seat is skipped\.)"),
    ("penalty-taken", "R40", r" loses a turn to last year's misery\."),
    ("voice-spoke", "R33", r"The people ask for "),
    ("citizen-moved", "R37", r"A citizen leaves .+ finds no room there\."),
    ("citizen-moved", "R35", r"A citizen leaves "),
    ("citizens-starved", "R39", r" leaves? hungry\."),
    ("building-fell", "R38", r" falls\."),
    ("city-lost", "R38", r" is no more\."),
    ("year-ended", "R42", r"Year \d+ ends\."),
    ("decided-away", "", r"( decides for |The time of .+ has run out\.)"),
    ("take-back-asked", "", r" asks to take the last action back\."),
    ("take-back-answered", "", r" (agrees to|refuses) the take-back\."),
    ("taken-back", "", r" takes the last action back\."),
    ("seat-handed-over", "", r"( is handed to a bot\.| plays the seat again\.)"),
    ("seat-resigned", "", r" resigns\."),
    ("scored", "R43", r": -?\d+ for citizens, "),
    ("game-won", "R44", r"( wins\.| share the win\.)"),
)
"""By what a sentence is known, the effect that it tells and the rule behind that."""

TABLE: tuple[tuple[str, str, str], ...] = (
    ("points on the table", "R43", r"-?\d+ points?"),
    ("gold on the table", "R14", r"\d+ gold"),
    ("food on the table", "R11", r"food \d+"),
    ("citizens on the table", "R15", r"for \d+ citizens?|\d+ citizens?"),
    ("services of a city", "R36", r"culture \d+, education \d+, health \d+"),
)
"""What can differ in a line of the table though nothing was told of it."""


def read_chronicle(text: str) -> Chronicle:
    """A text as `replays.corpus.chronicle` writes it.

    >>> read_chronicle("Recorded with …\\n   3 Anna takes 2 gold.\\n     Anna wins.\\n").passages
    {1: ['Recorded with …'], 3: ['Anna takes 2 gold.', 'Anna wins.']}
    """
    passages: dict[int, list[str]] = {}
    ending, winners, number, margin = None, "", 1, MARGIN
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if (ends := ENDS.match(line)) is not None:
            ending = _ending(ends, lines[place + 1] if place + 1 < len(lines) else "")
            break
        if (numbered := NUMBERED.match(line)) is not None:
            number = int(numbered[1])
        if (won := WON.match(line)) is not None:
            winners = won[1]
        if line.startswith(LOG_ENDS):
            margin = 0  # what follows belongs to no event
        passages.setdefault(number, []).append(line[margin:] if number > 1 else line)
    if ending is not None:
        passages = {at: _without_blanks(lines) for at, lines in passages.items()}
    return Chronicle(passages, ending, winners)


def _without_blanks(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _ending(ends: re.Match[str], why: str) -> Ending:
    found = WHY.match(why)
    sentence, code, rule = (found[1], found[2], found[3] or "") if found else (why, "", "")
    return Ending(int(ends[1]), ends[2], sentence, code, rule)


def first_change(before: str, after: str) -> TextChange | None:
    """Where the second text departs from the first; None where it never does."""
    if before == after:
        return None
    one, other = read_chronicle(before), read_chronicle(after)
    number = _first_number(one, other)
    ending = other.ending or one.ending
    if ending is not None and number >= ending.number and one.ending != other.ending:
        return _refused(one, other, ending)
    old, new = one.passages.get(number, []), other.passages.get(number, [])
    was, now = _first_lines(old, new)
    effect, rule = classify(was, now)
    return TextChange(
        number=number,
        before=was,
        after=now,
        effect=effect,
        rule=rule,
        phase=phase_of(old if was else new, was or now),
        table_before=next_table(one, number),
        table_after=next_table(other, number),
        winners_before=one.winners,
        winners_after=other.winners,
        lines=_differing(one, other, number),
    )


def _first_number(one: Chronicle, other: Chronicle) -> int:
    for number in sorted({*one.passages, *other.passages}):
        if one.passages.get(number, []) != other.passages.get(number, []):
            return number
    if one.ending != other.ending:
        return min(each.ending.number for each in (one, other) if each.ending is not None)
    return 1  # blank lines, or some such


def _refused(one: Chronicle, other: Chronicle, ending: Ending) -> TextChange:
    """An action that is no longer legal, or legal again: there the other side ends."""
    now_refused = other.ending is not None
    went_on = one if now_refused else other
    continued = " ".join(went_on.passages.get(ending.number, [ending.event])[:1])
    no = f"Not allowed: {ending.sentence} ({ending.code})"
    effect = f"refused as {ending.code}" if now_refused else f"no longer refused as {ending.code}"
    return TextChange(
        number=ending.number,
        before=continued if now_refused else no,
        after=no if now_refused else continued,
        effect=effect,
        rule=ending.rule,
        phase="",
        table_before=[],
        table_after=[],
        winners_before=one.winners,
        winners_after=other.winners,
        lines=1,
    )


def _first_lines(old: list[str], new: list[str]) -> tuple[str, str]:
    """The first lines that differ; of a line more on one side, nothing on the other."""
    place = 0
    while place < min(len(old), len(new)) and old[place] == new[place]:
        place += 1
    was = old[place] if place < len(old) else ""
    now = new[place] if place < len(new) else ""
    if was and now and classify(was, "")[0] != classify(now, "")[0]:
        # Something was told in addition, or is told no more; the other line comes later.
        if was in new[place:]:
            return "", now
        if now in old[place:]:
            return was, ""
    return was, now


def classify(was: str, now: str) -> tuple[str, str]:
    """The effect that a line tells, and the rule behind it.

    >>> classify("", "Anna takes 2 gold.")
    ('gold-gained', 'R18')
    >>> classify("1 Anna: 12 points · 3 gold", "1 Anna: 13 points · 3 gold")
    ('points on the table', 'R43')
    """
    line = now or was
    if re.match(r"(\d .+: -?\d+ points? · |    city )", line):
        for thing, rule, pattern in TABLE:
            if re.findall(pattern, was) != re.findall(pattern, now):
                return thing, rule
        return "the table", ""
    for effect, rule, pattern in SENTENCES:
        if re.search(pattern, line) or (now and re.search(pattern, was) and _tell(effect, now)):
            return effect, rule
    return "the table", ""


def _tell(effect: str, line: str) -> bool:
    """Whether a line tells of an effect, be it in other words."""
    return any(kind == effect and re.search(pattern, line) for kind, _, pattern in SENTENCES)


def phase_of(lines: list[str], line: str) -> str:
    """The part of the year in which a line of a passage stands.

    >>> lines = ["Anna builds a farm.", "The people ask for health.", "Year 2 ends."]
    >>> phase_of(lines, "Year 2 ends.")
    'relocation'
    """
    earlier = lines[: lines.index(line)] if line in lines else lines
    for each in reversed(earlier):
        for known, phase in PHASES:
            if known.match(each):
                return phase
    return ""


def next_table(chronicle: Chronicle, number: int) -> list[str]:
    """The first table that is drawn from an event on."""
    table: list[str] = []
    for line in (
        line for at in sorted(chronicle.passages) if at >= number for line in chronicle.passages[at]
    ):
        if table or COLUMNS.match(line):
            table.append(line)
        if table and line.startswith(TABLE_ENDS):
            return table
    return table


def _differing(one: Chronicle, other: Chronicle, number: int) -> int:
    """How many lines differ from an event on, as far as both go."""
    stop = min(each.ending.number if each.ending else 10**9 for each in (one, other))
    return sum(
        sum(
            was != now for was, now in _paired(one.passages.get(at, []), other.passages.get(at, []))
        )
        for at in {*one.passages, *other.passages}
        if number <= at < stop
    )


def _paired(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    for place in range(max(len(old), len(new))):
        yield (
            old[place] if place < len(old) else "",
            new[place] if place < len(new) else "",
        )


def up_to_ending(stored: str, now: str) -> str:
    """The stored text, cut where the text of now ends because the rules refuse to go on."""
    ending = read_chronicle(now).ending
    if ending is None:
        return stored
    lines: list[str] = []
    for line in stored.splitlines():
        numbered = NUMBERED.match(line)
        if (numbered is not None and int(numbered[1]) > ending.number) or ENDS.match(line):
            break
        lines.append(line)
        if numbered is not None and int(numbered[1]) == ending.number:
            break  # the action that is refused now; nothing follows from it
    return "\n".join(_without_blanks(lines)) + "\n"
