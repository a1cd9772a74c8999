"""`lacitta review-rules` in a terminal: one cause at a time, judged by single keys."""

from __future__ import annotations

from blessed import Terminal
from rich.text import Text

from projections.words.names import marked
from replays.rulechange.review.decisions import Decision, Verdict, quote
from replays.rulechange.review.judging import Judging
from replays.rulechange.review.naming import headline
from replays.rulechange.review.sources import Review
from web.cli.language import gettext as _
from web.cli.language import spoken
from web.cli.terminal.screen import Size
from web.cli.terminal.step import LOOKS, ended_by_signals, show

KEYS = marked(
    "a accept  r reject  s skip  A R all of this kind  t o n d views  ←→ games  ↑↓  q ends"
)
OF_LINE = {"-": "red", "+": "green", "@": "cyan"}


def frame(judging: Judging, size: Size) -> list[Text]:
    """The whole screen: the cause, its example from some line on, the keys."""
    group = judging.group
    named = headline(group, spoken())
    top = [
        Text(f"{judging.place + 1}/{len(judging.groups)}  {named}", style="bold"),
        Text(f"{judging.game + 1}/{len(group.games)}  {judging.example.game}", style="dim"),
    ]
    if (decision := judging.known.get(group.cause.key)) is not None:
        top.append(Text(quote(decision), style="yellow"))
    room = max(1, size.height - len(top) - 1)
    shown = judging.lines()[judging.top : judging.top + room]
    body = [Text(line, style=OF_LINE.get(line[:1], "")) for line in shown]
    blank = [Text()] * (room - len(body))
    return [*top, *body, *blank, Text(_(KEYS), style="dim")][: size.height]


def judge(review: Review, known: dict[str, Decision]) -> dict[str, Verdict]:
    """Show the causes one after the other until all are judged, or somebody ends it."""
    terminal = Terminal()
    judging = Judging(review.groups, known)
    with ended_by_signals(), terminal.fullscreen(), terminal.hidden_cursor(), terminal.cbreak():
        shown: object = None
        while not judging.over:
            size = Size(terminal.width, terminal.height)
            now = (judging.place, judging.game, judging.view, judging.top, size)
            if shown != now:
                show(terminal, frame(judging, size))
                shown = now
            key = terminal.inkey(timeout=LOOKS)
            if key in ("q", "Q", "\x04"):
                break
            if key:
                judging.press(key.name or str(key), max(1, size.height - 4))
    return judging.verdicts
