"""What a view costs on a store with few tables and on one with many, asked in turns.

Everybody sits at about as many tables in both. As a command, which fills both stores first:
`python -m tests.bench.views FEW MANY [postgres]`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.events.server import Server
from tests.load.town import Town, fill
from tests.web.world import Someone, World

TABLES_EACH = 12
"""Of one person, about."""
PEOPLE = 6
"""Whose views are taken, at either store."""

VIEWS: dict[str, Callable[[Someone, str], str]] = {
    "lobby": lambda who, table: "/",
    "my games": lambda who, table: "/api/me/games",
    "next": lambda who, table: "/next",
    "table": lambda who, table: f"/table/{table}",
}


class Place:
    """A store with so many tables, a server on it, and some of its people with a browser each."""

    def __init__(self, url: Path | str, tables: int) -> None:
        self.world = World(url)
        begun = time.perf_counter()
        self.town: Town = fill(
            self.world.store,
            tables,
            tables // 5,
            tables * 5 // 2 // TABLES_EACH,
        )
        self.filled = time.perf_counter() - begun
        if isinstance(url, str):
            # As PostgreSQL does by itself a minute after so many changes.
            with self.world.store._link.transaction() as execute:  # type: ignore[attr-defined]
                execute("ANALYZE", ())
        step = max(1, len(self.town.people) // PEOPLE)
        chosen = self.town.people[::step][:PEOPLE]
        self.people = [self.world.browser_of(each.id, each.name) for each in chosen]
        self.tables = [
            next(id_ for id_ in self.town.running if each in self.town.seats[id_])
            for each in chosen
        ]

    def view(self, name: str, number: int) -> float:
        """Seconds that one view takes one of the people."""
        who, table = self.people[number % PEOPLE], self.tables[number % PEOPLE]
        path = VIEWS[name](who, table)
        begun = time.perf_counter()
        answer = who.get(path)
        took = time.perf_counter() - begun
        assert answer.status_code in (200, 303), answer.text
        return took

    def close(self) -> None:
        self.world.close()


def compare(few: Place, many: Place, rounds: int) -> dict[str, tuple[float, float]]:
    """For each view the median of both, in seconds, once caches are warm."""
    found = {}
    for name in VIEWS:
        times: tuple[list[float], list[float]] = ([], [])
        for number in range(-PEOPLE, rounds):
            for place, taken in zip((few, many), times, strict=True):
                took = place.view(name, number)
                if number >= 0:
                    taken.append(took)
        found[name] = (median(times[0]), median(times[1]))
    return found


def shown(found: dict[str, tuple[float, float]]) -> str:
    return "\n".join(
        f"{name:12} {few * 1e3:6.2f} ms {many * 1e3:6.2f} ms  {many / few:.2f} times"
        for name, (few, many) in found.items()
    )


def main(few: int, many: int, postgres: bool) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls: list[Path | str] = [folder / "few", folder / "many"]
        if postgres:
            server = Server()
            stack.callback(server.stop)
            urls = [server.new_schema(), server.new_schema()]
        else:
            for each in ("few", "many"):
                (folder / each).mkdir()
        places = [Place(url, size) for url, size in zip(urls, (few, many), strict=True)]
        for place, size in zip(places, (few, many), strict=True):
            stack.callback(place.close)
            print(f"{size} tables, {len(place.town.people)} people: filled in {place.filled:.0f} s")
            cold = {name: [place.view(name, n) * 1e3 for n in range(PEOPLE)] for name in VIEWS}
            print("first views:", {name: f"{max(each):.1f} ms" for name, each in cold.items()})
        print(shown(compare(*places, rounds=120)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "postgres" in sys.argv[3:])
