"""Bots think for people outside of games, and however often they are asked, games go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count, cycle
from pathlib import Path

import pytest

from tests.attacks.host import ATTACKERS, OVER, Host
from tests.attacks.siege import Asking, withstand

pytestmark = pytest.mark.long


def prince_lines(host: Host, number: int) -> Asking:
    """Somebody without an account lets the best bot play on for 200 turns, again and again."""
    who, line = host.visitor(), {"bot": "prince", "turns": 200}
    sent = {
        "at": {"number": 3},
        "move": line,
        "cards": "as-they-were",
        "guest": f"Guest {number}",
    }
    return lambda: who.post(f"/api/notebooks/game/over-{number % OVER}/lines", sent).status


def hints(host: Host, number: int) -> Asking:
    """A hint at a moment that nobody asked about before."""
    who, moments = host.visitor(), cycle(range(3 + number, 60, ATTACKERS))
    path = f"/api/notebooks/game/over-{number % OVER}/choices/-/-/hint?bot=prince&number="
    return lambda: who.get(f"{path}{next(moments)}").status


def hints_at_the_table(host: Host, number: int) -> Asking:
    who = host.visitor(host.attackers[number])
    return lambda: who.get(f"/api/games/theirs-{number}/hint?seat=1&bot=prince").status


def plans(host: Host, number: int) -> Asking:
    """A plan that goes on and on, with a prince's word about each step."""
    who, turns, last = host.visitor(host.attackers[number]), count(), 0
    base = f"/api/games/theirs-{number}/plans"
    while (status := who.post(f"{base}?seat=1", {"name": "Long"}).status) == 202:
        time.sleep(0.1)  # until the first worker process is there
    assert status == 201

    def ask() -> int:
        nonlocal last
        if next(turns) % 2:
            return who.get(f"{base}/1/choices/{last}/hint?seat=1&bot=prince").status
        choices = who.get(f"{base}/1/choices/{last}?seat=1")
        if choices.status != 200 or not choices.json["actions"]:
            return choices.status
        step = who.post(f"{base}/1/steps?seat=1", {"action": choices.json["actions"][-1]})
        last = step.json["moment"] if step.status == 201 else last
        return step.status

    return ask


ATTACKS = [prince_lines, hints, hints_at_the_table, plans]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_thinking(attack: Callable[[Host, int], Asking], tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        answers = withstand(host, [attack(host, number) for number in range(ATTACKERS)])
    assert answers.keys() & {200, 201, 202}
    assert answers.keys() <= {200, 201, 202, 404, 409, 429}
