"""The forms that digests are made of never change: stored bytes of each, and a form of tomorrow."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine import digest as digests
from engine import snapshot
from engine.chance.dealer import deal
from engine.digest import FORMS, Form1, form_bytes, form_of
from engine.snapshot import Position, digest, has_digest, position
from engine.state import State
from engine.walk import checked_fold
from events.codec import load_game
from events.types import YearClosed

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="module")
def state() -> State:
    return checked_fold(load_game(SAMPLES / "version-1-a.jsonl").events)


@pytest.mark.parametrize("form", FORMS)
def test_the_bytes_of_a_form_are_for_ever(form: int, state: State) -> None:
    """A failure here means that recorded digests agree no more: add a form, change none."""
    stored = (SAMPLES / f"digest-form-{form}.msgpack").read_bytes()
    assert form_bytes(position(state), form) == stored


def test_form_1_has_these_fields() -> None:
    stored = msgspec.msgpack.decode(
        (SAMPLES / "digest-form-1.msgpack").read_bytes(), type=dict[str, object]
    )
    assert list(stored) == [field.name for field in msgspec.structs.fields(Form1)]
    assert " ".join(stored) == (
        "phase year turn start queue awaiting chance winners players tiles cities founded_cities "
        "pools supply neighbours display pile pile_seen discards draws shuffles voice shown_voice "
        "unseen_discards secret commitment closed"
    )
    player, city = stored["players"][0], stored["cities"][0]  # type: ignore[index]
    assert " ".join(player) == (
        "seat gold castles figures action_cards played unseen founded penalty starved "
        "lost_by_moving care polled_voice resigned bot"
    )
    assert " ".join(city) == "number seat castle citizens buildings figures"


class Position2(Position, frozen=True, kw_only=True):
    weather: str = "fine"


class Form2(Form1, frozen=True, kw_only=True):
    weather: str


def test_a_new_field_of_a_position_changes_no_digest(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(state)
    monkeypatch.setattr(snapshot, "Position", Position2)
    assert "weather" in msgspec.to_builtins(position(state))
    assert digest(state) == before
    assert has_digest(state, before)


def test_a_second_form_stands_beside_the_first(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = digest(state)
    monkeypatch.setattr(snapshot, "Position", Position2)
    monkeypatch.setitem(digests.FORMS, 2, Form2)
    second = digest(state)
    assert second.startswith("2:")
    assert (form_of(first), form_of(second)) == (1, 2)
    assert has_digest(state, first)
    assert has_digest(state, second)
    assert not has_digest(state, first[::-1])
    assert not has_digest(state, f"2:{first}")
    assert digest(state, 1) == first


@pytest.mark.parametrize("recorded", ["3:" + "0" * 64, "0:" + "0" * 64, "x:" + "0" * 64, ":", ""])
def test_what_is_no_digest_of_ours_is_none(state: State, recorded: str) -> None:
    assert not has_digest(state, recorded)


def test_new_years_are_closed_in_the_newest_form(monkeypatch: pytest.MonkeyPatch) -> None:
    events = load_game(SAMPLES / "version-1-a.jsonl").events
    first = next(place for place, event in enumerate(events) if isinstance(event, YearClosed))
    before = checked_fold(events[:first])
    assert deal(before) == msgspec.structs.replace(events[first], time=0)
    monkeypatch.setattr(snapshot, "Position", Position2)
    monkeypatch.setitem(digests.FORMS, 2, Form2)
    closed = deal(before)
    assert isinstance(closed, YearClosed)
    assert form_of(closed.digest) == 2
