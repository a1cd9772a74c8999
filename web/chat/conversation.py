"""Talk at a table as those who sit there have it: said, mentioned, withdrawn, read."""

from __future__ import annotations

import re

import msgspec
from markupsafe import Markup, escape

from engine.state import State
from projections.words.effects import name_of
from replays.chat import ChatMoment, Message, Said, Unsaid, mentioned, text_of, words_of
from replays.notes.annotations import Author
from web.accounts.visitor import visitor
from web.games.seats import live_game, seated
from web.services import services
from web.site.ids import new_id
from web.site.markdown import REL
from web.site.problems import Problem
from web.words.language import gettext as _

SHOWN = 100
"""How many lines come at once; earlier ones are asked for."""
AT_ONCE = 500
"""How many lines a program gets; it asks again after the last one's version."""
_link = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?()\[\]{}]")


class ChatLine(msgspec.Struct, frozen=True):
    """Something that was said: by which seat, to which seats, and at which moment of the game."""

    said: str
    version: int
    time: int
    seat: int
    name: str
    text: str
    mentions: list[int]
    at: int
    year: int
    turn: int
    withdrawn: bool
    removed: bool
    """By a host; then it is withdrawn, too."""
    yours: bool


class ShownMessage(msgspec.Struct, frozen=True):
    """A line for the page: its words made safe, and the moment in words."""

    line: ChatLine
    html: Markup
    moment: str
    fresh: bool


class Chat(msgspec.Struct, frozen=True):
    """A table's talk for one reader; `earlier` is where to go on before what is shown."""

    version: int
    read: int
    unread: int
    lines: list[ShownMessage]
    earlier: int
    others: list[str]
    """Those who can be mentioned: all other people at the table."""


def speak(game: str, text: str, seat: int, id_: str = "") -> str:
    """Say something. The seat is one of the speaker's own; the outbox hears whom it mentions. With
    an id of the speaker's choice it is said once, however often it comes. Gives its id."""
    table, me = seated(game), visitor()
    own_seats = table.seats_of(me.person)
    if seat and seat not in own_seats:
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    if not text.strip():
        raise Problem(422, "nothing-said", "Please write something.")
    live = live_game(game)
    with live.lock:
        names, at = names_in(live.state), moment(live.state, live.version)
    by = seat or own_seats[0]
    line = Said(
        by=Author(name=name_of(by, names), person=me.person),
        said=id_ or new_id(),
        seat=by,
        words=words_of(text.strip(), names),
        at=at,
    )
    try:
        services().chats.write(game, line)
    except Problem as problem:
        known = services().chats.get(game).lines.get(line.said)
        if problem.code != "said-twice" or known is None or known.by.person != me.person:
            raise
    return line.said


def unsay(game: str, id_: str) -> None:
    """Withdraw a line of one's own; a letter about it that has not gone yet says nothing of it."""
    seated(game)
    line = services().chats.get(game).lines.get(id_)
    by = Author(name=line.by.name if line else "", person=visitor().person)
    services().chats.write(game, Unsaid(by=by, said=id_))


def names_in(state: State) -> list[str]:
    return [seat.name for seat in state.seats]


def moment(state: State, version: int) -> ChatMoment:
    turn = min(state.awaiting, default=0)
    return ChatMoment(number=version, year=state.year, turn=turn)


def lines_after(game: str, after: int) -> list[ChatLine]:
    """The first lines after a version, and those before it that were withdrawn: as they stand."""
    names, gone = names_now(game), Gone()
    lines = services().chats.get(game).lines.values()
    withdrawn = [line for line in lines if line.version <= after and line.withdrawn]
    fresh = [line for line in lines if line.version > after]
    shown = [*withdrawn[-SHOWN:], *fresh[:AT_ONCE]]
    return [chat_line(line, names, gone) for line in shown]


def chat_for(game: str, before: int = 0) -> Chat:
    """The last lines, or those before a version, as the reader sees them."""
    talk, me = services().chats.get(game), visitor().person
    names, gone = names_now(game), Gone()
    read = services().chats.read_by(me, game)
    all_lines = [line for line in talk.lines.values() if not before or line.version < before]
    lines = all_lines[-SHOWN:]
    seats = services().lobby.get(game).seats
    own_seats = [number for number, seat in enumerate(seats, 1) if seat.person == me]
    return Chat(
        version=talk.version,
        read=read,
        unread=sum(is_fresh(line, read, me) for line in talk.lines.values()),
        lines=[
            ShownMessage(
                line=chat_line(line, names, gone),
                html=html_of(line.words, names, own_seats),
                moment=moment_words(line.at, names),
                fresh=is_fresh(line, read, me),
            )
            for line in lines
        ],
        earlier=lines[0].version if len(all_lines) > len(lines) else 0,
        others=[
            name for name, seat in zip(names, seats, strict=True) if seat.person not in ("", me)
        ],
    )


def names_now(game: str) -> list[str]:
    live = live_game(game)
    with live.lock:
        return names_in(live.state)


def is_fresh(line: Message, read: int, me: str) -> bool:
    """Has somebody else said this since the reader looked last?"""
    return line.version > read and line.by.person != me and not line.withdrawn


class Gone:
    """Who of the authors is not there any more, each looked up once."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def __call__(self, by: Author) -> bool:
        if by.person not in self._known:
            self._known[by.person] = services().anonymity.author(by) != by
        return self._known[by.person]


def chat_line(line: Message, names: list[str], gone: Gone) -> ChatLine:
    """A line without what never leaves the server. Who is gone is called as the seat is now."""
    return ChatLine(
        said=line.said,
        version=line.version,
        time=line.time,
        seat=line.seat,
        name=name_of(line.seat, names) if gone(line.by) else line.by.name,
        text=text_of(line.words, names),
        mentions=mentioned(line.words),
        at=line.at.number,
        year=line.at.year,
        turn=line.at.turn,
        withdrawn=line.withdrawn,
        removed=line.removed,
        yours=line.by.person == visitor().person,
    )


def moment_words(at: ChatMoment, names: list[str]) -> str:
    """When in the game it was, for people."""
    if at.turn and at.turn <= len(names):
        name = name_of(at.turn, names)
        if not at.year:
            return _("Before the first year, {name}’s turn").format(name=name)
        return _("Year {year}, {name}’s turn").format(year=at.year, name=name)
    return _("After the game")


def html_of(words: list[str | int], names: list[str], own_seats: list[int]) -> Markup:
    """What was said, as text that can do no harm; mentions and links to the web stand out."""
    parts = []
    for each in words:
        if isinstance(each, str):
            parts.append(linked(each))
        else:
            kind = "mention mine" if each in own_seats else "mention"
            parts.append(
                Markup('<strong class="{}">{}</strong>').format(kind, text_of([each], names))
            )
    return Markup("").join(parts)


def linked(text: str) -> Markup:
    """Text with its links.

    >>> linked("see https://example.org/a?b=1. <b>")
    Markup('see <a href="https://example.org/a?b=1" rel="nofollow noopener ugc" \
target="_blank">https://example.org/a?b=1</a>. &lt;b&gt;')
    """
    found, end = Markup(""), 0
    for match in _link.finditer(text):
        link = Markup('<a href="{}" rel="{}" target="_blank">{}</a>')
        found += escape(text[end : match.start()]) + link.format(match[0], REL, match[0])
        end = match.end()
    return found + escape(text[end:])
