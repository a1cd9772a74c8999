"""Whole games read, refolded, written out and brought along: none of it holds up anybody else, nor
the read models of others."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from engine.material import library
from engine.selfplay import new_game
from events.codec import write_game
from events.types import AskTakeBack, TakeGold
from tests.attacks.host import ATTACKERS, OVER, Host, finished_game
from tests.attacks.siege import Asking, withstand

pytestmark = pytest.mark.long

BYTES = 123_000
IMPORTERS = 4


def other_rules(host: Host, number: int) -> Asking:
    """A finished game under rules of one's own, other ones each time."""
    who, times = host.visitor(), count(number)

    def ask() -> int:
        n = next(times)
        ruleset = sorted(library.RULESETS)[n % len(library.RULESETS)]
        when = ("bot", "skip", "stop")[n // 5 % 3]
        return who.get(f"/replay/over-{n % OVER}/under/{ruleset}/40?when={when}").status

    return ask


def exports(host: Host, number: int) -> Asking:
    """A whole game as a page, in every language."""
    who, times = host.visitor(), count(number)

    def ask() -> int:
        n = next(times)
        language = ("en", "de", "nl", "fr", "fi")[n // OVER % 5]
        return who.get(f"/replay/over-{n % OVER}/game.html?lang={language}").status

    return ask


def imports(host: Host, number: int) -> Asking:
    who, file = host.visitor(host.attackers[number]), write_game("x", finished_game(number))
    return lambda: who.send_file("/import", "game.jsonl", file).status


ATTACKS = [other_rules, exports, imports]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_whole_games(attack: Callable[[Host, int], Asking], tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        answers = withstand(host, [attack(host, number) for number in range(ATTACKERS)])
    assert answers.keys() & {200, 202, 303}
    assert answers.keys() <= {200, 202, 303, 409, 429}


def take_backs() -> bytes:
    """Gold is taken and taken back until nothing more fits in."""
    game = new_game(2, "attacks/take-backs")
    seat = min(game.state.awaiting)
    pair = [TakeGold(seat=seat), AskTakeBack(seat=seat)]
    events, size = game.events, len(write_game("x", game.events))
    per_pair = len(write_game("x", [*events, *pair])) - size
    return write_game("x", [*events, *pair * ((BYTES - size) // per_pair)])


def import_and_view(host: Host, number: int, file: bytes) -> Asking:
    """Bring the file, then look at it from its end, again and again."""
    who, times = host.visitor(host.attackers[number]), count()
    found = ""

    def ask() -> int:
        nonlocal found
        turn = next(times)
        if turn % 5 == 0:
            reply = who.send_file("/import", f"{turn}.jsonl", file)
            if reply.status == 303 and "/replay/" in reply.headers["Location"]:
                found = reply.headers["Location"].split("/")[2]
            return reply.status
        if not found:
            return who.get("/replay/over-0").status
        return who.get(f"/replay/{found}/{1 + 97 * turn % 4000}").status

    return ask


def test_gold_taken_and_taken_back(tmp_path: Path) -> None:
    file = take_backs()
    with Host(tmp_path) as host:
        answers = withstand(
            host, [import_and_view(host, number, file) for number in range(IMPORTERS)]
        )
    assert answers.keys() & {202, 303, 422}
    assert answers.keys() <= {200, 202, 303, 404, 422, 429}
