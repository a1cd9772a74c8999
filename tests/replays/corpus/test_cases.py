"""A moment made a test: it holds under these rules, fails under others, tells no hidden card."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from engine.bots import RandomBot
from engine.chance.resample import resample
from engine.errors import CannotFold
from engine.fold import fold
from engine.material import library
from engine.selfplay import new_game, play_out
from events.errors import BadLog
from events.types import AnyEvent, Build, GameStarted, TakeGold, YearClosed
from replays.corpus import cases
from replays.corpus.case_file import load_case, read_case, write_case
from replays.corpus.cases import case_at, dealt_anew, judge_case, make_case, renewed
from replays.corpus.games import followed_games, load_attempts
from tests.amounts import one_in

GAMES = followed_games()
NAMED = msgspec.structs.replace


@pytest.mark.parametrize("name", one_in(6, list(GAMES)))
def test_a_case_of_any_event_holds_and_is_read_as_it_was_written(name: str) -> None:
    events = GAMES[name]
    for number in range(2, len(events) + 1, 17):
        case = case_at(events, number)
        assert read_case(write_case(case)) == case
        assert judge_case(case) == []


def test_every_kind_of_refusal_can_be_a_case() -> None:
    seen = set()
    for attempt in load_attempts():
        if attempt.reason not in seen:
            seen.add(attempt.reason)
            case = make_case(GAMES[attempt.game][: attempt.after], attempt.event)
            assert not case.then.legal
            assert case.then.refused == attempt.reason
            assert judge_case(read_case(write_case(case))) == []
    assert len(seen) > 40


def test_what_is_otherwise_is_told_in_words() -> None:
    case = case_at(GAMES["four-experts"], 60)
    other = msgspec.structs.replace(case, then=msgspec.structs.replace(case.then, effects=["No."]))
    told = judge_case(other)
    assert told[0] == "Seat 4 builds a market on a9."
    assert told[1].startswith("Given: Year ")
    assert "-No." in told
    assert renewed(other) == case


def test_another_ruleset_is_another_outcome() -> None:
    name, events = next(iter(GAMES.items()))
    limited = library.ruleset("no-limits")
    found = [
        judge_case(case_at(events, number), limited) for number in range(2, len(events) + 1, 5)
    ]
    assert any(found), name


def test_an_engine_that_breaks_gives_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_at(GAMES["four-experts"], 60)

    def broken(*_: object) -> None:
        raise KeyError("farm")

    monkeypatch.setattr(cases, "apply", broken)
    assert judge_case(case)[-1] == "But now: It is refused: KeyError: 'farm' (broken)"


def test_nobodys_name_and_no_time_is_in_it() -> None:
    game = play_out(new_game(2, "names"), RandomBot(1))
    opening = game.events[0]
    seats = [NAMED(seat, name=f"Person {seat.name}") for seat in opening.seats]  # type: ignore[union-attr]
    events: list[AnyEvent] = [NAMED(opening, seats=seats, time=5), *game.events[1:]]
    written = write_case(case_at(events, 9))
    assert b"Person" not in written
    assert b'"time"' not in written


def running(seat_to_poll: int = 0) -> list[AnyEvent]:
    game = play_out(new_game(3, "running"), RandomBot(3))
    years = [place for place, event in enumerate(game.events) if isinstance(event, YearClosed)]
    return game.events[: years[3] + 6]


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_of_a_running_game_nothing_hidden_is_in_it(seat: int) -> None:
    """Exchange what a seat does not know, and the file stays the same."""
    events = running()
    other = resample(events, fold(events), random.Random(seat), seat)
    assert other != events
    assert any(isinstance(event, YearClosed) for event in events)
    for number in (2, 20, len(events)):
        one, two = case_at(events, number, knower=seat), case_at(other, number, knower=seat)
        assert write_case(one) == write_case(two)
        assert judge_case(one) == []


def test_a_redealt_log_has_neither_secret_nor_the_digests_of_the_real_cards() -> None:
    events = running()
    hidden = dealt_anew(events, 1)
    start = next(event for event in hidden if isinstance(event, GameStarted))
    assert start.secret == ""
    ours, theirs = (
        [event.digest for event in log if isinstance(event, YearClosed)] for log in (hidden, events)
    )
    assert not set(ours) & set(theirs)


def test_the_first_event_and_none_are_no_case() -> None:
    events = GAMES["four-experts"]
    for number in (0, 1, len(events) + 1):
        with pytest.raises(CannotFold, match="from 2 to"):
            case_at(events, number)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((b"lacitta-case", b"lacitta-game"), "invalid value"),
        ((b"version = 1", b"version = 2"), "version 2 is newer"),
        ((b"[then]", b"[then"), "expected"),
        ((b'{"type":"started"', b'{"type":"stated"'), "stated"),
        ((b"legal = true", b"legal = 7"), "expected `bool`"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    change: tuple[bytes, bytes], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.case.toml"
    file.write_bytes(write_case(case_at(GAMES["four-experts"], 9)).replace(*change))
    with pytest.raises(BadLog, match=f"(?i)x.case.toml: .*{message}"):
        load_case(file)


def test_a_word_that_toml_could_mistake_is_kept() -> None:
    case = make_case(
        new_game(2, 1).events,
        Build(seat=1, building="farm", at="d4", card="action"),
        title="it's '''\\ \x7f \"so\"\n",
    )
    assert read_case(write_case(case)).title == case.title
    assert make_case(new_game(2, 1).events, TakeGold(seat=2)).then.refused == "not-awaited"
