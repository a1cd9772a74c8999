"""The graph of a game's review: every seat's share of the win from event to event.

Lines differ by dashes and by the seat's number on each. The plot is as wide as its page: what lies
along it is placed in percent, so that signs and words keep their size on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.state import of_seat
from replays.review.game import Decision, GraphPoint
from web.drawing.box.pieces import DASHES
from web.drawing.geometry import number
from web.drawing.paint import paint, text

HEIGHT = 240.0
TOP, BOTTOM = 44.0, 24.0
"""Room for the moments that decided the game, in two rows, and for the years."""
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
NEAR = 7.0
"""Percent of the width within which two of them do not stand in one row."""
Line = Sequence[tuple[float, float]]
"""A seat's share from point to point: how far across, in percent, and the share."""
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "only-move": "!", "brilliant": "!!"}
"""What marks a decision on the graph and in the list."""


class Moments(msgspec.Struct, frozen=True):
    """What can be gone to from the graph, each by its event: where years begin, what is marked,
    and what decided the game, with the words of each and where it leads."""

    years: Sequence[tuple[int, int]]
    marked: Sequence[Decision]
    deciding: Sequence[int]
    titles: Mapping[int, str]
    links: Mapping[int, str]


def draw_graph(
    graph: Sequence[GraphPoint], moments: Moments, here: int, *, hindsight: bool = False
) -> str:
    """The graph in one SVG. Screen readers are given a table instead; what can be gone to stands in
    lists as well, so here it is for pointers."""
    last = max(2, graph[-1].number)
    lines = [
        [(_across(point.number, last), share) for point, share in zip(graph, shares, strict=True)]
        for shares in zip(
            *(point.hindsight if hindsight else point.win for point in graph), strict=True
        )
    ]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lc win-graph" aria-hidden="true"'
            f' width="100%" height="{number(HEIGHT)}" text-anchor="middle">',
            _grid(),
            _years(moments.years, last),
            _here(here, last),
            f'<svg y="{number(TOP)}" width="100%" height="{number(HEIGHT - TOP - BOTTOM)}"'
            ' viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">',
            *(_stroke(seat, line) for seat, line in enumerate(lines, start=1)),
            "</svg>",
            _scale(),
            *(_badge(seat, lines, moments, last) for seat in range(1, len(lines) + 1)),
            *_deciding_moments(last, moments),
            *("" if hindsight else _sign(each, lines, last, moments) for each in moments.marked),
            "</svg>",
        ]
    )


def _across(event: int, last: int) -> float:
    """Where an event lies, in percent; the ends keep a little room for what marks them."""
    return 2.0 + 96.0 * (event - 1) / (last - 1)


def _down(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _grid() -> str:
    return "".join(
        f'<line x1="0" x2="100%" y1="{number(_down(share))}" y2="{number(_down(share))}"'
        f" {paint('none', 'lane-line', 0.7)}/>"
        for share in SHARES
    )


def _scale() -> str:
    """Over the lines, which begin where it stands."""
    return "".join(
        f'<text class="axis" x="2" y="{number(_down(share) - 3)}" text-anchor="start"'
        f' font-size="11">{round(100 * share)} %</text>'
        for share in SHARES
    )


def _years(years: Sequence[tuple[int, int]], last: int) -> str:
    return "".join(
        f'<line x1="{x}%" x2="{x}%" y1="{number(TOP)}" y2="{number(HEIGHT - BOTTOM + 6)}"'
        f" {paint('none', 'lane-line', 1)}/>"
        f'<text class="axis" x="{x}%" y="{number(HEIGHT - 4)}" font-size="13">{year}</text>'
        for x, year in ((number(_across(at, last)), year) for at, year in years)
    )


def _here(event: int, last: int) -> str:
    """Which decision is looked at."""
    if not event:
        return '<g class="here"></g>'
    x = number(_across(event, last))
    return (
        f'<g class="here"><line x1="{x}%" x2="{x}%" y1="{number(TOP - 6)}"'
        f' y2="{number(HEIGHT - BOTTOM)}" {paint("none", "chosen", 3)}/></g>'
    )


def _stroke(seat: int, line: Line) -> str:
    """A pale line with a broken one of the seat's colour in it: it shows on light and dark."""
    path = "M" + "L".join(f"{number(x)} {number(100 * (1 - share))}" for x, share in line)
    dashes = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
    same = 'vector-effect="non-scaling-stroke" stroke-linejoin="round"'
    return (
        f'<path d="{path}" {same} {paint("none", f"pale{seat}", 4.4)}/>'
        f'<path d="{path}"{dashes} {same} {paint("none", f"seat{seat}", 2.4)}/>'
    )


def _badge(seat: int, lines: Sequence[Line], moments: Moments, last: int) -> str:
    """A seat's number on its line: in a part of the graph that is the seat's own, where it hides
    least."""
    own, count = of_seat(lines, seat), len(lines[0])
    signs = [_across(each.number, last) for each in moments.marked]
    first, end = (seat - 1) * count // len(lines), max(1, seat * count // len(lines))

    def room(place: int) -> float:
        x, share = own[place]
        apart = [
            100 * abs(share - other[place][1])
            for at, other in enumerate(lines, start=1)
            if at != seat
        ]
        return min([*apart, *(4 * abs(x - sign) for sign in signs)])

    x, share = own[max(range(min(first, count - 1), max(end, first + 1)), key=room)]
    return (
        f'<g class="points" font-size="11" font-weight="bold"'
        f" {paint('plaster', f'seat{seat}', 2.4)}>"
        f'<circle cx="{number(x)}%" cy="{number(_down(share))}" r="8.5"/>'
        f'<text x="{number(x)}%" y="{number(_down(share) + 4)}">{seat}</text></g>'
    )


def _deciding_moments(last: int, moments: Moments) -> list[str]:
    """The moments that decided the game, numbered as they came."""
    drawn, before, row = [], -NEAR, 0
    for rank, event in enumerate(sorted(moments.deciding), start=1):
        x = _across(event, last)
        row = 1 - row if x - before < NEAR else 0
        before = x
        drawn.append(_deciding(event, rank, x, 12 + 22 * row, moments))
    return drawn


def _deciding(event: int, rank: int, across: float, y: float, moments: Moments) -> str:
    x = number(across)
    return (
        f'<a class="deciding" href="{text(moments.links[event])}" tabindex="-1"'
        f' data-decision="{event}">'
        f"<title>{text(moments.titles[event])}</title>"
        f'<line x1="{x}%" x2="{x}%" y1="{number(y)}" y2="{number(HEIGHT - BOTTOM)}"'
        f' stroke-dasharray="3 3" {paint("none", "ink", 1.2)}/>'
        f'<circle cx="{x}%" cy="{number(y)}" r="10" {paint("badge", "badge", 1)}/>'
        f'<text x="{x}%" y="{number(y + 4.5)}" font-size="13" font-weight="bold"'
        f" {paint('badge-text', 'none')}>{rank}</text></a>"
    )


def _sign(decision: Decision, lines: Sequence[Line], last: int, moments: Moments) -> str:
    """A mark on the line of whoever decided."""
    x = _across(decision.number, last)
    _, share = min(of_seat(lines, decision.seat), key=lambda point: abs(point[0] - x))
    y = _down(share)
    return (
        f'<a class="sign" href="{text(moments.links[decision.number])}" tabindex="-1"'
        f' data-decision="{decision.number}">'
        f"<title>{text(moments.titles[decision.number])}</title>"
        f'<circle class="hit" cx="{number(x)}%" cy="{number(y)}" r="14" fill="none"'
        ' pointer-events="all"/>'
        f'<circle cx="{number(x)}%" cy="{number(y)}" r="9"'
        f" {paint('plaster', f'seat{decision.seat}', 2)}/>"
        f'<text x="{number(x)}%" y="{number(y + 4)}" font-size="11" font-weight="bold"'
        f" {paint('ink', 'none')}>{SIGNS[decision.mark]}</text></a>"
    )
