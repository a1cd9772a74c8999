"""A town with clocks, and four who live in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.pace.pacing import PacedTown
from tests.web.world import Someone


@pytest.fixture
def town(tmp_path: Path) -> Iterator[PacedTown]:
    town = PacedTown(tmp_path)
    yield town
    town.close()


@pytest.fixture
def friends(town: PacedTown) -> list[Someone]:
    return [town.resident(name) for name in ("Anna", "Bert", "Carla", "Dora")]
