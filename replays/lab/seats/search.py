"""The search: many set-ups play few games each, the fairest of them more, the best most of all.

Every set-up meets the same deals, and everything follows from the seed, whoever plays.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec

from engine.material import library
from engine.material.board import Board, encode_material
from events.material import BeginnerSetup, BoardData
from replays.lab.matrix import Batch, MatrixCell, batches
from replays.lab.seats.proposals import changed, is_sound, make_sound, propose
from replays.lab.seats.sites import SiteValues, scatter
from replays.lab.seats.tally import Tally, root_mean_square, shown, tally_games
from replays.lab.workers import be_a_worker

Play = Callable[[Sequence[Batch]], list[Tally]]
Watch = Callable[[str], None]

GAMES_AT_ONCE = 10
STEWARDS = ("steward",)
PER_CHANGE = 0.0005
"""What a tile or castle that lies elsewhere may cost in fairness: of equals the more familiar."""


class Effort(msgspec.Struct, frozen=True):
    """How long is searched."""

    survey: int = 200
    """Games by player from which the sites' values are guessed."""
    guesses: int = 1500
    """Set-ups of which the best by these values are the first generation."""
    generations: int = 6
    steps: int = 300
    """Steps from those that are left, of which the most promising are the next generation."""
    proposals: int = 4
    left: int = 1
    """So many of each generation meet their parents, on equal games."""
    parents: int = 2
    """So many are left of each generation."""
    more: int = 120
    """So many games each generation is judged by more than the one before."""
    enough: float = 0.012
    sure_after: int = 600
    """After so many games a set-up whose seats are all so near to their share ends the search."""
    final: int = 500
    """Games by which the last ones are judged, none of them played before; without, the best is
    taken as it is."""


class Candidate:
    """A set-up and what its games have shown so far, by the bots that played them."""

    def __init__(self, setup: BeginnerSetup, players: int, steps: int, bots: Sequence[str]) -> None:
        self.setup, self.steps = setup, steps
        self.tallies = {each: Tally.empty(players) for each in bots}

    @property
    def cost(self) -> float:
        uneven = root_mean_square([each.unfairness for each in self.tallies.values()])
        return uneven + PER_CHANGE * self.steps

    @property
    def strength(self) -> list[float]:
        """By seat how far it is above or below the others, whoever plays."""
        each = zip(*(tally.strength for tally in self.tallies.values()), strict=True)
        return [sum(found) / len(found) for found in each]

    @property
    def worst(self) -> float:
        return max(each.worst for each in self.tallies.values())

    @property
    def games(self) -> int:
        return min(each.games for each in self.tallies.values())


class Search:
    """The search for one number of players."""

    def __init__(
        self,
        data: BoardData,
        players: int,
        seed: int,
        play: Play,
        watch: Watch,
        effort: Effort | None = None,
        bots: Sequence[str] = STEWARDS,
    ) -> None:
        self.data, self.board, self.players, self.seed = data, Board(data), players, seed
        self.play, self.watch = play, watch
        self.bots = list(dict.fromkeys(bots))
        """For each of these the seats are to be fair."""
        self.effort = effort or Effort()
        self.dice = Random(f"seats/{seed}/{players}")
        self.before = data.setups[str(players)]  # type: ignore[index]
        self.values = [SiteValues([])]

    def run(self) -> BeginnerSetup:
        """The fairest set-up that is found."""
        first = self.before
        if not is_sound(self.board, self.players, first):
            first = make_sound(self.board, self.players, first, self.dice)
        best, effort = list[Candidate](), self.effort
        fresh = self._guess(first)
        for generation in range(1, effort.generations + 1):
            fresh = fresh or self._proposals(best)
            self._play(fresh, effort.more)
            best += sorted(fresh, key=_cost)[: effort.left]
            # Who was lucky so far plays on, and is found out.
            self._play(best, (generation + 1) * effort.more)
            best, fresh = sorted(best, key=_cost)[: effort.parents], []
            self._tell(f"generation {generation}", best[0])
            if best[0].games >= effort.sure_after and best[0].worst <= effort.enough:
                break
        return (self._judge(best) if effort.final else best[0]).setup

    def _guess(self, first: BeginnerSetup) -> list[Candidate]:
        """The first generation: set-ups whose castles stand on sites of equal worth together."""
        setups = [
            scatter(self.board, self.players, first, self.dice)
            for _ in range(self.effort.survey * self.players)
        ]
        self.values = [self._values_by(setups, bots) for bots in self.bots]
        self.watch(f"{self.players} players: {len(setups)} games on as many set-ups")
        found = {encode_material(first): first}
        for _ in range(self.effort.guesses):
            setup = scatter(self.board, self.players, first, self.dice)
            found.setdefault(encode_material(setup), setup)
        ranked = sorted(
            map(self._candidate, found.values()),
            key=lambda each: self._guessed(each.setup) + PER_CHANGE * each.steps,
        )
        return ranked[: self.effort.proposals]

    def _values_by(self, setups: Sequence[BeginnerSetup], bots: str) -> SiteValues:
        cells = [self._cell(setup, self.seed, bots) for setup in setups]
        work = [Batch(cell, [number]) for number, cell in enumerate(cells, start=1)]
        tallies = self.play(work)
        return SiteValues([(s, each.strength) for s, each in zip(setups, tallies, strict=True)])

    def _guessed(self, setup: BeginnerSetup) -> float:
        """How uneven its seats are by the worth of its sites."""
        return root_mean_square([values.unfairness(setup) for values in self.values])

    def _candidate(self, setup: BeginnerSetup) -> Candidate:
        return Candidate(setup, self.players, changed(setup, self.before), self.bots)

    def _proposals(self, parents: Sequence[Candidate]) -> list[Candidate]:
        """Steps that take from seats as much as they have too much, by the worth of sites."""
        promise: dict[bytes, float] = {encode_material(each.setup): 0.0 for each in parents}
        found: list[tuple[float, Candidate]] = []
        for _ in range(self.effort.steps):
            parent = self.dice.choice(parents)
            setup = propose(self.board, self.players, parent.setup, parent.strength, self.dice)
            candidate, key = self._candidate(setup), encode_material(setup)
            if key not in promise:
                promise[key] = self._promise(parent, setup) + PER_CHANGE * candidate.steps
                found.append((promise[key], candidate))
        found.sort(key=lambda each: each[0])
        return [candidate for _, candidate in found[: self.effort.proposals]]

    def _promise(self, parent: Candidate, setup: BeginnerSetup) -> float:
        """How uneven its seats are, by the games on its parent and the worth of its sites."""
        guesses = []
        for tally, values in zip(parent.tallies.values(), self.values, strict=True):
            before, after = map(values.strengths, (parent.setup, setup))
            each = zip(tally.strength, before, after, strict=True)
            guesses.append(root_mean_square([s + b - a for s, a, b in each]))
        return root_mean_square(guesses)

    def _judge(self, best: Sequence[Candidate]) -> Candidate:
        """By games that no choice was made by."""
        fresh = [self._candidate(each.setup) for each in best]
        self._play(fresh, self.effort.final, seed=self.seed + 1)
        found = min(fresh, key=lambda each: each.worst)
        self._tell("judged", found)
        return found

    def _tell(self, when: str, best: Candidate) -> None:
        equal = 1 / self.players
        found = ", ".join(
            f"{bots} {shown([off + equal for off in tally.off])} %"
            for bots, tally in best.tallies.items()
        )
        self.watch(
            f"{self.players} players, {when}: {found} in {best.games} games,"
            f" {best.steps} parts changed, castles {best.setup.castles}"
        )

    def _play(self, candidates: Sequence[Candidate], games: int, seed: int | None = None) -> None:
        """Let each candidate have played so many games."""
        work = [
            (tally, batch)
            for each in candidates
            for bots, tally in each.tallies.items()
            for batch in batches(
                self._cell(each.setup, self.seed if seed is None else seed, bots),
                range(tally.games + 1, games + 1),
                GAMES_AT_ONCE,
            )
        ]
        for (tally, _), found in zip(work, self.play([b for _, b in work]), strict=True):
            tally.add(found)

    def _cell(self, setup: BeginnerSetup, seed: int, bots: str) -> MatrixCell:
        return MatrixCell(
            rules=library.ruleset(),
            bots=bots,
            players=self.players,
            setup="beginner",
            seed=seed,
            board=encode_material(library.custom_board_ref(self.with_setup(setup))),
        )

    def with_setup(self, setup: BeginnerSetup) -> BoardData:
        setups: dict[Any, BeginnerSetup] = {**self.data.setups, str(self.players): setup}
        return msgspec.structs.replace(self.data, setups=setups)


def _cost(candidate: Candidate) -> float:
    return candidate.cost


@contextmanager
def players_at(jobs: int) -> Iterator[Play]:
    """Who plays: this process, or several. The tallies come in the order of the batches."""
    if jobs <= 1:
        yield lambda work: [tally_games(batch) for batch in work]
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=be_a_worker) as pool:
        yield lambda work: list(pool.map(tally_games, work))
