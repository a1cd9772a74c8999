"""Health and metrics: for those who watch a server, and for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.store.errors import StoreError
from events.types import TakeGold
from tests.web.notices.mailing import MINUTE, MailTown
from web.accounts.account import Webhook
from web.settings import Metrics, Server, Settings
from web.site import metrics


def test_metrics_count_what_happens(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    town.services.people.add_webhook(bert.id, Webhook("discord", "https://chat.example/hook"))
    game = town.table(bert, anna)
    town.round(MINUTE)
    anna.get(f"/table/{game}")
    anna.get("/no/such/page")
    answer = town.app.test_client().get("/metrics")
    assert answer.mimetype == "text/plain"
    lines = answer.text.splitlines()
    assert 'lacitta_requests_total{method="GET",route="/table/<id_>",status="200"} 1.0' in lines
    assert 'lacitta_requests_total{method="-",route="-",status="404"} 1.0' in lines
    assert f"lacitta_events_total {float(town.store.position())}" in lines
    assert "lacitta_games_running 1.0" in lines
    assert "lacitta_bot_turns_waiting 0.0" in lines
    # That the game has begun, and perhaps a turn. No letters are sent here: Anna cannot be told.
    waiting = 1.0 + (town.owing(game) == 1)
    assert f"lacitta_outbox_waiting {waiting}" in lines
    assert "lacitta_read_models_behind 0.0" in lines
    here = [line for line in lines if line.startswith("lacitta_request_") and "<id_>" in line]
    buckets = [float(line.split()[1]) for line in here if "_bucket" in line]
    assert buckets == sorted(buckets)
    assert 'lacitta_request_seconds_count{route="/table/<id_>"} 1.0' in here
    assert buckets[-1] == 1.0
    assert any(line.startswith("python_info{") for line in lines)


def test_a_game_that_cannot_be_folded_is_named_to_the_host(town: MailTown) -> None:
    client = town.app.test_client()
    assert client.get("/health").json == {"status": "ok"}
    town.store.append("broken", 0, [TakeGold(seat=1)])
    town.catch_up()
    health = client.get("/health")
    assert (health.status_code, health.json) == (200, {"status": "ok", "games_set_aside": 1})
    assert 'lacitta_games_set_aside{game="broken"} 1.0' in client.get("/metrics").text


def test_applications_of_one_process_count_for_themselves(town: MailTown, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = MailTown(tmp_path / "other", Settings())
    other.app.test_client().get("/rules")
    assert "/rules" in other.app.test_client().get("/metrics").text
    assert "/rules" not in town.app.test_client().get("/metrics").text
    other.close()


def test_metrics_are_not_for_everyone(town: MailTown, tmp_path: Path) -> None:
    client = town.app.test_client()
    assert client.get("/metrics", environ_base={"REMOTE_ADDR": "::1"}).status_code == 200
    for address in ("203.0.113.9", "10.0.0.1", ""):
        answer = client.get("/metrics", environ_base={"REMOTE_ADDR": address})
        assert answer.status_code == 403
    (tmp_path / "other").mkdir()
    guarded = Settings(server=Server(url="http://x.org"), metrics=Metrics(token="hush"))
    other = MailTown(tmp_path / "other", guarded)
    client = other.app.test_client()
    for header, status in (("", 403), ("Bearer wrong", 403), ("Bearer hush", 200)):
        assert client.get("/metrics", headers={"Authorization": header}).status_code == status
    other.close()


def test_health_says_when_the_store_is_gone(
    town: MailTown, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = town.app.test_client()
    monkeypatch.setattr(metrics, "HOLDS", 0.0)
    assert (client.get("/health").status_code, client.get("/health").json) == (
        200,
        {"status": "ok"},
    )

    def full(*args: object) -> None:
        raise StoreError("disk full")

    monkeypatch.setattr(type(town.store.documents), "save", full)
    assert client.get("/health").status_code == 503


def test_asking_often_does_not_write_often(town: MailTown) -> None:
    client = town.app.test_client()
    for _ in range(5):
        client.get("/health")
    assert town.store.documents.version("health") == 1
