"""A few of the losses that `python -m tests.load.disk_losses` counts by hundreds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.disk_losses import lose_disks

pytestmark = pytest.mark.long


def test_a_lost_disk_costs_about_a_second(tmp_path: Path) -> None:
    found = lose_disks(2, "a few", tmp_path)
    assert sum(loss.acknowledged for loss in found) > 0
    assert max(loss.age for loss in found) < 2
