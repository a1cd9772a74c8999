"""Charts for the page of `lacitta balance`, as SVG: marks with their intervals, and scores.

The first ruleset is a filled disc, the second an open square, so that no colour is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import msgspec

from replays.estimates import Estimate

WIDTH, LABEL, RIGHT = 360, 132, 346
ROW, TOP = 30, 8
TICKS = 4


class ChartRow(msgspec.Struct, frozen=True):
    """One row of a chart: its label, and an estimate for each ruleset."""

    label: str
    estimates: list[Estimate]


def whiskers(
    title: str, rows: Sequence[ChartRow], *, fair: float | None = None, share: bool
) -> str:
    """Rows on one scale from zero, with a dashed line where fairness would put every mark."""
    highest = max(each.high for row in rows for each in row.estimates)
    step = nice_step(max(highest, fair or 0.0))
    top = step * math.ceil(max(highest, fair or 0.0) / step - 1e-9)
    height = TOP + ROW * len(rows)
    parts = []
    for tick in range(round(top / step) + 1):
        x = _x(tick * step, 0, top)
        text = f"{tick * step:.0%}" if share else f"{tick * step:g}"
        parts.append(f'<path class="grid" d="M{x} {TOP}V{height}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{height + 14}">{text}</text>')
    if fair is not None:
        parts.append(f'<path class="fair" d="M{_x(fair, 0, top)} {TOP}V{height}"/>')
    parts += [_row(row, index, 0, top) for index, row in enumerate(rows)]
    return _svg(title, height + 20, parts)


def differences(title: str, rows: Sequence[ChartRow]) -> str:
    """Differences to the left and right of none, each row on a scale of its own."""
    height = TOP + ROW * len(rows)
    parts = [f'<path class="fair" d="M{_x(0, -1, 1)} {TOP}V{height}"/>']
    for index, row in enumerate(rows):
        y = TOP + ROW * index + ROW // 2
        parts.append(f'<path class="grid" d="M{LABEL} {y}H{RIGHT}"/>')
        reach = max(abs(bound) for each in row.estimates for bound in (each.low, each.high))
        parts.append(_row(row, index, -(reach or 1.0), reach or 1.0))
    return _svg(title, height, parts)


def scores(title: str, sides: Sequence[dict[int, int]]) -> str:
    """How often seats reached how many points: bars, and steps for a second ruleset."""
    lowest, highest = min(map(min, sides)), max(map(max, sides))
    shares = [{at: n / sum(ruleset.values()) for at, n in ruleset.items()} for ruleset in sides]
    most = max(max(ruleset.values()) for ruleset in shares)
    height, left, bottom = 150, 10, 126
    wide = (RIGHT - left) / (highest - lowest + 1)

    def y(share: float) -> float:
        return round(bottom - (bottom - TOP) * share / most, 1)

    def x(at: int) -> float:
        return round(left + wide * (at - lowest), 1)

    parts = [f'<path class="grid" d="M{left} {bottom}H{RIGHT}"/>']
    for at, share in shares[0].items():
        bar = f'x="{x(at)}" y="{y(share)}" width="{max(1.0, wide - 1):.1f}"'
        parts.append(f'<rect class="first" {bar} height="{bottom - y(share):.1f}"/>')
    for ruleset in shares[1:]:
        line = f"M{left} {bottom}"
        for at in range(lowest, highest + 1):
            line += f"V{y(ruleset.get(at, 0.0))}H{x(at + 1)}"
        parts.append(f'<path class="second steps" d="{line}V{bottom}"/>')
    step = max(1, round(nice_step(highest - lowest)))
    for at in range(math.ceil(lowest / step) * step, highest + 1, step):
        middle = round(x(at) + wide / 2, 1)
        parts.append(f'<text class="tick" x="{middle}" y="{bottom + 16}">{at}</text>')
    return _svg(title, height, parts)


def nice_step(whole: float) -> float:
    """A round number that divides a scale into a few steps.

    >>> nice_step(0.43), nice_step(31), nice_step(0)
    (0.2, 10.0, 1.0)
    """
    if whole <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(whole / TICKS))
    return next(
        round(power * by, 10) for by in (1.0, 2.0, 5.0, 10.0) if power * by * TICKS >= whole * 0.99
    )


def _x(value: float, low: float, high: float) -> float:
    return round(LABEL + (RIGHT - LABEL) * (value - low) / (high - low), 1)


def _label(text: str, index: int) -> str:
    words, lines = text.split(), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > 19:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    middle = TOP + ROW * index + ROW / 2 + 4 - 6.5 * (len(lines) - 1)
    return "".join(
        f'<text class="label" x="{LABEL - 8}" y="{middle + 13 * line:.1f}">{escape(part)}</text>'
        for line, part in enumerate(lines)
    )


def _row(row: ChartRow, index: int, low: float, high: float) -> str:
    """The first ruleset above, the second below, each with its interval."""
    parts = [_label(row.label, index)]
    middle = TOP + ROW * index + ROW // 2
    apart = 5 if len(row.estimates) > 1 else 0
    for second, each in enumerate(row.estimates):
        y = middle + (apart if second else -apart)
        x, start, end = (_x(at, low, high) for at in (each.value, each.low, each.high))
        name = "second" if second else "first"
        parts.append(f'<path class="{name} reach" d="M{start} {y}H{end}"/>')
        if second:
            parts.append(
                f'<rect class="second mark" x="{x - 3.5:.1f}" y="{y - 3.5}" width="7" height="7"/>'
            )
        else:
            parts.append(f'<circle class="first mark" cx="{x}" cy="{y}" r="4"/>')
    return "".join(parts)


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    label = escape(title, quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )
