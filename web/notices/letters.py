"""What a letter says: the games that wait, what happened in them, in the receiver's language.

Everything is told as the receiver's own seat may know it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

import msgspec
from markupsafe import Markup

from engine.view import View, view
from events.messages.sentence import about
from projections.words.effects import Translator, listed, retold, tell_effect
from projections.words.names import OWED
from web.accounts.account import Account
from web.games.live import Games, Live
from web.notices.boxes import ABOUT_TIME, Letter, Notice, Turn
from web.words.catalogues import translator
from web.words.durations import coming

MOST_SENTENCES = 15
LETTER = "letter"
"""In the address of a table: whoever comes by a letter sits there, and logs in first."""


class Section(msgspec.Struct, frozen=True):
    """One game in a letter."""

    title: str
    lines: list[str]
    story: list[str]
    earlier: int
    link: str


class Writer:
    """Writes letters for a server at some address."""

    def __init__(self, games: Games, url: str) -> None:
        self._games, self._url = games, url

    def write(
        self,
        account: Account,
        seats: dict[str, list[int]],
        turns: Sequence[Turn],
        notices: Sequence[Notice],
        unsubscribe: str,
        time: int,
    ) -> Letter:
        """A letter about some turns and notices; `seats` are the receiver's by game."""
        language = account.language or "en"
        words = translator(language)
        games = list(dict.fromkeys([t.game for t in turns] + [n.game for n in notices]))
        sections = [
            self._section(
                game,
                seats.get(game, []),
                [turn for turn in turns if turn.game == game],
                [notice for notice in notices if notice.game == game],
                lambda notice, seat_view: notice_text(notice, seat_view, words, language, time),
                words,
            )
            for game in games
        ]
        subject = self._subject(turns, notices, dict(zip(games, sections, strict=True)), words)
        keys = [account.id, *(turn.key for turn in turns), *(notice.key for notice in notices)]
        digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:32]
        hello = words.gettext("Hello {name},").format(name=account.name)
        return Letter(
            id=f"{digest}@{urlsplit(self._url).hostname or 'localhost'}",
            time=time,
            turns=list(turns),
            notices=list(notices),
            subject=subject,
            text=as_text(hello, sections, self._footer(unsubscribe, words), words),
            html=as_html(hello, sections, self._footer(unsubscribe, words), words),
            ways=[],
            left=[],
            until=0,
        )

    def summary(
        self,
        account: Account,
        game: str,
        seats: list[int],
        turns: Sequence[Turn],
        notices: Sequence[Notice],
        time: int,
    ) -> tuple[str, str]:
        """What a letter would say first of one game, as a title and a few words."""
        language = account.language or "en"
        words = translator(language)
        section = self._section(
            game,
            seats,
            turns,
            notices,
            lambda notice, seat_view: notice_text(notice, seat_view, words, language, time),
            words,
            with_story=False,
        )
        return section.title, " ".join(section.lines)

    def _section(
        self,
        game: str,
        seats: list[int],
        turns: Sequence[Turn],
        notices: Sequence[Notice],
        say: Callable[[Notice, View], str],
        words: Translator,
        with_story: bool = True,
    ) -> Section:
        live = self._games.live(game)
        with live.lock:
            seat_view = view(live.state, (seats or [0])[0])
            story, earlier = told_since(live, seats, words) if with_story else ([], 0)
            return Section(
                title=title(seat_view, seats, words),
                lines=[
                    *(say(notice, seat_view) for notice in urgent_first(notices)),
                    *(owes(turn, seat_view, seats, words) for turn in turns),
                ],
                story=story,
                earlier=earlier,
                link=f"{self._url}/table/{game}?{LETTER}=1",
            )

    def _subject(
        self,
        turns: Sequence[Turn],
        notices: Sequence[Notice],
        sections: Mapping[str, Section],
        words: Translator,
    ) -> str:
        for notice in notices:
            if notice.kind in ABOUT_TIME:
                section = sections[notice.game]
                return f"{section.lines[0]} {section.title}"
        first = next(iter(sections.values()))
        games = len({turn.game for turn in turns})
        if games > 1:
            return words.gettext("{n} games wait for you").format(n=games)
        if games:
            return words.gettext("Your turn: {title}").format(title=first.title)
        return f"{first.lines[0]} {first.title}"

    def _footer(self, unsubscribe: str, words: Translator) -> list[tuple[str, str]]:
        return [
            (words.gettext("What you are told, and how"), f"{self._url}/account"),
            (words.gettext("No more letters like this"), unsubscribe),
        ]


def title(seat_view: View, seats: Sequence[int], words: Translator) -> str:
    """What a game is called: by the others who sit there."""
    others = [player.name for player in seat_view.players if player.seat not in seats]
    if not others:
        return words.gettext("La Città, year {year}").format(year=seat_view.year)
    return words.gettext("La Città with {names}, year {year}").format(
        names=listed(others, words), year=seat_view.year
    )


def owes(turn: Turn, seat_view: View, seats: Sequence[int], words: Translator) -> str:
    """What a seat has to do, with its name where the receiver has several."""
    owed = seat_view.awaiting.get(turn.seat, "")
    what = words.gettext(OWED[owed]) if owed in OWED else owed
    if len(seats) > 1:
        text = words.gettext("{name}, it is your turn: {what}.")
        return text.format(name=seat_view.player(turn.seat).name, what=what)
    return words.gettext("It is your turn: {what}.").format(what=what)


def urgent_first(notices: Sequence[Notice]) -> list[Notice]:
    return sorted(notices, key=lambda notice: notice.kind not in ABOUT_TIME)


def notice_text(notice: Notice, seat_view: View, words: Translator, language: str, now: int) -> str:
    if notice.kind in ABOUT_TIME:
        return said_of_time(notice, words, language, now)
    if notice.kind == "asked":
        return words.gettext("{who} asks to take the last action back.").format(who=notice.text)
    if notice.kind == "begins":
        return words.gettext("The game begins.")
    if notice.kind == "ends":
        winners = listed([seat_view.player(seat).name for seat in seat_view.winners], words)
        return words.gettext("The game is over. Won by: {names}.").format(names=winners)
    return words.gettext("You were mentioned: {text}").format(text=notice.text)


def said_of_time(notice: Notice, words: Translator, language: str, now: int) -> str:
    """About the receiver's time, and what was done in their absence."""
    if notice.kind == "runs-out":
        text = words.gettext("Your time runs out {in_so_long}.")
        return text.format(in_so_long=coming(notice.due - now, language))
    if notice.kind == "ran-out":
        if notice.text == "vote":
            return words.gettext("Your time has run out. The others may now decide without you.")
        return words.gettext("Your time has run out. The others wait for you.")
    if notice.kind == "decided":
        return words.gettext("The others have voted: a bot made your last decision.")
    if notice.text == "vote":
        return words.gettext("The others have voted: a bot plays your seat until you are back.")
    return words.gettext("Your time has run out: a bot plays your seat until you are back.")


def told_since(live: Live, seats: Sequence[int], words: Translator) -> tuple[list[str], int]:
    """What happened since the last own action, the latest of it; and how much more there was."""
    names = [seat.name for seat in live.state.seats]
    last = max(
        (n for n, (event, _) in enumerate(live.story, 1) if getattr(event, "seat", 0) in seats),
        default=0,
    )
    lines = [tell_effect(e, names, words) for _, effects in live.story[last:] for e in effects]
    return lines[-MOST_SENTENCES:], max(0, len(lines) - MOST_SENTENCES)


def earlier_line(section: Section, words: Translator) -> str:
    return words.ngettext(
        "… and {n} thing before that", "… and {n} things before that", section.earlier
    ).format(n=section.earlier)


def as_text(
    hello: str, sections: Sequence[Section], footer: list[tuple[str, str]], words: Translator
) -> str:
    blocks = [hello]
    for section in sections:
        lines = [section.title, "-" * min(len(section.title), 70), *section.lines, section.link]
        if section.story:
            lines += ["", words.gettext("What happened since your last turn:")]
            lines += [f"* {sentence}" for sentence in section.story]
        if section.earlier:
            lines.append(earlier_line(section, words))
        blocks.append("\n".join(lines))
    blocks.append("-- \n" + "\n".join(retold(about(*each), words) for each in footer))
    return "\n\n".join(blocks) + "\n"


def as_html(
    hello: str, sections: Sequence[Section], footer: list[tuple[str, str]], words: Translator
) -> str:
    parts = [Markup("<p>{}</p>").format(hello)]
    for section in sections:
        parts.append(Markup('<h2><a href="{}">{}</a></h2>').format(section.link, section.title))
        parts += [Markup("<p><strong>{}</strong></p>").format(line) for line in section.lines]
        if section.story:
            since = words.gettext("What happened since your last turn:")
            items = Markup("").join(Markup("<li>{}</li>").format(each) for each in section.story)
            parts.append(Markup("<p>{}</p><ul>{}</ul>").format(since, items))
        if section.earlier:
            parts.append(Markup("<p>{}</p>").format(earlier_line(section, words)))
        to_table = words.gettext("To the table")
        parts.append(Markup('<p><a href="{}">{}</a></p>').format(section.link, to_table))
    links = (Markup('<a href="{}">{}</a>').format(link, text) for text, link in footer)
    parts.append(Markup("<hr><p><small>{}</small></p>").format(Markup(" · ").join(links)))
    return f"<!doctype html><html><body>{Markup('').join(parts)}</body></html>\n"
