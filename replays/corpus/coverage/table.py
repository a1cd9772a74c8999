"""The coverage of a folder of games: for each thing that should occur, the games where it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec

from engine.effects import AnyEffect, BuildingRaised
from engine.material import library
from engine.material.numbers import KINDS, POLITICS
from engine.refusals import REASONS
from events.types import AnyEvent, GameOpened
from events.upcast import type_of
from projections.words.effects import ENGLISH, Translator
from projections.words.names import marked
from replays.corpus.coverage import ending, ground, limits, people, politics, seasons  # noqa: F401  (enter theirs)
from replays.corpus.coverage.differences import makes_a_difference, same_rules
from replays.corpus.coverage.steps import RULES, SHOWS, Transition, steps
from replays.corpus.games import Attempt

Coverage = dict[str, dict[str, list[str]]]
"""By kind of thing, then by thing: the names of the games."""

EVENTS, EFFECTS, BUILDINGS = marked("events"), marked("effects"), marked("buildings")
CARDS, RULE, REASON = marked("politics cards"), marked("rules"), marked("reasons for refusal")
PLAYERS, SETUPS = marked("players"), marked("set-ups")
RULESETS, CHANGES, LEAVES = (
    marked("rulesets"),
    marked("rulesets that change a game"),
    marked("rulesets that change nothing"),
)


def tag(kind: type[msgspec.Struct]) -> str:
    return type_of(kind)


OF_OTHER_NUMBERS = ("too-near-here", "wrong-look")
"""Reasons that only a table with other numbers gives: the recorded games have the rulebooks'."""


def rule_number(words: str) -> tuple[int, str]:
    """Rules in their order, then what house rules and the table add."""
    rule = words.split()[0]
    return (RULES.index(rule), "") if rule in RULES else (len(RULES), rule)


def things() -> Coverage:
    """Everything that should occur, with no game yet."""
    others = [n for n in library.RULESETS if not same_rules(library.ruleset(n), library.ruleset())]
    wanted: dict[str, Iterable[str]] = {
        RULE: sorted(SHOWS, key=rule_number),
        EVENTS: map(tag, get_args(AnyEvent)),
        EFFECTS: map(tag, get_args(AnyEffect)),
        BUILDINGS: [kind.name for kind in KINDS],
        CARDS: POLITICS,
        REASON: [code for code in REASONS if code not in OF_OTHER_NUMBERS],
        PLAYERS: ["2", "3", "4", "5"],
        SETUPS: ["beginner", "expert"],
        RULESETS: library.RULESETS,
        CHANGES: others,
        LEAVES: others,
    }
    return {kind: {name: [] for name in names} for kind, names in wanted.items()}


def cover(games: Mapping[str, Sequence[AnyEvent]], attempts: Iterable[Attempt] = ()) -> Coverage:
    """Which of these games exercise what."""
    table = things()
    for name, events in games.items():
        for kind, thing in sorted(shown_by(events)):
            if thing in table[kind]:
                table[kind][thing].append(name)
    for attempt in attempts:
        found = table[REASON].get(attempt.reason)
        if found is not None and attempt.game not in found:
            found.append(attempt.game)
    return table


def shown_by(events: Sequence[AnyEvent]) -> set[tuple[str, str]]:
    """Everything that one game exercises, as pairs of kind and thing."""
    found = {*of_opening(events), *of_rulesets(events)}
    for step in steps(events):
        found.update(of_step(step))
    return found | {(RULE, words) for words in rules_shown(events)}


def rules_shown(events: Sequence[AnyEvent]) -> list[str]:
    """Which of the detectors find what they look for in a game, in the order of the rules."""
    sought = dict(SHOWS)
    for step in steps(events):
        for words in [words for words, detector in sought.items() if detector(step)]:
            del sought[words]
    return [words for words in sorted(SHOWS, key=rule_number) if words not in sought]


def of_opening(events: Sequence[AnyEvent]) -> Iterator[tuple[str, str]]:
    opening = events[0]
    assert isinstance(opening, GameOpened)
    yield EVENTS, "opened"
    yield PLAYERS, str(len(opening.seats))
    yield SETUPS, opening.setup
    yield RULESETS, opening.ruleset.name


def of_rulesets(events: Sequence[AnyEvent]) -> Iterator[tuple[str, str]]:
    """Which rulesets would change the game; its own is compared with `standard`."""
    opening = events[0]
    assert isinstance(opening, GameOpened)
    for name in library.RULESETS:
        ruleset = library.ruleset(name)
        if same_rules(ruleset, library.ruleset()):
            continue
        if same_rules(ruleset, opening.ruleset):
            ruleset = library.ruleset()
        yield (CHANGES if makes_a_difference(events, ruleset) else LEAVES), name


def of_step(step: Transition) -> Iterator[tuple[str, str]]:
    yield EVENTS, tag(type(step.event))
    for effect in step.effects:
        yield EFFECTS, tag(type(effect))
        if isinstance(effect, BuildingRaised):
            yield BUILDINGS, effect.building
    seat: Any = getattr(step.event, "seat", None)
    if seat is not None and step.after.year == step.before.year:
        for card in step.after.players[seat].played[-1:]:
            if step.after.players[seat].played != step.before.players[seat].played:
                yield CARDS, POLITICS[card]


def missing(table: Coverage) -> list[str]:
    """What no game exercises, as in `rules: R44 a win is shared`."""
    bare = [f"{kind}: {thing}" for kind, row in table.items() for thing in row if not row[thing]]
    known = {words.split()[0] for words in table[RULE]}
    return bare + [f"rules: {rule} has no detector" for rule in RULES if rule not in known]


def in_words(shown: str, translator: Translator) -> str:
    """A rule's number, a house rule's name or the table, and what a game shows of it."""
    rule, _, words = shown.partition(" ")
    heading = translator.gettext("table") if rule == "table" else rule
    return f"{heading} {translator.gettext(words)}"


def as_text(table: Coverage, examples: int = 3, translator: Translator = ENGLISH) -> str:
    """The table for people: per thing how many games, and the first few by name."""
    lines, none = [], translator.gettext("MISSING")
    for kind, row in table.items():
        covered = sum(bool(games) for games in row.values())
        head = translator.gettext("{kind}: {covered} of {whole}")
        lines += [head.format(kind=translator.gettext(kind), covered=covered, whole=len(row))]
        words = [in_words(thing, translator) if kind == RULE else thing for thing in row]
        width = max(map(len, words))
        for thing, games in zip(words, row.values(), strict=True):
            some = ", ".join(games[:examples]) + (", …" if len(games) > examples else "")
            lines.append(f"  {thing:<{width}}  {len(games):>3}  {some or none}")
        lines.append("")
    return "\n".join(lines)
