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
FAIR = 0.025
"""So near to its share every seat is where stewards find a set-up fair."""
FINALISTS = 8
PRINCES = "quick-prince"
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
    princes: int = 0
    """Games of princes by which those are judged at last that are fair for stewards."""


class Candidate:
    """A set-up and what its games have shown so far."""

    def __init__(self, setup: BeginnerSetup, players: int, steps: int) -> None:
        self.setup, self.steps = setup, steps
        self.tally = Tally.empty(players)

    @property
    def cost(self) -> float:
        return self.tally.unfairness + PER_CHANGE * self.steps


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
        bots: str = "steward",
    ) -> None:
        self.data, self.board, self.players, self.seed = data, Board(data), players, seed
        self.play, self.watch, self.bots = play, watch, bots
        self.effort = effort or Effort()
        self.dice = Random(f"seats/{seed}/{players}")
        self.before = data.setups[str(players)]  # type: ignore[index]
        self.values = SiteValues([])
        self.fair: list[Candidate] = []
        """The set-ups that stewards found fair when they had played there long enough."""

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
            self._note_fair(best)
            best, fresh = sorted(best, key=_cost)[: effort.parents], []
            self._tell(f"generation {generation}", best[0])
            if best[0].tally.games >= effort.sure_after and best[0].tally.worst <= effort.enough:
                break
        if effort.princes:
            return self._judge_by_princes(best[0]).setup
        return (self._judge(best) if effort.final else best[0]).setup

    def _note_fair(self, candidates: Sequence[Candidate]) -> None:
        for each in candidates:
            if each.tally.worst <= FAIR and each not in self.fair:
                self.fair.append(each)

    def _judge_by_princes(self, best: Candidate) -> Candidate:
        """What is fair for stewards need not be for who looks further ahead."""
        fair = sorted([each for each in self.fair if each.tally.worst <= FAIR] or [best], key=_cost)
        found: list[tuple[float, int, Candidate]] = []
        for number, each in enumerate(fair[:FINALISTS]):
            judged = self._candidate(each.setup)
            self._play([judged], self.effort.princes, bots=PRINCES)
            self._tell("by princes", judged)
            found.append((judged.tally.unfairness, number, each))
        return min(found)[2]

    def _guess(self, first: BeginnerSetup) -> list[Candidate]:
        """The first generation: set-ups whose castles stand on sites of equal worth together."""
        setups = [
            scatter(self.board, self.players, first, self.dice)
            for _ in range(self.effort.survey * self.players)
        ]
        cells = [self._cell(setup, self.seed) for setup in setups]
        work = [Batch(cell, [number]) for number, cell in enumerate(cells, start=1)]
        samples = [(s, tally.strength) for s, tally in zip(setups, self.play(work), strict=True)]
        values = self.values = SiteValues(samples)
        self.watch(f"{self.players} players: {len(setups)} games on as many set-ups")
        found = {encode_material(first): first}
        for _ in range(self.effort.guesses):
            setup = scatter(self.board, self.players, first, self.dice)
            found.setdefault(encode_material(setup), setup)
        ranked = sorted(
            map(self._candidate, found.values()),
            key=lambda each: values.unfairness(each.setup) + PER_CHANGE * each.steps,
        )
        return ranked[: self.effort.proposals]

    def _candidate(self, setup: BeginnerSetup) -> Candidate:
        return Candidate(setup, self.players, changed(setup, self.before))

    def _proposals(self, parents: Sequence[Candidate]) -> list[Candidate]:
        """Steps that take from seats as much as they have too much, by the worth of sites."""
        promise: dict[bytes, float] = {encode_material(each.setup): 0.0 for each in parents}
        found: list[tuple[float, Candidate]] = []
        for _ in range(self.effort.steps):
            parent = self.dice.choice(parents)
            strength = parent.tally.strength
            setup = propose(self.board, self.players, parent.setup, strength, self.dice)
            before, after = map(self.values.strengths, (parent.setup, setup))
            guess = [s + b - a for s, a, b in zip(strength, before, after, strict=True)]
            candidate, key = self._candidate(setup), encode_material(setup)
            if key not in promise:
                promise[key] = root_mean_square(guess) + PER_CHANGE * candidate.steps
                found.append((promise[key], candidate))
        found.sort(key=lambda each: each[0])
        return [candidate for _, candidate in found[: self.effort.proposals]]

    def _judge(self, best: Sequence[Candidate]) -> Candidate:
        """By games that no choice was made by."""
        fresh = [self._candidate(each.setup) for each in best]
        self._play(fresh, self.effort.final, seed=self.seed + 1)
        found = min(fresh, key=lambda each: each.tally.worst)
        self._tell("judged", found)
        return found

    def _tell(self, when: str, best: Candidate) -> None:
        tally = best.tally
        shares = [off + 1 / self.players for off in tally.off]
        self.watch(
            f"{self.players} players, {when}: {shown(shares)} % in {tally.games} games,"
            f" {best.steps} parts changed, castles {best.setup.castles}"
        )

    def _play(
        self,
        candidates: Sequence[Candidate],
        games: int,
        seed: int | None = None,
        bots: str = "",
    ) -> None:
        """Let each candidate have played so many games."""
        work = [
            (each, batch)
            for each in candidates
            for batch in batches(
                self._cell(each.setup, self.seed if seed is None else seed, bots),
                range(each.tally.games + 1, games + 1),
                GAMES_AT_ONCE,
            )
        ]
        for (each, _), found in zip(work, self.play([b for _, b in work]), strict=True):
            each.tally.add(found)

    def _cell(self, setup: BeginnerSetup, seed: int, bots: str = "") -> MatrixCell:
        return MatrixCell(
            rules=library.ruleset(),
            bots=bots or self.bots,
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
