"""An annotated game to share, and a shared file read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from engine.bots import make_bot
from engine.selfplay import Game, new_game, play_out
from events.types import AnyEvent
from replays.cursor import Cursor
from replays.notes import annotations as a
from replays.notes.annotations import GLYPHS, AnyWritten, Arrow, Author, Content, Place
from replays.notes.notebook import Notebook, read_notebook
from replays.whatif.lines import let_bot_play
from web.drawing.layers import Layered
from web.moments.fragments import Splice
from web.share.contents import Shared
from web.share.phrases import FIRST, LAST

ANNA, BERT = Author(name="Anna", person="p1"), Author(name="Bert", person="p2")
TEXT = (
    "**Too early.** The [people](https://example.org/people) will ask for *health*, and nobody"
    " builds a bath while the lake is free. A farm first, then the cathedral.\n\n" * 3
)


def stewards_game(players: int, seed: int = 1) -> Game:
    game = new_game(players, seed, setup="expert")
    return play_out(game, [make_bot("steward", str(seat)) for seat in range(players)])


def line_from(cursor: Cursor, number: int, turns: int = 6) -> list[AnyEvent]:
    """Another way on, as bots would go."""
    return let_bot_play(cursor.at(number), make_bot("random", "line"), turns)


def written_about(cursor: Cursor, notes: int = 20) -> list[AnyWritten]:
    """Notes with every glyph, marks on the board, an answer, a line and one within it."""
    labels = sorted(cursor.at(cursor.last).board.hex_at)
    step = cursor.last // notes
    glyphs = list(GLYPHS)
    written: list[AnyWritten] = [
        a.Noted(
            by=ANNA,
            note=f"n{place}",
            at=Place(number=step * (place + 1)),
            content=Content(
                text=TEXT,
                glyph=glyphs[place % len(glyphs)],  # type: ignore[arg-type]
                hexes={labels[place]: "red", "z99": "blue"},
                arrows=[Arrow(start=labels[place], end=labels[-place - 1], colour="green")],
            ),
            seen_by="all",
        )
        for place in range(notes)
    ]
    answer = Content(text="Not at all.")
    written.append(
        a.Noted(
            by=BERT, note="r", at=Place(number=step), answers="n0", content=answer, seen_by="all"
        )
    )
    first = line_from(cursor, step)
    written.append(
        a.LineBegun(
            by=ANNA,
            line="wait",
            at=Place(number=step),
            events=first,
            seen_by="all",
            title="Wait a year",
        )
    )
    inner = cursor.branch(step, first)
    written += [
        a.LineBegun(
            by=BERT,
            line="inner",
            at=Place(number=step + 2, line="wait"),
            events=line_from(inner, step + 2, 3),
            seen_by="all",
        ),
        a.Noted(
            by=BERT,
            note="in-line",
            at=Place(number=step + 1, line="wait"),
            content=Content(text="Better.", glyph="!", city=labels[0]),
            seen_by="all",
        ),
    ]
    return written


def book_about(cursor: Cursor, notes: int = 20) -> Notebook:
    return read_notebook(written_about(cursor, notes))


def read_back(page: bytes) -> Shared:
    """What the script is given."""
    found = re.search(rb'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return msgspec.json.decode(found[1], type=Shared)


def spliced(layers: Sequence[Sequence[int]], changes: Sequence[Splice]) -> list[list[int]]:
    """The layers after these splices, as the script makes them."""
    changed = [list(layer) for layer in layers]
    for place, start, gone, *come in changes:
        changed[place][start : start + gone] = come
    return changed


def lengthened(phrases: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Texts with the phrases in them, as the script makes them."""
    signs = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
    return [signs.sub(lambda sign: phrases[ord(sign[0]) - FIRST], text) for text in texts]


def boards(shared: Shared, track: int) -> list[str]:
    """The drawings of a track, moment by moment."""
    pool = lengthened(shared.phrases, shared.pool)
    layers: list[list[int]] = [[] for _ in shared.shell[1:]]
    drawn = []
    for moment in shared.tracks[track].moments:
        layers = spliced(layers, moment.board)
        pieces = [[pool[piece] for piece in layer] for layer in layers]
        drawn.append(Layered(shell=shared.shell, layers=pieces).svg)
    return drawn
