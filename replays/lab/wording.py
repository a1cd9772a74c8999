"""The figures of a report as people read them, the same on the page and on the terminal."""

from __future__ import annotations

from projections.words.effects import ENGLISH, English, Translator, digits, listed
from projections.words.names import CARDS, marked
from replays.estimates import Estimate
from replays.lab.balance import CLEAR, Fairness, Figure, Report, TableReport
from replays.lab.measures import SEAT

SETUPS = {"beginner": marked("beginner set-up"), "expert": marked("expert set-up")}


def figure(value: float, share: bool, sign: bool = False, translator: Translator = ENGLISH) -> str:
    """
    >>> figure(0.2534, share=True), figure(3.14159, share=False), figure(-0.5, False, sign=True)
    ('25.3 %', '3.14', '−0.50')
    """
    plus = "+" if sign else ""
    form = f"{plus}.2f" if abs(value) < 10 and not share else f"{plus}.1f"
    value = value * 100 if share else value
    text = digits(value, form, translator).replace("-", "−")
    if not f"{value:{form}}".strip("+-0."):
        text = text.lstrip("+−")
    return text + (" %" if share else "")


def between(
    estimate: Estimate, share: bool, sign: bool = False, translator: Translator = ENGLISH
) -> str:
    """An interval in words.

    >>> between(Estimate(0.5, 0.402, 0.598), share=True)
    '40.2 to 59.8 %'
    """
    low, high = (figure(at, share, sign, translator) for at in (estimate.low, estimate.high))
    return translator.gettext("{low} to {high}").format(low=low.removesuffix(" %"), high=high)


def chance(p: float, translator: Translator = ENGLISH) -> str:
    """
    >>> chance(0.0004), chance(0.0312), chance(1.0)
    ('p < 0.001', 'p = 0.031', 'p = 1')
    """
    if p < 0.001:
        return f"p < {digits(0.001, '.3f', translator)}"
    return f"p = {digits(p, '.3f', translator)}" if p < 0.9995 else "p = 1"


def name_of(line: Figure, translator: Translator = ENGLISH) -> str:
    """What a figure is called: a seat by its number, a card by its name."""
    card = line.name.replace(" ", "-")
    if isinstance(translator, English):
        return line.name
    if line.name.startswith("seat "):
        return translator.gettext(SEAT).format(n=line.name.removeprefix("seat "))
    return translator.gettext(CARDS.get(card, line.name))


def table_title(table: TableReport, translator: Translator = ENGLISH) -> str:
    text = translator.ngettext(
        "{players} players, {bots}, {setup}: {n} game",
        "{players} players, {bots}, {setup}: {n} games",
        table.games,
    )
    return text.format(
        players=table.players,
        bots=listed(table.bots.split("+"), translator),
        setup=translator.gettext(SETUPS[table.setup]),
        n=digits(table.games, ",", translator),
    )


def evenness(side: Fairness, translator: Translator = ENGLISH) -> str:
    """Whether the seats, and the turn order, are as good as each other."""
    return translator.gettext("{ruleset}: seats {seats}, turn order {order}").format(
        ruleset=side.ruleset,
        seats=_even(side.even_seats, translator),
        order=_even(side.even_order, translator),
    )


def _even(p: float, translator: Translator) -> str:
    uneven, even = translator.gettext("uneven"), translator.gettext("even as far as seen")
    return f"{uneven if p < CLEAR else even} ({chance(p, translator)})"


def sentence(line: Figure, translator: Translator = ENGLISH) -> str:
    """A clear difference in words."""
    if line.second is None or line.difference is None or line.p is None:
        raise ValueError("one ruleset alone differs from nothing")
    text = translator.gettext(
        "{section}, {name}: {here} instead of {there} ({apart}; {sure}; {chance})"
    )
    return text.format(
        section=translator.gettext(line.section),
        name=name_of(line, translator),
        here=figure(line.first.value, line.share, translator=translator),
        there=figure(line.second.value, line.share, translator=translator),
        apart=figure(line.difference.value, line.share, sign=True, translator=translator),
        sure=between(line.difference, line.share, sign=True, translator=translator),
        chance=chance(line.p, translator),
    )


def how(report: Report, translator: Translator = ENGLISH) -> str:
    """By which formulas."""
    words = translator.gettext(
        "Ranges hold the true value 95 times of 100: Wilson’s for shares, Student’s for means."
        " Evenness is Pearson’s chi-squared test."
    )
    if not report.against:
        return words
    paired = translator.gettext(
        "Both rulesets play the same deals, so differences are taken game by game and tested"
        " by Student’s test for pairs; p is corrected by Holm’s method for all numbers of a"
        " table, and a difference is called clear below {limit}."
    )
    return f"{words} {paired.format(limit=digits(CLEAR, '.2f', translator))}"


def title(report: Report, translator: Translator = ENGLISH) -> str:
    """What the report is about."""
    if not report.against:
        return report.ruleset
    text = translator.gettext("{ruleset} beside {other}")
    return text.format(ruleset=report.ruleset, other=report.against)


def choices(report: Report, translator: Translator = ENGLISH) -> str:
    """In what the two rulesets differ."""
    text = translator.gettext("{choice} {here}, not {there}")
    parts = [
        text.format(
            choice=name, here=_in_words(here, translator), there=_in_words(there, translator)
        )
        for name, (here, there) in report.differs.items()
    ]
    return translator.gettext("; ").join(parts) or translator.gettext("the two say the same")


def _in_words(choice: str, translator: Translator) -> str:
    usual = {"true": translator.gettext("yes"), "false": translator.gettext("no")}
    return usual.get(choice, choice)
