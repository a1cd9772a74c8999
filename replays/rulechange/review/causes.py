"""Changed games by what changed them: the rule, the part of the year, the first effect."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from engine.walk import Walk, check_anew
from events.material import Ruleset
from events.types import AnyEvent
from events.upcast import type_of
from replays.corpus.chronicle import draw_table
from replays.rulechange.review.passages import TextChange, first_change, up_to_ending

Game = TypeVar("Game")
Key = TypeVar("Key", bound=Hashable)
BOARD_ROW = re.compile(r"(  | +1 +2 +3 |[a-z]  )")
"""How a line of a drawn board begins; lines about a seat, a city or the cards do not."""


class Cause(msgspec.Struct, frozen=True, order=True):
    """What games can be changed by."""

    rule: str
    effect: str
    event: str
    """The kind of event, or the part of the year that it set off."""

    @property
    def key(self) -> str:
        """A name by which a decision is found again.

        >>> Cause("R43", "scored", "demolish").key
        'R43 / scored / demolish'
        """
        return " / ".join((self.rule or "no rule", self.effect, self.event))

    @property
    def kind(self) -> str:
        """Causes of one kind differ by where in the year they show only."""
        return " / ".join((self.rule or "no rule", self.effect))


class GameChange(msgspec.Struct, frozen=True):
    """One recorded game that goes another way."""

    game: str
    cause: Cause
    change: TextChange
    before: str
    """The whole chronicle as it was, up to where the game cannot be followed any more."""
    after: str

    @property
    def diff(self) -> list[str]:
        """Every line that differs, with those around it."""
        return list(
            difflib.unified_diff(
                *(self.before.splitlines(), self.after.splitlines()),
                *("as it was", "as it is now"),
                n=2,
                lineterm="",
            )
        )


class CauseGroup(msgspec.Struct, frozen=True):
    """All games that one cause changes, the telling one first."""

    cause: Cause
    games: list[GameChange]

    @property
    def example(self) -> GameChange:
        return self.games[0]

    @property
    def other_winners(self) -> list[str]:
        return [each.game for each in self.games if each.change.other_winner]


def change_of(
    game: str,
    events: Sequence[AnyEvent],
    before: str,
    after: str,
    rules: Ruleset | None = None,
    usual: Ruleset | None = None,
) -> GameChange | None:
    """What two chronicles of a log differ by; None where nothing does.

    Where an action is refused before a year's end no table is drawn. Then the one that lay there is
    taken from a fold by the same `rules` as the second chronicle, and beside it that of the same
    moment by the `usual` ones; where those are not known, only the one table.
    """
    change = first_change(before, after)
    if change is None:
        return None
    if not change.table_after:
        table, number = last_table(events, rules)
        was = last_table(events[: number - 1], usual)[0] if usual is not None else table
        change = msgspec.structs.replace(change, table_before=was, table_after=table)
    event = change.phase or type_of(events[change.number - 1])
    cause = Cause(change.rule, change.effect, event)
    return GameChange(game, cause, change, up_to_ending(before, after), after)


def last_table(events: Sequence[AnyEvent], rules: Ruleset | None) -> tuple[list[str], int]:
    """The table where a log cannot be followed any further, and the event that is refused there."""
    walk = Walk(events, ruleset=rules, look=check_anew, stop=True)
    table = [line.rstrip() for line in draw_table(walk.to_end())]
    return table, walk.refused.number if walk.refused else len(events) + 1


def grouped(changes: Iterable[GameChange]) -> list[CauseGroup]:
    """Causes with their games, the one that changes most of them first."""
    found = by_cause(changes, cause=lambda each: each.cause, telling=_telling)
    return [CauseGroup(cause, games) for cause, games in found]


def by_cause(
    games: Iterable[Game], cause: Callable[[Game], Key], telling: Callable[[Game], Any]
) -> list[tuple[Key, list[Game]]]:
    """Games by what changes them: the cause of most games first, and of each the most telling one.

    >>> by_cause(["bb", "a", "b"], cause=lambda game: game[0], telling=len)
    [('b', ['b', 'bb']), ('a', ['a'])]
    """
    found: dict[Key, list[Game]] = {}
    for game in games:
        found.setdefault(cause(game), []).append(game)
    groups = [(key, sorted(of_it, key=telling)) for key, of_it in found.items()]
    return sorted(groups, key=lambda group: (-len(group[1]), str(group[0])))


def _telling(each: GameChange) -> tuple[bool, int, int, str]:
    """Another winner tells most; then whatever changes least beside it."""
    change = each.change
    return (not change.other_winner, change.lines, change.number, each.game)


def describe(each: GameChange) -> list[str]:
    """The first difference in words, with the table around it both ways."""
    change = each.change
    lines = [f"{each.game}, event {change.number}:"]
    lines += [f"  was: {change.before or '(nothing)'}", f"  now: {change.after or '(nothing)'}"]
    if change.other_winner:
        lines.append(f"  {change.winners_after} instead of {change.winners_before} at the end.")
    return [*lines, "", *tables(change)]


def tables(change: TextChange) -> list[str]:
    """Both tables: the board once where nothing on it differs, and both where something does."""
    was, now = change.table_before, change.table_after
    if was == now or not was:
        return ["The table there:", *_indented(now)]
    if _board(was) == _board(now):
        return ["The table after it (- as it was, + as it is now):", *_merged(was, now)]
    return [
        "The table after it, as it was:",
        *_indented(was),
        "and as it is now:",
        *_indented(now),
    ]


def beside_board(change: TextChange) -> list[str]:
    """What a table says beside its board: one text of both, what differs with a sign before it."""
    was, now = ([line for line in table if not _is_board(line)] for table in _both(change))
    return _merged(was, now) if was != now else _indented(now)


def _both(change: TextChange) -> tuple[list[str], list[str]]:
    """Both tables; the same one twice where it is not known how it was."""
    return change.table_before or change.table_after, change.table_after


def _is_board(line: str) -> bool:
    return BOARD_ROW.match(line) is not None and not line.startswith("    city ")


def _board(table: list[str]) -> list[str]:
    return [line for line in table if _is_board(line)]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]


def _merged(was: list[str], now: list[str]) -> list[str]:
    """One text of both, with a sign before what only one of them has."""
    merged = difflib.unified_diff(was, now, n=max(len(was), len(now)), lineterm="")
    return [f"{line[:1]} {line[1:]}".rstrip() for line in list(merged)[3:]]
