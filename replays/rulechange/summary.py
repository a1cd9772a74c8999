"""The sum of a comparison in Markdown, fit for a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from engine.material.choices import RULES, differing, value_text
from events.material import Ruleset
from events.messages.sentence import about
from projections.words.effects import ENGLISH, Translator, digits, listed, retold
from projections.words.names import marked
from replays.rulechange.divergence import Finding, LineResult
from replays.rulechange.refold import WhenIllegal
from replays.rulechange.tally import CorpusTally, Shift

LISTED = 20
"""Changed games that the summary names."""
NO_BREAKS = "\u00a0\u202f"
"""Blanks that some languages set before a sign; harmless, though not printable by the book."""
TREATMENT = {
    "stop": marked("the game was stopped there, and stands as it stood"),
    "skip": marked("it was left out, and the steward played what was missing at the end"),
    "bot": marked("the steward decided in its place"),
}
KINDS = {
    "same": marked("the same at every event"),
    "outcome": marked("same actions, another table"),
    "illegal": marked("an action is no longer legal"),
}


class Compared(msgspec.Struct, frozen=True):
    """What was put side by side: in words, and the rulesets where there are two."""

    before: str
    after: str
    before_rules: Ruleset | None = None
    after_rules: Ruleset | None = None
    when_illegal: WhenIllegal = "stop"
    code: str = ""
    """Which code judged, in words."""


def markdown(
    compared: Compared,
    tally: CorpusTally,
    changed: Sequence[Finding],
    translator: Translator = ENGLISH,
) -> str:
    """The summary as Markdown, with the first of the changed games.

    >>> print(markdown(Compared("standard", "flush"), CorpusTally(), []).splitlines()[0])
    ### standard → flush
    """
    lines = [*sums(compared, tally, translator), *_list(changed, tally, translator)]
    if compared.code:
        lines += ["", compared.code]
    return "\n".join(lines).rstrip() + "\n"


def sums(compared: Compared, tally: CorpusTally, translator: Translator = ENGLISH) -> list[str]:
    """The lines of the summary that are about the corpus as a whole."""
    lines = [f"### {compared.before} → {compared.after}", "", *_choices(compared, translator)]
    whole = translator.ngettext(
        "{n} game with {events} events, compared at every event:",
        "{n} games with {events} events, compared at every event:",
        tally.games,
    )
    lines += [
        whole.format(n=_count(tally.games, translator), events=_count(tally.events, translator)),
        "",
    ]
    lines += [_row_of(translator.gettext("games"), translator.gettext("verdict")), "| ---: | --- |"]
    lines += [
        _row_of(_count(tally.kinds[kind], translator), translator.gettext(words))
        for kind, words in KINDS.items()
    ]
    if tally.changed:
        lines += ["", *_effects(compared, tally, translator), "", *_points(tally, translator)]
    return lines


def side_by_side(
    results: Sequence[tuple[Compared, CorpusTally]], translator: Translator = ENGLISH
) -> str:
    """Several rulesets tried in one pass, a row for each."""
    say = translator.gettext
    heads = [say("ruleset"), *(say(words) for words in KINDS.values())]
    heads += [say("another winner"), say("mean shift"), say("in 95 of 100")]
    heads += [say("rules that took part")]
    rows = [_row_of(*heads), f"| --- |{' ---: |' * (len(heads) - 2)} --- |"]
    for compared, tally in results:
        counts = [_count(tally.kinds[kind], translator) for kind in KINDS]
        shift = tally.all_shifts
        mean = digits(shift.mean, "+.2f", translator) if shift.seats else "–"
        winners_ = _count(tally.other_winners, translator)
        interval, rules = _interval(shift, translator), _most(tally.rules, translator)
        rows.append(_row_of(compared.after, *counts, winners_, mean, interval, rules or "–"))
    return "\n".join(rows) + "\n\n"


def plain(text: str) -> str:
    """A sentence with people's names in it, harmless in Markdown and on a terminal.

    >>> plain("*Anna* <b>")
    '\\\\*Anna\\\\* \\\\<b\\\\>'
    """
    shown = "".join(sign if sign.isprintable() or sign in NO_BREAKS else "?" for sign in text)
    return re.sub(r"([\\`*_\[\]<>|#@~])", r"\\\1", shown)


def _count(number: int, translator: Translator) -> str:
    return digits(number, ",", translator)


def _row_of(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _choices(compared: Compared, translator: Translator) -> list[str]:
    before, after = compared.before_rules, compared.after_rules
    if after is None:
        return []
    usual = before or Ruleset(name="standard")
    text = translator.gettext("- `{choice}` ({rules}): {before} → {after}")
    found = [
        text.format(
            choice=choice,
            rules=", ".join(RULES[choice]),
            before=value_text(usual, choice, after)
            if before
            else translator.gettext("as recorded"),
            after=value_text(after, choice, usual),
        )
        for choice in differing(usual, after)
    ]
    return [*found, ""] if found else []


def _effects(compared: Compared, tally: CorpusTally, translator: Translator) -> list[str]:
    say, found = translator.gettext, []
    if tally.choices:
        choices = _most(tally.choices, translator, quote="`")
        found.append(say("- made by: {choices}").format(choices=choices))
    if tally.rules:
        rules = _most(tally.rules, translator)
        found.append(say("- rules that took part: {rules}").format(rules=rules))
    if tally.years:
        parts = [
            say("year {year}: {games}").format(year=year, games=_count(count, translator))
            for year, count in sorted(tally.years.items())
        ]
        found.append(say("- first difference by year: {years}").format(years=", ".join(parts)))
    if tally.reasons:
        reasons = _most(tally.reasons, translator, quote="`")
        found.append(say("- no longer legal because of: {reasons}").format(reasons=reasons))
        done = say(TREATMENT[compared.when_illegal])
        found.append(say("- where an action was not legal: {treatment}").format(treatment=done))
    if tally.answers:
        text = translator.ngettext(
            "- a bot decided {answers} times, in {n} game",
            "- a bot decided {answers} times, in {n} games",
            tally.answered,
        )
        answers, games = (_count(each, translator) for each in (tally.answers, tally.answered))
        found.append(text.format(answers=answers, n=games))
    if tally.redealt:
        text = translator.ngettext(
            "- cards had to be dealt again in {n} game",
            "- cards had to be dealt again in {n} games",
            tally.redealt,
        )
        found.append(text.format(n=_count(tally.redealt, translator)))
    return found


def _most(things: dict[str, int], translator: Translator, quote: str = "") -> str:
    """Things with their counts, the most frequent first."""
    most = sorted(things.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{quote}{thing}{quote} {_count(count, translator)}" for thing, count in most)


def _points(tally: CorpusTally, translator: Translator) -> list[str]:
    say = translator.gettext
    if not tally.compared:
        return [
            say("No changed game came to its end both ways, so no points can be compared."),
            "",
        ]
    heads = (
        say("players"),
        say("seats"),
        say("mean shift"),
        say("in 95 of 100"),
        say("spread"),
        say("least"),
        say("most"),
    )
    both = say(
        "Changed games that came to their end both ways: {games}, of them"
        " {points} with other points, {winners} with another winner."
    )
    lines = [
        both.format(
            games=_count(tally.compared, translator),
            points=_count(tally.other_points, translator),
            winners=_count(tally.other_winners, translator),
        ),
        "",
        _row_of(*heads),
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rows = [(str(players), shift) for players, shift in sorted(tally.shifts.items())]
    if len(rows) > 1:
        rows.append((say("all"), tally.all_shifts))
    lines += [_row(players, shift, translator) for players, shift in rows]
    return [*lines, ""]


def _row(players: str, shift: Shift, translator: Translator) -> str:
    return _row_of(
        players,
        _count(shift.seats, translator),
        digits(shift.mean, "+.2f", translator),
        _interval(shift, translator),
        digits(shift.spread, ".2f", translator),
        f"{shift.least:+}",
        f"{shift.most:+}",
    )


def _interval(shift: Shift, translator: Translator) -> str:
    if (ends := shift.interval) is None:
        return "–"
    low, high = (digits(end, "+.2f", translator) for end in ends)
    return translator.gettext("{low} to {high}").format(low=low, high=high)


def _list(changed: Sequence[Finding], tally: CorpusTally, translator: Translator) -> list[str]:
    lines = [f"- {described(finding, translator)}" for finding in changed[:LISTED]]
    if (rest := tally.changed - LISTED) > 0:
        more = translator.ngettext("- and {n} game more", "- and {n} games more", rest)
        lines.append(more.format(n=_count(rest, translator)))
    return lines


def described(finding: Finding, translator: Translator = ENGLISH) -> str:
    """One changed game in a sentence or three."""
    parts = [f"`{finding.game}`"]
    if (where := finding.divergence) is not None:
        text = (
            translator.gettext("{game}, event {number}, year {year}, round {round}")
            if where.round
            else translator.gettext("{game}, event {number}, year {year}")
        )
        place = text.format(game=parts[0], number=where.number, year=where.year, round=where.round)
        by = f" ({', '.join(where.rules)})" if where.rules else ""
        parts = [retold(about(f"{place}{by}", plain(where.event)), translator)]
        parts.append(
            plain(" ".join(where.difference[:3])) + (" …" if len(where.difference) > 3 else "")
        )
    if (illegal := finding.illegal) is not None:
        refused = translator.gettext(
            "Event {number} is not legal ({reference}): {event} {sentence}"
        )
        parts.append(
            refused.format(
                number=illegal.number,
                reference=f"{illegal.code}, {illegal.rule}" if illegal.rule else illegal.code,
                event=plain(illegal.event),
                sentence=plain(illegal.sentence),
            )
        )
    if finding.both_over and finding.before is not None:
        parts.append(plain(ending(finding.before, finding.after, translator)))
        parts.append(plain(points(finding.before, finding.after)))
    return " ".join(parts)


def points(before: LineResult, after: LineResult) -> str:
    """Every seat's points both ways."""
    return ", ".join(
        f"{one.name} {one.points} → {other.points}"
        for one, other in zip(before.places, after.places, strict=True)
    )


def ending(before: LineResult, after: LineResult, translator: Translator = ENGLISH) -> str:
    """Who wins, and who instead."""
    one, other = winners(before, translator), winners(after, translator)
    if one != other:
        return translator.gettext("{who} wins instead of {other}.").format(who=other, other=one)
    text = (
        translator.gettext("{who} wins as before, the same points.")
        if _all(before) == _all(after)
        else translator.gettext("{who} wins as before, other points.")
    )
    return text.format(who=one)


def _all(outcome: LineResult) -> list[int]:
    return [place.points for place in outcome.places]


def winners(outcome: LineResult, translator: Translator = ENGLISH) -> str:
    names = {place.seat: place.name for place in outcome.places}
    return listed([names[seat] for seat in outcome.winners], translator)
