"""What reviews are worth, measured over many games; REVIEWS.md says what came of it.

    python -m tests.replays.review.evidence princes FROM TO OUT.jsonl
    python -m tests.replays.review.evidence ranking FROM TO OUT.jsonl
    python -m tests.replays.review.evidence blunders FROM TO OUT.jsonl
    python -m tests.replays.review.evidence luck FROM TO OUT.jsonl
    python -m tests.replays.review.evidence luck-in-full FROM TO OUT.jsonl
    python -m tests.replays.review.evidence hindsight FROM TO OUT.jsonl
    python -m tests.replays.review.evidence tell OUT.jsonl …

Each game follows from its number and adds a line, so that a long run can be cut into pieces. The
lines hold what was found out; marks are given when they are told of, so that other rules for marks
can be tried on the same lines.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean, pvariance

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import Bot, PrinceBot, StewardBot, make_bot
from engine.bots.prospects import prospects
from engine.selfplay import ask, new_game, play_out
from events.types import AnyEvent
from replays.cursor import Cursor
from replays.estimates import Estimate, Moments, mean_estimate, share_estimate
from replays.review.chance import reveals
from replays.review.game import Decision, accuracy, choices, graph_point, review_decision
from replays.review.luck import BUDGET_OF_A_WORLD, event_luck
from replays.review.marks import mark_of
from replays.review.run import COARSE

FULL = 1600
"""The budget of a full review of a game for four, about."""
REFERENCE = 6400
"""The budget by which a planted action is called a blunder, in other worlds than the review's."""
LOST, CLEARLY = 0.10, 0.05
"""A planted blunder: by the reference it loses so much of the win, and its interval lies above
this."""
PLANTED_FROM, PLANTED_TO = 4, 100
"""Between which decisions of a game for four one is planted."""
ALSO_IN_FULL = 10
"""One of so many games of prince, steward and random has its prince reviewed in full as well."""
TRIED = 12
"""How many of the other actions are looked at, in a draw by lot, before a game is given up."""


class Verdict(msgspec.Struct, frozen=True):
    """What a review found out about a decision; nothing where no other was worth a look."""

    bot: int
    win: Estimate | None = None
    points: Estimate | None = None
    worlds: int = 0

    def wrong(self, players: int) -> bool:
        """Whether it is marked as a mistake or a blunder."""
        mark = mark_of(self.win, players, obvious=True) if self.win is not None else ""
        return mark in ("mistake", "blunder")


class Princes(msgspec.Struct, tag="princes"):
    """All decisions of a game of four princes, by budget."""

    seed: int
    verdicts: dict[str, list[Verdict]]


class Ranking(msgspec.Struct, tag="ranking"):
    """Accuracy of prince, steward and random in a game of theirs, and what was found out; in some
    games of the prince in full as well."""

    seed: int
    accuracy: list[float]
    verdicts: list[Verdict]
    in_full: list[Verdict]


class Blunder(msgspec.Struct, tag="blunder"):
    """A blunder that was planted: what the reference says that it lost, and the review, by
    budget."""

    seed: int
    bot: str
    lost: float
    verdicts: dict[str, Verdict]


class Luck(msgspec.Struct, tag="luck"):
    """Per seat the result of a game and the luck in it, by kind of chance."""

    seed: int
    wins: list[float]
    points: list[float]
    of_wins: list[dict[str, float]]
    of_points: list[dict[str, float]]


class Graphs(msgspec.Struct, tag="graphs"):
    """How far the graphs of a game were from its end, and how far they jumped, in squares."""

    seed: int
    off: list[float]
    jumps: list[float]


Line = Princes | Ranking | Blunder | Luck | Graphs


def princes(seed: int) -> Princes:
    bots = [PrinceBot(f"{seed}/{seat}") for seat in range(4)]
    game = Cursor(play_out(new_game(4, f"princes/{seed}"), bots).events)
    verdicts = {
        str(budget): [
            verdict(0, review_decision(game, number, "review", budget)) for number in choices(game)
        ]
        for budget in (COARSE, FULL)
    }
    return Princes(seed, verdicts)


def verdict(bot: int, decision: Decision) -> Verdict:
    judgement = decision.judgement
    if judgement is None:
        return Verdict(bot)
    return Verdict(bot, judgement.win, judgement.points, judgement.worlds)


def ranking(seed: int) -> Ranking:
    """Prince, steward and random, each in every seat in turn."""
    order = [(place + seed) % 3 for place in range(3)]
    bots: list[Bot] = [PrinceBot(seed), StewardBot(seed), make_bot("random", seed)]
    game = Cursor(play_out(new_game(3, f"ranking/{seed}"), [bots[n] for n in order]).events)
    found = [review_decision(game, number, "a", COARSE) for number in choices(game)]
    own = [decision.number for decision in found if order[decision.seat - 1] == 0]
    own = [] if seed % ALSO_IN_FULL else own
    return Ranking(
        seed,
        [accuracy(order.index(n) + 1, found).whole for n in range(3)],
        [verdict(order[decision.seat - 1], decision) for decision in found],
        [verdict(0, review_decision(game, number, "b", FULL)) for number in own],
    )


def blunders(seed: int) -> Blunder | None:
    """Stewards play up to some decision, in every second game princes the last eight; there
    somebody does something, drawn by lot, that loses clearly. None where nothing was found."""
    dice = random.Random(f"blunder/{seed}")
    name = "prince" if seed % 2 else "steward"
    game = new_game(4, f"blunder/{seed}")
    steward, prince = StewardBot(seed), PrinceBot(seed, nodes=300)
    at = dice.randint(PLANTED_FROM, PLANTED_TO)
    for number in range(at):
        bot = prince if name == "prince" and number >= at - 8 else steward
        game.add(ask(bot, game.state, min(game.state.awaiting)))
    seat = min(game.state.awaiting)
    actions = legal_actions(game.state, seat)
    number = len(game.events) + 1
    for action in dice.sample(actions, min(TRIED, len(actions))):
        log: list[AnyEvent] = [*game.events, action]
        if _lost(log, number, "screen", COARSE)[0] < LOST:
            continue
        lost, low = _lost(log, number, "reference", REFERENCE)
        if lost >= LOST and low > CLEARLY:
            verdicts = {
                str(budget): verdict(0, review_decision(Cursor(log), number, "review", budget))
                for budget in (COARSE, FULL)
            }
            return Blunder(seed, name, lost, verdicts)
    return None


def _lost(log: Sequence[AnyEvent], number: int, seed: str, budget: int) -> tuple[float, float]:
    judgement = review_decision(Cursor(log), number, seed, budget).judgement
    return (judgement.win.value, judgement.win.low) if judgement is not None else (0.0, 0.0)


def luck(seed: int, budget: int = BUDGET_OF_A_WORLD) -> Luck:
    """Four stewards; where the number is divisible by ten, two of them are hasty princes. What the
    opening dealt is looked at in full: it is the same for all games. The rest in one world, or in
    as many as a review with this budget looks at."""
    bots: list[Bot] = [
        PrinceBot(f"{seed}/{seat}", nodes=100) if seed % 10 == 0 and seat % 2 else StewardBot(seed)
        for seat in range(4)
    ]
    game = Cursor(play_out(new_game(4, f"luck/{seed}"), bots).events)
    lucks = [
        event_luck(game.events, number, "a", FULL if number == 2 else budget)
        for number in reveals(game.events)
    ]
    draws = [draw for each in lucks for draw in each.draws]
    seats = range(4)
    of_wins: list[dict[str, float]] = [{} for _ in seats]
    of_points: list[dict[str, float]] = [{} for _ in seats]
    for draw in draws:
        for seat in seats:
            for found, values in ((of_wins, draw.win), (of_points, draw.points)):
                found[seat][draw.chance] = found[seat].get(draw.chance, 0.0) + values[seat]
    result = list(prospects(game.at(game.last)).values())
    return Luck(
        seed, [one.win for one in result], [one.points for one in result], of_wins, of_points
    )


def hindsight(seed: int) -> Graphs:
    game = Cursor(play_out(new_game(4, f"graphs/{seed}"), StewardBot(seed)).events)
    points = [graph_point(game, number) for number in choices(game)]
    end = [each.win for each in prospects(game.at(game.last)).values()]
    lines = [[point.win for point in points], [point.hindsight for point in points]]
    return Graphs(
        seed,
        [fmean(_apart(each, end) for each in line) for line in lines],
        [fmean(_apart(one, two) for one, two in pairwise(line)) for line in lines],
    )


def _apart(one: Sequence[float], two: Sequence[float]) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


MEASURES: dict[str, Callable[[int], Line | None]] = {
    "princes": princes,
    "ranking": ranking,
    "blunders": blunders,
    "luck": luck,
    "luck-in-full": partial(luck, budget=FULL),
    "hindsight": hindsight,
}


def tell(lines: Sequence[Line]) -> None:
    tell_princes([line for line in lines if isinstance(line, Princes)])
    tell_ranking([line for line in lines if isinstance(line, Ranking)])
    tell_blunders([line for line in lines if isinstance(line, Blunder)])
    tell_luck([line for line in lines if isinstance(line, Luck)])
    tell_graphs([line for line in lines if isinstance(line, Graphs)])


def tell_princes(lines: Sequence[Princes]) -> None:
    for budget in lines[0].verdicts if lines else ():
        tell_wrong(
            f"princes, {len(lines)} games, at {budget}",
            [each for one in lines for each in one.verdicts[budget]],
        )


def tell_wrong(name: str, verdicts: Sequence[Verdict], players: int = 4) -> None:
    wrong = sum(each.wrong(players) for each in verdicts)
    found = share_estimate(wrong, len(verdicts))
    print(
        f"{name}: mistakes or blunders {wrong} of {len(verdicts)}, {found.value:.3f}"
        f" ({found.low:.3f} to {found.high:.3f})"
    )


def tell_ranking(lines: Sequence[Ranking]) -> None:
    if not lines:
        return
    ranked = sum(one.accuracy[0] > one.accuracy[1] > one.accuracy[2] for one in lines)
    print(f"prince above steward above random: {ranked} of {len(lines)}")
    for bot, name in enumerate(("prince", "steward", "random")):
        mean = fmean(one.accuracy[bot] for one in lines)
        own = [each for one in lines for each in one.verdicts if each.bot == bot]
        tell_wrong(f"  {name}: accuracy {mean:.1f}", own, 3)
    tell_wrong("  prince in full", [each for one in lines for each in one.in_full], 3)


def tell_blunders(lines: Sequence[Blunder]) -> None:
    for budget in lines[0].verdicts if lines else ():
        tell_wrong(f"planted blunders at {budget}", [one.verdicts[budget] for one in lines])
        for name in ("steward", "prince"):
            of = [one.verdicts[budget] for one in lines if one.bot == name]
            tell_wrong(f"  in {name} games", of)


def tell_luck(lines: Sequence[Luck]) -> None:
    if not lines:
        return
    for name, results, lucks in (
        ("win", [one.wins for one in lines], [one.of_wins for one in lines]),
        ("points", [one.points for one in lines], [one.of_points for one in lines]),
    ):
        means = []
        for seat in range(4):
            moments = Moments()
            for each in lucks:
                moments.add(sum(each[seat].values()))
            found = mean_estimate(moments)
            means.append(f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})")
        raw = [result for each in results for result in each]
        whole = [sum(seat.values()) for each in lucks for seat in each]
        left = pvariance([r - w for r, w in zip(raw, whole, strict=True)]) / pvariance(raw)
        print(f"luck in {name}, {len(lines)} games: mean by seat {', '.join(means)}")
        print(
            f"  variance of the result less luck: {left:.3f} of the raw one ({pvariance(raw):.3f})"
        )
        for chance in sorted({key for each in lucks for seat in each for key in seat}):
            some = [seat.get(chance, 0.0) for each in lucks for seat in each]
            alone = pvariance([r - w for r, w in zip(raw, some, strict=True)]) / pvariance(raw)
            print(f"    {chance} alone: {alone:.3f}")


def tell_graphs(lines: Sequence[Graphs]) -> None:
    for n, name in enumerate(("by what all knew", "with hindsight")) if lines else ():
        off, jumps = fmean(one.off[n] for one in lines), fmean(one.jumps[n] for one in lines)
        print(f"graph {name}, {len(lines)} games: squares off the end {off:.4f}, jumps {jumps:.4f}")


def read(files: Iterable[str]) -> list[Line]:
    decode = msgspec.json.Decoder(Line).decode
    return [decode(line) for file in files for line in Path(file).read_bytes().splitlines()]


def main(command: str, *words: str) -> None:
    if command == "tell":
        tell(read(words))
        return
    first, last, out = int(words[0]), int(words[1]), Path(words[2])
    for seed in range(first, last):
        line = MEASURES[command](seed)
        if line is not None:
            with out.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
