"""Versions of event types: stored samples of every one, upcasters, and refusal of newer ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from events import codec
from events.codec import decode_event, encode_event, read_game, write_game
from events.errors import BadLog
from events.store.protocol import Store
from events.types import Action, HandOver, Pass, TakeGold
from events.upcast import Fields, NewerEvent, Steps, Upcasters, split_tag, upcasters

SAMPLES = Path(__file__).parent / "samples"


def test_every_version_of_every_type_has_a_stored_sample() -> None:
    """A sample is for ever: a failure here means that one is missing, or that one was orphaned."""
    assert {path.stem for path in SAMPLES.glob("*.json")} == upcasters.tags


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_sample_decodes(path: Path) -> None:
    sample = path.read_bytes().rstrip(b"\n")
    assert msgspec.json.decode(sample)["type"] == path.stem
    event = decode_event(sample)
    if path.stem in upcasters.current:
        assert encode_event(event) == sample
    else:
        assert split_tag(path.stem) is not None


def test_samples_are_stored_with_their_columns_for_people(store: Store) -> None:
    samples = [path.read_bytes().rstrip(b"\n") for path in sorted(SAMPLES.glob("*.json"))]
    events = [decode_event(sample) for sample in samples]
    for by in ("order", "clock", "vote"):
        decided = [e for e in events if hasattr(e, "by")]
        samples += [encode_event(msgspec.structs.replace(e, by=by)) for e in decided]
    samples.append(encode_event(HandOver(seat=1, bot='"time":8,"by":"vote"}', time=7, by="clock")))
    store.append_encoded("samples", 0, samples)
    rows = store._link.fetch("SELECT type, seat, time FROM events ORDER BY position")  # type: ignore[attr-defined]
    fields = [msgspec.json.decode(sample) for sample in samples]
    assert rows == [(f["type"], f.get("seat"), f.get("time")) for f in fields]


class Build3(Action, frozen=True, tag="build@3"):
    building: str
    at: Annotated[str, Meta(min_length=2)]
    cost: int


def with_price(fields: Fields) -> Fields:
    return fields | {"price": 1}


def cost_for_price(fields: Fields) -> Fields:
    cost = fields.pop("price")
    return fields | {"cost": cost}


STEPS: Steps = {"build": [with_price, cost_for_price]}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Upcasters[Any]:
    """A future in which `build` is in its third version."""
    registry: Upcasters[Any] = Upcasters(Build3 | Pass, STEPS)
    monkeypatch.setattr(codec, "upcasters", registry)
    return registry


OLD = b'{"type":"build","seat":1,"building":"farm","at":"A1","time":5}'
MIDDLE = b'{"type":"build@2","seat":1,"building":"farm","at":"A1","price":4}'
NEW = b'{"type":"build@3","seat":1,"building":"farm","at":"A1","cost":4}'


def test_old_versions_are_brought_up_step_by_step(registry: Upcasters[Any]) -> None:
    assert decode_event(OLD) == Build3(seat=1, building="farm", at="A1", cost=1, time=5)
    assert (
        decode_event(MIDDLE)
        == decode_event(NEW)
        == Build3(seat=1, building="farm", at="A1", cost=4)
    )
    assert registry.tags == {"build", "build@2", "build@3", "pass"}


def test_a_file_may_mix_versions(registry: Upcasters[Any]) -> None:
    file = write_game("g1", []) + b"\n".join([OLD, b'{"type":"pass","seat":2}', MIDDLE, NEW])
    costs = [event.cost for event in read_game(file).events if isinstance(event, Build3)]
    assert costs == [1, 4, 4]


def test_a_file_keeps_the_bytes_of_old_versions(registry: Upcasters[Any]) -> None:
    lines = [OLD, b'{"type":"pass","seat":2}', MIDDLE, NEW]
    file = write_game("g1", lines, head="ab" * 32)
    game = read_game(file)
    assert game.encoded == lines
    assert write_game("g1", game.encoded, head=game.header.head) == file


def test_blanks_in_a_file_are_not_kept(registry: Upcasters[Any]) -> None:
    spaced = [line.replace(b",", b" , ").replace(b":", b": ") + b"\r" for line in (OLD, NEW)]
    assert read_game(write_game("g1", spaced)).encoded == [OLD, NEW]


def test_an_old_event_that_is_not_what_it_says_is_refused(registry: Upcasters[Any]) -> None:
    """The step that fails is nobody's concern: the line and what is wrong with it are."""
    bad = MIDDLE.replace(b'"price":4', b'"prize":4')
    with pytest.raises(BadLog, match="line 2: object is no valid `build@2`"):
        read_game(write_game("g1", [bad]))


def test_an_old_event_that_is_wrong_is_still_wrong(registry: Upcasters[Any]) -> None:
    with pytest.raises(BadLog):
        decode_event(OLD.replace(b'"A1"', b'"A"'))


def test_stored_bytes_stay_old(registry: Upcasters[Any], store: Store) -> None:
    store.append_encoded("g1", 0, [OLD])
    (record,) = store.read("g1")
    assert record.event == OLD
    assert record.decode() == decode_event(OLD)


def test_a_newer_version_is_refused_by_name() -> None:
    with pytest.raises(NewerEvent, match="build@9 is newer than version 1, the newest known here"):
        decode_event(b'{"type":"build@9","seat":1,"whatever":[1]}')
    file = write_game("g1", [TakeGold(seat=1)]) + b'{"type":"gold@2","seat":1}\n'
    with pytest.raises(NewerEvent, match="line 3: field type: gold@2 is newer") as caught:
        read_game(file)
    assert (caught.value.tag, caught.value.line, caught.value.newest) == ("gold@2", 3, 1)


@pytest.mark.parametrize(
    "tag", ["wonder", "wonder@2", "build@1", "build@0", "build@02", "build@", "@2"]
)
def test_an_unknown_type_is_unknown_and_not_newer(tag: str) -> None:
    with pytest.raises(BadLog, match="unknown event type") as caught:
        decode_event(f'{{"type":"{tag}","seat":1}}'.encode())
    assert not isinstance(caught.value, NewerEvent)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"type":1}', b'{"type":null}', b"\xff", b"[" * 9999]
)
def test_rubbish_stays_rubbish(data: bytes) -> None:
    with pytest.raises(BadLog):
        decode_event(data)


@pytest.mark.parametrize(
    "steps",
    [{}, {"build": [with_price]}, {"build": [with_price] * 3}, {**STEPS, "pass": [with_price]}],
)
def test_steps_must_lead_to_the_newest_shape(steps: Steps) -> None:
    with pytest.raises(ValueError, match="do not lead to"):
        Upcasters(Build3 | Pass, steps)


def test_steps_must_be_of_a_type_that_is_there() -> None:
    with pytest.raises(ValueError, match="a type that is not there"):
        Upcasters(Build3 | Pass, {**STEPS, "wonder": []})
