"""Bots at the tables of one person leave time for the bots of another."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.attacks.host import Host
from tests.attacks.opponents import WithBots, answer_times
from tests.attacks.siege import COUNTING, SLOWER, Asking, Attack, counting, percentile, withstand

pytestmark = pytest.mark.long

TABLES = 12
ANSWER = 1.5
"""Seconds that a bot's answer may take, on a machine as quick as TURN is for."""
ROUNDS = 8


def prince_tables(host: Host) -> Asking:
    """A guest opens tables with four princes and leaves each at once, so that they play alone."""
    who = host.visitor()
    sent = {"players": 5, "bots": 4, "level": "prince"}
    opened = 0

    def ask() -> int:
        nonlocal opened
        if opened >= TABLES:
            return who.get("/api/me/games").status
        reply = who.post("/api/tables", sent)
        if reply.status == 201:
            opened += 1
            game = reply.json["id"]
            who.post(f"/api/games/{game}/actions", {"type": "resign", "seat": 1})
        return reply.status

    return ask


def test_princes_at_a_guests_tables(tmp_path: Path) -> None:
    with WithBots(tmp_path) as host:
        who, scale = host.visitor(host.token), max(1.0, counting() / COUNTING)
        quiet = answer_times(who, ROUNDS)
        with Attack([prince_tables(host)]) as attack:
            time.sleep(3)
            busy = answer_times(who, ROUNDS)
        allowed = max(ANSWER * scale, SLOWER * percentile(quiet))
        print(f"\nbots answer in {percentile(quiet):.2f} s, attacked in {percentile(busy):.2f} s")
        assert attack.answers[201]
        assert percentile(busy) <= allowed
        withstand(host, [lambda: host.visitor().get("/").status])
