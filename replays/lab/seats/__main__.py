"""Searches for fair seats: `python -m replays.lab.seats --players 4 --out board.json`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.errors import BadMaterial
from engine.material import library
from engine.material.inspection import write_material
from replays.files.material import load_board
from replays.lab.matrix import LAB_BOTS
from replays.lab.seats.search import STEWARDS, Effort, Search, players_at

SIZES = (2, 3, 4, 5)
MOST = 100_000


def main(words: Sequence[str]) -> int:
    wanted = parser().parse_args(words)
    try:
        data = library.resolve_board(load_board(wanted.board)).data
        data = msgspec.structs.replace(data, name=wanted.name or data.name)
        effort = Effort(
            wanted.survey,
            generations=wanted.generations,
            proposals=wanted.proposals,
            more=wanted.more,
            left=wanted.left,
            final=wanted.final,
        )
        with players_at(wanted.jobs) as play:
            for players in wanted.players or SIZES:
                if str(players) not in data.setups:
                    return complain(f"{wanted.board} has no set-up for {players} players")
                bots = wanted.bots or STEWARDS
                search = Search(data, players, wanted.seed, play, tell, effort, bots)
                data = search.with_setup(search.run())
        wanted.out.write_bytes(write_material(data))
    except (BadMaterial, LookupError, OSError) as error:
        return complain(str(error))
    return 0


def number(word: str) -> int:
    """Not more than anyone waits for."""
    found = int(word)
    if not 0 <= found <= MOST:
        raise argparse.ArgumentTypeError(f"{word} is not from 0 to {MOST}")
    return found


def parser() -> argparse.ArgumentParser:
    usual = Effort()
    found = argparse.ArgumentParser(
        prog="python -m replays.lab.seats",
        description="Change a board's beginner set-ups until every seat wins its share.",
    )
    found.add_argument("--board", default=library.DEFAULT_BOARD, help="a name or a file")
    found.add_argument("--name", default="", help="what the new board is called")
    found.add_argument(
        "--players",
        type=int,
        choices=SIZES,
        action="append",
        metavar="N",
        help="this set-up only; may be repeated",
    )
    found.add_argument("--seed", type=int, default=1, help="the same seed finds the same board")
    found.add_argument(
        "--bots",
        choices=LAB_BOTS,
        action="append",
        metavar="BOTS",
        help="for whom the seats shall be fair; may be repeated (steward)",
    )
    found.add_argument("--survey", type=number, default=usual.survey, help="games to guess by")
    found.add_argument("--generations", type=number, default=usual.generations)
    found.add_argument("--proposals", type=number, default=usual.proposals, help="tried of these")
    found.add_argument("--more", type=number, default=usual.more, help="games for each of them")
    found.add_argument("--left", type=number, default=usual.left, help="judged of a generation")
    found.add_argument("--final", type=number, default=usual.final, help="games to judge by")
    found.add_argument("--jobs", type=number, default=1, help="processes")
    found.add_argument("--out", type=Path, required=True, help="the file to write")
    return found


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def complain(why: str) -> int:
    print(f"seats: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
