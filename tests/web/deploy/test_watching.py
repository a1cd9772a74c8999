"""The real Prometheus with our file, and every figure of the load page asked of it."""

from __future__ import annotations

import json
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.waiting import wait_until
from tests.web.deploy.test_proxies import DEPLOY, free_port, program
from tests.web.served import Served

TOKEN = "of0the0metrics"
Ask = Callable[[str], list[Any]]
"""What Prometheus has for an expression."""


@pytest.fixture
def prometheus(tmp_path: Path) -> Iterator[Ask]:
    """Prometheus beside a server with a replica; only the places and the interval are others."""
    command, port = [program("prometheus")], free_port()
    settings = {"LACITTA_METRICS_TOKEN": TOKEN}
    words = ["--port", "0", "--db", str(tmp_path / "games.db"), "--replica", str(tmp_path / "kept")]
    with Served("", ["-m", "web.cli", "serve", *words], settings) as served:
        file = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
        file["global"]["scrape_interval"] = "1s"
        (job,) = file["scrape_configs"]
        job["authorization"]["credentials_file"] = str(tmp_path / "token")
        job["static_configs"] = [{"targets": [f"127.0.0.1:{served.port}"]}]
        (tmp_path / "token").write_text(TOKEN)
        (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(file))
        command += [f"--config.file={tmp_path}/prometheus.yml"]
        command += [f"--storage.tsdb.path={tmp_path}/figures"]
        command += [f"--web.listen-address=127.0.0.1:{port}"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

        def ask(expression: str) -> list[Any]:
            query = urllib.parse.urlencode({"query": expression})
            try:
                with urllib.request.urlopen(
                    f"http://127.0.0.1:{port}/api/v1/query?{query}"
                ) as answer:
                    found = json.load(answer)
            except OSError:
                return []
            assert found["status"] == "success"
            result: list[Any] = found["data"]["result"]
            return result

        try:
            yield ask
        finally:
            process.kill()
            process.wait()


def test_our_file_is_one_of_prometheus() -> None:
    checked = [program("promtool"), "check", "config", "--syntax-only", DEPLOY / "prometheus.yml"]
    done = subprocess.run(checked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "SUCCESS" in done.stdout


@pytest.mark.long
def test_every_figure_of_the_load_page_is_one_of_prometheus(prometheus: Ask) -> None:
    page = json.loads((DEPLOY / "grafana" / "load.json").read_text(encoding="utf-8"))
    wait_until(lambda: prometheus("count_over_time(up[1m]) > 3 and up == 1"))
    wait_until(lambda: prometheus('lacitta_worker_heartbeat_timestamp_seconds{worker="replica"}'))
    empty = {
        panel["title"]
        for panel in page["panels"]
        for target in panel.get("targets", ())
        if not prometheus(target["expr"])
    }
    # Nobody has taken a turn, and nothing was computed.
    turns, jobs = "Turns that were refused or failed", "Processor time of jobs, by kind"
    assert empty == {turns, jobs, "Jobs that failed"}
