"""The recorded corpus: it holds, it covers everything, and each game goes as it went."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from engine.fold import fold
from engine.material import library
from engine.material.numbers import POLITICS
from engine.refusals import REASONS
from events.codec import GameFile, encode_event, write_game
from events.errors import BadLog
from events.types import AnyEvent, YearClosed
from replays.amendments import Amendment, amendments_in
from replays.corpus.choosing.example import worked_example
from replays.corpus.choosing.recipes import RECIPES
from replays.corpus.choosing.search import find
from replays.corpus.chronicle import chronicle, draw_table
from replays.corpus.coverage import steps, table
from replays.corpus.games import (
    CORPUS,
    REFUSED,
    check_attempts,
    followed_games,
    load_attempts,
    load_games,
    logs_in,
)
from replays.files.proof import prove
from tests.replays.rulechange.fingerprints import line, tell_difference
from tests.text_snapshots import compare

CHRONICLES = Path(__file__).parent / "chronicles"
NAMES = [path.stem for path in logs_in(CORPUS)]


@cache
def corpus() -> dict[str, GameFile]:
    return dict(load_games())


def events_of(name: str) -> list[AnyEvent]:
    """A recorded game, as far as the rules follow it."""
    return games()[name]


@cache
def games() -> dict[str, list[AnyEvent]]:
    return followed_games()


@cache
def signed() -> dict[str, Amendment]:
    return amendments_in(CORPUS)


@cache
def coverage() -> table.Coverage:
    return table.cover({name: events_of(name) for name in NAMES}, load_attempts())


def test_every_game_has_its_chronicle_and_no_other_is_kept() -> None:
    """The plugin compares them: `replays/corpus/recorded` is a folder of tests."""
    assert {path.stem for path in CHRONICLES.glob("*.txt")} == set(NAMES)


def test_every_table(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> None:
    """Where a chronicle says nothing of it, too: every table, and every list of legal actions."""
    compare((line(name, events_of(name)) for name in NAMES), snapshot, request, tell_tables)


def tell_tables(was: list[str], now: list[str]) -> list[str]:
    """The first game that differs in words, the others by name."""
    stored = {each.split()[0]: each for each in was}
    others = [each for each in now if stored.pop(each.split()[0], "") != each]
    names = [each.split()[0] for each in others]
    told = [f"{name}: stored, but no game any more" for name in stored]
    if names:
        recorded = {each.split()[0]: each for each in was}.get(names[0])
        told += (
            [f"{names[0]}: nothing is stored for it yet"]
            if recorded is None
            else tell_difference(recorded, others[0], events_of(names[0]))
        )
        told += [f"Other tables or lists in: {', '.join(names)}."]
    return [*told, "Judge it, and store what is accepted: lacitta review-rules"]


def test_the_first_table_that_differs_is_told_in_words() -> None:
    now = [line(name, events_of(name)) for name in ("dutch", "german", "two-beginners")]
    start, end = now[1].rsplit(" ", 1)
    table, actions = (
        f"{start} {end[:place]}{'A' if end[place] != 'A' else 'B'}{end[place + 1 :]}"
        for place in (4 * 20, 4 * 21 + 2)
    )
    told = tell_tables([now[0], table], now)
    assert told[0] == "german, event 22:"
    assert told[2] == "  The table after it is not the stored one. It is now:"
    assert [text.strip() for text in draw_table(fold(events_of("german")[:22]))] == [
        text.strip() for text in told[3:-2]
    ]
    assert told[-2] == "Other tables or lists in: german, two-beginners."
    told = tell_tables([*now, "chess tables"], [now[0], now[1].replace(end, actions), now[2]])
    assert told[0] == "chess: stored, but no game any more"
    assert told[1] == "german, event 23:"
    assert "instead is not what is stored" in told[3]


def test_everything_is_covered(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> None:
    compare(table.as_text(coverage()).splitlines(), snapshot, request)


def test_nothing_is_missing() -> None:
    """Games that end early by a change of the rules may leave something that none shows any more:
    `python -m replays.corpus.choosing` makes games that do."""
    assert table.missing(coverage()) == []


def test_every_game_holds() -> None:
    for name, file in corpus().items():
        amendment = signed().get(name)
        proof = prove(file.events, amendment)
        cut_short = name == "the-worked-example" or (amendment is not None and amendment.ends > 0)
        assert proof.over is not cut_short, name


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_named(name: str) -> None:
    file = corpus()[name]
    assert (file.header.game, file.header.head) == (name, "")
    assert {event.time for event in file.events} == {0}
    seats = file.events[0].seats  # type: ignore[union-attr]
    assert [seat.name for seat in seats] == [f"Seat {n}" for n in range(1, len(seats) + 1)]


def test_the_corpus_stays_small() -> None:
    sizes = {path.name: path.stat().st_size for path in CORPUS.iterdir()}
    assert sum(sizes.values()) < 850_000
    assert [name for name in sizes if sizes[name] > 30_000 and name != REFUSED] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused(name: str) -> None:
    check_attempts(events_of(name), [a for a in load_attempts() if a.game == name])


def test_every_attempt_is_at_a_recorded_game() -> None:
    assert {attempt.game for attempt in load_attempts()} <= set(NAMES)


def test_an_attempt_that_the_rules_see_otherwise_is_named() -> None:
    attempt = next(attempt for attempt in load_attempts() if attempt.reason == "needs-lake")
    assert attempt.refusal.sentence.endswith(" does not touch a lake.")
    events = events_of(attempt.game)
    change = msgspec.structs.replace
    for wrong, message in (
        (change(attempt, reason="too-near"), "is too-near, but the rules say: .* a lake"),
        (change(attempt, params={"at": "a1"}), "but the rules say: "),
        (change(attempt, after=1000), "but the game ends before"),
        (change(attempt, event=events[attempt.after]), "but the rules allow it"),
    ):
        with pytest.raises(BadLog, match=message):
            check_attempts(events, [wrong])


def test_the_worked_example_shows_its_rules(
    snapshot: SnapshotAssertion, request: pytest.FixtureRequest
) -> None:
    """Detectors find neither less nor more in a game that everybody knows."""
    compare(table.rules_shown(events_of("the-worked-example")), snapshot, request)


def test_the_worked_example_comes_out_as_printed() -> None:
    events = worked_example()
    assert (
        write_game("the-worked-example", events)
        == (CORPUS / "the-worked-example.jsonl").read_bytes()
    )
    text = chronicle(events)
    assert "Seat 1 earns 1 gold from quarries." in text
    assert "city f9: 6 citizens" in text


@pytest.mark.parametrize("name", ["gone-in-the-first-year", "finnish-passes"])
def test_the_corpus_can_be_made_again(name: str) -> None:
    recipe = next(recipe for recipe in RECIPES if recipe.name == name)
    _, events = find(recipe)
    recorded = (CORPUS / f"{name}.jsonl").read_bytes()
    if name in signed():
        recorded = write_game(name, events_of(name))
    assert write_game(name, events) == recorded


def test_there_is_a_recipe_for_every_game() -> None:
    assert sorted([*(recipe.name for recipe in RECIPES), "the-worked-example"]) == sorted(NAMES)


def test_what_is_new_and_in_no_game_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REASONS, "too-late", ("R16", "Too late."))
    monkeypatch.setitem(steps.SHOWS, "R46 a bridge is built", lambda step: False)
    monkeypatch.setattr(table, "POLITICS", (*POLITICS, "bridge"))
    monkeypatch.setattr(table, "RULES", (*steps.RULES, "R47"))
    games = {"gone-in-the-first-year": events_of("gone-in-the-first-year")}
    missed = table.missing(table.cover(games))
    for thing in (
        "reasons for refusal: too-late",
        "rules: R46 a bridge is built",
        "politics cards: bridge",
        "rules: R47 has no detector",
        "events: shuffled",
        "rulesets: de",
        "players: 5",
        "set-ups: expert",
    ):
        assert thing in missed
    assert "players: 2" not in missed


def test_a_digest_of_other_days_does_not_end_a_chronicle() -> None:
    events = events_of("two-beginners")
    forged = [
        msgspec.structs.replace(event, digest="0" * 64) if isinstance(event, YearClosed) else event
        for event in events
    ]
    assert chronicle(forged) == chronicle(events)


def test_what_other_rules_forbid_ends_a_chronicle() -> None:
    events = events_of("two-experts")
    told, other = chronicle(events), chronicle(events, library.ruleset("straight-distance"))
    *same, ends, why = other.splitlines()
    assert told.startswith("\n".join(same[:-1]))
    number = int(ends.split()[5].rstrip(":"))
    assert encode_event(events[number - 1]).decode() in ends
    assert why.startswith("It is not allowed here: ")
    assert why.endswith("(too-near, R10)")


def test_a_ruleset_that_makes_no_difference_leaves_the_chronicle_alone() -> None:
    events = events_of("gone-in-the-first-year")
    for name in library.RULESETS:
        assert chronicle(events, library.ruleset(name)) == chronicle(events)


def test_a_folder_without_attempts_has_none(tmp_path: Path) -> None:
    assert load_attempts(tmp_path) == []
