"""What is to be played: every ruleset with every line-up of bots, table size, set-up and seed.

A game follows from its cell and its number alone, so it does not matter who plays it, when, or
beside which others. Cells that differ only in ruleset, bots or set-up share their deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from engine.bots import BOTS, Bot, PrinceBot, make_bot
from engine.bots.prince import NODES
from engine.material import library
from engine.material.board import encode_material
from engine.selfplay import Game, open_event, play_out, secret_from
from events.material import BoardRef, BoxRef, Ruleset
from events.messages.sentence import Sentence
from events.types import Seat

Setup = Literal["beginner", "expert"]
FIRST = (library.board_ref(library.FIRST_BOARD), library.box_ref())
TOGETHER = "+"
"""Between the bots of a mixed line-up, which take their seats in turn."""
QUICK_PRINCE = "quick-prince"
"""A prince with a tenth of the trials, for many games."""
LAB_BOTS = (*BOTS, QUICK_PRINCE)


class MatrixCell(msgspec.Struct, frozen=True):
    """One sort of game, played again and again under numbers from 1 on."""

    rules: Ruleset
    bots: str
    players: int
    setup: Setup
    seed: int
    board: bytes = b""
    box: bytes = b""
    """How a game's opening names or carries them, as JSON; empty for those of the first games, so
    that these are found in the results that were kept of them."""

    @property
    def line_up(self) -> list[str]:
        """The bot of each seat."""
        names = self.bots.split(TOGETHER)
        return [names[seat % len(names)] for seat in range(self.players)]

    @property
    def fingerprint(self) -> str:
        """What the rules say, and what is played with, whatever they are called."""
        digests = [library.digest(self.rules)]
        digests += [hashlib.sha256(own).hexdigest() for own in (self.board, self.box) if own]
        if len(digests) == 1:
            return digests[0][:12]
        return hashlib.sha256("/".join(digests).encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Sentence:
        """What is played, in words."""
        return Sentence(
            "{ruleset}, {setup}, {players} players, {bots}",
            ruleset=self.rules.name,
            setup=self.setup,
            players=self.players,
            bots=self.bots,
        )


class Batch(msgspec.Struct, frozen=True):
    """Some games of a cell, to be played by one worker at one go."""

    cell: MatrixCell
    numbers: list[int]


def matrix(
    rulesets: Iterable[Ruleset],
    bots: Iterable[str],
    players: Iterable[int],
    setups: Iterable[Setup],
    seeds: Iterable[int],
    board: BoardRef | None = None,
    box: BoxRef | None = None,
) -> list[MatrixCell]:
    """Every combination once, in the order in which they were named.

    >>> rules = [library.ruleset("standard"), library.ruleset("flush")]
    >>> [str(cell) for cell in matrix(rules, ["steward"], [4], ["beginner"], [1])]
    ['standard, beginner, 4 players, steward', 'flush, beginner, 4 players, steward']
    """
    each = product(rulesets, bots, players, setups, seeds)
    given = (board or library.board_ref(), box or library.box_ref())
    own = [b"" if ref in FIRST else encode_material(ref) for ref in given]
    cells = [MatrixCell(*cell, *own) for cell in each]
    return list(dict.fromkeys(cells))


def batches(cell: MatrixCell, numbers: Sequence[int], size: int) -> Iterator[Batch]:
    for first in range(0, len(numbers), size):
        yield Batch(cell, list(numbers[first : first + size]))


def play(cell: MatrixCell, number: int) -> Game:
    """One game, the same for ever for the same cell and number."""
    key = f"{cell.seed}/{number}"
    line_up = cell.line_up
    opening = open_event(
        cell.players,
        cell.rules,
        cell.setup,
        board=msgspec.json.decode(cell.board, type=BoardRef) if cell.board else FIRST[0],
        box=msgspec.json.decode(cell.box, type=BoxRef) if cell.box else FIRST[1],
    )
    seats = [
        Seat(name=seat.name, bot=bot) for seat, bot in zip(opening.seats, line_up, strict=True)
    ]
    game = Game(msgspec.structs.replace(opening, seats=seats), secret_from(key))
    return play_out(game, _bots(line_up, key))


def _bots(line_up: list[str], key: str) -> Bot | list[Bot]:
    """One bot for all seats where all are alike, or one for each."""
    if len(set(line_up)) == 1:
        return _bot(line_up[0], key)
    return [_bot(name, f"{key}/{seat}") for seat, name in enumerate(line_up, start=1)]


def _bot(name: str, key: str) -> Bot:
    return PrinceBot(key, NODES // 10) if name == QUICK_PRINCE else make_bot(name, key)
