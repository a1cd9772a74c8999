"""The sum of a comparison in Markdown, fit for a comment, and as data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.choices import ALLOWED, RULES, chosen, differing
from events.material import Ruleset
from replays.divergence import Finding, Outcome
from replays.line import WhenIllegal
from replays.tally import Shift, Tally

LISTED = 20
"""Changed games that the summary names."""
TREATMENT = {
    "stop": "the game was stopped there, and stands as it stood",
    "skip": "it was left out, and the steward played what was missing at the end",
    "bot": "the steward decided in its place",
}
KINDS = {
    "same": "the same at every event",
    "outcome": "same actions, another table",
    "illegal": "an action is no longer legal",
}


class Compared(msgspec.Struct, frozen=True):
    """What was put side by side: in words, and the rulesets where there are two."""

    before: str
    after: str
    before_rules: Ruleset | None = None
    after_rules: Ruleset | None = None
    when_illegal: WhenIllegal = "stop"


def markdown(compared: Compared, tally: Tally, changed: Sequence[Finding]) -> str:
    """The summary as Markdown, with the first of the changed games.

    >>> print(markdown(Compared("standard", "flush"), Tally(), []).splitlines()[0])
    ### standard → flush
    """
    lines = [*sums(compared, tally), *_list(changed, tally)]
    return "\n".join(lines).rstrip() + "\n"


def sums(compared: Compared, tally: Tally) -> list[str]:
    """The lines of the summary that are about the corpus as a whole."""
    lines = [f"### {compared.before} → {compared.after}", "", *_choices(compared)]
    lines += [f"{_games(tally.games)} with {tally.events:,} events, compared at every event:", ""]
    lines += ["| games | verdict |", "| ---: | --- |"]
    lines += [f"| {tally.kinds[kind]:,} | {words} |" for kind, words in KINDS.items()]
    if tally.changed:
        lines += ["", *_effects(compared, tally), "", *_points(tally)]
    return lines


def plain(text: str) -> str:
    """A sentence with people's names in it, harmless in Markdown and on a terminal.

    >>> plain("*Anna* <b>")
    '\\\\*Anna\\\\* \\\\<b\\\\>'
    """
    shown = "".join(sign if sign.isprintable() else "?" for sign in text)
    return re.sub(r"([\\`*_\[\]<>|#@~])", r"\\\1", shown)


def _games(count: int) -> str:
    return f"{count:,} game" if count == 1 else f"{count:,} games"


def _choices(compared: Compared) -> list[str]:
    before, after = compared.before_rules, compared.after_rules
    if after is None:
        return []
    usual = before or Ruleset(name="standard")
    found = [
        f"- `{choice}` ({', '.join(RULES[choice])}): {_said(usual, choice, before)}"
        f" → {_value(after, choice)}"
        for choice in (differing(usual, after) if before else ALLOWED)
        if before or getattr(after, choice) != getattr(usual, choice)
    ]
    return [*found, ""] if found else []


def _said(rules: Ruleset, choice: str, known: Ruleset | None) -> str:
    return _value(rules, choice) if known else "as recorded"


def _value(rules: Ruleset, choice: str) -> str:
    return str(chosen(rules, choice)).lower()


def _effects(compared: Compared, tally: Tally) -> list[str]:
    found = []
    if tally.choices:
        parts = [f"`{choice}` {count:,}" for choice, count in _most(tally.choices)]
        found.append(f"- made by: {', '.join(parts)}")
    if tally.rules:
        parts = [f"{rule} {count:,}" for rule, count in _most(tally.rules)]
        found.append(f"- rules that took part: {', '.join(parts)}")
    if tally.years:
        parts = [f"year {year}: {count:,}" for year, count in sorted(tally.years.items())]
        found.append(f"- first difference by year: {', '.join(parts)}")
    if tally.reasons:
        parts = [f"`{code}` {count:,}" for code, count in _most(tally.reasons)]
        found.append(f"- no longer legal because of: {', '.join(parts)}")
        found.append(f"- where an action was not legal: {TREATMENT[compared.when_illegal]}")
    if tally.redealt:
        found.append(f"- cards had to be dealt again in {_games(tally.redealt)}")
    return found


def _most(counted: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))


def _points(tally: Tally) -> list[str]:
    if not tally.compared:
        return ["No changed game came to its end both ways, so no points can be compared.", ""]
    lines = [
        f"Changed games that came to their end both ways: {tally.compared:,}, of them"
        f" {tally.other_points:,} with other points, {tally.other_winners:,} with another winner.",
        "",
        "| players | seats | mean shift | spread | least | most |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rows = [(str(players), shift) for players, shift in sorted(tally.shifts.items())]
    if len(rows) > 1:
        rows.append(("all", tally.all_shifts))
    lines += [_row(players, shift) for players, shift in rows]
    return [*lines, ""]


def _row(players: str, shift: Shift) -> str:
    return (
        f"| {players} | {shift.seats:,} | {shift.mean:+.2f} | {shift.spread:.2f}"
        f" | {shift.least:+} | {shift.most:+} |"
    )


def _list(changed: Sequence[Finding], tally: Tally) -> list[str]:
    lines = [f"- {described(finding)}" for finding in changed[:LISTED]]
    if tally.changed > LISTED:
        lines.append(f"- and {_games(tally.changed - LISTED)} more")
    return lines


def described(finding: Finding) -> str:
    """One changed game in a sentence or three."""
    parts = [f"`{finding.game}`"]
    if (where := finding.divergence) is not None:
        round_ = f", round {where.round}" if where.round else ""
        by = f" ({', '.join(where.rules)})" if where.rules else ""
        parts[0] += f", event {where.number}, year {where.year}{round_}{by}: {plain(where.event)}"
        parts.append(
            plain(" ".join(where.difference[:3])) + (" …" if len(where.difference) > 3 else "")
        )
    if (illegal := finding.illegal) is not None:
        parts.append(
            f"Event {illegal.number} is not legal ({illegal.code}, {illegal.rule}):"
            f" {plain(illegal.event)} {plain(illegal.sentence)}"
        )
    if finding.both_over and finding.before is not None:
        parts.append(plain(ending(finding.before, finding.after)))
    return " ".join(parts)


def ending(before: Outcome, after: Outcome) -> str:
    """Who wins, and who instead."""
    one, other = winners(before), winners(after)
    points = "the same points" if _all(before) == _all(after) else "other points"
    return f"{one} wins as before, {points}." if one == other else f"{other} wins instead of {one}."


def _all(outcome: Outcome) -> list[int]:
    return [place.points for place in outcome.places]


def winners(outcome: Outcome) -> str:
    names = {place.seat: place.name for place in outcome.places}
    return " and ".join(names[seat] for seat in outcome.winners)


def as_data(compared: Compared, tally: Tally, changed: Sequence[Finding]) -> dict[str, Any]:
    """The same as plain data, with every changed game."""
    whole: dict[str, Any] = msgspec.to_builtins({"compared": compared, "summary": tally})
    for shift, told in [
        (tally.all_shifts, whole["summary"]["all_shifts"]),
        *(
            (tally.shifts[int(players)], told)
            for players, told in whole["summary"]["shifts"].items()
        ),
    ]:
        told |= {"mean": round(shift.mean, 4), "spread": round(shift.spread, 4)}
    whole["summary"]["changed"] = tally.changed
    whole["games"] = msgspec.to_builtins(list(changed))
    return whole
