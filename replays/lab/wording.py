"""The figures of a report as people read them, the same on the page and on the terminal."""

from __future__ import annotations

from replays.lab.balance import CLEAR, Line, Report, Side, TableReport
from replays.lab.estimates import Estimate


def figure(value: float, share: bool, sign: bool = False) -> str:
    """
    >>> figure(0.2534, share=True), figure(3.14159, share=False), figure(-0.5, False, sign=True)
    ('25.3 %', '3.14', '−0.50')
    """
    plus = "+" if sign else ""
    if share:
        text = f"{value * 100:{plus}.1f}"
    else:
        text = f"{value:{plus}.2f}" if abs(value) < 10 else f"{value:{plus}.1f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return text.replace("-", "−") + (" %" if share else "")


def between(estimate: Estimate, share: bool, sign: bool = False) -> str:
    """An interval in words.

    >>> between(Estimate(0.5, 0.402, 0.598), share=True)
    '40.2 to 59.8 %'
    """
    low, high = (figure(at, share, sign) for at in (estimate.low, estimate.high))
    return f"{low.removesuffix(' %')} to {high}"


def chance(p: float) -> str:
    """
    >>> chance(0.0004), chance(0.0312), chance(1.0)
    ('p < 0.001', 'p = 0.031', 'p = 1')
    """
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.9995 else "p = 1"


def table_title(table: TableReport) -> str:
    return (
        f"{table.players} players, {table.bots.replace('+', ' and ')}, {table.setup} set-up:"
        f" {table.games:,} games"
    )


def evenness(side: Side) -> str:
    """Whether the seats, and the turn order, are as good as each other."""
    return f"{side.ruleset}: seats {_even(side.even_seats)}, turn order {_even(side.even_order)}"


def _even(p: float) -> str:
    return f"{'uneven' if p < CLEAR else 'even as far as seen'} ({chance(p)})"


def sentence(line: Line) -> str:
    """A clear difference in words."""
    if line.second is None or line.difference is None or line.p is None:
        raise ValueError("one ruleset alone differs from nothing")
    here, there = figure(line.first.value, line.share), figure(line.second.value, line.share)
    apart = figure(line.difference.value, line.share, sign=True)
    sure = between(line.difference, line.share, sign=True)
    return (
        f"{line.section}, {line.name}: {here} instead of {there}"
        f" ({apart}; {sure}; {chance(line.p)})"
    )


def how(report: Report) -> str:
    """By which formulas."""
    words = (
        "Ranges hold the true figure 95 times of 100: Wilson’s for shares, Student’s for means."
        " Evenness is Pearson’s chi-squared test."
    )
    if report.against:
        words += (
            " Both rulesets play the same deals, so differences are taken game by game and tested"
            " by Student’s test for pairs; p is corrected by Holm’s method for all figures of a"
            f" table, and a difference is called clear below {CLEAR}."
        )
    return words


def choices(report: Report) -> str:
    """In what the two rulesets differ."""
    parts = [
        f"{name} {_said(here)}, not {_said(there)}"
        for name, (here, there) in report.differs.items()
    ]
    return "; ".join(parts) or "the two say the same"


def _said(choice: object) -> str:
    return {True: "yes", False: "no"}[choice] if isinstance(choice, bool) else str(choice)
