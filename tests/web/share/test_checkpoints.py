"""A server makes a checkpoint each day, and anybody can fetch it."""

from __future__ import annotations

from pathlib import Path

from events.store.checkpoints.checkpoint import StoreSummary, read_checkpoint, remembered
from events.types import TakeGold
from tests.web.world import World
from web.share.checkpoints import EVERY, CheckpointMaker


def test_a_checkpoint_each_day_for_anybody(tmp_path: Path) -> None:
    world = World(tmp_path)
    try:
        store, client = world.store, world.app.test_client()
        now = 1_700_000_000_000
        maker = CheckpointMaker(store, lambda: now)
        assert not maker.make_due()
        assert client.get("/api/checkpoint").status_code == 404
        store.append("secret-game", 0, [TakeGold(seat=1)])
        assert maker.make_due()
        assert not maker.make_due()
        now += EVERY
        assert not maker.make_due()  # nothing happened
        answer = client.get("/api/checkpoint")
        found = read_checkpoint(answer.data)
        assert found.time == now - EVERY
        assert b"secret" not in answer.data
        assert list(StoreSummary(store).compare(found)) == []
        store.append("secret-game", 1, [TakeGold(seat=1)])
        assert maker.make_due()
        assert [each.games.size for each in remembered(store)] == [1, 2]
    finally:
        world.close()
