"""Read models in the SQLite file, searched with FTS5."""

from __future__ import annotations

from events.store.sql.tables import SqlReadModels


class SqliteReadModels(SqlReadModels):
    """The read models of a SqliteStore; see ReadModels."""

    words = "?"

    def _stored(self, words: list[str]) -> str:
        return " ".join(words)

    def _found(self, name: str, words: list[str], limit: int) -> list[tuple[str]]:
        return self._link.fetch(
            f"SELECT key FROM {self.texts} JOIN {self.texts}_fts ON {self.texts}_fts.rowid = id"
            f" WHERE {self.texts}_fts MATCH ? AND name = ? ORDER BY key LIMIT ?",
            (" AND ".join(f'"{word}"' for word in words), name, limit),
        )
