"""What is written, said and tried beside games has versions as events have: a sample of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.upcast import NewerEvent, Upcasters, upcasters
from replays.chat import uttered_upcasters
from replays.corpus.games import attempt_upcasters
from replays.files.study import BadStudy, read_study, write_study
from replays.notation import parse_text, write_text
from replays.notes.annotations import written_upcasters

SAMPLES = Path(__file__).parent / "samples"
STREAMS: dict[str, Upcasters[Any]] = {"written": written_upcasters, "talk": uttered_upcasters}
STORED = sorted(path for stream in STREAMS for path in (SAMPLES / stream).glob("*.json"))


@pytest.mark.parametrize("stream", STREAMS)
def test_every_version_of_every_type_has_a_stored_sample(stream: str) -> None:
    """A sample is for ever: a failure here means that one is missing, or that one was orphaned."""
    assert {path.stem for path in (SAMPLES / stream).glob("*.json")} == STREAMS[stream].tags


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_every_sample_is_read(path: Path) -> None:
    sample = path.read_bytes().rstrip(b"\n")
    known = STREAMS[path.parent.name]
    assert msgspec.json.decode(sample)["type"] == path.stem
    thing = known.decode(sample)
    if path.stem in known.current and upcasters.newest["build"] == 1:
        assert msgspec.json.encode(thing) == sample


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_every_sample_shows_every_field(path: Path) -> None:
    """Of the things that a type holds, an old one is proved to be read only if it is there."""
    sample = msgspec.json.decode(path.read_bytes())
    known = STREAMS[path.parent.name]
    if path.stem in known.current:
        shape = type(known.decode(path.read_bytes()))
        fields = {field.encode_name for field in msgspec.structs.fields(shape)}
        assert fields - sample.keys() <= {"chapter"}


def test_an_attempt_is_read() -> None:
    assert attempt_upcasters.tags == {"attempt"}
    sample = (SAMPLES / "attempt.json").read_bytes().rstrip(b"\n")
    assert msgspec.json.encode(attempt_upcasters.decode(sample)) == sample


def test_a_study_file_is_read_and_written_the_same() -> None:
    sample = (SAMPLES / "study.json").read_bytes()
    study = read_study(sample)
    games = {game: file.encoded for game, file in study.games.items()}
    assert write_study(study.study, study.book, games.__getitem__) == sample


def test_a_text_that_begins_in_the_middle_is_read_and_written_the_same() -> None:
    sample = (SAMPLES / "position.txt").read_text(encoding="utf-8")
    parsed = parse_text(sample)
    assert parsed.errors == []
    assert parsed.game is not None
    assert write_text(parsed.game) == sample


def test_tags_of_events_and_of_what_is_written_are_never_the_same() -> None:
    """Events are found by their tags wherever they stand within something else."""
    for known in STREAMS.values():
        assert not known.newest.keys() & upcasters.newest.keys()


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_newer_version_is_refused_by_name(path: Path) -> None:
    newer = path.read_bytes().replace(f'"{path.stem}"'.encode(), f'"{path.stem}@9"'.encode(), 1)
    with pytest.raises(NewerEvent, match=f"{path.stem}@9 is newer than version 1"):
        STREAMS[path.parent.name].decode(newer)


def test_a_newer_event_within_is_refused_by_name() -> None:
    sample = (SAMPLES / "written" / "line-begun.json").read_bytes()
    newer = sample.replace(b'"type":"build"', b'"type":"build@7"', 1)
    assert newer != sample
    with pytest.raises(NewerEvent, match="build@7 is newer than version 1"):
        written_upcasters.decode(newer)


@pytest.mark.parametrize("tag", ["noted", "study-opened", "build"])
def test_a_study_with_something_newer_in_it_is_refused_by_name(tag: str) -> None:
    sample = (SAMPLES / "study.json").read_bytes()
    newer = sample.replace(f'"type":"{tag}"'.encode(), f'"type":"{tag}@2"'.encode(), 1)
    with pytest.raises(BadStudy, match=f"{tag}@2 is newer than version 1"):
        read_study(newer)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"type":1}', b'{"type":"noted"}', b"\xff", b"[" * 9999, b'{"type']
)
def test_rubbish_stays_rubbish(data: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeError, RecursionError)):
        written_upcasters.decode(data)
