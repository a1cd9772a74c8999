"""Games to be written: simulated, lively at the table, on odd material, and full of notes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec

from engine.actions.check import check
from engine.bots import RandomBot, ask
from engine.material import library
from engine.selfplay import Game, play_out, secret_from
from events.material import BeginnerSetup, BoardData
from events.types import (
    AnyEvent,
    AskTakeBack,
    GameOpened,
    GrantTakeBack,
    HandOver,
    RefuseTakeBack,
    Resign,
    Seat,
)
from replays.cursor import Cursor
from replays.notes.annotations import Author, Content, LineBegun, Noted, Place
from replays.notes.notebook import Notebook, write_down
from replays.whatif.lines import cursor_at, let_bot_play, redealt, with_deals
from tests.first_board import new_game


@cache
def simulated(seed: int, ruleset: str = "standard") -> list[AnyEvent]:
    setup = "expert" if seed % 2 else "beginner"
    return play_out(new_game(2 + seed % 4, seed, ruleset, setup), RandomBot(seed)).events


def lively(seed: int) -> list[AnyEvent]:
    """A game in which people take back, answer, hand over and resign wherever they may."""
    rng, bot = random.Random(seed), RandomBot(seed)
    game = new_game(2 + seed % 4, seed)
    players = len(game.state.seats)
    while game.state.awaiting:
        seat = rng.randrange(players) + 1
        wish = rng.choice(
            [AskTakeBack(seat=seat), GrantTakeBack(seat=seat), RefuseTakeBack(seat=seat)] * 8
            + [HandOver(seat=seat, bot=rng.choice(["random", "", 'the "old" one']))] * 2
            + [Resign(seat=seat)] * (len(game.events) > 60)
        )
        if rng.random() < 0.5 and check(game.state, wish) is None:
            game.add(wish)
        else:
            game.add(ask(bot, game.state, min(game.state.awaiting)))
    return game.events


def with_times(events: list[AnyEvent], seed: int) -> list[AnyEvent]:
    """Mostly one after the other, some unknown, some out of order."""
    rng, now, timed = random.Random(seed), 1_769_882_400_000, []
    for event in events:
        now += rng.choice([0, 1, 500, 12_345, 60_000, 86_400_000, -7])
        time = rng.choice([now, now, now, 0, 1, 2**53])
        timed.append(msgspec.structs.replace(event, time=time))
    return timed


def odd_board() -> BoardData:
    """The built-in board with labels that need quotation marks."""
    data = library.board().data

    def odd(label: str) -> str:
        return f'{label}:"' if label.startswith("c") else label.upper() + " ;"

    setups = {
        players: BeginnerSetup(
            tiles=setup.tiles, castles=[(odd(one), odd(two)) for one, two in setup.castles]
        )
        for players, setup in data.setups.items()
    }
    lanes = {odd(label): lane for label, lane in data.lanes.items()}
    return msgspec.structs.replace(data, name="odd", lanes=lanes, setups=setups)


def on_odd_material(seed: int) -> list[AnyEvent]:
    box = library.box()
    politics = box.politics | {"palace": box.politics["palace"] - 1}
    politics["polling"] += 1
    opening = GameOpened(
        ruleset=msgspec.structs.replace(library.ruleset("de"), name="ours", flush=True),
        board=library.custom_board_ref(odd_board()),
        box=library.custom_box_ref(msgspec.structs.replace(box, name="ours", politics=politics)),
        setup="beginner",
        seats=[Seat(name='A\\n"]', bot="steward"), Seat(name="Ünal\n{"), Seat(name="")],
    )
    return play_out(Game(opening, secret_from(seed)), RandomBot(seed)).events


class Scribe:
    """Writes into the notebook of one game, as the players' pages do."""

    def __init__(self, events: list[AnyEvent], cursor: Cursor | None = None) -> None:
        self.events, self.book = events, Notebook()
        self.cursor = cursor or Cursor(events)

    def places(self) -> list[Place]:
        main = [Place(number=number) for number in range(1, len(self.events) + 1)]
        return main + [
            Place(number=number, line=line.line)
            for line in self.book.lines.values()
            for number in range(line.at.number, line.last + 1)
        ]

    def note(self, at: Place, name: str, content: Content, **more: Any) -> None:
        fields = {"by": Author(name="Anna", person="account-1"), "seen_by": "all"} | more
        write_down(self.book, Noted(note=name, at=at, content=content, **fields))

    def line(
        self, at: Place, name: str, turns: int, seed: int, redeal: bool = False, **more: Any
    ) -> None:
        parent, deals = cursor_at(self.cursor, self.book, at), []
        if redeal and at.number > 1:
            deals = redealt(parent, at.number, more.get("seat", 0), seed)
            parent = with_deals(parent, at.number, deals)
        events = let_bot_play(parent.at(at.number), RandomBot(seed), turns)
        fields = {"by": Author(name="Bob", person="p2"), "seen_by": "all"} | more
        begun = LineBegun(line=name, at=at, events=events, deals=deals, **fields)
        write_down(self.book, begun)


@cache
def studied() -> tuple[list[AnyEvent], Notebook]:
    """A timed game with notes of every kind and lines three deep."""
    scribe = Scribe(with_times(simulated(2), 2))
    here = Place(number=20)
    scribe.note(here, "n1", Content(text="Too early.\n\n*Gold* first.", glyph="?!"), time=99_000)
    scribe.note(here, "n2", Content(text="No {really\\}"), answers="n1", seen_by="link")
    scribe.line(here, "l1", 4, 1, title='Gold "first"')
    scribe.line(Place(number=21, line="l1"), "l2", 3, 2, redeal=True, seat=2)
    scribe.line(Place(number=23, line="l2"), "l3", 0, 3)
    scribe.note(Place(number=22, line="l2"), "n3", Content(hexes={"c7": "red"}, city="c7"))
    return scribe.events, scribe.book
