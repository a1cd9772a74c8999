"""People who play on while somebody attacks: a program of its own, so that the attack does not
slow down the clock that it is judged by."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 10.0
"""Seconds after which a player gives up on a turn; it counts as that long."""
PAUSE = 0.05


class Player(threading.Thread):
    """Plays both seats of some games, one turn after the other, each on a connection of its own as
    somebody who just came."""

    def __init__(self, port: int, seconds: float, token: str, games: Sequence[str]) -> None:
        super().__init__()
        self._port, self._end, self._games = port, time.monotonic() + seconds, list(games)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._random = random.Random(token)
        self._address = f"127.0.7.{self._random.randint(1, 250)}"
        self.times: list[float] = []
        """Seconds from the call until the turn was acknowledged."""
        self.acknowledged: list[tuple[str, int, str]] = []
        self.problems: list[str] = []

    def run(self) -> None:
        while self._games and time.monotonic() < self._end:
            begun = time.perf_counter()
            try:
                if not self._turn(self._games[0]):
                    self._games.pop(0)
                    continue
            except (OSError, http.client.HTTPException) as error:
                self.problems.append(repr(error))
            self.times.append(time.perf_counter() - begun)
            time.sleep(PAUSE)

    def _turn(self, game: str) -> bool:
        """Whether there was one to play."""
        link = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=PATIENCE, source_address=(self._address, 0)
        )
        try:
            for seat in (1, 2):
                offer = self._ask(link, "GET", f"/api/games/{game}/actions?seat={seat}")
                if offer["owes"]:
                    action = offer["suggestion"] or self._random.choice(offer["actions"])
                    path = f"/api/games/{game}/actions?version={offer['version']}"
                    done = self._ask(link, "POST", path, action)
                    self.acknowledged.append((game, done["version"], done["head"]))
                    return True
        finally:
            link.close()
        return False

    def _ask(self, link: http.client.HTTPConnection, method: str, path: str, sent: Any = "") -> Any:
        link.request(method, path, json.dumps(sent) if sent else None, self._headers)
        response = link.getresponse()
        answer = response.read()
        if response.status not in (200, 201):
            raise OSError(f"{method} {path}: {response.status} {answer[:200]!r}")
        return json.loads(answer)


class Playing:
    """The program at work; `result` waits for its end."""

    def __init__(self, port: int, seconds: float, people: dict[str, list[str]]) -> None:
        self._patience = seconds + 3 * PATIENCE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.attacks.players"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        json.dump([port, seconds, people], self._process.stdin)
        self._process.stdin.close()
        self._process.stdin = None

    def result(self) -> tuple[list[float], list[tuple[str, int, str]], list[str]]:
        """Seconds of every turn, what was acknowledged, and what went wrong."""
        out, _ = self._process.communicate(timeout=self._patience)
        times, acknowledged, problems = json.loads(out)
        return times, [tuple(each) for each in acknowledged], problems


def main() -> None:
    port, seconds, people = json.load(sys.stdin)
    players = [Player(port, seconds, token, games) for token, games in people.items()]
    for player in players:
        player.start()
    for player in players:
        player.join()
    found = ([], [], [])  # type: tuple[list[Any], list[Any], list[Any]]
    for player in players:
        found[0].extend(player.times)
        found[1].extend(player.acknowledged)
        found[2].extend(player.problems)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
