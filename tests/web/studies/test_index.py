"""The list of studies follows the notes, whoever writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from replays.notes.annotations import Author, StudyChanged, StudyOpened
from tests.web.world import World
from web.seating.anonymity import ANONYMOUS


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def titles(world: World, person: str) -> list[str]:
    books = world.services.notebooks
    ids = dict.fromkeys([*books.own_studies(person), *books.studies_for_all(99)])
    return [each.title for each in books.find_studies(list(ids))]


def test_studies_are_listed_by_who_may_read_them(world: World, tmp_path: Path) -> None:
    anna, bert = Author(name="Anna", person="person-a"), Author(name="Bert", person="person-b")
    twin = World(tmp_path)
    for number, (title, seen_by) in enumerate((("Walls", "all"), ("bread", "all"), ("Own", "me"))):
        opened = StudyOpened(by=anna, title=title, seen_by=seen_by)  # type: ignore[arg-type]
        twin.services.notebooks.write(f"study/s{number}", lambda _, opened=opened: opened)  # type: ignore[misc]
    assert titles(world, anna.person) == ["bread", "Own", "Walls"]
    assert titles(world, bert.person) == titles(world, "") == ["bread", "Walls"]
    changed = StudyChanged(by=anna, title="Arches", introduction="", seen_by="me")
    world.services.notebooks.write("study/s0", lambda _: changed)
    assert titles(twin, anna.person) == ["Arches", "bread", "Own"]
    assert titles(twin, bert.person) == ["bread"]
    world.services.anonymity.forget(anna.person, {})
    (line,) = world.services.notebooks.find_studies(["s1"])
    assert line.by.name == ANONYMOUS
    twin.close()


def test_a_study_that_cannot_be_read_hides_no_other(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world.store.notes.append("study/broken", 0, [b"not a note"])
    opened = StudyOpened(by=Author(name="Anna", person="person-a"), title="Walls", seen_by="all")
    world.store.notes.append("study/whole", 0, [msgspec.json.encode(opened)])
    assert titles(world, "") == ["Walls"]
    assert "the study study/broken is not listed" in caplog.text
    again = World(tmp_path)
    assert titles(again, "") == ["Walls"]
    again.close()
