"""What is new in the tables of either database, by one query."""

from __future__ import annotations

from events.store.log import GAMES, NOTES
from events.store.news import Mark, Update
from events.store.sql.connection import SqlLink


class SqlNews:
    """The part of a source of news that both databases share; see Source."""

    def __init__(self, link: SqlLink) -> None:
        self._link = link
        p = link.parameter
        self._new = " UNION ALL ".join(
            [
                *(
                    f"SELECT '{log}', {name}, max(position) FROM {log}"
                    f" WHERE position > {p} GROUP BY {name}"
                    for log, _, name, *_ in (GAMES, NOTES)
                ),
                "SELECT 'documents', name, version FROM document_versions",
            ]
        )
        self._end = " UNION ALL ".join(
            [
                *(
                    f"SELECT '{log}', '', coalesce(max(position), 0) FROM {log}"
                    for log, *_ in (GAMES, NOTES)
                ),
                "SELECT 'documents', name, version FROM document_versions",
            ]
        )

    def mark(self) -> Mark:
        found = self._sorted(self._link.fetch(self._end))
        return Mark(found[GAMES.log][""], found[NOTES.log][""], found["documents"])

    def look(self, mark: Mark) -> tuple[Mark, Update]:
        found = self._sorted(self._link.fetch(self._new, (mark.position, mark.notes)))
        games, streams, documents = found[GAMES.log], found[NOTES.log], found["documents"]
        position = max(games.values(), default=mark.position)
        changed = frozenset(name for name, _ in documents.items() - mark.documents.items())
        update = Update(position, frozenset(games), frozenset(streams), changed)
        return Mark(position, max(streams.values(), default=mark.notes), documents), update

    def _sorted(self, rows: list[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {GAMES.log: {}, NOTES.log: {}, "documents": {}}
        for kind, name, number in rows:
            found[kind][name] = number
        return found
