"""Nobody sees what they may not know: exchange what is hidden, and every byte stays the same."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.chance.resample import resample
from engine.fold import apply, fold
from engine.material import library
from engine.selfplay import new_game, play_out
from engine.snapshot import position
from engine.state import State
from engine.view import HIDDEN, SPECTATOR, view, view_event
from events.types import AnyEvent, GameStarted, PoliticsShuffled, Poll, YearClosed
from tests.amounts import one_in

encode = msgspec.json.encode


def played(seed: int) -> list[AnyEvent]:
    ruleset = library.RULESETS[seed % len(library.RULESETS)]
    setup = ("beginner", "expert")[seed % 2]
    game = new_game(2 + seed % 4, f"view/{seed}", ruleset, setup)  # type: ignore[arg-type]
    return play_out(game, RandomBot(seed)).events


def what_a_seat_gets(s: State, events: list[AnyEvent], seat: int) -> bytes:
    """Everything that may leave for one viewer: state, log, actions and a bot's choice."""
    actions = legal_actions(s, seat) if seat else []
    choice = RandomBot("same").pick(actions) if actions else None
    seen = [view_event(event, over=False) for event in events]
    return encode([view(s, seat), seen, actions, choice])


def what_differs(log: list[AnyEvent], other: list[AnyEvent]) -> list[AnyEvent]:
    """The events of a log that are not the very same objects in the other one."""
    return [event for event, twin in zip(log, other, strict=True) if event is not twin]


@pytest.mark.parametrize("chunk", one_in(10, range(20)))
def test_views_do_not_depend_on_hidden_cards(chunk: int) -> None:
    """Every seat at every event of 100 games; each moment of a game for one viewer in turn."""
    differing = compared = 0
    for seed in range(chunk * 5, chunk * 5 + 5):
        events = played(seed)
        rng = random.Random(seed)
        real = fold(events[:1])
        for count in range(2, len(events) + 1):
            real_log = events[:count]
            apply(real, real_log[-1])
            if real.phase == "over":
                break
            for seat in range(SPECTATOR, len(real.seats) + 1):
                other_log = resample(real_log, real, rng, seat)
                other = fold(other_log)
                here, there = what_differs(real_log, other_log), what_differs(other_log, real_log)
                assert what_a_seat_gets(real, here, seat) == what_a_seat_gets(other, there, seat)
                compared += 1
                differing += encode(position(real)) != encode(position(other))
                assert sorted(other.voice) == sorted(real.voice)
    assert compared > 100
    assert differing > 0.95 * compared


def test_a_polled_card_is_seen_by_its_seat_alone() -> None:
    for seed in range(60):
        events = played(seed)
        for count, event in enumerate(events, start=1):
            s = fold(events[:count])
            if isinstance(event, Poll) and s.phase == "politics":
                mine = view(s, event.seat).voice[-1]
                assert all(mine[place - 1] != HIDDEN for place in event.look)
                for seat in range(len(s.seats) + 1):
                    if seat != event.seat and not (seat and s.players[seat].polled_voice):
                        assert view(s, seat).voice[-1][1:] == [HIDDEN] * 3
                assert view(s, SPECTATOR).player(event.seat).polled
                return
    pytest.fail("nobody polled in sixty games")


def test_events_hide_decks_salt_secret_and_digest_until_the_end() -> None:
    for event in played(7):
        shown = encode(view_event(event, over=False)).decode()
        whole = view_event(event, over=True)
        assert whole == msgspec.to_builtins(event)
        if isinstance(event, GameStarted):
            assert event.secret not in shown
            assert event.commitment in shown
            assert view_event(event, over=False)["voice"] == [HIDDEN] * 27
        elif isinstance(event, PoliticsShuffled):
            assert event.salt not in shown
            assert set(view_event(event, over=False)["cards"]) == {HIDDEN}
        elif isinstance(event, YearClosed):
            assert event.digest not in shown
        else:
            assert view_event(event, over=False) == whole


def test_everyone_sees_everything_after_the_end() -> None:
    events = played(3)
    s = fold(events)
    shown = view(s, SPECTATOR)
    assert shown.secret == s.secret
    assert HIDDEN not in [card for year in shown.voice for card in year]
    assert HIDDEN not in shown.pile


def test_an_earlier_moment_is_revealed_only_on_demand() -> None:
    events = played(3)
    s = fold(events[: len(events) // 3])
    then, since = view(s, SPECTATOR), view(s, SPECTATOR, revealed=True)
    assert HIDDEN in then.pile
    assert HIDDEN not in [*since.pile, *since.voice[-1]]
    assert since.pile == position(s).pile
    assert not then.secret
    # Nothing else differs.
    hidden = {"pile": then.pile, "voice": then.voice, "secret": then.secret}
    assert msgspec.structs.replace(since, **hidden) == then
