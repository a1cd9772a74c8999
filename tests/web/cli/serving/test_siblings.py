"""Figures of several server processes in one answer."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.world import World
from web.cli.serving.siblings import Siblings


def test_whichever_process_is_asked_tells_the_figures_of_all(tmp_path: Path) -> None:
    folder = tmp_path / "processes"
    folder.mkdir()
    worlds = [World(tmp_path), World(tmp_path)]
    worlds[1].services.referee.standing_by = True
    siblings = []
    for number, world in enumerate(worlds, start=1):
        registry = world.app.extensions["lacitta-metrics"].registry
        siblings.append(world.app.config.setdefault("SIBLINGS", Siblings(registry, number, folder)))
    siblings[1].start()
    worlds[1].app.test_client().get("/health")
    (folder / "3").touch()  # of one that is gone
    client = worlds[0].app.test_client()
    figures = client.get("/metrics").text
    assert 'lacitta_worker_standing_by{process="1",worker="referee"} 0.0' in figures
    assert 'lacitta_worker_standing_by{process="2",worker="referee"} 1.0' in figures
    assert 'lacitta_request_seconds_bucket{le="5.0",process="2",route="/health"} 1.0' in figures
    assert 'route="/health"' not in "".join(re.findall(r'.*process="1".*', figures))
    assert figures.count("# TYPE lacitta_worker_standing_by gauge") == 1
    siblings[1].stop()
    assert 'process="2"' not in client.get("/metrics").text
    for world in worlds:
        world.close()
