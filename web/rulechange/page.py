"""What a review's page shows of the cause that is looked at: counts, words, and boards."""

from __future__ import annotations

import msgspec

from events.types import AnyEvent, GameOpened
from projections.words.effects import Translator
from replays.rulechange.review.causes import GameChange, beside_board
from replays.rulechange.review.decisions import Verdict, quote
from replays.rulechange.review.judging import View
from replays.rulechange.review.naming import name_cause
from replays.rulechange.review.renewal import is_told
from replays.rulechange.review.tables import positions_of
from replays.rulechange.verify import read_log
from web.drawing.pair import draw_pair
from web.rulechange.session import ReviewSession

SIGNS = {"-": "was", "+": "now", "@": "place"}


class TextLine(msgspec.Struct, frozen=True):
    """A line of a text, and on which side it stands alone."""

    text: str
    side: str = ""


class CauseEntry(msgspec.Struct, frozen=True):
    """A cause in the list of all."""

    title: str
    games: int
    winners: int
    verdict: Verdict | None


class ShownCause(msgspec.Struct, frozen=True):
    """The cause that is looked at."""

    place: int
    title: str
    key: str
    games: int
    winners: int
    of_kind: int
    earlier: str
    """What was decided about it before."""
    verdict: Verdict | None
    example: GameChange
    number: int
    """Which of its games that is, from 1 on."""
    view: View
    boards: list[str]
    lines: list[TextLine]
    causes: list[CauseEntry]


def page_of(session: ReviewSession, words: Translator) -> ShownCause:
    """The page of a review where somebody stands in it."""
    judging = session.judging
    group, example = judging.group, judging.example
    earlier = judging.known.get(group.cause.key)
    tables = judging.view == "tables"
    return ShownCause(
        place=judging.place,
        title=name_cause(group.cause, words),
        key=group.cause.key,
        games=len(group.games),
        winners=len(group.other_winners),
        of_kind=judging.of_kind,
        earlier=quote(earlier) if earlier else "",
        verdict=judging.verdicts.get(group.cause.key),
        example=example,
        number=judging.game + 1,
        view=judging.view,
        boards=boards_of(example, session, words) if tables else [],
        lines=beside(example) if tables else marked_lines(judging.lines(), judging.view),
        causes=[
            CauseEntry(
                name_cause(each.cause, words),
                len(each.games),
                len(each.other_winners),
                judging.verdicts.get(each.cause.key),
            )
            for each in judging.groups
        ],
    )


def boards_of(each: GameChange, session: ReviewSession, words: Translator) -> list[str]:
    """Both boards after the first difference, as the chronicles draw them."""
    change, review = each.change, session.review
    if review is None or not change.table_after:
        return []
    events = read_log(review.logs[each.game]).events
    opening = events[0]
    assert isinstance(opening, GameOpened)
    tables = (change.table_before or change.table_after, change.table_after)
    places = positions_of(events, change.number, tables)
    shows = is_told(each) and not change.phase
    about = hexes_of(events[change.number - 1]) if shows else []
    return draw_pair(opening, places, words=words.gettext, id_prefix="b", about=about)


def hexes_of(event: AnyEvent) -> list[str]:
    """The hexes that an event names."""
    named = msgspec.structs.asdict(event)
    return [named[field] for field in ("at", "source", "city") if isinstance(named.get(field), str)]


def beside(each: GameChange) -> list[TextLine]:
    """What the table says beside its board."""
    lines = beside_board(each.change) if each.change.table_after else []
    return [TextLine(line[2:], SIGNS.get(line[:1], "")) for line in lines]


def marked_lines(lines: list[str], view: View) -> list[TextLine]:
    """A whole text; the lines of a difference carry their signs."""
    return [TextLine(line, SIGNS.get(line[:1], "") if view == "diff" else "") for line in lines]
